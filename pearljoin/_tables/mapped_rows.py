"""Rows that are given as mappings of columns to values, or as tuples, as a service gets them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Hashable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from pearljoin._errors import InputError, TableTypeError, nearest
from pearljoin._tables.backends import native_from, uniform
from pearljoin._tables.cells import is_null
from pearljoin._tables.days_beside_times import times_of
from pearljoin._tables.joined_columns import column_parts
from pearljoin._tables.keys import KeyOptions
from pearljoin._tables.read_table import Table, as_table, plain_backend

__all__ = ["as_rows"]


def as_rows(
    data: Any,
    side: str,
    names: Sequence[Hashable],
    like: Table,
    options: KeyOptions | None = None,
) -> Table:
    """Read a table, or rows that are mappings or tuples; an empty list is no rows.

    Parameters
    ----------
    data
        What `as_table` reads, a mapping of columns to values, a list of these, a list of tuples of
        the key columns' values, in their order, or a row of a table of pandas, which is a Series
        that the columns label.
    side
        As of `as_table`.
    names
        The key columns: of such rows, each must have all or none.
    like
        A table of whose library the rows become one, if it has a library.
    options
        What names further columns of a left table that are compared. None where the rows are of
        the table `like`.

    Raises
    ------
    InputError
        If a row lacks a column, or has more values than there are columns.
    TableTypeError
        If data is of a kind that is not read, or a mapping that has several values of a column.
    """
    if isinstance(data, list | tuple) and not data:
        return _no_rows(data, side, names, like, options)
    rows = _mappings(data, names)
    names = _named_in(rows or (), names)
    if isinstance(data, Mapping):
        _check_one_row(data, side, names)
    if rows is None:
        return as_table(data, side)
    are_named = any(name in row for row in rows for name in names)
    for at, row in enumerate(rows):
        missing = [name for name in names if name not in row]
        # Where no row has a key column, that is told of the table, or the key is guessed.
        if missing and are_named:
            slip = _misspelt(missing[0], [name for name in row if name not in names])
            raise InputError(
                f"Row {at} lacks the key column {missing[0]!r}. Got columns {list(row)!r}. "
                f"Hint: {slip or ''}{'; ' if slip else ''}give each row {list(names)!r}, with None "
                "for a value that is not known."
            )
    listed = dict.fromkeys(name for row in rows for name in row)
    if not are_named:
        _check_spelling(list(listed), side, names, options)
    columns = {
        name: uniform(_as_times([row.get(name) for row in rows], like, name)) for name in listed
    }
    return _table_of(columns, side, like)


def _named_in(rows: Sequence[Mapping[Any, Any]], names: Sequence[Hashable]) -> tuple[Hashable, ...]:
    """List the key columns of rows: of those that are read together each, where no row has them as
    one.
    """
    listed = [(name,) if any(name in row for row in rows) else column_parts(name) for name in names]
    return tuple(dict.fromkeys(chain.from_iterable(listed)))


def _has_times(like: Table, name: Hashable) -> bool:
    """Whether a column of a table has times, or any of it where none is called so."""
    columns = [like.columns[name]] if name in like.columns else like.columns.values()
    return any(True in times_of(column) for column in columns)


def _as_times(cells: list[Any], like: Table, name: Hashable) -> list[Any]:
    """Dates beside dates with a time as midnights, since a typed column holds no dates of both.

    Where the reference has times they stay as they are: alone, a date is met by its day there.
    """
    dates = [cell for cell in cells if isinstance(cell, dt.date) and not is_null(cell)]
    times = [cell for cell in dates if isinstance(cell, dt.datetime)]
    if not times or len(times) == len(dates) or _has_times(like, name):
        return cells
    zone = times[0].tzinfo
    return [
        dt.datetime(cell.year, cell.month, cell.day, tzinfo=zone)
        if isinstance(cell, dt.date) and not isinstance(cell, dt.datetime)
        else cell
        for cell in cells
    ]


def _check_one_row(row: Mapping[Any, Any], side: str, names: Sequence[Hashable]) -> None:
    """Refuse a mapping of columns to lists of values, which is a table rather than a row."""
    of_column = next((name for name in _compared(row, names) if _is_listed(row[name])), None)
    if of_column is not None:
        values = row[of_column]
        raise TableTypeError(
            f"A dict is one row on the {side} side, with one value of each column. Got a "
            f"{type(values).__name__} of {np.size(values)} for {of_column!r}. Hint: give several "
            "rows as a list of dicts, or as a table: pandas.DataFrame(columns) makes one."
        )


def _compared(row: Mapping[Any, Any], names: Sequence[Hashable]) -> list[Any]:
    """The columns of a row that may be compared: the keys, or all where it has none of them."""
    return [name for name in names if name in row] or list(row)


def _is_listed(value: Any) -> bool:
    """Whether a value is a column, or a list of values."""
    return isinstance(value, list | tuple | np.ndarray) or (
        hasattr(value, "__len__") and (hasattr(value, "to_frame") or hasattr(value, "to_pylist"))
    )


def _check_spelling(
    given: Sequence[Any], side: str, names: Sequence[Hashable], options: KeyOptions | None
) -> None:
    """Refuse rows whose columns are nearly called as keys that were named beforehand.

    The rows are what is misspelt then, not the argument, of which errors of tables speak.
    """
    if options is not None and options.on is None and options.left_on is None:
        return  # the key of these rows is guessed
    # Rows that are added come without the arguments by which their keys were found.
    which = "which is a key"
    if options is not None:
        which = f"named in {'on' if options.left_on is None else 'left_on'}="
    for name in names:
        if slip := _misspelt(name, given):
            raise InputError(
                f"The {side} row has no column {name!r}, {which}. "
                f"Got columns {given!r}. Hint: {slip}."
            )


def _misspelt(name: Hashable, given: Sequence[Any]) -> str | None:
    """Say which of the columns of a row a key column may have been meant by."""
    found = nearest(name, [some for some in given if isinstance(some, str)])
    return f"{found[0]!r} looks like a misspelling of {name!r}" if found else None


def _table_of(columns: Mapping[Any, Any], side: str, like: Table) -> Table:
    backend = plain_backend() if like.frame is None else like.frame.implementation
    return as_table(native_from(dict(columns), backend), side)


def _no_rows(
    data: Any, side: str, names: Sequence[Hashable], like: Table, options: KeyOptions | None
) -> Table:
    """Read an empty list: a table without rows, where a list of keys has too few columns."""
    if options is None:
        return as_table(data if like.single else like.head(0), side)
    by = options.by if options.left_by is None else options.left_by
    further = [_listed(by), _listed(options.veto), _listed(options.geo)]
    columns = dict.fromkeys((*names, *chain.from_iterable(further)))
    if len(columns) < 2:
        return as_table(data, side)
    return _table_of({name: [] for name in columns}, side, like)


def _listed(columns: Any) -> Sequence[Hashable]:
    if columns is None:
        return ()
    return columns if isinstance(columns, list | tuple) else (columns,)


def _mappings(data: Any, names: Sequence[Hashable]) -> Sequence[Mapping[Any, Any]] | None:
    """The rows, if they are mappings or tuples."""
    if isinstance(data, Mapping):
        return [data] if data else None
    if isinstance(data, list | tuple):
        if all(isinstance(row, tuple | list) for row in data):
            return _named(data, names)
        return data if all(isinstance(row, Mapping) and row for row in data) else None
    labels = getattr(data, "index", None) if hasattr(data, "to_frame") else None
    is_labelled = getattr(labels, "inferred_type", None) == "string" and data.name not in names
    if names and labels is not None and is_labelled and all(name in labels for name in names):
        return [dict(zip(labels, data, strict=True))]
    return None


def _named(
    rows: Sequence[Sequence[Any]], names: Sequence[Hashable]
) -> Sequence[Mapping[Any, Any]] | None:
    """Name the values of rows; those of named tuples have names. None where rows are no rows."""
    if rows and all(hasattr(row, "_asdict") for row in rows):
        return [row._asdict() for row in rows]  # type: ignore[attr-defined]
    odd = next((at for at, row in enumerate(rows) if len(row) != len(names)), None)
    if odd is None:
        return [dict(zip(names, row, strict=True)) for row in rows]
    if len(names) < 2:
        return None  # which is told as of a column of tuples
    raise InputError(
        f"Row {odd} has not one value for each key column. Got {rows[odd]!r}, and the key columns "
        f"{list(names)!r}. Hint: give tuples of their values, in this order, or a dict for each "
        "row."
    )
