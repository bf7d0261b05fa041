"""How columns compare: as text, codes, numbers, dates or booleans, and reading them that way."""

from __future__ import annotations

import operator
from collections.abc import Hashable, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import NamedTuple, TypeAlias

from pearljoin._kinds.comparers import fit_comparer
from pearljoin._kinds.date import ParsedDates
from pearljoin._kinds.fillers import is_filler
from pearljoin._kinds.record_roles import roles_together
from pearljoin._progress import stage
from pearljoin._records.records import Records
from pearljoin._tables.cells import ColumnKind
from pearljoin._tables.columns import Cells, exact_field, key_field, present_cells
from pearljoin._tables.days_beside_times import are_days_beside_times
from pearljoin._tables.exact_kinds import check_readable, exact_kind
from pearljoin._tables.given_kinds import NOTHING_GIVEN, GivenKinds
from pearljoin._tables.joined_columns import joined_name
from pearljoin._tables.joint_kind import has_digit
from pearljoin._tables.key_kinds import KIND_OF, joint_key_kinds, key_kinds, record_kinds
from pearljoin._tables.keys import ColumnNames, Keys
from pearljoin._tables.lengths import in_unit
from pearljoin._tables.parsed_field import SideReading, parsed_field
from pearljoin._tables.read_table import Table
from pearljoin._tables.rewritten import Glossary, translated_column
from pearljoin._tables.scripts import ROMANISED, romanised_column
from pearljoin._tables.veto_columns import cell_kinds, veto_fields, veto_kinds

__all__ = [
    "ColumnKinds",
    "IdleColumns",
    "column_kinds",
    "frozen_kinds",
    "joint_kinds",
    "read_records",
]

Kinds: TypeAlias = tuple[ColumnKind, ...]

IdleColumns: TypeAlias = tuple[tuple[int, str], ...]
"""Positions of key columns that are not compared, and why."""

Glossaries: TypeAlias = tuple[tuple[int, Glossary], ...]
"""Positions of key columns of which something is read otherwise, and what."""

READ_ALONE = frozenset({"parsed_date", "parsed_phone"})
"""Kinds of a lone key column that is compared by its parts."""

TEXT_KINDS = frozenset({"text", "code", "number_text", "date_text", "boolean_text"})
"""Kinds of columns of text, between which a few values may decide."""


class ColumnKinds(NamedTuple):
    """How columns compare, in the parts of `ColumnNames`."""

    keys: Kinds
    by: Kinds = ()
    veto: Kinds = ()
    groups: tuple[tuple[int, ...], ...] = ()
    """Positions of key columns that are one key together."""
    idle: IdleColumns = ()
    """Key columns that say nothing, and are not compared."""
    romanised: tuple[int, ...] = ()
    """Positions of key columns whose texts of other scripts are read in Latin letters."""
    units: tuple[tuple[int, str], ...] = ()
    """Positions of key columns whose lengths are read in one unit, and which it is."""
    translated: Glossaries = ()
    """Positions of key columns of which some texts are read as others that they stand for."""
    words: Glossaries = ()
    """Likewise of which some words are."""

    @property
    def of_reference(self) -> ColumnKinds:
        """How the reference is read: what left texts are read as, its texts are."""
        return self._replace(translated=(), words=())

    @property
    def left_out_and_read(self) -> tuple[IdleColumns, Glossaries, Glossaries]:
        """Key columns that are not compared, and texts and words that are read as others."""
        return self.idle, self.translated, self.words

    @property
    def fields(self) -> tuple[tuple[int, ...], ...]:
        """Positions of the key columns of each key, by the first of them."""
        of_column = {at: group for group in self.groups for at in group}
        idle = {at for at, _ in self.idle}
        listed = [of_column.get(at, (at,)) for at in range(len(self.keys)) if at not in idle]
        return tuple(dict.fromkeys(listed))


