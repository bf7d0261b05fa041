"""Types of columns survive a join; where pandas cannot hold a null, its own merge is the model."""

import datetime as dt
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import polars.testing
import pyarrow as pa
import pytest
from frames import join

ZONE = dt.timezone(dt.timedelta(hours=2))
DAY, LATER = dt.datetime(2024, 2, 29, 12, 30), dt.datetime(1999, 12, 31)

PANDAS = {
    "int64": pd.Series([1, 2]),
    "int8": pd.Series([1, 2], dtype="int8"),
    "float32": pd.Series([1.5, np.nan], dtype="float32"),
    "bool": pd.Series([True, False]),
    "object": pd.Series([[1], {"a": 2}], dtype=object),
    "str": pd.Series(["x", None], dtype="str"),
    "datetime": pd.Series([DAY, LATER]),
    "datetime with zone": pd.Series([DAY, LATER]).dt.tz_localize("Europe/Rome"),
    "timedelta": pd.Series([dt.timedelta(1), None]),
    "period": pd.Series(pd.period_range("2024-01", periods=2, freq="M")),
    "interval": pd.Series(pd.interval_range(0, 2)),
    "category": pd.Series(["u", "v"], dtype=pd.CategoricalDtype(["v", "u", "w"], ordered=True)),
    "Int64": pd.Series([1, None], dtype="Int64"),
    "Float64": pd.Series([1.5, None], dtype="Float64"),
    "boolean": pd.Series([True, None], dtype="boolean"),
    "string": pd.Series(["x", None], dtype="string"),
    "arrow int": pd.Series([1, None], dtype=pd.ArrowDtype(pa.int32())),
    "arrow string": pd.Series(["x", None], dtype=pd.ArrowDtype(pa.string())),
    "arrow date": pd.Series([DAY.date(), None], dtype=pd.ArrowDtype(pa.date32())),
    "arrow decimal": pd.Series([Decimal("1.5"), None], dtype=pd.ArrowDtype(pa.decimal128(5, 2))),
    "arrow list": pd.Series([[1], None], dtype=pd.ArrowDtype(pa.list_(pa.int64()))),
}


@pytest.mark.parametrize("how", ["left", "inner"])
@pytest.mark.parametrize("name", PANDAS)
def test_pandas_columns_become_what_merge_makes_of_them(name: str, how: str) -> None:
    left = pd.DataFrame({"x": ["red", "zzz", "blue"], "own": PANDAS[name].take([0, 1, 1])})
    right = pd.DataFrame({"y": ["blue", "red"], "other": PANDAS[name]})
    left.index = [4, 4, 9]
    joined = join(left, right, left_on="x", right_on="y", how=how, score=None)
    wanted = left.merge(right, left_on="x", right_on="y", how=how)
    wanted.index = left.index if how == "left" else left.index[[0, 2]]
    pd.testing.assert_frame_equal(joined, wanted)


@pytest.mark.parametrize("name", PANDAS)
def test_pandas_columns_of_unmatched_rows_on_both_sides(name: str) -> None:
    left = pd.DataFrame({"x": ["red", "zzz"], "own": PANDAS[name]})
    right = pd.DataFrame({"y": ["blue", "red"], "other": PANDAS[name]})
    joined = join(left, right, left_on="x", right_on="y", how="full", score=None)
    # Merge orders an outer join by key: its rows are put in the order that is promised here.
    merged = left.merge(right, left_on="x", right_on="y", how="outer")
    wanted = merged.take([1, 2, 0]).reset_index(drop=True)
    assert wanted["x"].tolist()[:2] == ["red", "zzz"]
    pd.testing.assert_frame_equal(joined, wanted)


POLARS = {
    "int8": pl.Series([1, None], dtype=pl.Int8),
    "uint64": pl.Series([1, 2**63], dtype=pl.UInt64),
    "float": pl.Series([1.5, float("nan")]),
    "bool": pl.Series([True, False]),
    "string": pl.Series(["x", None]),
    "categorical": pl.Series(["u", "v"], dtype=pl.Categorical),
    "enum": pl.Series(["u", "v"], dtype=pl.Enum(["v", "u", "w"])),
    "date": pl.Series([DAY.date(), None]),
    "time": pl.Series([DAY.time(), None]),
    "datetime": pl.Series([DAY, LATER], dtype=pl.Datetime("ms", "Europe/Rome")),
    "duration": pl.Series([dt.timedelta(1), None]),
    "decimal": pl.Series([Decimal("1.50"), None], dtype=pl.Decimal(10, 2)),
    "binary": pl.Series([b"x", None]),
    "list": pl.Series([[1], None], dtype=pl.List(pl.Int16)),
    "array": pl.Series([[1, 2], None], dtype=pl.Array(pl.Int16, 2)),
    "struct": pl.Series([{"q": 1}, None], dtype=pl.Struct({"q": pl.Int8})),
    "null": pl.Series([None, None], dtype=pl.Null),
}


