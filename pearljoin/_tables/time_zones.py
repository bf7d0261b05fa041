"""Columns of times of which one has a time zone and the other has none."""

from __future__ import annotations

import datetime as dt
from collections.abc import Hashable, Sequence

from pearljoin._tables.cells import shown
from pearljoin._tables.columns import present_cells
from pearljoin._tables.read_table import Table

__all__ = ["zone_note"]


def zone_note(
    left: Table, right: Table, left_names: Sequence[Hashable], right_names: Sequence[Hashable]
) -> str:
    """Say which columns hold times with a time zone in one table alone; empty where none do.

    Parameters
    ----------
    left, right
        The tables.
    left_names, right_names
        Their columns, in pairs.
    """
    for name, right_name in zip(left_names, right_names, strict=True):
        times = _first_time(left, name), _first_time(right, right_name)
        if None not in times and len({time.tzinfo is None for time in times if time}) == 2:
            one, other = map(shown, times)
            return (
                f"times of {name!r} with a time zone in one table and without in the other, such "
                f"as {one} on the left and {other} on the right"
            )
    return ""


def _first_time(table: Table, name: Hashable) -> dt.datetime | None:
    cells = present_cells(table.columns[name])
    return next((cell for cell in cells if isinstance(cell, dt.datetime)), None)
