"""Measures of clusters, against their definitions."""

import numpy as np
import pandas as pd
import pytest
from frames import TrigramEncoder
from hypothesis import given
from hypothesis import strategies as st

import pearljoin as pj
from pearljoin._clusters.evaluation import evaluate_clusters

LABELS = st.integers(1, 8).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(0, 3), min_size=n, max_size=n)] * 2)
)


def sets_of(labels: list[int]) -> list[set[int]]:
    return [{row for row, one in enumerate(labels) if one == label} for label in set(labels)]


@given(LABELS)
def test_measures_are_as_defined(both: tuple[list[int], list[int]]) -> None:
    labels, truth = both
    found = evaluate_clusters(np.array(labels), np.array(truth))
    rows = range(len(labels))
    mine, true = (
        {(i, j) for i in rows for j in rows if i < j and some[i] == some[j]} for some in both
    )
    if mine:
        assert found.precision == pytest.approx(len(mine & true) / len(mine))
    if true:
        assert found.recall == pytest.approx(len(mine & true) / len(true))
    parts, true_parts = sets_of(labels), sets_of(truth)
    shares = []
    for row in rows:
        part = next(one for one in parts if row in one)
        true_part = next(one for one in true_parts if row in one)
        shares.append((len(part & true_part) / len(part), len(part & true_part) / len(true_part)))
    precision, recall = np.mean(shares, axis=0)
    assert found.b_cubed_precision == pytest.approx(precision)
    assert found.b_cubed_recall == pytest.approx(recall)
    assert found.b_cubed_f1 == pytest.approx(2 * precision * recall / (precision + recall))
    exact = sum(part in true_parts for part in parts)
    assert found.exact_precision == pytest.approx(exact / len(parts))
    assert found.exact_recall == pytest.approx(exact / len(true_parts))
    unknown = -np.mean(np.log(shares), axis=0).sum()
    assert found.variation_of_information == pytest.approx(unknown, abs=1e-12)
    assert (found.n_clusters, found.n_true) == (len(parts), len(true_parts))


def test_a_result_is_evaluated_by_true_labels() -> None:
    names = ["Acme", "ACME", "Globex", None]
    result = pj.find_duplicates(names, encoder=TrigramEncoder())
    found = pj.evaluate(result, pd.Series(["a", "a", "b", None]))
    assert (found.precision, found.recall, found.f1, found.exact_recall) == (1, 1, 1, 1)
    assert repr(found).startswith("<ClusterEvaluation: pairs: precision 1.000, recall 1.000")
    assert pj.evaluate(result, ["a", None, None, None]).precision == 0


@pytest.mark.parametrize(
    ("gold", "options", "message"),
    [
        (["a"], {}, r"Got 1 labels for 2 rows"),
        (pd.DataFrame({"a": [1, 2], "b": [1, 2]}), {}, r"one label for each row\. Got columns"),
        (["a", "b"], {"ids": ("x", "y")}, r"Got baseline= or ids="),
        ([["a"], ["b"]], {}, r"unhashable labels"),
    ],
)
def test_labels_that_cannot_be_used_are_told(gold, options: dict, message: str) -> None:
    result = pj.find_duplicates(["Acme", "Globex"], encoder=TrigramEncoder())
    with pytest.raises(pj.InputError, match=message):
        pj.evaluate(result, gold, **options)
