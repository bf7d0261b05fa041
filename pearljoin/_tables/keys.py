"""Which columns are compared: what the user named, or what can only be meant."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from pearljoin._errors import InputError
from pearljoin._progress import stage
from pearljoin._records.records import Records
from pearljoin._tables.columns import (
    ColumnKind,
    column_kind,
    common_kind,
    exact_field,
    holds_codes,
    is_number,
    is_text,
    key_field,
)
from pearljoin._tables.input import Table

__all__ = [
    "Keys",
    "SideKinds",
    "SideNames",
    "guess_key",
    "joint_kinds",
    "read_records",
    "resolve_keys",
    "side_keys",
    "side_kinds",
    "veto_partners",
]

Kinds: TypeAlias = tuple[ColumnKind, ...]


class SideNames(NamedTuple):
    """Columns of one side: keys, exact-match columns, and those of which a conflict forbids."""

    keys: tuple[Hashable, ...]
    by: tuple[Hashable, ...] = ()
    veto: tuple[Hashable, ...] = ()


class SideKinds(NamedTuple):
    """As what the columns of one side compare, in the same three parts."""

    keys: Kinds
    by: Kinds = ()
    veto: Kinds = ()


@dataclass(frozen=True, slots=True)
class Keys:
    """Names of the columns that are compared, in pairs.

    Attributes
    ----------
    left, right
        The key columns.
    left_by, right_by
        The exact-match columns.
    left_veto, right_veto
        The columns of which a conflict forbids a match.
    """

    left: tuple[Hashable, ...]
    right: tuple[Hashable, ...]
    left_by: tuple[Hashable, ...] = ()
    right_by: tuple[Hashable, ...] = ()
    left_veto: tuple[Hashable, ...] = ()
    right_veto: tuple[Hashable, ...] = ()

    @property
    def left_names(self) -> SideNames:
        """The left columns."""
        return SideNames(self.left, self.left_by, self.left_veto)


def resolve_keys(
    left: Table,
    right: Table,
    *,
    on: Any = None,
    left_on: Any = None,
    right_on: Any = None,
    by: Any = None,
    left_by: Any = None,
    right_by: Any = None,
    veto: Any = None,
) -> Keys:
    """Read the arguments that name columns; find the text columns where none are named.

    Raises
    ------
    InputError
        If a column is missing, named twice over, not paired, or cannot be guessed.
    """
    own_by = side_keys(left, by, left_by, ("by", "left_by"))
    other_by = side_keys(right, by, right_by, ("by", "right_by"))
    _check_pairs(own_by, other_by, "left_by", "right_by")
    own = side_keys(left, on, left_on, ("on", "left_on"))
    other = side_keys(right, on, right_on, ("on", "right_on"))
    if not own and not other:
        own, other = _guess(left, right, own_by, other_by)
    elif not own or not other:
        missing = "left" if not own else "right"
        table = left if not own else right
        if not table.single:
            raise InputError(
                f"The key columns are named on one side only: {missing}_on is missing. "
                f"Got {missing} columns {list(table.columns)!r}. "
                "Hint: give both left_on and right_on, or on= for a name that both sides have."
            )
        own, other = own or tuple(left.columns), other or tuple(right.columns)
    _check_pairs(own, other, "left_on", "right_on")
    partners = veto_partners(veto, own, other)
    for name, partner in partners.items():
        left.column(name, "veto")
        right.column(partner, "veto")
    return Keys(own, other, own_by, other_by, tuple(partners), tuple(partners.values()))


def veto_partners(
    veto: Any, own: tuple[Hashable, ...], other: tuple[Hashable, ...]
) -> dict[Hashable, Hashable]:
    """Left and right name of each column that `veto` names: a key column's, or the same of both."""
    keys = dict(zip(own, other, strict=True))
    return {name: keys.get(name, name) for name in _as_names(veto, "veto")}


