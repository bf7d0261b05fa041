"""Guessing the key columns where none are named."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from typing import NamedTuple, TypeAlias

from pearljoin._errors import InputError
from pearljoin._tables.column_facts import LIKELY, Facts, Role, facts_of
from pearljoin._tables.columns import is_number, is_text
from pearljoin._tables.guess_records import (
    ROW_NUMBERS,
    guess_shared,
    is_bookkeeping,
    log_left_out,
)
from pearljoin._tables.joined_columns import column_parts
from pearljoin._tables.left_out import GuessedKeys, alike_by_name, why_others_are_not
from pearljoin._tables.own_codes import own_codes
from pearljoin._tables.pair_columns import AlikeColumns, PairedColumns, pair_columns
from pearljoin._tables.read_table import Table

__all__ = ["GuessedKeys", "guess_key", "guess_keys", "text_columns"]

Pairs: TypeAlias = list[tuple[Hashable, Hashable]]
KeyNames: TypeAlias = tuple[tuple[Hashable, ...], tuple[Hashable, ...]]


def guess_keys(
    left: Table, right: Table, left_without: Sequence[Hashable], right_without: Sequence[Hashable]
) -> GuessedKeys:
    """Find the key columns of two tables: those that they share, those that hold the same facts.

    Columns that both tables have are compared together where they are several, see `guess_shared`.
    Else those are that are alike in what they hold, see `pair_columns`, if they name the rows; but
    where one text column of each table stands out, these are among them or the key alone. Of
    several of one table only those stand out whose values are mostly distinct (at least four in
    five filled cells): countries and other categories, codes, numbers, dates, sizes and empty
    columns are no keys beside other text. In order:

    1. a table's only text column, where the other table has a text column of its name;
    2. the one column of a name that both tables have, mostly distinct in either;
    3. the one mostly distinct text column of each table, or its only text column; a category goes
       with a column of another name only where that has its values, too, and names only with those
       of the same words, or of one kind, such as addresses.

    Codes such as tickers qualify beside either, where both tables have a column of them by one
    name, mostly distinct in either, with values that both have. What is bookkeeping by its name,
    such as *id* and *notes*, is a key only where no other column of one name is. Where nothing
    qualifies, several columns of words are keys that tell the right rows apart together. What could
    be a key and is none is logged, and why.

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
    facts = facts_of(left, left_without), facts_of(right, right_without)
    together = guess_shared(*facts)
    if together:
        keys: KeyNames = together, together
        alike = alike_by_name(*facts)
    else:
        texts = text_columns(left, left_without), text_columns(right, right_without)
        keys, alike = _pair_by_content((left, right), facts, texts)
    own = own_codes(facts, keys)
    numbered = {keys[0][at]: ROW_NUMBERS for at in own}
    keys = _without(keys[0], own), _without(keys[1], own)
    reasons = {**why_others_are_not(facts, keys, alike), **numbered}
    log_left_out(reasons)
    return GuessedKeys(*keys, reasons)


def _without(names: Sequence[Hashable], places: Collection[int]) -> tuple[Hashable, ...]:
    return tuple(name for at, name in enumerate(names) if at not in places)


def _pair_by_content(
    tables: tuple[Table, Table],
    facts: tuple[Facts, Facts],
    texts: tuple[Sequence[Hashable], Sequence[Hashable]],
) -> tuple[KeyNames, list[AlikeColumns]]:
    """Find the keys of tables that share no columns to compare, and others that are alike.

    Parameters
    ----------
    tables, facts
        The tables, and their columns, but for those that are used otherwise.
    texts
        Their text columns.
    """
    left, right = tables
    shared = [name for name in texts[0] if name in texts[1]]
    lone = [name for name in shared if len(texts[0]) == 1 or len(texts[1]) == 1]
    if lone:
        return ((lone[0],), (lone[0],)), alike_by_name(*facts)
    sides = _side(left, facts[0], texts[0]), _side(right, facts[1], texts[1])
    judged = {name: _is_shared_key(sides[0].roles[name], sides[1].roles[name]) for name in shared}
    pairs: Pairs = [(name, name) for name, is_key in judged.items() if is_key]
    pairs = pairs or _pairs_of_other_names(*sides, shared)
    identifiers = [name for name in shared if _are_identifiers(*sides, name)]
    pairs += [(name, name) for name in identifiers]
    # Row numbers and remarks are keys only where nothing else is.
    pairs = [(n, other) for n, other in pairs if n != other or not is_bookkeeping(n)] or pairs
    is_one = len(pairs) == 1 and None not in judged.values() and _may_be_meant(*sides, *pairs[0])
    if is_one and min(map(len, facts)) == 1:  # there is nothing else
        return ((pairs[0][0],), (pairs[0][1],)), []
    paired = pair_columns(*facts)
    if paired.name_rows and (not is_one or _has(paired, pairs[0])):
        return (paired.left, paired.right), list(paired.alike)
    if is_one:
        ((one, other),) = pairs
        return ((one,), (other,)), list(paired.alike)
    if paired.tell_rows:  # none names rows by itself
        return (paired.left, paired.right), list(paired.alike)
    likely = [
        [n for n, role in side.roles.items() if role in LIKELY or n in identifiers]
        for side in sides
    ]
    raise InputError(
        "The columns to compare cannot be guessed. "
        f"Got text columns {texts[0]!r} on the left and {texts[1]!r} on the right; those of mostly "
        f"distinct values are {likely[0]!r} and {likely[1]!r}. "
        f"Hint: name them with on=, or with left_on= and right_on={_perhaps(paired)}."
    )


