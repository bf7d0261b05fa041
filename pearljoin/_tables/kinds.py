"""How columns compare: as text, codes, numbers, dates or booleans, and reading them that way."""

from __future__ import annotations

import re
import warnings
from typing import Any, NamedTuple, TypeAlias

from pearljoin._errors import InputError, PearljoinWarning, caller_stacklevel
from pearljoin._progress import stage
from pearljoin._records.records import Records
from pearljoin._tables.columns import (
    Cells,
    ColumnKind,
    column_kind,
    common_kind,
    exact_field,
    holds_codes,
    is_null,
    key_field,
    value_kind,
)
from pearljoin._tables.keys import ColumnNames, Keys
from pearljoin._tables.read_table import Table

__all__ = [
    "PLURALS",
    "ColumnKinds",
    "column_kinds",
    "default_kinds",
    "joint_kinds",
    "read_records",
    "warn_of_case",
    "warn_of_case_within",
]

Kinds: TypeAlias = tuple[ColumnKind, ...]

WHOLE_NUMBER = re.compile(r"0|-?[1-9][0-9]{0,99}")
"""A whole number as text, without leading zeros; of so few digits that Python reads it."""

PLURALS: dict[ColumnKind, str] = {
    "text": "text",
    "code": "text",
    "whole": "text",
    "number": "numbers",
    "date": "dates",
    "boolean": "booleans",
    "null": "nulls",
}


class ColumnKinds(NamedTuple):
    """How the columns of one table compare, in the parts of `ColumnNames`.

    Of `by` and veto columns, ``"whole"`` is text that is all whole numbers, and ``"null"`` a column
    without a value.
    """

    keys: Kinds
    by: Kinds = ()
    veto: Kinds = ()


def column_kinds(table: Table, names: ColumnNames) -> ColumnKinds:
    """Tell how the columns of one table compare.

    A text column of short codes compares exactly beside other key columns, never alone.
    """
    kinds: list[ColumnKind] = []
    for name in names.keys:
        series = table.columns[name]
        kind = column_kind(series)
        is_code = len(names.keys) > 1 and kind == "text" and holds_codes(series)
        kinds.append("code" if is_code else kind)
    by, veto = (
        tuple(_exact_kind(table.columns[name]) for name in part) for part in (names.by, names.veto)
    )
    return ColumnKinds(tuple(kinds), by, veto)


def _exact_kind(series: Cells) -> ColumnKind:
    """How a `by` or veto column compares."""
    kind = column_kind(series)
    present = [cell for cell in series.to_list() if not is_null(cell)]
    if not present:
        return "null"
    # A category is of the kind of its values, such as dates.
    if kind == "text" and len(kinds := set(map(value_kind, present))) == 1:
        kind = kinds.pop()
    if kind == "text" and all(map(WHOLE_NUMBER.fullmatch, set(map(str, present)))):
        return "whole"
    return kind


def default_kinds(kinds: ColumnKinds) -> ColumnKinds:
    """How the columns of one table compare before another table is known."""
    by, veto = (tuple(_settle(kind) for kind in part) for part in (kinds.by, kinds.veto))
    return ColumnKinds(kinds.keys, by, veto)


def _settle(kind: ColumnKind) -> ColumnKind:
    return "text" if kind in ("whole", "null") else kind


def joint_kinds(left: ColumnKinds, right: ColumnKinds, keys: Keys) -> ColumnKinds:
    """How the columns of both tables compare, pair by pair.

    Key columns of different kinds compare as text. In `by` and veto columns, text that is all whole
    numbers is read as numbers beside numbers.

    Raises
    ------
    InputError
        If a `by` or veto column holds one kind of values on the left and another on the right.
    """
    return ColumnKinds(
        tuple(common_kind(*pair) for pair in zip(left.keys, right.keys, strict=True)),
        _joint_exact_kinds(left.by, right.by, (keys.left_by, keys.right_by), "by"),
        _joint_exact_kinds(left.veto, right.veto, (keys.left_veto, keys.right_veto), "veto"),
    )