def side_keys(
    table: Table, shared: Any, own: Any, arguments: tuple[str, str]
) -> tuple[Hashable, ...]:
    """Names of one side's columns, from the shared argument or the side's own."""
    if shared is not None and own is not None:
        raise InputError(
            f"Both {arguments[0]}= and {arguments[1]}= are given. Got {shared!r} and {own!r}. "
            f"Hint: {arguments[0]}= for names that both tables have, else "
            f"left_{arguments[0]}= and right_{arguments[0]}=."
        )
    argument = arguments[0] if own is None else arguments[1]
    names = _as_names(shared if own is None else own, argument)
    if table.single and names and shared is not None and arguments[0] == "on":
        # The name belongs to the other side's table; a single column leaves no choice.
        return tuple(table.columns)
    for name in names:
        table.column(name, argument)
    if len(set(names)) < len(names):
        raise InputError(f"{argument}= names a column twice. Got {list(names)!r}.")
    return names


def column_kinds(table: Table, names: tuple[Hashable, ...], *, codes: bool = False) -> Kinds:
    """As what each of a side's columns compares.

    Parameters
    ----------
    table
        The side.
    names
        Its columns.
    codes
        Whether a text column may count as short codes, which compare exactly: beside other key
        columns, never alone.
    """
    kinds: list[ColumnKind] = []
    for name in names:
        series = table.columns[name]
        kind = column_kind(series)
        kinds.append("code" if codes and kind == "text" and holds_codes(series) else kind)
    return tuple(kinds)


def side_kinds(table: Table, names: SideNames) -> SideKinds:
    """As what all columns of one side compare."""
    return SideKinds(
        column_kinds(table, names.keys, codes=len(names.keys) > 1),
        column_kinds(table, names.by),
        column_kinds(table, names.veto),
    )


def joint_kinds(own: SideKinds, other: SideKinds) -> SideKinds:
    """As what the columns of both sides compare, pair by pair."""
    return SideKinds(
        *(
            tuple(common_kind(one, two) for one, two in zip(mine, theirs, strict=True))
            for mine, theirs in zip(own, other, strict=True)
        )
    )


@stage("read")
def read_records(table: Table, names: SideNames, kinds: SideKinds, *, nulls_equal: bool) -> Records:
    """Read the columns of one side that matching looks at.

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


def _as_names(given: Any, argument: str) -> tuple[Hashable, ...]:
    if given is None:
        return ()
    names = tuple(given) if isinstance(given, list | tuple) else (given,)
    if not names:
        raise InputError(f"{argument}= is empty. Hint: name at least one column, or leave it out.")
    return names


def _check_pairs(
    own: tuple[Hashable, ...], other: tuple[Hashable, ...], left: str, right: str
) -> None:
    if len(own) != len(other):
        raise InputError(
            f"{left} and {right} must name equally many columns. "
            f"Got {len(own)} ({list(own)!r}) and {len(other)} ({list(other)!r})."
        )


def _guess(
    left: Table, right: Table, own_by: tuple[Hashable, ...], other_by: tuple[Hashable, ...]
) -> tuple[tuple[Hashable, ...], tuple[Hashable, ...]]:
    own, other = _text_columns(left, own_by), _text_columns(right, other_by)
    shared = [name for name in own if name in other]
    if len(shared) == 1:
        return (shared[0],), (shared[0],)
    if len(own) == 1 and len(other) == 1:
        return (own[0],), (other[0],)
    raise InputError(
        "The columns to compare cannot be guessed. "
        f"Got text columns {own!r} on the left and {other!r} on the right, {len(shared)} of them "
        "shared. Hint: name them with on=, or with left_on= and right_on=."
    )


def guess_key(table: Table, by: tuple[Hashable, ...]) -> Hashable:
    """Find a side's only text column.

    Raises
    ------
    InputError
        If there is not exactly one.
    """
    found = _text_columns(table, by)
    if len(found) != 1:
        raise InputError(
            f"The {table.side} table's key column cannot be guessed. Got {len(found)} text columns "
            f"{found!r} of {list(table.columns)!r}. Hint: name it with on= or {table.side}_on=."
        )
    return found[0]


def _text_columns(table: Table, without: tuple[Hashable, ...]) -> list[Hashable]:
    if table.single:
        return list(table.columns)
    found = [
        name for name, cells in table.columns.items() if name not in without and is_text(cells)
    ]
    # An empty column that pandas typed as float counts only where no other is text.
    sure = [name for name in found if not is_number(table.columns[name])]
    return sure or found
