"""A score belongs to the pair: it is the same whichever constraint is asked, and when."""

from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from frames import TrigramEncoder
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up import people

import pearljoin as pj
from pearljoin._candidates import blocking

EXAMPLES = Path(__file__).parents[2] / "examples"
CONSTRAINTS = ("many_to_one", "one_to_one", "many_to_many")
ONE_KEY = {"left_on": "name", "right_on": "legal_name"}
KEYS = {"left_on": ["name", "country"], "right_on": ["legal_name", "country"]}


def example_tables() -> tuple[pd.DataFrame, pd.DataFrame]:
    return pd.read_csv(EXAMPLES / "everyday.csv"), pd.read_csv(EXAMPLES / "official.csv")


def scores_of(matches: pj.Matches) -> dict[tuple[int, int], float]:
    pairs = zip(matches.left.tolist(), matches.right.tolist(), strict=True)
    return dict(zip(pairs, matches.score.tolist(), strict=True))


def as_lists(matches: pj.Matches) -> list[list[Any]]:
    return [column.tolist() for column in (matches.left, matches.right, matches.score)]


def check_scores(left: Any, right: Any, **options: Any) -> int:
    """Check one pair of tables under all constraints; how many pairs one to one adds."""
    results = {c: pj.match(left, right, constraint=c, **options) for c in CONSTRAINTS}
    for asked, then in permutations(CONSTRAINTS, 2):
        found = results[asked].matches(constraint=then)
        assert as_lists(found) == as_lists(results[then].matches()), (asked, then)
    known: dict[tuple[int, int], float] = {}
    for result in results.values():
        everything = [result.matches(0.0, constraint) for constraint in CONSTRAINTS]
        for matches in everything:
            for pair, score in scores_of(matches).items():
                assert known.setdefault(pair, score) == score, pair
    left_to_right, mutual = (results[c].comparison.candidates for c in CONSTRAINTS[:2])
    theirs = dict(zip(zip(mutual.left, mutual.right, strict=True), mutual.score, strict=True))
    for own, other, score in zip(
        left_to_right.left, left_to_right.right, left_to_right.score, strict=True
    ):
        assert theirs[own, other] == score
    return len(mutual) - len(left_to_right)


@pytest.mark.parametrize(
    "options",
    [
        {**ONE_KEY, "by": "country"},
        {**ONE_KEY, "threshold": 0.4},
        {**ONE_KEY, "veto": "country"},
        KEYS,
        {**KEYS, "weights": [3, 1]},
        {**ONE_KEY, "encoder": TrigramEncoder()},
    ],
    ids=["scorer", "fixed threshold", "veto", "several keys", "weights", "similarities"],
)
def test_the_example_tables(options: dict[str, Any]) -> None:
    left, right = example_tables()
    # More right than left rows: some are no left row's candidate.
    assert check_scores(left[:60], right, **options) > 0


def test_several_keys_learned_and_weighed() -> None:
    tables = people(100, seed=5)
    assert check_scores(tables.left, tables.right, on=tables.keys) > 0
    assert check_scores(tables.left, tables.right, on=tables.keys, weights=[1, 2, 1, 1]) > 0


def test_what_one_to_one_adds_is_scored_by_the_same_calibration() -> None:
    left, right = example_tables()
    result = pj.match(left[:120], right, **ONE_KEY, constraint="1:1")
    mutual = result.comparison
    steps = mutual.score_steps(mutual.compute_features())
    left_to_right = mutual.left_to_right.score_steps(mutual.left_to_right.compute_features())
    assert steps.calibration.table.tolist() == left_to_right.calibration.table.tolist()
    assert steps.calibration[1:] == left_to_right.calibration[1:]
    # Features of the left records' candidates are those without the others.
    features, own = mutual.compute_features(), mutual.left_to_right.compute_features()
    places = {pair: at for at, pair in enumerate(zip(features.left, features.right, strict=True))}
    at = [places[pair] for pair in zip(own.left, own.right, strict=True)]
    assert len(at) < len(features.left)
    assert np.array_equal(features.features[at], own.features)


def test_an_added_pair_is_explained_by_its_own_steps() -> None:
    left, right = example_tables()
    result = pj.match(left[:40], right, **ONE_KEY, constraint="1:1", threshold=0.0)
    left_to_right, mutual = result.comparison.left_to_right.candidates, result.comparison.candidates
    known = set(zip(left_to_right.left.tolist(), left_to_right.right.tolist(), strict=True))
    found = zip(mutual.left.tolist(), mutual.right.tolist(), mutual.score.tolist(), strict=True)
    added = [(own, other, score) for own, other, score in found if (own, other) not in known]
    assert added
    for own, other, score in added[:5]:
        row = int(result.comparison.left.first_row[own])
        explanation = result.explain(row, int(result.comparison.right.first_row[other]))
        assert explanation.score == pytest.approx(score)
        assert {reason.kind for reason in explanation.reasons} >= {"rivals", "words", "tables"}


WORDS = st.sampled_from(["red", "inn", "blue", "note", "tea", "room", "42", "old", "bank", "oslo"])
NAMES = st.lists(st.lists(WORDS, min_size=1, max_size=3).map(" ".join) | st.none(), min_size=1)


@settings(derandomize=True, deadline=None, max_examples=15)
@given(
    left=NAMES.map(lambda names: names[:12]),
    right=NAMES.map(lambda names: names[:16]),
    depth=st.integers(1, 3),
    keys=st.sampled_from(["one", "several", "weights", "similarities"]),
)
def test_small_tables(left, right, depth: int, keys: str) -> None:
    tables = [
        pd.DataFrame(
            {"x": pd.Series(names, dtype=object), "n": [len(name or "") for name in names]}
        )
        for names in (left, right)
    ]
    options: dict[str, Any] = {
        "one": {"on": "x"},
        "several": {"on": ["x", "n"]},
        "weights": {"on": ["x", "n"], "weights": [2, 1]},
        "similarities": {"on": "x", "encoder": TrigramEncoder()},
    }[keys]
    with pytest.MonkeyPatch.context() as patch:
        # With so few neighbours each, right rows have candidates of their own.
        patch.setattr(blocking, "DEPTH", depth)
        check_scores(*tables, **options)
