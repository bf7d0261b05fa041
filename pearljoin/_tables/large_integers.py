"""Whole numbers beyond 2**53 in pandas, which makes floats of integers where nulls stand.

A float64 holds every whole number up to there, and not all beyond. Such columns become the nullable
type instead, which keeps each number; smaller ones become what pandas makes of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from pearljoin._tables.cells import is_null

__all__ = [
    "LARGEST_EXACT",
    "cast_exactly",
    "concatenated",
    "convert_nullable",
    "list_column",
    "with_room_for_nulls",
    "with_types_of_both",
]

LARGEST_EXACT = 2**53
"""Up to here every whole number is a float64."""

NULLABLE = {"i": "Int64", "u": "UInt64"}
"""Types of pandas that hold whole numbers and nulls, by the kind of numpy's that do not."""


def _is_large(column: Any) -> bool:
    """Whether a column of pandas has integers of which a float64 may not hold each."""
    kind, size = (getattr(column.dtype, name, None) for name in ("kind", "itemsize"))
    is_integer = kind in ("i", "u") and size == 8  # sparse columns have a kind and no size
    if not is_integer or not len(column):
        return False
    low, high = column.min(), column.max()  # not abs(), since that of the lowest int64 is negative
    # Of nulls alone, both are NA.
    return not is_null(low) and not -LARGEST_EXACT <= int(low) <= int(high) <= LARGEST_EXACT


def with_room_for_nulls(column: Any) -> Any:
    """Return a column of pandas as one in which nulls may stand while its integers stay exact."""
    if not isinstance(column.dtype, np.dtype) or not _is_large(column):
        return column
    return column.astype(NULLABLE[column.dtype.kind])


def _type_of_all(columns: Sequence[Any]) -> Any:
    """Find a type for all cells of some columns of pandas, where numpy's would change integers.

    Returns
    -------
    dtype
        None where pandas may choose; ``object`` where no type of integers holds them all.
    """
    import pandas as pd

    if not any(map(_is_large, columns)):
        return None
    chosen = pd.concat([column.head(0) for column in columns]).dtype
    if getattr(chosen, "kind", "f") != "f":
        return None
    for dtype in NULLABLE.values():
        if all(cast_exactly(column, dtype) is not None for column in columns):
            return dtype
    return object


def cast_exactly(column: Any, dtype: Any) -> Any | None:
    """Return a column of pandas as another type; None where that changes or refuses a cell."""
    try:
        with np.errstate(invalid="ignore"):
            cast = column.astype(dtype)
        is_same = cast.astype(object) == column.astype(object)
    except (TypeError, ValueError, OverflowError):
        return None
    gone = column.isna()
    return cast if (is_same | gone).all() and (cast.isna() == gone).all() else None


def concatenated(columns: Sequence[Any]) -> Any:
    """Put columns of pandas one below the other; their integers stay what they are."""
    import pandas as pd

    dtype = _type_of_all(columns)
    if dtype is not None:
        columns = [column.astype(dtype) for column in columns]
    return pd.concat(columns, ignore_index=True)


def with_types_of_both(first: Any, second: Any) -> tuple[Any, Any]:
    """Return two tables of pandas as ones that keep their integers when they are concatenated."""
    first, second = (table.copy(deep=False) for table in (first, second))
    for table, other in ((first, second), (second, first)):
        for name in table.columns.difference(other.columns, sort=False):
            table[name] = with_room_for_nulls(table[name])
    for name in first.columns.intersection(second.columns):
        if (dtype := _type_of_all([first[name], second[name]])) is not None:
            first[name], second[name] = first[name].astype(dtype), second[name].astype(dtype)
    return first, second


def list_column(cells: Any) -> Any:
    """Return a list of integers and nulls as a column that keeps them; other cells as they are."""
    if not isinstance(cells, list):
        return cells
    missing = np.array([is_null(cell) and not isinstance(cell, str) for cell in cells], dtype=bool)
    values = [0 if gone else cell for cell, gone in zip(cells, missing.tolist(), strict=True)]
    are_integers = missing.any() and all(map(_is_integer, values))
    if not are_integers or max(map(abs, values)) <= LARGEST_EXACT:
        return cells
    import pandas as pd

    for dtype in ("int64", "uint64"):
        try:
            return pd.Series(pd.arrays.IntegerArray(np.array(values, dtype=dtype), missing))
        except OverflowError:
            continue
    return cells  # of more digits than any type has, which pandas holds as objects


def _is_integer(value: object) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def convert_nullable(frame: nw.DataFrame[Any]) -> Any:
    """Turn a frame of another library into pandas; its integers stay what they are."""
    import pandas as pd

    converted = frame.to_pandas()
    for series in frame.iter_columns():
        if series.dtype not in (nw.Int64, nw.UInt64) or not series.null_count():
            continue
        low, high = series.min(), series.max()
        if low is None or -LARGEST_EXACT <= low <= high <= LARGEST_EXACT:
            continue
        missing = series.is_null().to_numpy().astype(bool)
        cells = series.fill_null(0).to_numpy()
        converted[series.name] = pd.arrays.IntegerArray(cells, missing)
    return converted
