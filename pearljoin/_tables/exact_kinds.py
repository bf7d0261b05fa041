"""Kinds of `by` and veto columns: the reference decides, and each left value is read as that."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from pearljoin._errors import InputError
from pearljoin._tables.cells import WHOLE_NUMBER, ColumnKind, as_text, is_readable
from pearljoin._tables.columns import column_kind, present_cells, present_kinds
from pearljoin._tables.read_table import Table

__all__ = ["PLURALS", "check_readable", "exact_kind"]

PLURALS: dict[ColumnKind, str] = {
    "text": "text",
    "code": "text",
    "whole": "text",
    "number": "numbers",
    "date": "dates",
    "boolean": "booleans",
    "null": "nulls",
}


def exact_kind(table: Table, name: Hashable) -> ColumnKind:
    """Tell how a `by` or veto column of the reference compares.

    Returns
    -------
    kind
        ``"whole"`` for text that is all whole numbers, ``"null"`` for a column without a value.
    """
    series = table.columns[name]
    kinds = present_kinds(series)
    if not kinds:
        return "null"
    if len(kinds) == 1 and "text" not in kinds:
        return kinds.pop()
    texts = set(map(as_text, present_cells(series)))
    return "whole" if all(map(WHOLE_NUMBER.fullmatch, texts)) else "text"


def check_readable(
    left: Table,
    names: Sequence[Hashable],
    kinds: Sequence[ColumnKind],
    right_names: Sequence[Hashable],
    argument: str,
) -> None:
    """Refuse a left column of which no value can be read as the reference's kind.

    Beyond that, what one row matches depends on that row and the reference alone.

    Parameters
    ----------
    left, names
        The left table, and its `by` or veto columns.
    kinds, right_names
        Kinds and names of the reference's columns, in the same order.
    argument
        ``"by"`` or ``"veto"``.

    Raises
    ------
    InputError
        If there is such a column.
    """
    for name, kind, right_name in zip(names, kinds, right_names, strict=True):
        series = left.columns[name]
        if kind == "null" or any(is_readable(cell, kind) for cell in present_cells(series)):
            continue
        if next(present_cells(series), None) is not None:
            raise InputError(
                f"The columns of {argument}= hold values of different kinds, which are never "
                f"equal. Got {PLURALS[column_kind(series)]} in {name!r} on the left and "
                f"{PLURALS[kind]} in {right_name!r} on the right. Hint: convert one of them. Text "
                "is read as numbers where it is whole numbers without leading zeros."
            )
