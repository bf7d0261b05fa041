"""Kinds of key columns, from the columns of both sides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from pearljoin._errors import InputError
from pearljoin._kinds.column_names import hints, person_parts
from pearljoin._kinds.date_parts import recognise_dates
from pearljoin._kinds.person_names import Part
from pearljoin._kinds.phone import are_phones_of
from pearljoin._kinds.protocol import Kind
from pearljoin._kinds.recognise import recognise, recognise_coordinates
from pearljoin._kinds.years import recognise_years
from pearljoin._tables.booleans import is_known, kind_beside_booleans
from pearljoin._tables.cells import ColumnKind, shown
from pearljoin._tables.clocks_beside_digits import are_clocks_beside_digits
from pearljoin._tables.codes_beside_numbers import are_codes_beside_numbers
from pearljoin._tables.columns import (
    Cells,
    column_kind,
    holds_codes,
    present_cells,
)
from pearljoin._tables.days_beside_numbers import kind_beside_days
from pearljoin._tables.exact_kinds import PLURALS
from pearljoin._tables.given_kinds import NOTHING_GIVEN, GivenKinds
from pearljoin._tables.joint_kind import joint_kind
from pearljoin._tables.read_table import Table

__all__ = [
    "KIND_OF",
    "PARSED",
    "joint_key_kinds",
    "key_kinds",
    "recognised_kind",
    "record_kinds",
]

PARTS: tuple[Part, ...] = ("given", "middle", "family")
"""Columns of a person's name, in the order in which they are read."""


def key_kinds(table: Table, names: Sequence[Hashable]) -> tuple[ColumnKind, ...]:
    """Tell how the key columns of one table compare.

    A text column of short codes compares exactly beside other key columns, never alone.
    """
    kinds: list[ColumnKind] = []
    for name in names:
        series = table.columns[name]
        kind = column_kind(series)
        is_code = len(names) > 1 and kind == "text" and holds_codes(series)
        kinds.append("code" if is_code else kind)
    return tuple(kinds)


PARSED: Mapping[Kind, ColumnKind] = {
    "address": "parsed_address",
    "category": "parsed_category",
    "code": "parsed_code",
    "coordinate": "parsed_coordinate",
    "date": "parsed_date",
    "email": "parsed_email",
    "list": "parsed_list",
    "number": "parsed_number",
    "person": "parsed_person",
    "phone": "parsed_phone",
    "postcode": "parsed_postcode",
}
"""How columns of these kinds compare; those of others compare as text."""

NUMERIC: frozenset[ColumnKind] = frozenset({"parsed_number", "parsed_date", "parsed_code"})
"""Kinds of columns that may be years, or months and days beside them."""

RECOGNISED_AS_NAME: frozenset[Kind] = frozenset({"person"})
"""Kinds that are compared as names unless they are asked for: the match scorer knows people."""

KIND_OF: Mapping[ColumnKind, Kind] = {column: kind for kind, column in PARSED.items()} | {
    "parsed_boolean": "category"
}
"""The kind of a column that compares by its parts."""


def record_kinds(
    table: Table, names: Sequence[Hashable], given: GivenKinds = NOTHING_GIVEN
) -> tuple[tuple[ColumnKind, ...], tuple[tuple[int, ...], ...]]:
    """Tell how the key columns of a reference compare where several are scored together.

    Parameters
    ----------
    table, names
        The reference, and its key columns.
    given
        What the user says of them.

    Returns
    -------
    kinds, groups
        A kind for each column, and the positions of those that are one key together: latitude and
        longitude; year, month and day; and given and family name where both are given as people.
    """
    kinds: list[ColumnKind] = []
    people: dict[Part, list[int]] = {}
    counts = [_counted(table.columns[name]) for name in names]
    values = [None if counted is None else list(counted) for counted in counts]
    parts = person_parts(names)
    for at, name in enumerate(names):
        kind = given.of(at)
        if kind is None and not values[at]:
            kinds.append("text" if values[at] is None else "null")
            continue
        part = parts[at]
        if kind == "person" and part is not None:
            people.setdefault(part, []).append(at)
        if kind is None:
            kind = recognised_kind(counts[at] or Counter(), name, given.phone_region)
            kind = "name" if kind in RECOGNISED_AS_NAME else kind
        kinds.append(PARSED.get(kind, "text"))
    places = _places(names, values, given)
    for at in (at for group in places for at in group):
        kinds[at] = "parsed_coordinate"
    dates = _dates(names, counts, given)
    for at in (at for group in dates for at in group):
        kinds[at] = "parsed_date"
    numbers = [at for at, kind in enumerate(kinds) if kind in NUMERIC and given.of(at) is None]
    for year in recognise_years([counts[at] or Counter() for at in numbers]):
        at = numbers[year]
        if kinds[at] == "parsed_number" and "number" not in hints(names[at]):
            kinds[at] = "parsed_date"
    return tuple(kinds), (*_people(people), *places, *dates)


def recognised_kind(counts: Counter[Any], name: Hashable, phone_region: str | None) -> Kind:
    """Recognise the kind of a column of the reference.

    Parameters
    ----------
    counts
        Its cells by value.
    name
        Its name.
    phone_region
        Country of phone numbers without a country code.
    """
    values = list(counts)
    if phone_region is not None and are_phones_of(values, phone_region):
        return "phone"
    return recognise(values, name, n_cells=counts.total())


