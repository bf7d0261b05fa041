"""Columns of everything that pandas, polars and Arrow can hold; two cells each, often a null."""

import datetime as dt
import uuid
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

ODD_ZONE = dt.timezone(dt.timedelta(hours=5, minutes=45))
AHEAD = dt.timezone(dt.timedelta(hours=14))
BEHIND = dt.timezone(-dt.timedelta(hours=12))
DAY = dt.datetime(2024, 2, 29, 12, 30, 15, 123456)
FAR = 2**62
"""Microseconds: some 146,000 years, which neither Python nor pandas can write."""


def objects(*cells: Any) -> pd.Series:
    return pd.Series([*cells], dtype=object)


def arrow_dtype(array: pa.Array) -> pd.Series:
    return pd.Series(array, dtype=pd.ArrowDtype(array.type))


PANDAS: dict[str, Callable[[], pd.Series]] = {
    "text": lambda: pd.Series(["u", None]),
    "int": lambda: pd.Series([1, 2]),
    "uint64": lambda: pd.Series([1, 2**64 - 1], dtype="uint64"),
    "half": lambda: pd.Series([1.5, np.nan], dtype="float16"),
    "long double": lambda: pd.Series([1.5, 2.5], dtype=np.longdouble),
    "infinite": lambda: pd.Series([np.inf, -np.inf]),
    "complex": lambda: pd.Series([1 + 2j, 3j]),
    "complex64": lambda: pd.Series([1 + 2j, 3j], dtype="complex64"),
    "bool": lambda: pd.Series([True, False]),
    "Int8": lambda: pd.Series([1, None], dtype="Int8"),
    "boolean": lambda: pd.Series([True, None], dtype="boolean"),
    "string": lambda: pd.Series(["u", None], dtype="string"),
    "category": lambda: pd.Series(["u", None], dtype="category"),
    "category of numbers": lambda: pd.Series([1.5, 2.5], dtype="category"),
    "category of dates": lambda: pd.Series([DAY, None], dtype="category"),
    "ordered category": lambda: pd.Series(pd.Categorical(["u", "v"], ["v", "u"], ordered=True)),
    "seconds": lambda: pd.Series(["0001-01-01", "9999-12-31"], dtype="datetime64[s]"),
    "beyond year 9999": lambda: pd.Series(np.array([10**12, 1], dtype="datetime64[s]")),
    "beyond year 9999, zoned": lambda: pd.Series(
        np.array([10**12, 1], dtype="datetime64[s]")
    ).dt.tz_localize("UTC"),
    "zone": lambda: pd.Series([DAY, None]).dt.tz_localize("Asia/Kathmandu"),
    "odd zone": lambda: pd.Series([DAY, None]).dt.tz_localize(ODD_ZONE),
    "timedelta": lambda: pd.Series([dt.timedelta(1), None]),
    "long timedelta": lambda: pd.Series(np.array([FAR, 1], dtype="timedelta64[s]")),
    "period": lambda: pd.Series(pd.period_range("2024-01", periods=2, freq="M")),
    "interval": lambda: pd.Series(pd.interval_range(0, 2)),
    "sparse numbers": lambda: pd.Series(pd.arrays.SparseArray([0.0, 1.0])),
    "sparse text": lambda: pd.Series(pd.arrays.SparseArray(["u", "v"])),
    "objects: nothing": lambda: objects(None, None),
    "objects: numpy dates": lambda: objects(np.datetime64("2024-01-01"), None),
    "objects: numpy nanoseconds": lambda: objects(np.datetime64("2024-01-01", "ns"), None),
    "objects: far numpy dates": lambda: objects(np.datetime64("20000-01-01", "s"), None),
    "objects: numpy durations": lambda: objects(np.timedelta64(1, "D"), None),
    "objects: numpy months": lambda: objects(np.timedelta64(1, "M"), None),
    "objects: durations without unit": lambda: objects(np.timedelta64(1), None),
    "objects: last moment": lambda: objects(dt.datetime.max.replace(tzinfo=BEHIND), DAY),
    "objects: first moment": lambda: objects(dt.datetime.min.replace(tzinfo=AHEAD), None),
    "objects: zones": lambda: objects(DAY.replace(tzinfo=AHEAD), DAY.replace(tzinfo=BEHIND)),
    "objects: dates": lambda: objects(DAY.date(), None),
    "objects: times": lambda: objects(dt.time(1, 2), dt.time(1, 2, tzinfo=ODD_ZONE)),
    "objects: durations": lambda: objects(dt.timedelta.max, dt.timedelta.min),
    "objects: decimals": lambda: objects(Decimal("1.5"), Decimal("NaN")),
    "objects: long decimals": lambda: objects(Decimal("1." + "1" * 70), Decimal("1e1000")),
    "objects: fractions": lambda: objects(Fraction(1, 3), None),
    "objects: large numbers": lambda: objects(10**30, 1),
    "objects: huge numbers": lambda: objects(10**400, 1.5),
    "objects: number and text": lambda: objects(1, "u"),
    "objects: complex": lambda: objects(1 + 2j, None),
    "objects: bytes": lambda: objects(b"\xff", None),
    "objects: UUID": lambda: objects(uuid.UUID(int=1), uuid.UUID(int=2)),
    "objects: lists": lambda: objects([1, "u"], []),
    "objects: dicts": lambda: objects({"q": 1}, {}),
    "objects: arrays": lambda: objects(np.arange(2), np.arange(3)),
    "objects: matrices": lambda: objects(np.ones((2, 2)), None),
    "objects: sets": lambda: objects({1}, {2}),
    "objects: tuples": lambda: objects((1, 2), None),
    "objects: lone surrogate": lambda: objects("\ud800", "u"),
    "objects: things": lambda: objects(object(), object),
    "arrow string view": lambda: arrow_dtype(pa.array(["u", None], pa.string_view())),
    "arrow decimal": lambda: arrow_dtype(pa.array([Decimal("1.5"), None], pa.decimal256(70, 5))),
    "arrow dictionary": lambda: arrow_dtype(pa.array(["u", None]).dictionary_encode()),
    "arrow list": lambda: arrow_dtype(pa.array([[1], None])),
    "arrow struct": lambda: arrow_dtype(pa.array([{"q": 1}, None])),
    "arrow duration": lambda: arrow_dtype(pa.array([FAR, None], pa.duration("us"))),
    "arrow far date": lambda: arrow_dtype(pa.array([FAR, None], pa.timestamp("us"))),
    "arrow odd zone": lambda: arrow_dtype(pa.array([1, None], pa.timestamp("us", "+05:45"))),
}