def column_kinds(
    table: Table, names: ColumnNames, *, parsed: bool = False, given: GivenKinds = NOTHING_GIVEN
) -> ColumnKinds:
    """Tell how the columns of a reference compare, before another table is known.

    Parameters
    ----------
    table, names
        The reference, and its columns.
    parsed
        Whether several key columns compare by the parts of their kinds.
    given
        What the user says of the key columns; one that is given such a kind compares so alone, too.
    """
    by = tuple(exact_kind(table, name) for name in names.by)
    veto = veto_kinds(table, names, given)
    several = len(names.keys) > 1 or given.has_parts
    if parsed and (several or reads_alone(table, names.keys[0], given)):
        keys, groups = record_kinds(table, names.keys, given)
        return ColumnKinds(keys, by, veto, groups)
    if parsed and given.of(0) is not None:
        return ColumnKinds(("text",), by, veto)
    return ColumnKinds(key_kinds(table, names.keys), by, veto)


def reads_alone(table: Table, name: Hashable, given: GivenKinds) -> bool:
    """Whether a lone key column is text whose values are all read, and not compared as names.

    As names, *2024-01-02* and *2024-02-01* are alike, and *(212) 555-0100* is unlike
    *+1 212 555 0100*. Columns of dates, by their type, compare as instants or days.
    """
    if given.of(0) is not None or key_kinds(table, [name]) != ("text",):
        return False
    cells = table.columns[name]
    # Asked of every column of names, most of which the first value without a digit decides.
    if not all(has_digit(cell) or is_filler(str(cell)) for cell in present_cells(cells)):
        return False
    (kind,), _ = record_kinds(table, [name], given)
    if kind not in READ_ALONE:
        return False
    values = [value for value in {*present_cells(cells)} if not is_filler(str(value))]
    read = fit_comparer(KIND_OF[kind], values).read(values)
    if read.is_null.any():
        return False
    # Months, seasons such as 2001-02, and moments are not days.
    return not isinstance(read, ParsedDates) or read.are_days


def joint_kinds(
    left: Table,
    right: Table,
    kinds: ColumnKinds,
    keys: Keys,
    given: GivenKinds = NOTHING_GIVEN,
) -> ColumnKinds:
    """How the columns of a left table and of the reference compare, pair by pair.

    `by` and veto columns compare as the reference's `kinds` say, whatever the left table holds.

    Parameters
    ----------
    left, right
        The tables.
    kinds
        As of `column_kinds`.
    keys
        What is compared.
    given
        What the user says of the key columns.

    Raises
    ------
    InputError
        If a left column holds nothing that compares with the reference's.
    """
    check_readable(left, keys.left_by, kinds.by, keys.right_by, "by")
    of_cells = cell_kinds(right, keys.right_veto, kinds.veto)
    check_readable(left, keys.left_veto, of_cells, keys.right_veto, "veto")
    pairs = list(zip(keys.left, keys.right, strict=True))
    joint = joint_key_kinds(left, right, pairs, kinds.keys, kinds.groups, given)
    if joint == ("date_text",) and kinds.keys == ("date",):
        # Dates as text beside a reference's dates are read, if they can be.
        joint = ("parsed_date",) if reads_alone(left, keys.left[0], NOTHING_GIVEN) else joint
    elif joint == ("date",) and are_days_beside_times(
        left.columns[keys.left[0]], right.columns[keys.right[0]]
    ):
        joint = ("day",)
    return kinds._replace(keys=joint)


def frozen_kinds(joint: ColumnKinds, frozen: ColumnKinds, left_keys: Kinds) -> ColumnKinds:
    """How the key columns of a batch compare with a reference whose kinds are frozen.

    As frozen, wherever the batch can be read so: whether a few values look like codes, or all are
    null, makes no difference. Columns that said nothing stay out.

    Parameters
    ----------
    joint
        As of `joint_kinds`.
    frozen
        What was decided when the reference was fitted or calibrated.
    left_keys
        How the key columns of the batch compare by themselves.
    """
    kept = tuple(
        before
        if (batch in (before, "null") and both != "day")
        or {before, batch} <= TEXT_KINDS
        or (not _turns(before, both) and not KIND_OF.keys().isdisjoint({before, both}))
        else both
        for both, before, batch in zip(joint.keys, frozen.keys, left_keys, strict=True)
    )
    return joint._replace(
        keys=kept,
        idle=frozen.idle,
        romanised=frozen.romanised,
        units=frozen.units,
        translated=frozen.translated,
        words=frozen.words,
    )


