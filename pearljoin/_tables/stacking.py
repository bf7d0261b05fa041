"""Several tables as one, with a column that says which table each row is from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import narwhals.stable.v2 as nw

from pearljoin._errors import InputError
from pearljoin._tables.backends import backend_of, convert
from pearljoin._tables.output import frame_of
from pearljoin._tables.read_table import ONLY, Table, as_table, from_frame

__all__ = ["SOURCE", "stack_tables"]

SOURCE = "source"
"""Name of the column that says which table a row is from."""


def stack_tables(tables: Sequence[Any], sources: Sequence[str] | None) -> Table:
    """Put the rows of several tables below each other; columns that one lacks are null there.

    Parameters
    ----------
    tables
        Tables as in `fuzzy_join`; the result is of the first one's kind.
    sources
        What they are called. Default: "0", "1" and so on.

    Returns
    -------
    table
        All rows, with a first column `SOURCE`.

    Raises
    ------
    InputError
        If the names are not as many as the tables, or repeat, or columns do not go together.
    TableTypeError
        If a table is of a kind that is not read.
    """
    read = [as_table(one, ONLY) for one in tables]
    names = [str(at) for at in range(len(read))] if sources is None else _read_names(sources)
    if len(names) != len(read) or len(set(names)) < len(names):
        raise InputError(
            f"sources= names each table once. Got {names!r} for {len(read)} tables. "
            "Hint: sources=['crm', 'shop']."
        )
    taken = [name for name, one in zip(names, read, strict=True) if SOURCE in one.columns]
    if taken:
        raise InputError(
            f"The tables {taken!r} have a column {SOURCE!r} already, which says here which table "
            "a row is from. Hint: rename it."
        )
    first = frame_of(read[0])
    stack = backend_of(first).stack
    stacked: Any = None
    try:
        for name, one in zip(names, read, strict=True):
            frame = convert(frame_of(one), first.implementation, ONLY)
            native = frame.select(nw.lit(name).alias(SOURCE), nw.all()).to_native()
            stacked = native if stacked is None else stack(stacked, native)
    except Exception as error:
        raise InputError(
            f"The tables do not go together. Got: {error}. "
            "Hint: give columns of one name the same type in all of them."
        ) from error
    stacked = nw.from_native(stacked, eager_only=True)
    return from_frame(stacked, ONLY, lazy=read[0].lazy)


def _read_names(sources: Any) -> list[str]:
    """Read the names of tables; refuse what is no list of text."""
    if isinstance(sources, list | tuple) and all(isinstance(name, str | int) for name in sources):
        return list(sources)
    raise InputError(
        f"sources= is a list of names. Got {sources!r}. Hint: sources=['crm', 'shop']."
    )
