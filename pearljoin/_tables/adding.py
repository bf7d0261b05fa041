"""Appending rows to a reference."""

from __future__ import annotations

import warnings
from collections.abc import Hashable
from typing import Any, NamedTuple

import narwhals.stable.v2 as nw

from pearljoin._errors import (
    InputError,
    PearljoinWarning,
    TableTypeError,
    caller_stacklevel,
    did_you_mean,
)
from pearljoin._tables.backends import backend_of, native_from
from pearljoin._tables.columns import Cells, common_kind, present_kinds
from pearljoin._tables.exact_kinds import PLURALS
from pearljoin._tables.given_kinds import GivenKinds
from pearljoin._tables.joined_columns import Columns, column_parts
from pearljoin._tables.key_kinds import KIND_OF
from pearljoin._tables.keys import ColumnNames, KeyOptions
from pearljoin._tables.kinds import ColumnKinds, column_kinds
from pearljoin._tables.library_errors import library_errors
from pearljoin._tables.read_table import ONLY, PlainColumn, Table, from_frame
from pearljoin._tables.type_held import as_type_held

__all__ = ["NamedBy", "add_rows", "named_by", "with_names"]


class NamedBy(NamedTuple):
    """Arguments that named a reference's columns, for errors.

    Attributes
    ----------
    keys
        That of the key columns; None where they were guessed.
    by
        That of the columns that must be equal.
    """

    keys: str | None = "on"
    by: str = "by"


def named_by(options: KeyOptions, *, guessed: bool) -> NamedBy:
    """Tell which arguments named a reference's columns.

    Examples
    --------
    >>> named_by(KeyOptions(left_on="firma", right_on="name"), guessed=False)
    NamedBy(keys='right_on', by='by')
    """
    keys = "on" if options.right_on is None else "right_on"
    return NamedBy(None if guessed else keys, "by" if options.right_by is None else "right_by")


def add_rows(
    table: Table,
    more: Table,
    names: ColumnNames,
    kinds: ColumnKinds,
    given: GivenKinds,
    arguments: NamedBy,
) -> tuple[Table, ColumnKinds]:
    """Append rows to a reference; columns that they lack are null there.

    A column's type is kept; of pandas, one that has no room for nulls becomes wider for them.

    Parameters
    ----------
    table
        The reference.
    more
        A table that has the key and `by` columns, or a single column of keys.
    names, kinds
        The reference's columns that are compared, and how.
    given
        What the user says of the key columns.
    arguments
        What named the columns, for errors.

    Returns
    -------
    longer, kinds
        The reference with the new rows, and how its columns compare.

    Raises
    ------
    InputError
        If a column is missing, or a column's type does not hold the new cells as they are.
    """
    more = with_names(table, more, names, arguments)
    _check_parts(table, more, names)
    for name in dict.fromkeys(name for part in names for name in part):
        if name in more.columns:
            _check_kinds(table.columns[name], more.columns[name], name, more.side)
    longer = _append(table, more)
    found = column_kinds(longer, names)
    parsed = any(kind in KIND_OF or kind == "null" for kind in kinds.keys)
    told = column_kinds(longer, names, parsed=parsed, given=given)
    keys = tuple(
        whole if old == "null" else old if old in KIND_OF else common_kind(new, old)
        for new, old, whole in zip(found.keys, kinds.keys, told.keys, strict=True)
    )
    by, veto = (
        # What the reference was fitted with decides, save for a column without a value yet.
        tuple(new if old == "null" else old for new, old in zip(*part, strict=True))
        for part in ((told.by, kinds.by), (told.veto, kinds.veto))
    )
    groups = kinds.groups if keys == kinds.keys else told.groups
    return longer, ColumnKinds(keys, by, veto, groups, romanised=kinds.romanised, units=kinds.units)


def _check_parts(table: Table, more: Table, names: ColumnNames) -> None:
    """Refuse rows that have what several columns say in one: it cannot be taken apart."""
    for name in names.keys:
        if table.columns.is_joined(name) and not more.columns.is_joined(name):
            parts = list(column_parts(name))
            raise InputError(
                f"New rows need each of the columns {parts!r}, which are read together. Got "
                f"columns {list(more.columns)!r}. Hint: give a table that has them, or dicts."
            )


