"""Null keys: which values count as null, and what they match."""

import datetime as dt

import numpy as np
import pandas as pd
import polars as pl
import pytest
from frames import FrameMaker, columns_of, join, match, pairs_of, rows_of

import pearljoin as pj

pytestmark = pytest.mark.every_kind

BLANKS = ["", " ", "\t\n", "\u00a0", "\u3000"]


def test_nulls_and_blanks_match_nothing(make_frame: FrameMaker) -> None:
    frame = make_frame({"x": ["red", None, *BLANKS]})
    found = match(frame, frame, on="x", threshold=0.0, constraint="m:m").matches()
    assert pairs_of(found) == [(0, 0)]


def test_nulls_and_blanks_equal_each_other_when_asked(make_frame: FrameMaker) -> None:
    left, right = make_frame({"x": ["red", None, "  "]}), make_frame({"x": ["", "red", None]})
    found = match(left, right, on="x", nulls_equal=True, constraint="m:m", threshold=0.1).matches()
    assert pairs_of(found) == [(0, 1), (1, 0), (1, 2), (2, 0), (2, 2)]
    assert found.score.tolist() == [1] * 5
    one = match(left, right, on="x", nulls_equal=True).matches()
    assert pairs_of(one) == [(0, 1), (1, 0), (2, 0)]
    assert pairs_of(match(left, right, on="x", nulls_equal=True, constraint="1:1").matches()) == [
        (0, 1),
        (1, 0),
        (2, 2),
    ]


@pytest.mark.parametrize("null", [None, np.nan, pd.NA, pd.NaT, np.datetime64("NaT", "ns"), ""])
def test_every_null_of_an_object_column_is_null(null) -> None:
    frame = pd.DataFrame({"x": pd.Series([null, "red"], dtype=object)})
    assert pairs_of(match(frame, frame, on="x", threshold=0.0, constraint="m:m").matches()) == [
        (1, 1)
    ]


@pytest.mark.parametrize(
    "values",
    [
        [1.5, None],
        [True, None],
        [dt.datetime(2024, 1, 1), None],
        [dt.date(2024, 1, 1), None],
        [dt.timedelta(1), None],
        [dt.time(12), None],
    ],
)
def test_null_numbers_dates_and_booleans_match_nothing(make_frame: FrameMaker, values) -> None:
    frame = make_frame({"x": values})
    assert pairs_of(match(frame, frame, on="x", threshold=0.0, constraint="m:m").matches()) == [
        (0, 0)
    ]
    assert pairs_of(match(frame, frame, on="x", nulls_equal=True, threshold=1.0).matches()) == [
        (0, 0),
        (1, 1),
    ]


def test_a_polars_nan_is_null_as_a_key() -> None:
    frame = pl.DataFrame({"x": [1.0, float("nan")]})
    assert join(frame, frame, on="x")["match_score"].to_list() == [1.0, None]


def test_a_null_beside_other_keys_says_nothing(make_frame: FrameMaker) -> None:
    left = make_frame({"x": ["red", "red", None, None], "n": [1, None, 2, None]})
    options = {"threshold": 0.9, "constraint": "m:m", "weights": [1, 1]}
    found = match(left, left, on=["x", "n"], **options).matches()
    # Rows with a gap agree as far as they go, and are not equal: what is missing may differ.
    assert pairs_of(found) == [(0, 0), (0, 1), (1, 0), (1, 1), (2, 2)]
    assert [score == 1 for score in found.score] == [True, False, False, False, False]


def test_rows_that_share_no_value_do_not_match() -> None:
    left, right = (
        pl.DataFrame({"x": x, "n": n}, schema={"x": pl.String, "n": pl.Int64})
        for x, n in ((["red"], [None]), ([None], [1]))
    )
    for weights in (None, [1, 1]):
        options = {"threshold": 0.01, "constraint": "m:m", "weights": weights}
        assert pairs_of(match(left, right, on=["x", "n"], **options).matches()) == []


@pytest.mark.parametrize("filler", [0, 60])
def test_null_parts_of_keys_are_alike_where_nulls_are_equal(filler: int) -> None:
    left = pd.DataFrame({"x": ["red apple"], "y": [None]}, dtype="str")
    right = pd.DataFrame(
        {
            "x": [*[f"apple {n}" for n in range(filler)], "red apples", "red apples"],
            "y": [*["city"] * filler, "city", None],
        },
        dtype="str",
    )
    result = match(left, right, on=["x", "y"], nulls_equal=True, threshold=0.7, constraint="m:m")
    assert result.matches().right.tolist() == [filler + 1]


@pytest.mark.parametrize("how", ["left", "inner", "right", "full", "semi", "anti"])
@pytest.mark.parametrize("threshold", [0.0, "auto"])
def test_keys_that_are_all_null(make_frame: FrameMaker, how: str, threshold) -> None:
    left = make_frame({"x": [None, None], "n": [1, 2]})
    right = make_frame({"x": [None], "m": [3]})
    joined = join(left, right, on="x", how=how, threshold=threshold)
    left_rows = [(None, 1, None, None, None), (None, 2, None, None, None)]
    right_rows = [(None, None, None, 3, None)]
    wanted = {
        "left": left_rows,
        "inner": [],
        "right": right_rows,
        "full": left_rows + right_rows,
        "semi": [],
        "anti": [(None, 1), (None, 2)],
    }
    assert rows_of(joined) == wanted[how]


def test_an_all_null_column_without_a_type() -> None:
    left, right = pl.DataFrame({"x": [None, None]}), pl.DataFrame({"x": ["red", None]})
    assert columns_of(join(left, right, on="x", how="full")) == {
        "x": [None] * 4,
        "x_right": [None, None, "red", None],
        "match_score": [None] * 4,
    }
    frame = pd.DataFrame({"x": [None, None]}, dtype=object)
    assert len(match(frame, frame, on="x", threshold=0.0).matches()) == 0


def test_punctuation_alone_is_not_null(make_frame: FrameMaker) -> None:
    frame = make_frame({"x": ["???", "!!!", "-"]})
    joined = join(frame, frame, on="x", threshold=1.0)
    assert rows_of(joined, "x_right") == ["???", "!!!", "-"]


def test_explanations_show_which_of_several_keys_is_null() -> None:
    people = {
        "name": ["Ann Lee", "Anne Lee", "Bo Day"],
        "born": [None, "1990-02-01", "1970-06-05"],
        "city": ["Rome", "Rome", None],
    }
    table = pd.DataFrame(people)
    told = pj.match(table, table, on=list(table), threshold=0.0).explain(0, 1)
    assert (told.left, told.right) == ("Ann Lee | – | Rome", "Anne Lee | 1990-02-01 | Rome")
    assert str(told).startswith("'Ann Lee | – | Rome' ")
    told = pj.find_duplicates(table, on=list(table)).explain(0, 2)
    assert (told.left, told.right) == ("Ann Lee | – | Rome", "Bo Day | 1970-06-05 | –")
