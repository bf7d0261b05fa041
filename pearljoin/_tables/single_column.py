"""Tables that are a single column, or a list of values."""

from __future__ import annotations

from collections.abc import Hashable

from pearljoin._errors import InputError
from pearljoin._tables.read_table import Table

__all__ = ["check_single"]


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