@pytest.mark.parametrize("lazy", [False, True])
@pytest.mark.parametrize("name", POLARS)
def test_polars_columns_become_what_its_own_join_makes_of_them(name: str, lazy: bool) -> None:
    column = POLARS[name]
    left = pl.DataFrame({"x": ["red", "zzz", "blue"], "own": column.gather([0, 1, 1])})
    right = pl.DataFrame({"y": ["blue", "green", "red"], "other": column.gather([0, 1, 1])})
    keys = {"left_on": "x", "right_on": "y"}
    joined = join(left.lazy() if lazy else left, right, **keys, how="full", score=None)
    if lazy:
        joined = joined.collect()
    plain = left.join(right, **keys, how="left", coalesce=False, maintain_order="left")
    extra = pl.concat([right[1:2]], how="diagonal")
    polars.testing.assert_frame_equal(joined, pl.concat([plain, extra], how="diagonal"))


ARROW = {
    "int8": pa.array([1, None], pa.int8()),
    "half": pa.array([np.float16(1.5), None], pa.float16()),
    "bool": pa.array([True, False]),
    "string": pa.array(["x", None]),
    "large string": pa.array(["x", None], pa.large_string()),
    "string view": pa.array(["x", None], pa.string_view()),
    "dictionary": pa.array(["u", "v"]).dictionary_encode(),
    "timestamp": pa.array([DAY, None], pa.timestamp("ms", "UTC")),
    "decimal": pa.array([Decimal("1.50"), None], pa.decimal128(10, 2)),
    "list": pa.array([[1], None], pa.list_(pa.int16())),
    "struct": pa.array([{"q": 1}, None]),
    "binary": pa.array([b"x", None]),
    "null": pa.nulls(2),
}


@pytest.mark.parametrize("name", ARROW)
def test_arrow_columns_keep_their_type(name: str) -> None:
    column = ARROW[name]
    left = pa.table({"x": ["red", "zzz"], "own": column})
    right = pa.table({"y": ["blue", "red"], "other": column})
    joined = join(left, right, left_on="x", right_on="y", how="full", score=None)
    first, second = column.to_pylist()
    assert joined.column_names == ["x", "own", "y", "other"]
    assert [joined.schema.field(at).type for at in (1, 3)] == [column.type, column.type]
    assert joined["own"].to_pylist() == [first, second, None]
    assert joined["other"].to_pylist() == [second, None, first]


# Keys of every type of text -------------------------------------------------------------------

CELLS = ["Acme Corp", None, "Globex"]
KEYS = {
    "pandas object": pd.DataFrame({"x": pd.Series(CELLS, dtype=object)}),
    "pandas str": pd.DataFrame({"x": pd.Series(CELLS, dtype="str")}),
    "pandas string": pd.DataFrame({"x": pd.Series(CELLS, dtype="string")}),
    "pandas category": pd.DataFrame({"x": pd.Series(CELLS, dtype="category")}),
    "pandas arrow": pd.DataFrame({"x": pd.Series(CELLS, dtype=pd.ArrowDtype(pa.string()))}),
    "pandas arrow dictionary": pd.DataFrame(
        {"x": pd.Series(CELLS, dtype=pd.ArrowDtype(pa.dictionary(pa.int32(), pa.string())))}
    ),
    "polars": pl.DataFrame({"x": CELLS}),
    "polars categorical": pl.DataFrame({"x": pl.Series(CELLS, dtype=pl.Categorical)}),
    "polars enum": pl.DataFrame({"x": pl.Series(CELLS, dtype=pl.Enum(["Globex", "Acme Corp"]))}),
    "arrow": pa.table({"x": CELLS}),
    "arrow large": pa.table({"x": pa.array(CELLS, pa.large_string())}),
    "arrow dictionary": pa.table({"x": pa.array(CELLS).dictionary_encode()}),
}


@pytest.mark.parametrize("left", KEYS)
@pytest.mark.parametrize("right", ["pandas category", "polars enum", "arrow dictionary", "polars"])
def test_text_keys_of_every_type_match(left: str, right: str) -> None:
    left_table, right_table = KEYS[left], KEYS[right]
    joined = join(left_table, right_table, on="x", how="inner")
    assert type(joined) is type(left_table)
    assert [str(cell) for cell in joined["x"]] == ["Acme Corp", "Globex"]
    assert [str(cell) for cell in joined["x_right"]] == ["Acme Corp", "Globex"]
    before = (
        left_table.schema.field("x").type
        if isinstance(left_table, pa.Table)
        else left_table["x"].dtype
    )
    after = joined.schema.field("x").type if isinstance(left_table, pa.Table) else joined["x"].dtype
    assert after == before