def _counted(column: Cells) -> Counter[Any] | None:
    """Cells of a column by value; None where these cannot be compared, and are refused later."""
    try:
        return Counter(present_cells(column))
    except (TypeError, ValueError):
        return None


def _people(parts: Mapping[Part, list[int]]) -> list[tuple[int, ...]]:
    """The columns of one person's name: of each part one, a given and a family name among them."""
    if not {"given", "family"} <= set(parts) or any(len(some) > 1 for some in parts.values()):
        return []
    return [tuple(at for part in PARTS for at in parts.get(part, ()))]


def _places(
    names: Sequence[Hashable], values: Sequence[list[Any] | None], given: GivenKinds
) -> list[tuple[int, ...]]:
    """Pairs of latitude and longitude."""
    if given.geo is not None:
        return [given.geo]
    free = {
        at: (name, some)
        for at, (name, some) in enumerate(zip(names, values, strict=True))
        if some and given.of(at) is None
    }
    found = recognise_coordinates(dict(free.values()))
    places = {name: at for at, (name, _) in free.items()}
    return [(places[latitude], places[longitude]) for latitude, longitude in found]


def _dates(
    names: Sequence[Hashable], counts: Sequence[Counter[Any] | None], given: GivenKinds
) -> list[tuple[int, ...]]:
    """Columns of year and month, and of day where there is one."""
    free = {
        name: at for at, name in enumerate(names) if counts[at] is not None and given.of(at) is None
    }
    found = recognise_dates({name: counts[at] or Counter() for name, at in free.items()})
    return [tuple(free[name] for name in group) for group in found]


def joint_key_kinds(
    left: Table,
    right: Table,
    names: Sequence[tuple[Hashable, Hashable]],
    right_kinds: Sequence[ColumnKind],
    groups: Sequence[tuple[int, ...]] = (),
    given: GivenKinds = NOTHING_GIVEN,
) -> tuple[ColumnKind, ...]:
    """Tell how the key columns of both tables compare, pair by pair.

    Parameters
    ----------
    left, right
        The tables.
    names
        Left and right name of each key.
    right_kinds
        Kinds of the reference's columns.
    groups
        Positions of columns that are one key together.
    given
        What the user says of the key columns.

    Returns
    -------
    kinds
        Text and numbers, dates or booleans compare as text; dates, and numbers that are years or
        days, as dates; times of day, and codes that are such, as numbers; codes, and whole numbers
        that they hold, as codes; booleans, and text or numbers that are booleans, as booleans.

    Raises
    ------
    InputError
        If two columns have nothing to compare: dates beside other numbers, or beside them text
        without a digit.
    """
    left_kinds = key_kinds(left, [pair[0] for pair in names])
    kinds: list[ColumnKind] = []
    grouped = {at for group in groups for at in group}
    for at, (pair, kind, right_kind) in enumerate(zip(names, left_kinds, right_kinds, strict=True)):
        if at in grouped and right_kind == "parsed_date":
            kinds.append(right_kind)  # *April* beside 4
            continue
        columns = left.columns[pair[0]], right.columns[pair[1]]
        both, alone = (kind, right_kind), len(names) == 1
        with_days = kind_beside_days(*columns, both, given=given.of(at), alone=alone)
        if with_days is not None:
            kinds.append(with_days)
            continue
        of_digits = None
        if kind in ("text", "code") and given.of(at) is None:
            of_digits = _kind_of_digits(columns, right_kind, pair)
        if of_digits is not None:
            kinds.append(of_digits)
            continue
        is_parsed = right_kind in KIND_OF
        with_booleans = kind_beside_booleans(*columns, kind, given=given.of(at), by_parts=is_parsed)
        if with_booleans is not None:
            kinds.append(with_booleans)
            continue
        right_type = column_kind(columns[1]) if is_parsed else right_kind
        joint = joint_kind((kind, right_type), columns)
        if joint is None:
            examples = " and ".join(map(_example, columns))
            raise InputError(
                "The key columns hold values of different kinds, which cannot be compared. Got "
                f"{PLURALS[kind]} in {pair[0]!r} on the left and {PLURALS[right_type]} in "
                f"{pair[1]!r} on the right, such as {examples}. Hint: convert one of them (codes "
                "that are numbers to text), or name other columns. Numbers, dates and booleans as "
                "text, such as '12.5', '2024-02-29' and 'yes', need no conversion, nor do years "
                "and days as whole numbers, such as 2024 and 20240229."
            )
        kinds.append(right_kind if is_parsed else joint)
    return tuple(kinds)


def _kind_of_digits(
    columns: tuple[Cells, Cells], right_kind: ColumnKind, names: tuple[Hashable, Hashable]
) -> ColumnKind | None:
    """How a left column of text compares with digits that by themselves are of another kind."""
    if right_kind == "parsed_code" and are_clocks_beside_digits(*columns):
        return "parsed_number"
    if right_kind == "parsed_number" and are_codes_beside_numbers(*columns, names):
        return "parsed_code"
    return None


def _example(series: Cells) -> str:
    """A value of a column, as errors show it."""
    cell = next(filter(is_known, present_cells(series)), None)
    return f"{cell!r:.60}" if isinstance(cell, str) else shown(cell)
