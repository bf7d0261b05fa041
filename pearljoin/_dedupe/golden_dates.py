"""Keys that sort the cells of a column by time, for golden records of the newest rows."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from pearljoin._errors import InputError
from pearljoin._kinds.cells import cell_texts
from pearljoin._kinds.date import DateComparer
from pearljoin._kinds.protocol import text_array
from pearljoin._kinds.read_date import day_stands_first
from pearljoin._kinds.years import USUAL

__all__ = ["time_keys"]

ISO_DATE = re.compile(r"\d{4}-\d{2}(-\d{2}([T ].*)?)?")
"""Dates as text that sort by time."""


def time_keys(cells: Sequence[Any], column: Sequence[Any], name: object) -> list[tuple[bool, Any]]:
    """Return cells as keys that sort by time, null before all others.

    Text is read as dates are in a join: whether the day stands before the month, the whole column
    tells. A year of two digits is the usual one.

    Parameters
    ----------
    cells
        Some cells of the column, None for null.
    column
        All of its cells.
    name
        What it is called.

    Raises
    ------
    InputError
        If a cell is no date.
    """
    known = [cell for cell in cells if cell is not None]
    kinds = {type(cell) for cell in known}
    is_time = all(isinstance(cell, str | dt.date | float | int | np.generic) for cell in known)
    zoned = {cell.utcoffset() is not None for cell in known if isinstance(cell, dt.datetime)}
    if len(kinds) > 1 or len(zoned) > 1 or not is_time:
        got = f"values of types {sorted(kind.__name__ for kind in kinds)}"
        raise _no_times(name, "times with a time zone and without" if len(zoned) > 1 else got)
    are_read = any(isinstance(cell, str) and not ISO_DATE.fullmatch(cell) for cell in known)
    keys = iter(_read(known, column, name) if are_read else known)
    return [(cell is not None, None if cell is None else next(keys)) for cell in cells]


def _read(known: list[str], column: Sequence[Any], name: object) -> list[tuple[int, ...]]:
    """Read dates that are written as text: year, month, day and second, 0 where unknown."""
    day_first = day_stands_first(text for text in cell_texts(column) if text)
    found = DateComparer(day_first).read(text_array(known))
    odd = [text for text, read in zip(known, found.canonical, strict=True) if read is None]
    if odd:
        raise _no_times(name, repr(odd[0]))
    years = found.parts[:, 0]
    usual = USUAL.start + (years - USUAL.start) % 100
    parts = np.column_stack(
        [np.where(found.short, usual, years), found.parts[:, 1:], found.seconds]
    )
    return [tuple(row) for row in parts.tolist()]


def _no_times(name: object, got: str) -> InputError:
    return InputError(
        f"The column {name!r} cannot be ordered by time. Got {got}. "
        "Hint: give dates, or text such as '2024-05-31' or '31.05.2024'."
    )
