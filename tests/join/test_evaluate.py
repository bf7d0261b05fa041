"""evaluate: precision, recall, F1, average precision, and what was gained and lost."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from frames import match
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score

import pearljoin as pj

law = settings(derandomize=True, deadline=None, max_examples=60)

# Four matches, three of them right; one of five true pairs has no match at all.
MATCHES = pj.Matches([0, 1, 2, 3], [0, 1, 9, 3], [0.9, 0.8, 0.7, 0.6])
GOLD = [(0, 0), (1, 1), (2, 2), (3, 3), (4, 4)]


def test_the_numbers_are_what_they_are_called() -> None:
    found = pj.evaluate(MATCHES, GOLD)
    assert (found.n_right, found.n_matches, found.n_gold) == (3, 4, 5)
    assert (found.precision, found.recall, found.f1) == (0.75, 0.6, 6 / 9)
    assert found.average_precision == pytest.approx((1 + 1 + 3 / 4) / 5)
    assert found.gained is found.lost is None
    assert repr(found) == (
        "<Evaluation: precision 0.750, recall 0.600, F1 0.667, average precision 0.550; "
        "3 of 4 matches right, of 5 true pairs>"
    )


@pytest.mark.parametrize(
    "gold",
    [
        set(GOLD),
        GOLD + GOLD[:2],
        np.array(GOLD),
        np.array(GOLD, dtype=float),
        pd.DataFrame(GOLD, columns=["l", "r"]),
        pd.DataFrame(GOLD, columns=["l", "r"], index=[7, 7, 8, 9, 0]),
        pd.MultiIndex.from_tuples(GOLD),
        pl.DataFrame(GOLD, schema=["l", "r"], orient="row"),
        pa.table({"l": [a for a, _ in GOLD], "r": [b for _, b in GOLD]}),
        pd.DataFrame({"note": "x", "right_row": range(5), "left_row": range(5)}),
        pj.Matches(np.arange(5), np.arange(5), np.ones(5)),
    ],
)
def test_true_pairs_come_in_many_forms(gold) -> None:
    assert pj.evaluate(MATCHES, gold) == pj.evaluate(MATCHES, GOLD)


def test_a_result_is_ranked_beyond_its_threshold() -> None:
    left, right = ["red inn", "blue cafe", "zzz"], ["red in", "blue caffe"]
    result = match(left, right, threshold=0.99)
    found = pj.evaluate(result, [(0, 0), (1, 1)])
    assert np.isnan(found.precision)
    assert (found.recall, found.f1, found.average_precision) == (0, 0, 1)
    lower = match(left, right, threshold=0.3)
    assert pj.evaluate(lower, [(0, 0), (1, 1)]).f1 == 1
    many = match(left, right, threshold=0.3, constraint="m:m")
    assert pj.evaluate(many, [(0, 0), (1, 1)]).average_precision == 1


def test_pairs_gained_and_lost_are_true_ones() -> None:
    other = pj.Matches([0, 2, 3, 4], [0, 2, 8, 5], [1, 1, 1, 1])
    found = pj.evaluate(MATCHES, GOLD, baseline=other)
    assert found.gained == ((1, 1), (3, 3))
    assert found.lost == ((2, 2),)
    assert repr(found).endswith("of 5 true pairs; 2 gained and 1 lost>")


def test_rows_may_be_named_by_a_column_of_each_table() -> None:
    left = pd.DataFrame({"id": ["a", "b"], "x": ["red", "blue"]})
    right = pl.DataFrame({"no": [7, 8], "y": ["blue", "red"]})
    result = match(left, right, left_on="x", right_on="y")
    assert pj.evaluate(result, [("a", 8), ("b", 7)], ids=("id", "no")).f1 == 1
    assert pj.evaluate(result, pd.DataFrame({"p": ["a"], "q": [7]}), ids=["id", "no"]).recall == 0


def test_nothing_found_and_nothing_true() -> None:
    none = pj.Matches([], [], [])
    assert pj.evaluate(none, GOLD).f1 == 0
    nothing = pj.evaluate(MATCHES, [])
    assert (nothing.precision, nothing.f1) == (0, 0)
    assert np.isnan([nothing.recall, nothing.average_precision]).all()
    assert np.isnan(pj.evaluate(none, np.zeros((0, 2))).f1)


@law
@given(st.lists(st.tuples(st.integers(0, 4), st.booleans()), min_size=1, max_size=20))
def test_average_precision_is_scikit_learns_where_all_is_ranked(rows) -> None:
    scores = np.array([score for score, _ in rows]) / 4
    labels = [right for _, right in rows]
    ids = np.arange(len(rows))
    gold = [(at, at) for at in ids[labels].tolist()]
    found = pj.evaluate(pj.Matches(ids, ids, scores), gold).average_precision
    if gold:
        assert found == pytest.approx(average_precision_score(labels, scores))
    else:
        assert np.isnan(found)


RESULT_TABLES = (
    pd.DataFrame({"id": ["a", "a"], "n": [1, 2], "x": ["red", "blue"]}),
    pd.DataFrame({"id": ["c", "d"], "y": ["blue", "red"]}),
)


@pytest.mark.parametrize(
    ("gold", "ids", "message"),
    [
        ([(0, 5)], None, r"names a right row that is not there. Got row 5 of 2"),
        ([(-1, 0)], None, r"row positions, whole numbers from 0. Got -1"),
        ([(10**30, 0)], None, r"row positions, whole numbers from 0. Got 1000"),
        ([(0, 2**63)], None, r"row positions, whole numbers from 0. Got 9223372036854775808"),
        ([(0, 1e300)], None, r"row positions, whole numbers from 0. Got 1e\+300"),
        ([(0, float("inf"))], None, r"row positions, whole numbers from 0. Got inf"),
        ([(0, 2**63 - 1)], None, r"a right row that is not there. Got row 9223372036854775807"),
        ([(10**30, "c")], ("n", "id"), r"name left rows that are not there. Got 1000"),
        ([("a", "c")], None, r"row positions, whole numbers from 0. Got 'a'"),
        ([(True, 0)], None, r"row positions, whole numbers from 0. Got True"),
        ([(None, 0)], None, r"row positions, whole numbers from 0. Got None"),
        ([1, 2], None, r"pairs cannot be read. Got a list"),
        (pd.DataFrame({"a": [1]}), None, r"table of pairs has two columns. Got \['a'\]"),
        ([("a", "c")], ("id", "id"), r"column 'id' of the left table does not tell rows apart"),
        ([(1, "z")], ("n", "id"), r"name right rows that are not there. Got 'z', and 1 such"),
        ([(1, "c")], ("m", "id"), r"left table has no column 'm', named in ids="),
        ([(1, "c")], "n", r"ids= names a column of each table. Got 'n'"),
        ([(1, "c")], 5, r"ids= names a column of each table. Got 5"),
        ([([1], "c")], ("n", "id"), r"name left rows by unhashable values. Got \[1\], a list"),
        ([(1, {"c"})], ("n", "id"), r"name right rows by unhashable values. Got {'c'}, a set"),
    ],
)
def test_what_cannot_be_evaluated_is_told(gold, ids, message) -> None:
    result = match(*RESULT_TABLES, left_on="x", right_on="y")
    with pytest.raises(pj.InputError, match=message):
        pj.evaluate(result, gold, ids=ids)


@pytest.mark.parametrize(
    ("cells", "got"),
    [
        ([["a"], ["b"]], r"Got \['a'\], a list"),
        ([{"a": 1}, {"a": 2}], r"Got {'a': 1}, a dict"),
        ([np.array([1]), np.array([2])], r"Got array\(\[1\]\), a ndarray"),
        (["a", {"b"}], r"Got {'b'}, a set"),
    ],
)
def test_unhashable_ids_are_refused(cells, got) -> None:
    left = pd.DataFrame({"id": pd.Series(cells, dtype=object), "x": ["red", "blue"]})
    result = match(left, RESULT_TABLES[1], left_on="x", right_on="y")
    message = rf"column 'id' of the left table has unhashable values. {got}. Hint: name a column of"
    with pytest.raises(pj.InputError, match=message):
        pj.evaluate(result, [("a", "c")], ids=("id", "id"))


@pytest.mark.parametrize("cells", [[["a"], ["b"]], [{"a": 1}, {"a": 2}]])
@pytest.mark.parametrize("make", [pl.DataFrame, pa.table])
def test_nested_ids_are_refused(make, cells) -> None:
    result = match(
        make({"id": cells, "x": ["red", "blue"]}), RESULT_TABLES[1], left_on="x", right_on="y"
    )
    with pytest.raises(pj.InputError, match=r"of the left table has unhashable values. Got"):
        pj.evaluate(result, [("a", "c")], ids=("id", "id"))


def test_ids_may_be_tuples() -> None:
    left = pd.DataFrame({"id": [("a", 1), ("a", 2)], "x": ["red", "blue"]})
    result = match(left, RESULT_TABLES[1], left_on="x", right_on="y")
    assert pj.evaluate(result, [(("a", 1), "d"), (("a", 2), "c")], ids=("id", "id")).f1 == 1


def test_a_joined_table_is_no_result() -> None:
    with pytest.raises(pj.InputError, match=r"cannot be evaluated. Got a DataFrame"):
        pj.evaluate(pd.DataFrame({"a": [1]}), GOLD)
    with pytest.raises(pj.InputError, match=r"ids= needs the tables. Got matches alone"):
        pj.evaluate(MATCHES, GOLD, ids=("a", "b"))
