"""Reading key columns whose kinds have parts, one column or several as one key."""

from __future__ import annotations

import re
import warnings
from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np

from pearljoin._errors import InputError, UnreadColumnWarning, caller_stacklevel
from pearljoin._kinds.checks import check_fits, unparsable_note
from pearljoin._kinds.column_names import named_unit, person_parts, say_birth
from pearljoin._kinds.comparers import fit_comparer, side_comparer
from pearljoin._kinds.coordinate import check_limits
from pearljoin._kinds.person_names import Part
from pearljoin._kinds.protocol import Comparer, Kind, Parsed
from pearljoin._kinds.record_roles import Role, person_or_thing
from pearljoin._progress import LOG
from pearljoin._records.missing_keys import NULL
from pearljoin._records.records import Field, factorize
from pearljoin._tables.cells import ColumnKind
from pearljoin._tables.columns import Cells, distinct_values
from pearljoin._typing import IntVector

__all__ = ["SideReading", "parsed_field"]

INFINITE = frozenset({"inf", "-inf"})
"""Infinite numbers as text."""

LOOKED_AT = 1_000
"""Values by which a hint is chosen."""

_PARTS = re.compile(r"\w+\.?")


class SideReading(NamedTuple):
    """How rows are read that compare with a reference.

    Attributes
    ----------
    reference
        What reads the reference's key; None for a key that has no parts.
    comparer
        What reads these rows, where that was learned before.
    learns
        Whether to learn from these values how they are written, and to refuse a column of which no
        value is of the kind that the user named; of one of which few are, whoever named it, there
        is a warning.
    """

    reference: Comparer[Any] | None
    comparer: Comparer[Any] | None = None
    learns: bool = False


def parsed_field(
    columns: Sequence[Cells],
    kind: Kind,
    names: Sequence[Hashable],
    *,
    phone_region: str | None = None,
    is_given: bool = False,
    other: SideReading | None = None,
    read_as: ColumnKind = "text",
    one_table: bool = False,
) -> Field:
    """Read a key of values that have parts; what cannot be read counts as null.

    Parameters
    ----------
    columns, names
        The columns that it is read from, and their names.
    kind
        Kind of its values.
    phone_region
        For phones: the country of numbers without a country code.
    is_given
        Whether the user named the kind.
    other
        How to read the other side; None where this is the reference.
    read_as
        How the cells of a single column become values.
    one_table
        Whether rows of one table are compared with each other.

    Raises
    ------
    InputError
        If no value is of a kind that the user named, or one of their coordinates is none on Earth.
    """
    name = " + ".join(map(str, names))
    if len(columns) == 1:
        values, codes = distinct_values(columns[0], read_as, name)
    else:
        values, codes = _tuples(columns, names)
    if other is None or other.reference is None:
        comparer = fit_comparer(
            kind,
            values,
            parts=_parts(names),
            phone_region=phone_region,
            are_births=say_birth(names),
            are_events=not one_table,
            unit=named_unit(names[0]),
        )
    else:
        comparer = other.comparer or _side_comparer(other, values, names)
    if is_given and kind == "coordinate":
        check_limits(values)
    parsed = comparer.read(values)
    shown = next(iter(values), None)
    if other is None and is_given:
        check_fits(parsed, kind, name, shown)
    elif other is not None and other.learns:
        if is_given:
            _check_side(parsed, kind, names, values)
        _warn_of_unread(parsed, kind, names, values, codes)
    note = unparsable_note(parsed, kind, name)
    if note is not None:
        LOG.info(note)
    unread = np.append(parsed.is_null, True)
    known, roles = np.where(unread[codes], NULL, codes), set(map(person_or_thing, names))
    # Who says that a column holds people says more than its name.
    is_person = is_given and kind == "person" and roles != {"family"}
    named: Role | None = "full" if roles & {"given", "full"} else None
    named = next(iter(roles)) if roles in ({"sex"}, {"generation"}) else named
    role: Role | None = "person" if is_person else named
    return Field("parsed", values, known, comparer, role=role)


