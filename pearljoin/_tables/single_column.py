"""Tables that are a single column, or a list of values."""

from __future__ import annotations

from collections.abc import Hashable

from pearljoin._errors import InputError
from pearljoin._tables.read_table import Table
from pearljoin._typing import Columns

__all__ = ["check_single", "named_as"]


def check_single(table: Table, keys: tuple[Hashable, ...], further: str = "") -> None:
    """Refuse a single column beside several key columns.

    Parameters
    ----------
    table
        The table.
    keys
        The key columns of the other side.
    further
        What else may be given, for the error.

    Raises
    ------
    InputError
        If it is one.
    """
    if table.single and len(keys) > 1:
        raise InputError(
            "A single column, or a list of values, cannot be matched by several key columns. Got a "
            f"single column on the {table.side} and the keys {list(keys)!r}. "
            f"Hint: give a table that has these columns{further}."
        )


def named_as(name: Columns | None, table: Table) -> Table:
    """Name a list of values, which has no name of its own, as the key column.

    Parameters
    ----------
    name
        What names the key column of both sides; of several names none is meant.
    table
        The table; one that has names keeps them.
    """
    names = name if isinstance(name, list | tuple) else [name]
    if table.frame is not None or len(names) != 1 or not isinstance(names[0], str):
        return table
    return table.renamed(names[0])
