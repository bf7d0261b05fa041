"""Cells cast to the type of a column of pandas, polars or pyarrow, and what it holds of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import narwhals.stable.v2 as nw

__all__ = ["CASTS"]


def _in_pandas(held: Any, cells: list[Any]) -> tuple[Any, list[Any]]:
    import pandas as pd

    present = pd.Series([cell for cell in cells if cell is not None], dtype=object)
    values = iter(present.astype(held.dtype).tolist())
    found = [None if cell is None else next(values) for cell in cells]
    if len(present) == len(cells):
        return present.astype(held.dtype), found
    try:
        column = pd.Series(cells, dtype=object).astype(held.dtype)
    except (TypeError, ValueError):
        return cells, found
    # A type without nulls may make something else of them, such as False.
    return column if column.isna().sum() == len(cells) - len(present) else cells, found


def _in_polars(held: Any, cells: list[Any]) -> tuple[Any, list[Any]]:
    import polars as pl

    try:
        column = pl.Series(values=cells, dtype=held.dtype, strict=False)
    except pl.exceptions.PolarsError as error:
        raise ValueError from error
    if column.dtype != held.dtype:
        raise TypeError
    return column, column.to_list()


def _in_arrow(held: Any, cells: list[Any]) -> tuple[Any, list[Any]]:
    import pyarrow as pa

    try:
        column = pa.array(cells, type=held.type)
    except (pa.ArrowException, TypeError):
        column = pa.array(cells).cast(held.type)  # from dates to times, and floats to decimals
    return column, column.to_pylist()


CASTS: Mapping[nw.Implementation, Callable[[Any, list[Any]], tuple[Any, list[Any]]]] = {
    nw.Implementation.PANDAS: _in_pandas,
    nw.Implementation.POLARS: _in_polars,
    nw.Implementation.PYARROW: _in_arrow,
}
"""By library: from a native column and cells to a column of its type, and the cells that it holds.

They raise a ValueError, a TypeError, an ArithmeticError or a NotImplementedError where the type
holds no such cells. A list in place of the column has nulls for which the type has no room.
"""
