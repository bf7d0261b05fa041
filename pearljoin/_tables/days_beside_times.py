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
    return (_holds_days(left) and _holds_times(right)) or (
        _holds_times(left) and _holds_days(right)
    )


def _holds_days(column: Cells) -> bool:
    if column.dtype.is_temporal():
        return bool(column.dtype == nw.Date)
    return column_kind(column) == "date" and not any(map(_is_time, present_cells(column)))


def _holds_times(column: Cells) -> bool:
    if column.dtype.is_temporal():
        return bool(column.dtype == nw.Datetime)
    return column_kind(column) == "date" and all(map(_is_time, present_cells(column)))


def _is_time(cell: object) -> bool:
    return isinstance(cell, dt.datetime | np.datetime64)
