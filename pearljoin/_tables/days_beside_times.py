"""Columns of days beside columns of days with a time, by their types."""

from __future__ import annotations

import datetime as dt

import narwhals.stable.v2 as nw
import numpy as np

from pearljoin._tables.columns import Cells, column_kind, present_cells

__all__ = ["are_days_beside_times", "times_of"]


def are_days_beside_times(left: Cells, right: Cells) -> bool:
    """Tell whether one column is of days and the other has times, of which the day is compared.

    Their types tell: days of pandas' datetime64 are times, each of them midnight. Beside days, a
    time is met by its day whether other cells have one or not, as it is looked up alone.
    """
    at_right, at_left = times_of(right), times_of(left)
    return (at_right == {False} and True in at_left) or (at_right == {True} and at_left == {False})


def times_of(column: Cells) -> set[bool]:
    """Which dates there are, with a time of day and without; empty for other columns."""
    if column.dtype.is_temporal():
        return {nw.Date: {False}, nw.Datetime: {True}}.get(column.dtype.base_type(), set())
    if column_kind(column) != "date":
        return set()
    return {isinstance(cell, dt.datetime | np.datetime64) for cell in present_cells(column)}
