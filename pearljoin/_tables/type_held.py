"""Cells that are added to a column, as its type; what the type does not hold is refused."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Hashable
from decimal import Decimal
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from pearljoin._errors import InputError
from pearljoin._tables.cast_cells import CASTS
from pearljoin._tables.cells import is_null, value_kind
from pearljoin._tables.read_table import ONLY, Table

__all__ = ["as_type_held"]

UNTYPED = (nw.Object, nw.Unknown)
"""Types of columns that hold anything."""

CATEGORIES = (nw.Categorical, nw.Enum)

CLOSE = 1e-6
"""Relative difference up to which a number is the one that a shorter float stands for."""


def as_type_held(table: Table, more: Table, name: Hashable) -> Any:
    """New cells of a column as the type of the reference's column.

    Parameters
    ----------
    table
        The reference, which is a table of a dataframe library.
    more
        The new rows.
    name
        A column of both.

    Returns
    -------
    cells
        A native column; a list where the reference's column has no type, or has one of pandas that
        has no room for the nulls among them. None where all cells are null.

    Raises
    ------
    InputError
        If the type does not hold each cell as it is.
    """
    held, added = _series(table, name), _series(more, name)
    kind = held.implementation
    native = held.to_native()
    if added is not None and added.implementation is kind:
        if kind is not nw.Implementation.PANDAS and added.dtype == held.dtype:
            return added.to_native()  # a list of its cells would lose what Python has no type for
        if kind is nw.Implementation.PANDAS and added.to_native().dtype == native.dtype:
            return added.to_native().reset_index(drop=True)
    cells = [None if _is_missing(cell) else cell for cell in more.columns[name].to_list()]
    present = [cell for cell in cells if cell is not None]
    if not present:
        return None
    if kind is nw.Implementation.PANDAS and _takes_any(held, native):
        return cells
    if held.dtype in UNTYPED:
        return cells
    cast = CASTS[kind]
    try:
        column, values = cast(native, cells)
        odd = [cell for cell, new in zip(cells, values, strict=True) if not _is_same(cell, new)]
    except (ArithmeticError, LookupError, NotImplementedError, TypeError, ValueError):
        odd = [cell for cell in present if not _fits_alone(cast, native, cell)] or present
    if odd:
        raise _refusal(table, name, odd[0], added, getattr(native, "dtype", None) or native.type)
    return column


def _series(table: Table, name: Hashable) -> Any:
    """A column as narwhals has it; None where its table is a plain sequence."""
    if table.frame is None:
        return None
    return dict(zip(table.columns, table.frame.iter_columns(), strict=True))[name]


def _takes_any(held: Any, native: Any) -> bool:
    """Whether a column of pandas takes any values; one that was never filled is of floats there.

    Values that are no categories make a column of categories one of plain values, as in merging.
    """
    return held.dtype in CATEGORIES or bool(native.isna().all())


def _is_missing(cell: Any) -> bool:
    return is_null(cell) and not isinstance(cell, str)


def _fits_alone(cast: Any, native: Any, cell: Any) -> bool:
    try:
        return _is_same(cell, cast(native, [cell])[1][0])
    except (ArithmeticError, LookupError, NotImplementedError, TypeError, ValueError):
        return False


def _is_same(cell: Any, new: Any) -> bool:
    """Whether a cell is what it was before it was cast."""
    if cell is None:
        return True
    if _is_missing(new) or value_kind(cell) != value_kind(new):
        return False
    if isinstance(cell, dict) and isinstance(new, dict):
        return all(_is_same(value, new.get(key)) for key, value in cell.items())
    if isinstance(cell, float | np.floating) and isinstance(new, float | np.floating | Decimal):
        exact = isinstance(new, Decimal)
        return math.isclose(cell, new, rel_tol=1e-15 if exact else CLOSE)
    return bool(np.all(_moment(cell) == _moment(new)))


def _moment(value: Any) -> Any:
    """A date as the time at which it begins, which equals that of a column of times."""
    if isinstance(value, dt.date) and not isinstance(value, dt.datetime):
        return dt.datetime(value.year, value.month, value.day)
    return value


def _refusal(table: Table, name: Hashable, cell: Any, added: Any, dtype: Any) -> InputError:
    """Make the error for a cell that the type of a column does not hold."""
    whole, fitted = ("table", "deduplicator") if table.side == ONLY else ("reference", "matcher")
    native = None if added is None else added.to_native()
    of = getattr(native, "dtype", getattr(native, "type", None))
    if of is None or str(of) == "object":
        of = type(cell).__name__
    return InputError(
        f"The new rows do not fit the {whole}'s columns. Got {cell!r:.60} of type {of} for "
        f"{name!r}, whose type {dtype} does not hold it as it is. Hint: give values of {dtype}, "
        f"leave the column out, or fit the {fitted} again with a column of a type that holds both."
    )