def _check_kinds(held: Cells, added: Cells, name: Hashable, side: str) -> None:
    """Refuse values of a kind that a column of the reference does not hold."""
    kinds = present_kinds(held)
    odd = present_kinds(added) - kinds
    # A column without values, or of mixed ones, takes any.
    if odd and len(kinds) == 1:
        wanted = PLURALS[kinds.pop()]
        # A table that is alone is that of a Deduplicator, which has no reference.
        whole, fitted = ("table", "deduplicator") if side == ONLY else ("reference", "matcher")
        raise InputError(
            f"The new rows do not fit the {whole}'s columns. Got {PLURALS[odd.pop()]} for "
            f"{name!r}, which holds {wanted}. Hint: give {wanted}, or fit the {fitted} again."
        )


def with_names(table: Table, more: Table, names: ColumnNames, arguments: NamedBy) -> Table:
    """Return rows with columns called as the reference's are.

    Raises
    ------
    InputError
        If a column that is compared is missing.
    """
    if more.single:
        if len(names.keys) > 1:
            raise InputError(
                "A single column was given to a reference with several key columns. "
                f"Got the keys {list(names.keys)!r}. Hint: give a table that has all, "
                "a dict of them, which is one row, or a list of tuples."
            )
        more = more.renamed(names.keys[0])
    elif table.single and not set(table.columns) & set(more.columns):
        raise InputError(
            "A table was given to a reference that is a single column. "
            f"Got columns {list(more.columns)!r}. Hint: give a sequence of keys, or a table whose "
            f"column is called {names.keys[0]!r}."
        )
    for part, argument in ((names.keys, arguments.keys), (names.by, arguments.by)):
        for name in part:
            if argument is not None:
                more.column(name, argument)
            elif name not in more.columns:
                raise more.lacks(name, "which is a key")
    _warn_of_near_names(table, more)
    return more


def _warn_of_near_names(table: Table, more: Table) -> None:
    """Warn of columns that are left out though their names are nearly those of missing ones."""
    missing = [name for name in table.columns if name not in more.columns]
    unknown = [name for name in more.columns if name not in table.columns]
    near = {name: hint for name in unknown if (hint := did_you_mean(name, missing))}
    if near:
        name, hint = next(iter(near.items()))
        warnings.warn(
            "Columns of the new rows that the reference does not have are left out. Got "
            f"{list(near)!r}. Hint: {hint[:-1]} by {name!r}?",
            PearljoinWarning,
            stacklevel=caller_stacklevel(),
        )


def _append(table: Table, more: Table) -> Table:
    if table.frame is None:
        plain: dict[Hashable, PlainColumn] = {}
        for name, cells in table.columns.items():
            below = more.columns.get(name)
            added = [None] * more.n_rows if below is None else below.to_list()
            plain[name] = PlainColumn(str(name), [*cells.to_list(), *added])
        return Table(Columns(plain), None, table.lazy, table.single, table.side)
    is_pandas = table.frame.implementation is nw.Implementation.PANDAS
    held = {name: as_type_held(table, more, name) for name in table.columns if name in more.columns}
    # Columns of nulls alone are as if they were not given; one is left to tell how many rows.
    given = {name: cells for name, cells in held.items() if cells is not None}
    given = given or {name: [None] * more.n_rows for name in list(held)[:1]}
    # Labels of pandas need not be text, and differ where their texts do not.
    listed: dict[str, Any] = {
        str(at if is_pandas else name): cells for at, (name, cells) in enumerate(given.items())
    }
    try:
        with library_errors("Rows cannot be appended", "give columns of the same types"):
            below = native_from(listed, table.frame.implementation)
            if is_pandas:
                below.columns = list(given)
            stacked = backend_of(table.frame).stack(table.frame.to_native(), below)
    except TableTypeError as error:
        raise InputError(
            f"The new rows do not fit the reference's columns. Got: {error.__cause__ or error}. "
            "Hint: give columns of the same types as the reference's."
        ) from error
    return from_frame(nw.from_native(stacked, eager_only=True), table.side, lazy=table.lazy)
