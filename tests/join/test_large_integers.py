"""Whole numbers that no float holds come out of every join as they went in, nulls beside them."""

import warnings
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from frames import FrameMaker, TrigramEncoder, columns_of, join

import pearljoin as pj

pytestmark = pytest.mark.every_kind

LARGE = 2**60 + 301
LEFT = {"x": ["red", "zzz"], "own": [LARGE + 1, 7]}
RIGHT = {"y": ["blue", "red"], "other": [LARGE, LARGE + 2]}


def test_nulls_change_no_integer(make_frame: FrameMaker) -> None:
    joined = join(make_frame(LEFT), make_frame(RIGHT), left_on="x", right_on="y", how="full")
    found = columns_of(joined)
    assert found["own"] == [LARGE + 1, 7, None]
    assert found["other"] == [LARGE + 2, None, LARGE]


@pytest.mark.parametrize(
    ("cells", "dtype", "becomes"),
    [
        ([LARGE, 5], "int64", "Int64"),
        ([-(2**63), 5], "int64", "Int64"),
        ([2**64 - 1, 5], "uint64", "UInt64"),
        ([2**53, -(2**53)], "int64", "float64"),
        ([1, 2], "int64", "float64"),
        ([LARGE, 5], "Int64", "Int64"),
        ([LARGE, 5], "int64[pyarrow]", "int64[pyarrow]"),
        ([True, False], "bool", "object"),
    ],
)
def test_only_integers_beyond_those_of_floats_become_nullable(
    cells: list[Any], dtype: str, becomes: str
) -> None:
    right = pd.DataFrame({"y": ["red", "blue"], "other": pd.Series(cells, dtype=dtype)})
    joined = join(pd.DataFrame({"x": ["red", "zzz"]}), right, left_on="x", right_on="y")
    assert str(joined["other"].dtype) == becomes
    assert joined["other"].isna().tolist() == [False, True]
    assert joined["other"][0] == cells[0]
    whole = join(pd.DataFrame({"x": ["red"]}), right, left_on="x", right_on="y")
    assert str(whole["other"].dtype) == dtype


@pytest.mark.parametrize("kind", ["polars", "pyarrow"])
@pytest.mark.parametrize("largest", [LARGE, 2**64 - 1, 7])
def test_nulls_of_another_library_change_no_integer(kind: str, largest: int) -> None:
    right = pl.DataFrame({"y": ["blue", "red"], "other": [None, largest]})
    table = right if kind == "polars" else right.to_arrow()
    joined = join(pd.DataFrame(LEFT), table, left_on="x", right_on="y")
    assert joined["other"][0] == largest
    assert joined["other"].isna().tolist() == [False, True]
    assert (joined["other"].dtype == "float64") == (largest == 7)


def test_columns_that_are_merged_keep_integers_of_both_tables() -> None:
    for by, becomes in ((np.uint64([5, 2**64 - 1]), object), (np.uint64([5, LARGE]), "Int64")):
        left = pd.DataFrame({"x": ["red"], "id": [-LARGE]})
        right = pd.DataFrame({"x": ["red", "blue"], "id": by})
        joined = join(left, right, on="x", by="id", how="full")
        assert joined["id"].tolist() == [-LARGE, *by.tolist()]
        assert joined["id"].dtype == becomes


def test_rows_given_as_mappings_keep_integers() -> None:
    matcher = pj.Matcher(on="x", encoder=TrigramEncoder()).fit(pd.DataFrame({"x": ["red"]}))
    for large in (LARGE, 2**64 - 1, 2**70):
        joined = matcher.match([{"x": "red", "id": large}, {"x": "blue"}]).join()
        assert joined["id"][0] == large
        assert joined["id"].isna().tolist() == [False, True]


def test_rows_that_are_added_keep_integers() -> None:
    right = pd.DataFrame({"x": ["red"], "id": [LARGE]})
    for row, added in (({"x": "blue"}, None), ({"x": "blue", "id": 2.0}, 2)):
        matcher = pj.Matcher(on="x", encoder=TrigramEncoder()).fit(right).add(row)
        assert columns_of(matcher.match(["blue", "red"]).join())["id"] == [added, LARGE]
    assert right["id"].dtype == "int64"


def test_tables_put_together_to_deduplicate_keep_integers() -> None:
    tables = [pd.DataFrame({"x": ["red"], "id": [LARGE]}), pd.DataFrame({"x": ["red"]})]
    result = pj.find_duplicates(tables, on="x", encoder=TrigramEncoder())
    assert columns_of(result.table())["id"] == [LARGE, None]
    golden = result.golden({"id": max})
    assert golden["id"].tolist() == [LARGE]
    assert [str(table["id"].dtype) for table in tables[:1]] == ["int64"]


def test_golden_records_without_a_value_keep_integers() -> None:
    table = pd.DataFrame({"x": ["red", "blue"], "id": pd.Series([LARGE, None], dtype=object)})
    golden = pj.find_duplicates(table, on="x", encoder=TrigramEncoder()).golden({"id": max})
    assert columns_of(golden)["id"] == [LARGE, None]


def test_sparse_columns_stay_what_they_are() -> None:
    first, second = (
        pd.DataFrame({"x": [x], "d": pd.arrays.SparseArray([d])})
        for x, d in (("red", 0), ("blue", 1))
    )
    matcher = pj.Matcher(on="x", encoder=TrigramEncoder()).fit(first).add(second)
    added = matcher.match(["blue", "red"]).join()
    assert added["d"].tolist() == [1, 0]


def test_numbers_of_numpy_in_rows_keep_their_value() -> None:
    matcher = pj.Matcher(on="x", encoder=TrigramEncoder()).fit(["red"])
    joined = matcher.match([{"x": "red", "id": np.int64(LARGE)}, {"x": "blue"}]).join()
    assert joined["id"].tolist() == [LARGE, pd.NA]


def test_floats_that_are_no_integer_bring_no_warning() -> None:
    left = pd.DataFrame({"x": ["red"], "id": [2.0**63]})
    right = pd.DataFrame({"x": ["red", "blue"], "id": [LARGE, 5]})
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        joined = pj.fuzzy_join(
            left, right, on="x", by="id", how="full", encoder=TrigramEncoder(), threshold=0.5
        )
    assert set(joined["id"]) == {2**63, LARGE, 5}
