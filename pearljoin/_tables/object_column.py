"""pandas columns of Python objects as Arrow arrays, and back: every cell as it was, or an error."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Sequence
from decimal import Decimal
from typing import Any, NamedTuple

import numpy as np

from pearljoin._tables.cells import is_null

__all__ = ["ObjectArrays", "objects_from_arrow", "objects_to_arrow"]

NULLS = ("None", "nan", "NA", "NaT")
"""The null values of pandas, by their codes: Arrow knows a single one."""


class ObjectArrays(NamedTuple):
    """The cells of one column in Arrow.

    Attributes
    ----------
    cells
        An Arrow array.
    nulls
        int8 Arrow array: which of `NULLS` a null cell is; None where all are None.
    of_arrays
        Whether the cells are numpy arrays rather than lists.
    """

    cells: Any
    nulls: Any
    of_arrays: bool


def objects_to_arrow(column: Sequence[Any], pyarrow: Any) -> ObjectArrays:
    """Turn Python objects into Arrow arrays.

    Parameters
    ----------
    column
        The cells.
    pyarrow
        The module.

    Raises
    ------
    ValueError
        If a cell would not come back as it is; the message says which.
    """
    missing = np.array([is_null(cell) and not isinstance(cell, str) for cell in column], dtype=bool)
    codes = [_null_code(cell) if is_missing else 0 for cell, is_missing in _pairs(column, missing)]
    cells = [None if is_missing else cell for cell, is_missing in _pairs(column, missing)]
    present = [cell for cell, is_missing in _pairs(cells, missing) if not is_missing]
    of_arrays = bool(present) and all(isinstance(cell, np.ndarray) for cell in present)
    try:
        array = pyarrow.array(cells, from_pandas=False)
        pairs = zip(cells, _to_list(array, of_arrays), strict=True)
        changed = next((cell for cell, back in pairs if not _is_same(cell, back)), None)
    # pyarrow raises what it finds: its own errors, and those of Python.
    except Exception as error:
        raise ValueError(str(error)) from error
    if changed is not None:
        text, kind = repr(changed)[:60], type(changed).__name__
        raise ValueError(f"{text} of type {kind} would come back as another")
    nulls = pyarrow.array(np.array(codes, dtype=np.int8)) if any(codes) else None
    return ObjectArrays(array, nulls, of_arrays)


def objects_from_arrow(arrays: ObjectArrays, pandas: Any) -> list[Any]:
    """Turn what `objects_to_arrow` made into the cells again.

    Parameters
    ----------
    arrays
        As it returned them.
    pandas
        The module.
    """
    cells = _to_list(arrays.cells, arrays.of_arrays)
    if arrays.nulls is None:
        return cells
    values = (None, float("nan"), pandas.NA, pandas.NaT)
    codes = arrays.nulls.to_pylist()
    return [values[code] if code else cell for cell, code in zip(cells, codes, strict=True)]


def _pairs(cells: Sequence[Any], missing: np.ndarray[Any, np.dtype[np.bool_]]) -> Any:
    return zip(cells, missing.tolist(), strict=True)


def _null_code(cell: Any) -> int:
    name = "None" if cell is None else str(cell)
    is_known = cell is None or isinstance(cell, float | np.floating) or name in ("<NA>", "NaT")
    if not is_known or isinstance(cell, np.datetime64 | np.timedelta64):
        raise ValueError(f"{cell!r} of type {type(cell).__name__} would come back as another null")
    return NULLS.index(name.strip("<>"))


def _to_list(array: Any, of_arrays: bool) -> list[Any]:
    return list(array.to_numpy(zero_copy_only=False) if of_arrays else array.to_pylist())


def _is_same(cell: Any, back: Any) -> bool:
    """Tell whether a value comes back from Arrow as it was: its type, and all that it holds."""
    if isinstance(cell, np.ndarray):
        return _is_same_array(cell, back)
    if isinstance(cell, np.generic):
        cell = cell.item()
    if isinstance(cell, dt.date | dt.timedelta) and isinstance(cell, type(back)):
        # Timestamps of pandas come back as plain datetimes, which equal them.
        zones = [
            value.utcoffset() if isinstance(value, dt.datetime) else None for value in (cell, back)
        ]
        return bool(cell == back) and zones[0] == zones[1]
    if type(cell) is not type(back):
        return False
    if isinstance(cell, list):
        return len(cell) == len(back) and all(map(_is_same, cell, back))
    if isinstance(cell, dict):
        return cell.keys() == back.keys() and all(_is_same(cell[key], back[key]) for key in cell)
    if isinstance(cell, float) and math.isnan(cell):
        return math.isnan(back)
    return bool(cell == back) and (isinstance(cell, Decimal) or str(cell) == str(back))


def _is_same_array(cell: np.ndarray[Any, Any], back: Any) -> bool:
    if not isinstance(back, np.ndarray) or cell.shape != back.shape:
        return False
    if cell.dtype != back.dtype and back.dtype != object:
        return False
    return all(map(_is_same, cell.tolist(), back.tolist()))
