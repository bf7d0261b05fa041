"""What a guess leaves out: columns that could be keys of two tables, and why they are none."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

from pearljoin._kinds.column_names import hints
from pearljoin._kinds.column_words import name_words
from pearljoin._kinds.protocol import Kind
from pearljoin._tables.column_facts import Facts
from pearljoin._tables.guess_records import is_bookkeeping, why_not_compared
from pearljoin._tables.joined_columns import column_parts
from pearljoin._tables.pair_columns import AlikeColumns

__all__ = ["GuessedKeys", "alike_by_name", "why_others_are_not"]

OTHER_NAME = "not named as"
"""Why a column of the kind of another one is left out, whose name follows."""

NAMED_KINDS: frozenset[Kind] = frozenset({"address", "email", "phone", "postcode"})
"""Kinds of which a table mostly has one column, and which names tell."""

NAMES_NO_ROWS = "does not tell which rows are meant"
"""Of a column of both tables that can be compared and is no key."""


class GuessedKeys(NamedTuple):
    """Key columns that were guessed.

    Attributes
    ----------
    left, right
        Their names, in pairs.
    left_out
        By left column, why it is none though the other table has one like it.
    """

    left: tuple[Hashable, ...]
    right: tuple[Hashable, ...]
    left_out: Mapping[Hashable, str]


def why_others_are_not(
    facts: tuple[Facts, Facts],
    keys: tuple[Sequence[Hashable], Sequence[Hashable]],
    alike: Sequence[AlikeColumns],
) -> dict[Hashable, str]:
    """Say of the columns that are no keys, though the other table has one like them, why.

    Parameters
    ----------
    facts
        The columns of the left and of the right table.
    keys
        The key columns of both.
    alike
        Columns of other names that seem to hold the same facts, the most alike first.

    Returns
    -------
    reasons
        By left column, in the order of the table.
    """
    used = [{part for name in side for part in (name, *column_parts(name))} for side in keys]
    left, right = (
        {name: column for name, column in side.items() if name not in taken}
        for side, taken in zip(facts, used, strict=True)
    )
    found: dict[Hashable, str] = {}
    free = right.keys() - facts[0].keys()
    for name, column in left.items():
        others = (pair for pair in alike if pair.left == name and pair.right in free)
        if name in right:
            found[name] = why_not_compared(column, right[name]) or NAMES_NO_ROWS
        elif pair := next(others, None):
            found[name] = f"{pair.reason} {pair.right}"
    return found


def alike_by_name(left: Facts, right: Facts) -> list[AlikeColumns]:
    """List columns of two names that say the same kind, without a look at their values.

    Parameters
    ----------
    left, right
        The columns of the tables.
    """
    kinds = [
        {name: hints(name) for name in side if name not in other and not is_bookkeeping(name)}
        for side, other in ((left, right), (right, left))
    ]
    return [
        AlikeColumns(one, there, OTHER_NAME)
        for one, kinds_of_one in kinds[0].items()
        for there, kinds_there in kinds[1].items()
        if _say_the_same((one, kinds_of_one), (there, kinds_there))
    ]


def _say_the_same(left: tuple[Hashable, set[Kind]], right: tuple[Hashable, set[Kind]]) -> bool:
    """Tell whether names say one kind; codes are of many sorts, which a common word tells."""
    both = left[1] & right[1]
    words = set(name_words(left[0])) & set(name_words(right[0]))
    return bool(both & NAMED_KINDS) or ("code" in both and bool(words))
