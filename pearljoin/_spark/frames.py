"""Frames of Spark as tables of Arrow: types, schemas, and the rows of a reference."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from inspect import signature
from typing import Any

import narwhals.stable.v2 as nw
import pyarrow as pa
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame
from pyspark.sql import functions as sf
from pyspark.sql import types as st
from pyspark.sql.pandas.types import from_arrow_type, to_arrow_schema, to_arrow_type

from pearljoin._errors import InputError, MissingExtraError, TableTypeError
from pearljoin._spark.jobs import described
from pearljoin._spark.settings import Settings, read_settings
from pearljoin._tables.backends import convert
from pearljoin._tables.joined_columns import column_parts
from pearljoin._tables.output import frame_of
from pearljoin._tables.read_table import Table, as_table, from_frame

__all__ = [
    "HASH",
    "IN_UTC",
    "as_arrow_table",
    "batches_of",
    "check_key_types",
    "collect",
    "column",
    "content_hash",
    "empty_table",
    "is_frame",
    "order_of",
    "spark_field",
    "types_of",
]

# The oldest pyspark takes UTC without being asked.
IN_UTC: Any = {"timezone": "UTC"} if "timezone" in signature(to_arrow_type).parameters else {}

COMPARED = (
    st.StringType,
    st.CharType,
    st.VarcharType,
    st.NumericType,
    st.BooleanType,
    st.DateType,
    st.TimestampType,
    st.TimestampNTZType,
)
"""Types of columns that can be compared."""

HASH = "__pearljoin_hash"
"""Column of content hashes, beside those of a frame."""

UNHASHED = (st.MapType, st.VariantType)
"""Types that Spark's hash functions refuse."""


def is_frame(data: Any) -> bool:
    """Tell whether this is a Spark DataFrame; raises MissingExtraError if Spark is too old."""
    if not isinstance(data, DataFrame) and type(data).__name__ != "DataFrame":
        return False
    if not hasattr(DataFrame, "toArrow"):
        raise MissingExtraError(
            "Joins on Spark need pyspark 4.0 or later. Hint: pip install 'pearljoin[spark]'"
        )
    return isinstance(data, DataFrame)


def column(name: str) -> Any:
    """A column by its name as it stands, dots included."""
    return sf.col("`" + name.replace("`", "``") + "`")


def content_hash(frame: Any) -> Any:
    """A hash of each row's cells, as an expression: 64-bit."""
    names = [f.name for f in frame.schema.fields if not isinstance(f.dataType, UNHASHED)]
    return sf.xxhash64(*map(column, names)) if names else sf.lit(0).cast("long")


def collect(frame: Any) -> pa.Table:
    """Collect a table, in an order that its content decides.

    Parameters
    ----------
    frame
        A Spark DataFrame.

    Returns
    -------
    table
        By the column that ``spark.pearljoin.orderBy`` names, if any, nulls last, and by the rows'
        hashes.

    Raises
    ------
    InputError
        If it has too many rows, or lacks that column.
    TableTypeError
        If Arrow has no type for a column.
    """
    settings = read_settings(frame.sparkSession)
    empty_table(frame, "right")
    order = [(name, "ascending") for name in (*order_of(frame, settings), HASH)]
    most = settings.largest_reference
    with described(frame.sparkSession, "collect the table"):
        n_rows = frame.count()
        if n_rows > most:
            raise InputError(
                f"The table has too many rows to be held by each executor. Got {n_rows:,}, of at "
                f"most {most:,}. Hint: raise spark.pearljoin.largestReference if it fits; "
                "fuzzy_join and match take two frames of Spark whatever their size."
            )
        found = frame.withColumn(HASH, content_hash(frame)).toArrow()
    return found.sort_by(order).drop_columns([HASH])


def order_of(frame: Any, settings: Settings) -> list[str]:
    """Return the column that decides among equally good rows, if any.

    Raises
    ------
    InputError
        If the frame lacks it.
    """
    if settings.order_by is None:
        return []
    if settings.order_by not in frame.columns:
        raise InputError(
            "The table has no column of the name that spark.pearljoin.orderBy gives. Got "
            f"{settings.order_by!r}, and columns {frame.columns!r}. Hint: name one of them, or "
            "unset it."
        )
    return [settings.order_by]


