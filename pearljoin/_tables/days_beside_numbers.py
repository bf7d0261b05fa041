"""Dates beside columns of numbers that are years or days of the calendar."""

from __future__ import annotations

import datetime as dt

import numpy as np

from pearljoin._kinds.calendar_numbers import are_calendar_numbers, day_of_number
from pearljoin._kinds.cells import cell_texts
from pearljoin._kinds.protocol import Kind
from pearljoin._tables.cells import ColumnKind
from pearljoin._tables.columns import Cells, column_kind, present_cells

__all__ = ["kind_beside_days"]

TYPES = {("number", "date"), ("date", "number"), ("date", "text")}
"""Kinds of a left and a right column of which one may hold dates, the other numbers of them."""

PLAIN: frozenset[ColumnKind] = frozenset({"number", "date"})
"""Kinds of right columns that compare whole."""

BY_PARTS: frozenset[ColumnKind] = frozenset({"parsed_number", "parsed_date"})
"""Kinds of right columns that compare by their parts."""


def kind_beside_days(
    left: Cells,
    right: Cells,
    kinds: tuple[ColumnKind, ColumnKind],
    *,
    given: Kind | None,
    alone: bool,
) -> ColumnKind | None:
    """Tell how dates compare with numbers that are years or days.

    Parameters
    ----------
    left, right
        The columns.
    kinds
        Kind of the left column by itself, and that by which the right one compares.
    given
        The kind that the user named.
    alone
        Whether this is the only key column.

    Returns
    -------
    kind
        None where this is no such pair of columns.
    """
    left_kind, right_kind = kinds
    types = left_kind, column_kind(right)
    if types not in TYPES or right_kind not in PLAIN | BY_PARTS or given not in (None, "date"):
        return None
    days, numbers = (left, right) if left_kind == "date" else (right, left)
    if not all(isinstance(cell, dt.date | np.datetime64) for cell in present_cells(days)):
        return None
    # Where the kind is known to be dates, by its name or the user, any number may be one.
    is_known = right_kind == "parsed_date" and (given == "date" or numbers is right)
    values = set(present_cells(numbers))
    if not is_known and not are_calendar_numbers(list(values)):
        return None
    if right_kind in BY_PARTS:
        return "parsed_date"
    # As text, days are alike that are far apart; a year is like the days in it.
    are_days = all(map(day_of_number, filter(None, cell_texts(list(values)))))
    return "parsed_date" if alone and are_days else "date_text"
