"""What the key columns of the other side are called."""

from __future__ import annotations

from typing import Any

from pearljoin._tables.keys import ColumnNames, KeyOptions

__all__ = ["left_names"]


def left_names(given: KeyOptions, names: ColumnNames) -> tuple[Any, ...]:
    """Name the key columns of the other side, by which weights may be given."""
    columns = given.on if given.left_on is None else given.left_on
    if columns is None:
        return names.keys
    named = tuple(columns) if isinstance(columns, list | tuple) else (columns,)
    return (*named, *(name for name in given.geo or () if name not in named))