def empty_table(frame: Any, side: str) -> Table:
    """A table with the columns of a Spark frame and no rows.

    Raises
    ------
    InputError
        If two columns have one name, as Spark reads names.
    TableTypeError
        If Arrow has no type for a column.
    """
    _check_cases(frame, side)
    fields = []
    for field in frame.schema.fields:
        try:
            fields.append(pa.field(field.name, to_arrow_type(field.dataType, **IN_UTC)))
        except (PySparkException, TypeError) as error:
            raise TableTypeError(
                f"The column {field.name!r} of the {side} table is of a type that does not reach "
                f"Python. Got {field.dataType.simpleString()}. Hint: cast it, or leave it out."
            ) from error
    return as_table(pa.schema(fields).empty_table(), side)


def _check_cases(frame: Any, side: str) -> None:
    """Refuse columns whose names differ in their case alone, where Spark takes them for one."""
    if str(frame.sparkSession.conf.get("spark.sql.caseSensitive", "false")).lower() == "true":
        return
    known: dict[str, str] = {}
    for name in frame.columns:
        other = known.setdefault(name.lower(), name)
        if other != name:
            raise InputError(
                f"The {side} table has columns whose names differ in their case alone, which Spark "
                f"takes for one. Got {other!r} and {name!r}. Hint: rename one of them, or set "
                "spark.sql.caseSensitive to true."
            )


def check_key_types(frame: Any, names: Iterable[Hashable], side: str) -> None:
    """Refuse columns that cannot be compared.

    Raises
    ------
    InputError
        If one of the columns holds bytes, lists or other values that are not plain, or stands for
        several that are read together.
    """
    for name in names:
        if name not in frame.columns:
            parts = ", ".join(map(repr, column_parts(name)))
            raise InputError(
                f"On Spark, columns of the {side} table are not read together. Got {name!r}. Hint: "
                f"make a column of them, .withColumn(..., concat_ws(' ', {parts}))."
            )
        kind = frame.schema[name].dataType
        if not isinstance(kind, COMPARED):
            raise InputError(
                f"The column {name!r} of the {side} table cannot be compared. Got the type "
                f"{kind.simpleString()}. Hint: turn it into text, numbers or dates beforehand."
            )


def as_arrow_table(table: Table) -> Table:
    """Turn a reference of any kind into a table of Arrow, whose types Spark has.

    Raises
    ------
    TableTypeError
        If a column has no counterpart in Arrow or in Spark.
    """
    frame = convert(frame_of(table), nw.Implementation.PYARROW, table.side)
    native = frame.to_native()
    columns = [_plain(native.column(at), field) for at, field in enumerate(native.schema)]
    arrow = pa.table(columns, names=[str(name) for name in native.column_names])
    found = from_frame(nw.from_native(arrow, eager_only=True), table.side, lazy=False)
    return replace(found, single=table.single)


def _plain(cells: Any, field: Any) -> Any:
    """Cells of a type that Spark has, too."""
    kind = field.type
    if pa.types.is_dictionary(kind):
        return _plain(cells.cast(kind.value_type), pa.field(field.name, kind.value_type))
    if pa.types.is_large_string(kind) or pa.types.is_string_view(kind) or pa.types.is_null(kind):
        return cells.cast(pa.string())
    if pa.types.is_unsigned_integer(kind):
        return cells.cast(pa.int64() if kind != pa.uint64() else pa.decimal128(20, 0))
    if pa.types.is_float16(kind):
        return cells.cast(pa.float32())
    if pa.types.is_timestamp(kind):
        return cells.cast(pa.timestamp("us", kind.tz), safe=False)
    spark_field(field)
    return cells


def spark_field(field: Any) -> Any:
    """The field of a Spark schema for one of Arrow.

    Raises
    ------
    TableTypeError
        If Spark has no such type.
    """
    try:
        return st.StructField(field.name, from_arrow_type(field.type, True), True)
    except (PySparkException, TypeError) as error:
        raise TableTypeError(
            f"The column {field.name!r} is of a type that Spark does not have. Got {field.type}. "
            "Hint: convert it beforehand, or leave it out."
        ) from error


def batches_of(table: pa.Table, types: Sequence[tuple[str, Any]]) -> Iterator[pa.RecordBatch]:
    """Yield a table in batches of the names and types that Spark was told of.

    Parameters
    ----------
    table
        Its columns, in order.
    types
        Name and Arrow type of each.
    """
    columns = [
        cells if cells.type == kind else cells.cast(kind, safe=False)
        for cells, (_, kind) in zip(table.columns, types, strict=True)
    ]
    yield from pa.table(columns, names=[name for name, _ in types]).to_batches()


def types_of(schema: Any) -> tuple[tuple[str, Any], ...]:
    """Names and Arrow types of a Spark schema."""
    return tuple((field.name, field.type) for field in to_arrow_schema(schema, **IN_UTC))
