"""Arguments that name columns, as the user gave them."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from pearljoin._errors import InputError
from pearljoin._tables.cells import is_hashable

__all__ = ["as_names", "check_pairs", "read_names"]


def as_names(given: Any, argument: str) -> tuple[Hashable, ...]:
    """Read the names of columns that an argument gives; none for None.

    Raises
    ------
    InputError
        If it is empty, or holds something else than names, such as a column or an expression.
    """
    if given is None:
        return ()
    names = tuple(given) if isinstance(given, list | tuple) else (given,)
    odd = [type(name).__name__ for name in names if not is_hashable(name)]
    if odd:
        raise InputError(
            f"{argument}= must be a column's name or a list of names. Got a {odd[0]}. "
            f"Hint: {argument}='name', not the column itself."
        )
    if not names:
        raise InputError(f"{argument}= is empty. Hint: name at least one column, or leave it out.")
    return names


def read_names(given: Any, argument: str) -> tuple[Hashable, ...]:
    """Read the names of columns as `as_names` does, no column twice.

    Raises
    ------
    InputError
        As `as_names`, or if a column is named twice.
    """
    names = as_names(given, argument)
    if len(set(names)) < len(names):
        raise InputError(f"{argument}= names a column twice. Got {list(names)!r}.")
    return names


def check_pairs(
    left: tuple[Hashable, ...], right: tuple[Hashable, ...], left_argument: str, right_argument: str
) -> None:
    """Refuse arguments that do not name equally many columns of both tables.

    Raises
    ------
    InputError
        If one names more than the other.
    """
    if len(left) != len(right):
        raise InputError(
            f"{left_argument} and {right_argument} must name equally many columns. "
            f"Got {len(left)} ({list(left)!r}) and {len(right)} ({list(right)!r})."
        )