def _joint_exact_kinds(left: Kinds, right: Kinds, names: tuple[Any, Any], argument: str) -> Kinds:
    pairs = zip(left, right, *names, strict=True)
    return tuple(_joint_exact_kind(one, two, pair, argument) for one, two, *pair in pairs)


def _joint_exact_kind(
    left: ColumnKind, right: ColumnKind, names: list[Any], argument: str
) -> ColumnKind:
    if left == right or right == "null":
        return _settle(left)
    if left == "null":
        return _settle(right)
    pair = {left, right}
    if pair in ({"number", "boolean"}, {"number", "whole"}):
        return "number"
    if pair == {"text", "whole"}:
        return "text"
    raise InputError(
        f"The columns of {argument}= hold values of different kinds, which are never equal. Got "
        f"{PLURALS[left]} in {names[0]!r} on the left and {PLURALS[right]} in {names[1]!r} on the "
        "right. Hint: convert one of them. Text is read as numbers where all of it is whole "
        "numbers without leading zeros."
    )


@stage("read")
def read_records(
    table: Table, names: ColumnNames, kinds: ColumnKinds, *, nulls_equal: bool
) -> Records:
    """Read the columns of one table that matching uses.

    Raises
    ------
    InputError
        If a key column holds values that cannot be compared.
    """
    fields, vetoes = (
        tuple(
            key_field(table.columns[name], kind, str(name))
            for name, kind in zip(part, part_kinds, strict=True)
        )
        for part, part_kinds in ((names.keys, kinds.keys), (names.veto, kinds.veto))
    )
    groups = None
    if names.by:
        columns = [table.columns[name] for name in names.by]
        groups = exact_field(columns, kinds.by, nulls_equal=nulls_equal)
    return Records(fields, groups, nulls_equal, vetoes)


def warn_of_case(left: Records, right: Records, keys: Keys) -> None:
    """Warn of values of the `by` columns that would match but for their case."""
    if left.groups is None or right.groups is None:
        return
    known = set(right.groups.values)
    unmatched = [value for value in left.groups.values if value not in known]
    if not unmatched:
        return
    folded = {_fold(value): value for value in reversed(right.groups.values)}
    near = [(value, folded[_fold(value)]) for value in unmatched if _fold(value) in folded]
    if near:
        example, match = (_shown(value) for value in near[0])
        warnings.warn(
            f"{len(near):,} of the left table's values in by={list(keys.left_by)!r} would match "
            f"but for their case, and match nothing. Got {example!r} on the left and {match!r} "
            "on the right. Hint: bring the columns of both tables to one case beforehand.",
            PearljoinWarning,
            stacklevel=caller_stacklevel(),
        )


def warn_of_case_within(records: Records, by: tuple[Any, ...]) -> None:
    """Warn of values of one table's `by` columns that would be equal but for their case."""
    if records.groups is None:
        return
    alike: dict[object, list[object]] = {}
    for value in records.groups.values:
        alike.setdefault(_fold(value), []).append(value)
    several = [values for values in alike.values() if len(values) > 1]
    if several:
        first, second, *_ = map(_shown, several[0])
        warnings.warn(
            f"{sum(map(len, several)):,} of the values in by={list(by)!r} would be equal but for "
            f"their case, and their rows share no cluster. Got {first!r} and {second!r}. "
            "Hint: bring the column to one case beforehand.",
            PearljoinWarning,
            stacklevel=caller_stacklevel(),
        )


def _shown(value: object) -> object:
    """A value of the `by` columns: of a single one the cell, else the tuple."""
    return value[0] if isinstance(value, tuple) and len(value) == 1 else value


def _fold(value: object) -> object:
    if isinstance(value, tuple):
        return tuple(map(_fold, value))
    return value.casefold() if isinstance(value, str) else value
