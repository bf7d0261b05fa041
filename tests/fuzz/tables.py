"""From a case's plain values to tables."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

NULLABLE = {"text": "string", "whole": "Int64", "number": "Float64", "boolean": "boolean"}
ARROW = {
    "text": pa.string(),
    "whole": pa.int64(),
    "number": pa.float64(),
    "boolean": pa.bool_(),
    "date": pa.date32(),
    "moment": pa.timestamp("us", "Asia/Kathmandu"),
    "duration": pa.duration("us"),
    "decimal": pa.decimal128(20, 5),
    "category": pa.dictionary(pa.int32(), pa.string()),
}


def value_of(kind: str, cell: Any) -> Any:
    """A cell of a case as the value that stands in the table."""
    if cell is None:
        return None
    match kind:
        case "objects":
            return value_of(cell["type"], cell["cell"])
        case "date":
            return dt.date(1970, 1, 1) + dt.timedelta(days=cell % 40_000)
        case "moment":
            return dt.datetime(1970, 1, 1, tzinfo=dt.UTC) + dt.timedelta(hours=cell % 10**6)
        case "duration":
            return dt.timedelta(seconds=cell % 10**9)
        case "decimal":
            return Decimal(cell)
    return cell


def make_table(described: dict[str, Any], row_name: str, start: int = 0) -> Any:
    """Make the table that a case describes, with its row numbers from `start` in that column.

    A list stands for a table of its first column. Raises what the table's library raises where it
    cannot hold the cells.
    """
    columns = {
        name: (column["type"], [value_of(column["type"], cell) for cell in column["cells"]])
        for name, column in described["columns"].items()
    }
    kind = described["kind"]
    n_rows = len(next(iter(columns.values()))[1])
    if kind == "list":
        return next(iter(columns.values()))[1]
    if kind in ("pandas", "pandas-nullable", "pandas-arrow"):
        series = {name: _pandas(kind, *column) for name, column in columns.items()}
        frame = pd.DataFrame({**series, row_name: np.arange(start, start + n_rows)})
        return _indexed(frame, described["index"])
    arrays = {name: _arrow(*column) for name, column in columns.items()}
    table = pa.table({**arrays, row_name: pa.array(range(start, start + n_rows), pa.int64())})
    if kind == "pyarrow":
        return table
    frame = pl.DataFrame(table)
    return frame.lazy() if kind == "polars-lazy" else frame


def _arrow(kind: str, cells: list[Any]) -> pa.Array:
    if kind == "objects":
        kind, cells = "text", [None if cell is None else str(cell) for cell in cells]
    if kind == "category":
        return pa.array(cells, pa.string()).dictionary_encode().cast(ARROW["category"])
    return pa.array(cells, ARROW[kind])


def _pandas(kind: str, cell_type: str, cells: list[Any]) -> pd.Series:
    if cell_type == "category":
        return pd.Series(cells, dtype=object).astype("category")
    if kind == "pandas-nullable" and cell_type in NULLABLE:
        return pd.Series(cells, dtype=NULLABLE[cell_type])
    if kind == "pandas-arrow" and cell_type in ARROW:
        return pd.Series(cells, dtype=pd.ArrowDtype(ARROW[cell_type]))
    if cell_type in ("text", "objects", "decimal", "date"):
        return pd.Series(cells, dtype=object)
    return pd.Series(cells)


def _indexed(frame: pd.DataFrame, index: str) -> pd.DataFrame:
    n_rows = len(frame)
    if index == "repeated":
        frame.index = pd.Index([7] * n_rows)
    elif index == "text":
        frame.index = pd.Index([f"row {row}" for row in range(n_rows)], name="key")
    elif index == "levels" and n_rows:
        frame.index = pd.MultiIndex.from_arrays([np.arange(n_rows), ["x"] * n_rows])
    return frame