def _turns(before: ColumnKind, joint: ColumnKind) -> bool:
    """Whether a batch makes a column one of dates or booleans that are read: see `joint_kinds`.

    Text beside a reference's dates is read where it can be, and dates beside its years; so are
    text and numbers beside booleans, digits beside times of day, and numbers beside codes.
    """
    if joint == "parsed_boolean" or {joint, before} == {"parsed_number", "parsed_code"}:
        return True
    return joint == "parsed_date" and before in ("date", "day", "number", "parsed_number")


@stage("read")
def read_records(
    table: Table,
    names: ColumnNames,
    kinds: ColumnKinds,
    *,
    nulls_equal: bool,
    given: GivenKinds = NOTHING_GIVEN,
    other: Sequence[SideReading] | None = None,
    one_table: bool = False,
) -> Records:
    """Read the columns of one table that matching uses.

    Parameters
    ----------
    table, names, kinds
        The table, its columns, and how they compare.
    nulls_equal
        Whether a null is a value that equals other nulls.
    given
        What the user says of the key columns.
    other
        By key and then by veto column, how the other side of a reference is read. Default: this is
        the reference.
    one_table
        Whether rows of one table are compared with each other.

    Raises
    ------
    InputError
        If a key column holds values that cannot be compared.
    """
    fields = []
    glossaries, words = dict(kinds.translated), dict(kinds.words)
    for at, group in enumerate(kinds.fields):
        called, kind = [names.keys[place] for place in group], kinds.keys[group[0]]
        columns, romanised, unit = _levelled([table.columns[name] for name in called], group, kinds)
        read_as = glossaries.get(group[0], ()), words.get(group[0], ())
        if any(read_as):
            columns = [translated_column(columns[0], *read_as)]
        if kind in KIND_OF:
            field = parsed_field(
                columns,
                KIND_OF[kind],
                called,
                phone_region=given.phone_region,
                is_given=given.of(group[0]) is not None,
                other=None if other is None else other[at],
                read_as="boolean_text" if kind == "parsed_boolean" else "text",
                one_table=one_table,
            )
        else:
            field = key_field(columns[0], kind, str(called[0]))
        fields.append(replace(field, columns=group, romanised=romanised, unit=unit))
    called = [joined_name([names.keys[place] for place in group]) for group in kinds.fields]
    roles = roles_together(called, [field.role for field in fields])
    fields = [replace(field, role=role) for field, role in zip(fields, roles, strict=True)]
    # What was read by an earlier version has no readings of veto columns.
    readings = (other or ())[len(fields) :]
    vetoes = tuple(
        field
        for name, kind, reading in zip_longest(names.veto, kinds.veto, readings)
        for field in veto_fields(
            table.columns[name], kind, str(name), phone_region=given.phone_region, other=reading
        )
    )
    groups = None
    if names.by:
        by = [table.columns[name] for name in names.by]
        groups = exact_field(by, kinds.by, nulls_equal=nulls_equal)
    return Records(tuple(fields), groups, nulls_equal, vetoes)


class _Levelled(NamedTuple):
    """The columns of a key in the script and the unit of the reference."""

    columns: list[Cells]
    romanised: bool
    unit: str | None


def _levelled(columns: list[Cells], group: Sequence[int], kinds: ColumnKinds) -> _Levelled:
    """Write the columns of a key in the script and the unit of the reference."""
    kind, unit = kinds.keys[group[0]], dict(kinds.units).get(group[0])
    given = columns
    if kind in ROMANISED:
        columns = [
            romanised_column(column) if place in kinds.romanised else column
            for place, column in zip(group, columns, strict=True)
        ]
    is_romanised = any(map(operator.is_not, columns, given))
    if kind != "text" or unit is None:
        return _Levelled(columns, is_romanised, None)
    scaled = in_unit(columns[0], unit)
    return _Levelled([scaled], is_romanised, unit if scaled is not columns[0] else None)