POLARS: dict[str, Callable[[], pl.Series]] = {
    "text": lambda: pl.Series(["u", None]),
    "int8": lambda: pl.Series([1, None], dtype=pl.Int8),
    "uint64": lambda: pl.Series([1, 2**64 - 1], dtype=pl.UInt64),
    "int128": lambda: pl.Series([1, 2**100], dtype=pl.Int128),
    "float": lambda: pl.Series([float("nan"), float("inf")]),
    "bool": lambda: pl.Series([True, None]),
    "null": lambda: pl.Series([None, None]),
    "categorical": lambda: pl.Series(["u", None], dtype=pl.Categorical),
    "enum": lambda: pl.Series(["u", "v"], dtype=pl.Enum(["v", "u"])),
    "date": lambda: pl.Series([DAY.date(), None]),
    "far date": lambda: pl.Series([2**31 - 1, 1], dtype=pl.Int32).cast(pl.Date),
    "time": lambda: pl.Series([DAY.time(), None]),
    "datetime": lambda: pl.Series([DAY, None]),
    "nanoseconds": lambda: pl.Series([DAY, None], dtype=pl.Datetime("ns")),
    "far datetime": lambda: pl.Series([FAR, 1]).cast(pl.Datetime("us")),
    "far datetime with zone": lambda: pl.Series([FAR, 1]).cast(pl.Datetime("us", "Asia/Tokyo")),
    "last moment behind": lambda: (
        pl.Series([dt.datetime.max])
        .dt.replace_time_zone("America/New_York")
        .extend_constant(None, 1)
    ),
    "zone": lambda: pl.Series([DAY, None], dtype=pl.Datetime("ms", "Asia/Kathmandu")),
    "duration": lambda: pl.Series([dt.timedelta(1), None]),
    "long duration": lambda: pl.Series([2**63 - 1, 1]).cast(pl.Duration("ms")),
    "decimal": lambda: pl.Series([Decimal("1.50"), None], dtype=pl.Decimal(38, 10)),
    "binary": lambda: pl.Series([b"\xff", None]),
    "list": lambda: pl.Series([[1], None], dtype=pl.List(pl.Int16)),
    "list of lists": lambda: pl.Series([[["u"]], None]),
    "list of nothing": lambda: pl.Series([[], None], dtype=pl.List(pl.Null)),
    "array": lambda: pl.Series([[1, 2], None], dtype=pl.Array(pl.Int16, 2)),
    "struct": lambda: pl.Series([{"q": 1, "r": ["u"]}, None]),
    "object": lambda: pl.Series([object(), None], dtype=pl.Object),
}

