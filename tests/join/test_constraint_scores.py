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
from repetitions import few

import pearljoin as pj
from pearljoin._candidates import blocking

pytestmark = pytest.mark.usefixtures("kept_vectors")

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
    """Check one pair of tables under all constraints; how many right rows are no candidates."""
    results = {c: pj.match(left, right, constraint=c, **options) for c in CONSTRAINTS}
    for asked, then in permutations(CONSTRAINTS, 2):
        found = results[asked].matches(constraint=then)
        assert as_lists(found) == as_lists(results[then].matches()), (asked, then)
    known: dict[tuple[int, int], float] = {}
    for result in results.values():
        # Several columns have a probability of their own under many_to_many.
        asked_of = CONSTRAINTS[: 2 if result.comparison.networks is not None else 3]
        everything = [result.matches(0.0, constraint) for constraint in asked_of]
        for matches in everything:
            for pair, score in scores_of(matches).items():
                # Rounded to six decimals, of which a product of matrices may change the last.
                assert known.setdefault(pair, score) == pytest.approx(score, abs=2e-6), pair
    every = [result.comparison.candidates for result in results.values()]
    for candidates in every[1:]:
        for name in ("left", "right", "score", "equality"):
            assert np.array_equal(getattr(candidates, name), getattr(every[0], name))
    return results["many_to_one"].comparison.right.n_records - len(set(every[0].right.tolist()))


@pytest.mark.parametrize(
    "options",
    few(
        [
            {**ONE_KEY, "by": "country"},
            {**ONE_KEY, "encoder": TrigramEncoder()},
            {**ONE_KEY, "threshold": 0.4},
            {**ONE_KEY, "veto": "country"},
            KEYS,
            {**KEYS, "weights": [3, 1]},
        ],
        2,
    ),
    ids=["scorer", "similarities", "fixed threshold", "veto", "several keys", "weights"],
)
def test_the_example_tables(options: dict[str, Any]) -> None:
    left, right = example_tables()
    # More right than left rows: some are no left row's candidate, whatever the constraint.
    assert check_scores(left[:15], right[:300], **options) > 0


@pytest.mark.thorough
def test_several_keys_learned_and_weighed() -> None:
    tables = people(100, seed=5)
    left = tables.left[:10]
    assert check_scores(left[:1], tables.right, on=tables.keys) > 0
    assert check_scores(left, tables.right, on=tables.keys) >= 0
    assert check_scores(left, tables.right, on=tables.keys, weights=[1, 2, 1, 1]) > 0


@pytest.mark.parametrize("constraint", CONSTRAINTS)
def test_candidates_depend_on_no_constraint_and_no_other_left_row(constraint: str) -> None:
    left, right = (table[:200] for table in example_tables())
    matcher = pj.Matcher(**ONE_KEY, constraint=constraint).fit(right).calibrate(left)
    whole = matcher.match(left[:12]).matches(0.0, "m:m")
    for row in range(12):
        alone = matcher.match(left[row : row + 1]).matches(0.0, "m:m")
        of_row = whole.left == row
        assert alone.right.tolist() == whole.right[of_row].tolist()
        assert alone.score == pytest.approx(whole.score[of_row], abs=1e-5)


def test_a_pair_that_one_to_one_chooses_is_explained_by_its_own_steps() -> None:
    left, right = example_tables()
    left = pd.concat([left[:5]] * 3)
    result = pj.match(left, right, **ONE_KEY, constraint="1:1", threshold=0.0)
    found = scores_of(result.matches())
    # Rows of equal keys go to different right rows, each a candidate of theirs.
    assert len({other for _, other in found}) == len(found) > 5
    for (own, other), score in list(found.items())[:8]:
        told = result.explain(own, other)
        assert told.score == pytest.approx(score)
        if score < 1:
            assert {reason.kind for reason in told.reasons} >= {"rivals", "words", "tables"}


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
        # With so few neighbours each, some right rows are no candidates.
        patch.setattr(blocking, "DEPTH", depth)
        check_scores(*tables, **options)
