"""Guessing the key columns where none are named."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from typing import Literal, TypeAlias

from pearljoin._errors import InputError
from pearljoin._tables.cells import is_null
from pearljoin._tables.columns import Cells, is_number, is_text
from pearljoin._tables.read_table import Table

__all__ = ["guess_key", "guess_keys", "text_columns"]

MOSTLY_DISTINCT = 0.8
"""Share of a column's filled cells, in [0, 1], that are distinct where it names things."""

FEWEST_CELLS = 10
"""Below so many filled cells, the share of distinct ones is no evidence."""

CODE = re.compile(r"(?=.*\d)\S+|[A-Z]{1,5}")
"""One word with a digit in it, such as "A-1201" or "2024-05-01", or a few capitals."""

Role: TypeAlias = Literal["names", "distinct", "repeated", "category", "codes", "empty"]
"""What a text column's values look like.

names     mostly distinct
distinct  all distinct, in too few rows to tell
repeated  some of them repeated, in too few rows to tell
category  few distinct values
codes     every value is a code
empty     no values
"""


def guess_keys(
    left: Table, right: Table, left_without: Sequence[Hashable], right_without: Sequence[Hashable]
) -> tuple[Hashable, Hashable]:
    """Find the key column of each of two tables.

    Columns of text count, and of several of one table only those whose values are mostly distinct
    (at least four in five filled cells): countries and other categories, codes and empty columns
    are no keys beside other text. In order:

    1. a table's only text column, where the other table has a text column of its name;
    2. the one column of a name that both tables have, mostly distinct in either;
    3. the one mostly distinct text column of each table, or its only text column.

    Parameters
    ----------
    left, right
        The tables.
    left_without, right_without
        Columns that are used otherwise.

    Raises
    ------
    InputError
        If several columns qualify equally, or none does.
    """
    texts = text_columns(left, left_without), text_columns(right, right_without)
    shared = [name for name in texts[0] if name in texts[1]]
    lone = [name for name in shared if len(texts[0]) == 1 or len(texts[1]) == 1]
    if lone:
        return lone[0], lone[0]
    roles = _roles(left, texts[0]), _roles(right, texts[1])
    judged = {name: _is_shared_key(roles[0][name], roles[1][name]) for name in shared}
    keys = [name for name, is_key in judged.items() if is_key]
    unsure = [name for name, is_key in judged.items() if is_key is None]
    if len(keys) == 1 and not unsure:
        return keys[0], keys[0]
    if not keys and not unsure:
        found = [
            [name for name in names if len(names) == 1 or _may_be_key(side[name], name in shared)]
            for names, side in zip(texts, roles, strict=True)
        ]
        if len(found[0]) == len(found[1]) == 1:
            return found[0][0], found[1][0]
    likely = [
        [name for name in names if side[name] in ("names", "distinct", "repeated")]
        for names, side in zip(texts, roles, strict=True)
    ]
    raise InputError(
        "The columns to compare cannot be guessed. "
        f"Got text columns {texts[0]!r} on the left and {texts[1]!r} on the right; those of mostly "
        f"distinct values are {likely[0]!r} and {likely[1]!r}. "
        "Hint: name them with on=, or with left_on= and right_on=."
    )


def guess_key(
    table: Table, without: Sequence[Hashable], *, by_values: bool, argument: str
) -> Hashable:
    """Find the key column of one table: the only text column, or the only one of distinct values.

    Parameters
    ----------
    table
        The table.
    without
        Columns that are used otherwise.
    by_values
        Whether the columns' values count, as in `guess_keys`. Without them, a later row of the same
        table gives the same answer.
    argument
        The arguments that name it, for errors: ``"on= or right_on="``.

    Raises
    ------
    InputError
        If there is not exactly one.
    """
    found = texts = text_columns(table, without)
    if by_values and len(texts) > 1:
        found = [name for name, role in _roles(table, texts).items() if _may_be_key(role, False)]
    if len(found) != 1:
        raise InputError(
            f"The {table.title}'s key column cannot be guessed. Got {len(texts)} text columns "
            f"{texts!r} of {list(table.columns)!r}. Hint: name it with {argument}."
        )
    return found[0]


def text_columns(table: Table, without: Sequence[Hashable]) -> list[Hashable]:
    """Names of the text columns; all columns where the table is a single one."""
    if table.single:
        return list(table.columns)
    found = [
        name for name, cells in table.columns.items() if name not in without and is_text(cells)
    ]
    # An empty column that pandas typed as float counts only where no other is text.
    sure = [name for name in found if not is_number(table.columns[name])]
    return sure or found


def _is_shared_key(left: Role, right: Role) -> bool | None:
    """Tell whether two columns of one name are a key; None where the rows are too few to tell."""
    pair = {left, right}
    if "names" in pair:
        return True
    if pair & {"codes", "category", "empty"}:
        return False
    return None if "repeated" in pair else True


def _may_be_key(role: Role, shared: bool) -> bool:
    """Tell whether a column's values qualify it; a shared one has been judged already."""
    return not shared and role in ("names", "distinct", "repeated")


def _roles(table: Table, names: Sequence[Hashable]) -> dict[Hashable, Role]:
    roles = {name: _role(table.columns[name]) for name in names}
    if all(role == "empty" for role in roles.values()):
        # The columns of a table without rows cannot be told apart.
        return dict.fromkeys(roles, "distinct")
    return roles


def _role(series: Cells) -> Role:
    present = [str(cell) for cell in series.to_list() if not is_null(cell)]
    distinct = set(present)
    if not present:
        return "empty"
    if all(map(CODE.fullmatch, distinct)):
        return "codes"
    if len(present) < FEWEST_CELLS:
        return "distinct" if len(distinct) == len(present) else "repeated"
    return "names" if len(distinct) >= MOSTLY_DISTINCT * len(present) else "category"