def guess_key(
    table: Table, without: Sequence[Hashable], *, by_values: bool, argument: str
) -> Hashable:
    """Find the key column of one table: the only text column, or the only one of distinct values.

    Columns that are bookkeeping by their names count where there are no others.

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
    texts = text_columns(table, without)
    found = [name for name in texts if not is_bookkeeping(name)] or texts
    if by_values and len(found) > 1:
        roles = _roles(facts_of(table, without), found)
        found = [name for name, role in roles.items() if role in LIKELY]
    if len(found) != 1:
        several = f" Several are on={texts[:2]!r}." if len(texts) > 1 else ""
        raise InputError(
            f"The {table.title}'s key column cannot be guessed. Got {len(texts)} text columns "
            f"{texts!r} of {list(table.columns)!r}.{several} Hint: name it with {argument}."
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


class _Side(NamedTuple):
    """A table, and what its text columns look like."""

    table: Table
    columns: Facts
    roles: dict[Hashable, Role]


def _side(table: Table, columns: Facts, texts: Sequence[Hashable]) -> _Side:
    return _Side(table, columns, _roles(columns, texts))


def _pairs_of_other_names(left: _Side, right: _Side, shared: Sequence[Hashable]) -> Pairs:
    """The pairs of columns that qualify by their values, or as a table's only text column."""
    found = [
        [
            n
            for n, role in side.roles.items()
            if len(side.roles) == 1 or _may_be_key(role, shared, n)
        ]
        for side in (left, right)
    ]
    pairs = [(one, two) for one in found[0] for two in found[1]]
    if len(pairs) == 1:
        one, two = pairs[0]
        # Countries are no names. A single column that was given is what is meant, though.
        is_category = any(
            side.roles[name] == "category" and not side.table.single
            for side, name in ((left, one), (right, two))
        )
        if is_category and not left.columns[one].shares_values(right.columns[two]):
            return []
    return pairs


def _has(paired: PairedColumns, pair: tuple[Hashable, Hashable]) -> bool:
    """Tell whether a pair of columns is among some, by itself or read together with others."""
    return any(
        all(name in {other, *column_parts(other)} for name, other in zip(pair, each, strict=True))
        for each in zip(paired.left, paired.right, strict=True)
    )


def _perhaps(paired: PairedColumns) -> str:
    """What a hint says of columns that seem to hold the same facts."""
    if not paired.left:
        return ""
    return f"; perhaps left_on={list(paired.left)!r}, right_on={list(paired.right)!r}"


def _may_be_meant(left: _Side, right: _Side, one: Hashable, two: Hashable) -> bool:
    """Tell whether columns of other names have anything in common, if others could be meant."""
    is_single = left.table.single or right.table.single
    if one == two or is_single or len(left.roles) == len(right.roles) == 1:
        return True
    return left.columns[one].may_name_the_same(right.columns[two])


def _are_identifiers(left: _Side, right: _Side, name: Hashable) -> bool:
    """Tell whether a column of both tables holds codes that tell things apart in both."""
    is_coded = "identifiers" in (left.roles[name], right.roles[name])
    return is_coded and left.columns[name].shares_values(right.columns[name])


def _is_shared_key(left: Role, right: Role) -> bool | None:
    """Tell whether two columns of one name are a key; None where the rows are too few to tell."""
    pair = {left, right}
    if "names" in pair:
        return True
    if pair & {"codes", "identifiers", "measures", "category", "empty"}:
        return False
    return None if "repeated" in pair else True


def _may_be_key(role: Role, shared: Sequence[Hashable], name: Hashable) -> bool:
    """Tell whether a column's values qualify it; a shared one has been judged already."""
    return name not in shared and role in LIKELY


def _roles(columns: Facts, names: Sequence[Hashable]) -> dict[Hashable, Role]:
    roles = {name: columns[name].role for name in names}
    if all(role == "empty" for role in roles.values()):
        # The columns of a table without rows cannot be told apart.
        return dict.fromkeys(roles, "distinct")
    return roles
