"""Columns of days beside columns of days with a time, by their types."""

from __future__ import annotations

import datetime as dt

import narwhals.stable.v2 as nw
import numpy as np

from pearljoin._tables.columns import Cells, column_kind, present_cells

__all__ = ["are_days_beside_times"]


def are_days_beside_times(left: Cells, right: Cells) -> bool:
    """Tell whether one column is of days and the other of times, of which the day is compared.

    Their types tell: days of pandas' datetime64 are times, each of them midnight.
    """
    return {_has_time(left), _has_time(right)} == {False, True}


def _has_time(column: Cells) -> bool | None:
    """Tell whether dates have a time of day; None for other columns, and for some of each."""
    if column.dtype.is_temporal():
        return {nw.Date: False, nw.Datetime: True}.get(column.dtype.base_type())
    if column_kind(column) != "date":
        return None
    found = {isinstance(cell, dt.datetime | np.datetime64) for cell in present_cells(column)}
    return found.pop() if len(found) == 1 else None
