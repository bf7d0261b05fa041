"""Joins on several columns: people and products, against the plain mean of similarities."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from frames import pairs_of
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up import Tables, people, products
from repetitions import few

import pearljoin as pj
from pearljoin._encoders import bundled_scorer

pytestmark = pytest.mark.usefixtures("kept_vectors")


def match(left, right, **options) -> pj.MatchResult:
    """With the bundled encoder: others have no scorer, and give similarities."""
    return pj.match(left, right, **{"threshold": 0.35, **options})


def f1(result: pj.MatchResult, gold: set[tuple[int, int]]) -> float:
    found = set(pairs_of(result.matches()))
    return 2 * len(found & gold) / (len(found) + len(gold))


@pytest.fixture(scope="module", params=few([people, products], 1))
def tables(request) -> Tables:
    return request.param(400, seed=5)


@pytest.fixture(scope="module")
def result(tables: Tables) -> pj.MatchResult:
    return match(tables.left, tables.right, on=tables.keys, threshold="auto")


def test_learned_columns_beat_the_mean_at_the_threshold_chosen(tables, result) -> None:
    equal = [1] * len(tables.keys)
    mean = match(tables.left, tables.right, on=tables.keys, threshold="auto", weights=equal)
    assert not mean.calibrated
    assert result.calibrated
    assert f1(result, tables.gold) > max(0.88, f1(mean, tables.gold) + 0.03)


def test_the_precision_asked_for_is_reached(tables, result) -> None:
    found = pairs_of(result.matches())
    assert np.mean([pair in tables.gold for pair in found]) > 0.88


def test_the_best_score_of_a_row_is_a_probability(tables, result) -> None:
    best = result.matches(threshold=0.0)
    right = np.array([pair in tables.gold for pair in pairs_of(best)])
    bins = np.minimum((best.score * 5).astype(int), 4)
    gaps = [
        abs(best.score[bins == b].mean() - right[bins == b].mean()) * (bins == b).mean()
        for b in set(bins.tolist())
    ]
    assert sum(gaps) < 0.06


@pytest.mark.thorough
def test_where_most_rows_have_no_answer_the_target_still_holds() -> None:
    # Brand and title say much the same, so that wrong candidates look right.
    tables = products(600, seed=13, answered=0.3)
    result = match(tables.left, tables.right, on=tables.keys, threshold="auto")
    best = result.matches(threshold=0.0)
    assert best.score.sum() < 1.5 * len(tables.gold)
    assert np.mean([pair in tables.gold for pair in pairs_of(result.matches())]) > 0.88


@pytest.mark.thorough
def test_swapping_sides_finds_the_same_people() -> None:
    tables = people(200, seed=2)
    there = match(tables.left, tables.right, on=tables.keys, constraint="1:1", threshold=0.9)
    back = match(tables.right, tables.left, on=tables.keys, constraint="1:1", threshold=0.9)
    found, returned = set(pairs_of(there.matches())), {(b, a) for a, b in pairs_of(back.matches())}
    assert len(found & returned) > 0.9 * max(len(found), len(returned))


def test_a_field_missing_throughout_forbids_nothing() -> None:
    tables = people(150, seed=3)
    left = pl.from_pandas(tables.left).with_columns(pl.lit(None, dtype=pl.String).alias("city"))
    found = match(left, pl.from_pandas(tables.right), on=tables.keys, threshold=0.5)
    assert f1(found, tables.gold) > 0.8


def test_a_rare_name_says_more_than_a_common_one() -> None:
    names = ["Smith"] * 60 + [f"Name{n}" for n in range(60)] + ["Zywiecki"]
    right = pd.DataFrame({"last": names, "n": np.arange(121) * 100.0})
    left = pd.DataFrame({"last": ["Smith", "Zywiecki"], "n": [np.nan, np.nan]})
    found = match(left, right, on=["last", "n"], threshold=0.0).matches()
    assert found.right[1] == 120
    assert found.score[1] > 10 * found.score[0]


def test_by_columns_shrink_the_field_of_rivals() -> None:
    right = pd.DataFrame(
        {
            "name": [f"{a} {b}" for a in ("north", "south") for b in range(40)],
            "town": ["rome", "york"] * 40,
            "land": ["x"] * 40 + ["y"] * 40,
        }
    )
    left = right.iloc[[3, 50]].assign(name=["nrth 3", "suth 10"])
    found = match(left, right, on=["name", "town"], by="land", threshold=0.0).matches()
    assert pairs_of(found) == [(0, 3), (1, 50)]


# Whatever the tables hold -------------------------------------------------------------------------

TEXTS = st.one_of(st.none(), st.sampled_from(["red", "Red", "red inn", "blue", "a"]))
NUMBERS = st.one_of(st.none(), st.sampled_from([0.0, 1.0, 1e9, -3.5, float("inf")]))
CODES = st.one_of(st.none(), st.sampled_from(["A1", "B2"]))
ROWS = st.lists(st.tuples(TEXTS, NUMBERS, CODES), max_size=9)


def frame(rows: list[tuple]) -> pl.DataFrame:
    schema = {"x": pl.String, "n": pl.Float64, "c": pl.String}
    return pl.DataFrame(rows, schema=schema, orient="row")


@settings(derandomize=True, deadline=None, max_examples=60)
@given(
    left=ROWS,
    right=ROWS,
    keys=st.sampled_from([["x", "n"], ["x", "c"], ["n", "c"], ["x", "n", "c"]]),
    constraint=st.sampled_from(["m:1", "1:1", "m:m"]),
    nulls_equal=st.booleans(),
    weights=st.sampled_from([None, 1]),
)
def test_scores_are_sound_whatever_the_tables_hold(
    left, right, keys, constraint, nulls_equal, weights
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", pj.PearljoinWarning)
        result = match(
            frame(left), frame(right), on=keys, threshold=0.0, constraint=constraint,
            nulls_equal=nulls_equal, weights=None if weights is None else [weights] * len(keys),
        )  # fmt: skip
        found = result.matches()
        auto = result.matches(threshold="auto")
    assert np.isfinite(found.score).all()
    assert ((found.score >= 0) & (found.score <= 1)).all()
    assert set(pairs_of(auto)) <= set(pairs_of(found)) or constraint == "1:1"
    places = ["xnc".index(key) for key in keys]
    for (left_row, right_row), score in zip(pairs_of(found), found.score.tolist(), strict=True):
        values = [(left[left_row][at], right[right_row][at]) for at in places]
        if not nulls_equal:
            assert any(a is not None for a, _ in values)
            assert (score == 1) == all(
                a is not None and b is not None and str(a).lower() == str(b).lower()
                for a, b in values
            )


# What a fitted matcher and odd tables do ----------------------------------------------------------


def test_a_matcher_that_is_not_calibrated_finds_rows_of_several_columns(tables) -> None:
    matcher = pj.Matcher(on=tables.keys).fit(tables.right)
    found = matcher.match(tables.left).matches()
    assert len(set(pairs_of(found)) & tables.gold) > 0.6 * len(tables.gold)


def test_records_of_nulls_are_compared_where_nulls_are_equal() -> None:
    table = pd.DataFrame({"x": ["ann", None, "bo"], "y": ["q", None, None]})
    found = pj.match(table, table, on=["x", "y"], nulls_equal=True, threshold=0.5).matches()
    assert (0, 0) in pairs_of(found)
    assert np.isfinite(found.score).all()


def test_a_column_without_values_gets_its_kind_with_its_first_ones() -> None:
    born = pd.to_datetime(["1980-02-14", "1975-07-01", "1991-12-24"])
    people = pd.DataFrame({"name": ["Anna Keller", "John Smith", "Maria Rossi"], "born": born})
    matcher = pj.Matcher(on=["name", "born"]).fit(people.head(0)).add(people)
    assert [field.shown_kind for field in matcher.match(people).comparison.right.fields] == [
        "text",
        "date",
    ]


def test_a_scorer_for_other_vectors_is_refused() -> None:
    class Own:
        dim = 8
        scorer = bundled_scorer()

        def encode(self, texts):
            return np.eye(8, dtype=np.float32)[[len(text) % 8 for text in texts]]

    table = pd.DataFrame({"x": ["ann", "bo"], "y": ["rome", "oslo"]})
    with pytest.raises(pj.ModelError, match="vectors of dimension"):
        pj.match(table, table, on=["x", "y"], encoder=Own())