ARROW: dict[str, Callable[[], pa.Array]] = {
    "text": lambda: pa.array(["u", None]),
    "large text": lambda: pa.array(["u", None], pa.large_string()),
    "text view": lambda: pa.array(["u", None], pa.string_view()),
    "uint64": lambda: pa.array([1, 2**64 - 1], pa.uint64()),
    "half": lambda: pa.array([np.float16(1.5), None], pa.float16()),
    "float": lambda: pa.array([float("nan"), None]),
    "bool": lambda: pa.array([True, None]),
    "null": lambda: pa.nulls(2),
    "dictionary": lambda: pa.array(["u", None]).dictionary_encode(),
    "dictionary of numbers": lambda: pa.array([1, None]).dictionary_encode(),
    "runs": lambda: pa.RunEndEncodedArray.from_arrays(pa.array([1, 2]), pa.array(["u", "v"])),
    "runs of numbers": lambda: pa.RunEndEncodedArray.from_arrays([2], [1.5]),
    "date64": lambda: pa.array([DAY.date(), None], pa.date64()),
    "far date": lambda: pa.array([2**31 - 1, 1], pa.date32()),
    "time32": lambda: pa.array([DAY.time(), None], pa.time32("s")),
    "time64": lambda: pa.array([1001, None], pa.time64("ns")),
    "timestamp": lambda: pa.array([DAY, None], pa.timestamp("ns")),
    "far timestamp": lambda: pa.array([FAR, 1], pa.timestamp("us")),
    "odd zone": lambda: pa.array([1, None], pa.timestamp("us", "+05:45")),
    "unknown zone": lambda: pa.array([1, None], pa.timestamp("us", "Moon/Crater")),
    "duration": lambda: pa.array([1, None], pa.duration("s")),
    "long duration": lambda: pa.array([FAR, None], pa.duration("s")),
    "months, days, nanoseconds": lambda: pa.array([(1, 2, 3), None]),
    "decimal128": lambda: pa.array([Decimal("1.50"), None], pa.decimal128(38, 5)),
    "decimal256": lambda: pa.array([Decimal("1" * 60), None], pa.decimal256(70, 5)),
    "binary": lambda: pa.array([b"\xff", None]),
    "large binary": lambda: pa.array([b"\xff", None], pa.large_binary()),
    "binary view": lambda: pa.array([b"\xff", None], pa.binary_view()),
    "fixed binary": lambda: pa.array([b"\xff\x00", None], pa.binary(2)),
    "list": lambda: pa.array([[1], None]),
    "large list": lambda: pa.array([[1], None], pa.large_list(pa.int8())),
    "list view": lambda: pa.array([[1], None], pa.list_view(pa.int8())),
    "fixed list": lambda: pa.array([[1, 2], None], pa.list_(pa.int8(), 2)),
    "map": lambda: pa.array([[("u", 1)], None], pa.map_(pa.string(), pa.int8())),
    "struct": lambda: pa.array([{"q": 1}, None]),
    "union": lambda: pa.UnionArray.from_sparse(
        pa.array([0, 1], pa.int8()), [pa.array([1, 2]), pa.array(["u", "v"])]
    ),
    "UUID": lambda: pa.ExtensionArray.from_storage(
        pa.uuid(), pa.array([b"0" * 16, None], pa.binary(16))
    ),
    "bad UTF-8": lambda: pa.Array.from_buffers(
        pa.string(), 2, [None, pa.py_buffer(b"\0\0\0\0\1\0\0\0\2\0\0\0"), pa.py_buffer(b"\xffu")]
    ),
}

COLUMNS = [
    (kind, name)
    for kind, columns in (("pandas", PANDAS), ("polars", POLARS), ("pyarrow", ARROW))
    for name in columns
]
"""Kind of table and name of each column."""


def table_of(kind: str, keys: list[str], name: str = "text") -> Any:
    """A table of a kind with the column "key" of text, and the odd column "odd"."""
    if kind == "pandas":
        return pd.DataFrame({"key": keys, "odd": PANDAS[name]()})
    if kind == "polars":
        return pl.DataFrame({"key": keys, "odd": POLARS[name]()})
    return pa.table({"key": pa.array(keys), "odd": ARROW[name]()})