def _side_comparer(
    other: SideReading, values: Sequence[Hashable], names: Sequence[Hashable]
) -> Comparer[Any]:
    """The comparer that reads this side, as it names its columns and writes its values."""
    assert other.reference is not None
    parts = person_parts(names)
    known = None if None in parts else [part for part in parts if part is not None]
    seen = values if other.learns else []
    return side_comparer(other.reference, seen, parts=known, unit=named_unit(names[0]))


def _parts(names: Sequence[Hashable]) -> list[Part]:
    """What the columns of a person's name hold, by their names."""
    return [part or "full" for part in person_parts(names)]


def _tuples(
    columns: Sequence[Cells], names: Sequence[Hashable]
) -> tuple[list[Hashable], IntVector]:
    """Distinct tuples of the columns' values, and codes; null where all are."""
    read = [
        distinct_values(column, "text", str(name))
        for column, name in zip(columns, names, strict=True)
    ]
    listed = [
        [None if code == NULL else values[code] for code in codes.tolist()]
        for values, codes in read
    ]
    rows = [None if not any(row) else row for row in zip(*listed, strict=True)]
    return factorize(rows)


def _check_side(
    parsed: Parsed, kind: Kind, names: Sequence[Hashable], values: Sequence[Hashable]
) -> None:
    """Refuse left columns of which no value is of the kind that was named."""
    if not parsed.n_unparsable or not parsed.is_null.all():
        return
    shown = values[0]
    hint = (
        "geo= names two columns of degrees, such as 48.8566 and 2.3522."
        if kind == "coordinate"
        else f"convert one of them, or {_otherwise(names, values)}."
    )
    raise InputError(
        f"The key columns hold values of different kinds. Got {shown!r} in "
        f"{' + '.join(map(str, names))!r} on the left, and no value there that can be read as the "
        f"kind {kind!r}, as the right column can. Hint: {hint}"
    )


def _warn_of_unread(
    parsed: Parsed,
    kind: Kind,
    names: Sequence[Hashable],
    values: Sequence[Hashable],
    codes: IntVector,
) -> None:
    """Warn of left columns of which most rows' values are not of the right column's kind."""
    written = codes[codes != NULL]
    total, unread = len(written), int(parsed.is_null[written].sum())
    if not parsed.n_unparsable or 2 * unread <= total:
        return
    unread_values = [values[at] for at in np.flatnonzero(parsed.is_null).tolist()]
    if all(value in INFINITE for value in unread_values):
        hint = (
            "an infinite number is near no other, so put a number in its place, or None, which "
            "counts as null without this warning"
        )
    else:
        hint = f"convert the column, or {_otherwise(names, unread_values)}"
    warnings.warn(
        f"{unread:,} of {total:,} values of {' + '.join(map(str, names))!r} on the "
        f"left cannot be read as the kind {kind!r}, which the right column is of, and count as "
        f"null. Got {unread_values[0]!r}. Hint: {hint}.",
        UnreadColumnWarning,
        stacklevel=caller_stacklevel(),
    )


def _otherwise(names: Sequence[Hashable], values: Sequence[Hashable]) -> str:
    """The hint that compares both columns as another kind, by values that cannot be read."""
    values = values[:LOOKED_AT]
    are_codes = len(names) == 1 and 2 * sum(map(_is_code_like, values)) > len(values)
    kind, what = ("code", "codes") if are_codes else ("name", "text")
    kinds = ", ".join(f"{name!r}: {kind!r}" for name in names)
    return f"compare both as {what}: kinds={{{kinds}}}"


def _is_code_like(value: Hashable) -> bool:
    """Whether a value is of numbers and capitals or abbreviations before them: "Fg. 12 Part. 3"."""
    words = _PARTS.findall(str(value))
    has_digits = [any(map(str.isdigit, word)) for word in words]
    return any(has_digits) and all(
        has_digit or word.isupper() or word.endswith(".")
        for word, has_digit in zip(words, has_digits, strict=True)
    )
