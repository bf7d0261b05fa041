"""Veto columns: how the reference's compare, and reading those of both sides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pearljoin._kinds.column_names import named_unit, say_birth
from pearljoin._kinds.comparers import fit_comparer, side_comparer
from pearljoin._kinds.equal_values import equal_values
from pearljoin._kinds.fillers import is_filler
from pearljoin._kinds.number import DIGITS
from pearljoin._kinds.phone import ParsedPhones
from pearljoin._kinds.protocol import Comparer, Kind, Parsed
from pearljoin._records.missing_keys import NULL
from pearljoin._records.records import Field, factorize
from pearljoin._tables.cells import ColumnKind
from pearljoin._tables.columns import Cells, distinct_values, key_field, present_cells, veto_text
from pearljoin._tables.exact_kinds import exact_kind
from pearljoin._tables.given_kinds import GivenKinds
from pearljoin._tables.key_kinds import KIND_OF, PARSED, recognised_kind
from pearljoin._tables.keys import ColumnNames
from pearljoin._tables.parsed_field import SideReading
from pearljoin._tables.read_table import Table

__all__ = ["cell_kinds", "veto_fields", "veto_kinds"]

READ: frozenset[Kind] = frozenset({"code", "date", "email", "number", "phone", "postcode"})
"""Kinds of which one value is written in several ways, and has one canonical way."""

MAY_BE_WHOLE: frozenset[Kind] = frozenset({"date", "phone", "postcode"})
"""Those of them that say more of a column of whole numbers than its digits do."""


def veto_kinds(table: Table, names: ColumnNames, given: GivenKinds) -> tuple[ColumnKind, ...]:
    """Tell how the veto columns of a reference compare.

    Parameters
    ----------
    table, names
        The reference, and its columns.
    given
        What the user says of the key columns, some of which may be veto columns too.

    Returns
    -------
    kinds
        As of `exact_kind`; text whose values are recognised as dates, numbers, codes and the like
        compares as these.
    """
    return tuple(
        _veto_kind(table, name, _given(name, names, given), given.phone_region)
        for name in names.veto
    )


def _given(name: Hashable, names: ColumnNames, given: GivenKinds) -> Kind | None:
    return given.of(names.keys.index(name)) if name in names.keys else None


def _veto_kind(
    table: Table, name: Hashable, given: Kind | None, phone_region: str | None
) -> ColumnKind:
    kind, series = exact_kind(table, name), table.columns[name]
    if kind not in ("text", "whole"):
        return kind
    try:
        counts: Counter[Any] = Counter(present_cells(series))
    except (TypeError, ValueError):
        return kind  # what cannot be compared is refused when it is read
    found = given or recognised_kind(counts, name, phone_region)
    if found not in (READ if kind == "text" else MAY_BE_WHOLE):
        return kind
    return PARSED[found]


def cell_kinds(
    right: Table, names: Sequence[Hashable], kinds: Sequence[ColumnKind]
) -> list[ColumnKind]:
    """Tell as what the cells of the other side's veto columns are read, before their kinds are.

    Parameters
    ----------
    right, names, kinds
        The reference, its veto columns, and how they compare.

    Returns
    -------
    kinds
        ``"text"`` and ``"whole"`` for what is recognised in text.
    """
    return [
        exact_kind(right, name) if kind in KIND_OF else kind
        for name, kind in zip(names, kinds, strict=True)
    ]


def veto_fields(
    series: Cells,
    kind: ColumnKind,
    name: str,
    *,
    phone_region: str | None = None,
    other: SideReading | None = None,
) -> tuple[Field, ...]:
    """Read a veto column, with values that are equal as one, and what parts of it may conflict.

    Text is normalised, and what stands between a digit and a letter does not count either:
    *AC-2401* is *AC2401*. A value of a kind that has parts is its canonical one. Phone numbers are
    equal by their national numbers, as many have no country code; two codes conflict by themselves.

    Parameters
    ----------
    series, kind, name
        The column, how it compares, and its name.
    phone_region
        For phones: the country of numbers without a country code.
    other
        How the other side of a reference is read. Default: this is the reference.
    """
    if kind in KIND_OF:
        return _parsed_fields(series, KIND_OF[kind], name, phone_region, other)
    field = key_field(series, kind, name)
    if field.kind != "text":
        return (field,)
    return (_merged(field, [veto_text(value) for value in field.values]),)


def _parsed_fields(
    series: Cells, kind: Kind, name: str, phone_region: str | None, other: SideReading | None
) -> tuple[Field, ...]:
    """Read a column by its kind: what cannot be read is its text, and what says so is null."""
    values, codes = distinct_values(series, "text", name)
    unit = named_unit(name)
    if other is None or other.reference is None:
        comparer = fit_comparer(
            kind, values, phone_region=phone_region, are_births=say_birth([name]), unit=unit
        )
    else:
        seen = values if other.learns else []
        comparer = other.comparer or side_comparer(other.reference, seen, unit=unit)
    parsed = comparer.read(values)
    read = _merged(Field("text", values, codes, comparer), _read(comparer, parsed, values))
    if not isinstance(parsed, ParsedPhones):
        return (read,)
    countries = [country or None for country in parsed.country.tolist()]
    return read, _merged(Field("text", values, codes, is_part=True), countries)


def _read(comparer: Comparer[Any], parsed: Parsed, values: Sequence[Hashable]) -> list[str | None]:
    """What each value is equal by."""
    written = equal_values(parsed).tolist()
    return [
        found if found is not None and not _is_longer(comparer, str(value)) else _unread(str(value))
        for value, found in zip(values, written, strict=True)
    ]


def _is_longer(comparer: Comparer[Any], text: str) -> bool:
    """Whether a number has more digits than those by which numbers are told apart."""
    return comparer.kind == "number" and sum(map(str.isdigit, text)) > DIGITS


def _unread(text: str) -> str | None:
    return None if is_filler(text) else veto_text(text)


def _merged(field: Field, read: Sequence[str | None]) -> Field:
    """Take values that are read alike for one; None is null."""
    values, merged = factorize(read)
    return replace(field, values=values, codes=np.append(merged, NULL)[field.codes])
