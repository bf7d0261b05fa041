"""Taking rows out of a reference."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

import narwhals.stable.v2 as nw
import numpy as np

from pearljoin._errors import InputError
from pearljoin._tables.adding import NamedBy, with_names
from pearljoin._tables.backends import backend_of
from pearljoin._tables.cells import is_null
from pearljoin._tables.joined_columns import Columns
from pearljoin._tables.keys import ColumnNames
from pearljoin._tables.read_table import PlainColumn, Table, from_frame
from pearljoin._typing import IntVector

__all__ = ["remove_rows"]

SHOWN = 3
"""Keys that an error shows."""


def remove_rows(table: Table, less: Table, names: ColumnNames, arguments: NamedBy) -> Table:
    """Return a reference without the rows that have the keys of others.

    Parameters
    ----------
    table
        The reference.
    less
        A table that has the key and `by` columns, or a single column of keys. A key is that of a
        row if the cells are equal as they stand, null beside null.
    names
        The reference's columns that are compared.
    arguments
        What named them, for errors.

    Raises
    ------
    InputError
        If a key is of no row, a column is missing, or no row would be left.
    """
    columns = dict.fromkeys((*names.keys, *names.by))
    if less.single and len(columns) > 1:
        if not less.n_rows:
            return table
        raise InputError(
            "Rows are removed by their keys, and this reference has keys of several columns. Got a "
            f"single column, or a list, with {next(iter(less.columns.values())).cell(0)!r} first, "
            f"and the keys {list(columns)!r}. Hint: give a table that has these columns, such as "
            "rows of the reference, rather than numbers or ids of rows."
        )
    less = with_names(table, less, names, arguments)
    listed = _keys(table, columns)
    sought = set(_keys(less, columns))
    kept = np.flatnonzero(np.fromiter((key not in sought for key in listed), bool, len(listed)))
    unknown = sorted(sought.difference(listed), key=repr)
    if unknown:
        shown = ", ".join(repr(key[0] if len(key) == 1 else key) for key in unknown[:SHOWN])
        raise InputError(
            f"The reference has no such rows. Got {len(unknown):,} unknown, {shown} first. Hint: "
            "give keys as they stand in the reference."
        )
    if not len(kept):
        raise InputError(
            f"No row of the reference would be left. Got the keys of all {table.n_rows:,}. "
            "Hint: fit a new matcher."
        )
    return _take(table, kept)


def _keys(table: Table, names: dict[Hashable, None]) -> list[tuple[Hashable, ...]]:
    cells = [table.columns[name].to_list() for name in names]
    return [
        tuple(None if is_null(value) else value for value in key)
        for key in zip(*cells, strict=True)
    ]


def _take(table: Table, rows: IntVector) -> Table:
    if table.frame is None:
        columns = {name: cells.to_list() for name, cells in table.columns.items()}
        plain: dict[Hashable, PlainColumn] = {
            name: PlainColumn(str(name), [cells[row] for row in rows.tolist()])
            for name, cells in columns.items()
        }
        return replace(table, columns=Columns(plain))
    native = backend_of(table.frame).rows(table.frame.to_native(), rows)
    found = from_frame(nw.from_native(native, eager_only=True), table.side, lazy=table.lazy)
    return replace(found, single=table.single)
