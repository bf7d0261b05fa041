"""Left sides so large that they are compared some at a time: nothing shows but the memory."""

import logging
from functools import cache

import numpy as np
import pandas as pd
import pytest
from frames import TrigramEncoder, misspelt_names
from made_up import people
from repetitions import few

import pearljoin as pj
from pearljoin._comparison.large import LargeComparison
from pearljoin._records.records import Field, Records

pytestmark = pytest.mark.usefixtures("kept_vectors")

AT_ONCE = 37
LEFT_AT_ONCE = "pearljoin._comparison.large.LEFT_AT_ONCE"


def of_one_column(**options):
    left, right = misspelt_names()
    return pj.match(left, right, **options)


def with_groups_and_vetoes(**options):
    left, right = (
        pd.DataFrame({"name": names, "half": np.arange(len(names)) % 2, "year": 1990})
        for names in misspelt_names()
    )
    left.loc[::7, "name"] = None
    left.loc[::5, "year"] = 1991
    return pj.match(left, right, on="name", by="half", veto="year", **options)


def of_records(**options):
    tables = people(60, seed=3)
    return pj.match(tables.left, tables.right, on=tables.keys, **options)


JOINS = [of_one_column, with_groups_and_vetoes, of_records]
CONSTRAINTS = ["many_to_many", "one_to_one", "many_to_one"]
EACH_OF_BOTH = few(
    [(JOINS[at], CONSTRAINTS[(at + turn) % 3]) for turn in range(3) for at in range(3)], 3
)
"""Each join with a constraint of its own in `make test`; with the others, too."""


def made(join, **options):
    """The result of a small comparison, and of a large one."""
    small = join(**options)
    small.matches()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LEFT_AT_ONCE, AT_ONCE)
        large = join(**options)
    assert isinstance(large.comparison, LargeComparison)
    assert not isinstance(small.comparison, LargeComparison)
    return small, large


made_once = cache(made)


def both(monkeypatch, join, constraint: str = "many_to_one"):
    """Both results, made once for all tests that ask for them, where parts stay as small."""
    results = made_once(join, constraint=constraint)
    monkeypatch.setattr(LEFT_AT_ONCE, AT_ONCE)
    return results


def check_candidates(small, large, constraint: str = "many_to_one") -> None:
    one, other = (each.comparison.candidates_for(constraint) for each in (small, large))
    assert len(one) > 100
    assert other.left.tolist() == one.left.tolist()
    assert other.right.tolist() == one.right.tolist()
    assert other.equality.tolist() == one.equality.tolist()
    np.testing.assert_allclose(other.score, one.score, atol=1e-5)
    assert (other.same is None) == (one.same is None)
    assert (other.things is None) == (one.things is None)


@pytest.mark.parametrize(("join", "constraint"), EACH_OF_BOTH)
def test_it_finds_and_scores_the_same(monkeypatch, join, constraint: str) -> None:
    small, large = both(monkeypatch, join, constraint)
    assert large.threshold == pytest.approx(small.threshold, abs=1e-5)
    check_candidates(small, large, constraint)
    assert len(small.pairs()) > 20
    pd.testing.assert_frame_equal(large.pairs(), small.pairs(), atol=1e-5)
    assert large.expected_precision() == pytest.approx(small.expected_precision(), abs=1e-4)
    assert large.expected_recall() == pytest.approx(small.expected_recall(), abs=1e-4)


@pytest.mark.parametrize("join", few(JOINS, 2))
def test_a_sample_of_the_left_rows_calibrates_alike(monkeypatch, join) -> None:
    monkeypatch.setattr("pearljoin._comparison.calibration.CALIBRATION_SAMPLE", 50)
    small, large = made(join)
    monkeypatch.setattr(LEFT_AT_ONCE, AT_ONCE)
    check_candidates(small, large)
    assert large.threshold == pytest.approx(small.threshold, abs=1e-5)


@pytest.mark.parametrize("join", few(JOINS, 1))
def test_it_explains_the_same(monkeypatch, join) -> None:
    small, large = both(monkeypatch, join)
    for row in small.matches().left[:12].tolist():
        one, other = small.explain(row), large.explain(row)
        assert other.right_row == one.right_row
        assert other.score == pytest.approx(one.score, abs=1e-5)
        assert [reason.kind for reason in other.reasons] == [reason.kind for reason in one.reasons]
        effects = [[reason.effect for reason in each.reasons] for each in (one, other)]
        assert effects[1] == pytest.approx(effects[0], abs=1e-3)


def test_similarities_of_an_encoder_without_a_scorer_are_the_same(monkeypatch) -> None:
    small, large = made(of_one_column, encoder=TrigramEncoder(), threshold=0.5)
    monkeypatch.setattr(LEFT_AT_ONCE, AT_ONCE)
    check_candidates(small, large)
    some, more = small.matches(constraint="many_to_many"), large.matches(constraint="many_to_many")
    assert some.left.tolist() == more.left.tolist()
    assert some.right.tolist() == more.right.tolist()


def test_features_are_the_same(monkeypatch) -> None:
    small, large = both(monkeypatch, of_one_column)
    one, other = (each.comparison.compute_features() for each in (small, large))
    np.testing.assert_allclose(other.features, one.features, atol=1e-5)
    assert other.left.tolist() == one.left.tolist()


def test_the_log_says_beforehand_what_it_takes(monkeypatch, caplog) -> None:
    monkeypatch.setattr(LEFT_AT_ONCE, AT_ONCE)
    with caplog.at_level(logging.INFO, logger="pearljoin"):
        of_one_column().matches()
    assert any("left records in parts of 37: about" in each for each in caplog.messages)


def test_a_part_of_the_records_keeps_their_values_alone() -> None:
    field = Field("text", ["a", "b", "c"], np.array([0, 1, -1, 2, 1]))
    records = Records((field, Field("number", [1.0, 2.0], np.array([1, 0, 1, -1, 0]))))
    part = records.part(np.array([1, 3]))
    assert part.fields[0].values == ["b", "c"]
    assert part.fields[0].codes.tolist() == [0, 1]
    assert part.fields[1].values == [1.0]
    assert part.fields[1].codes.tolist() == [0, -1]
    assert records.fields[0].codes.tolist() == [0, 1, -1, 2, 1]
