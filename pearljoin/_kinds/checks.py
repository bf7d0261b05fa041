"""Errors and counts of kinds that the user names, and of values that cannot be read."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from pearljoin._errors import InputError, did_you_mean, nearest, partner_hint
from pearljoin._kinds.protocol import KINDS, Kind, Parsed

__all__ = ["check_fits", "check_geo", "check_kinds", "geo_names", "unparsable_note"]

EXAMPLES: dict[Kind, str] = {
    "date": "'1985-04-03' or '3 April 1985'",
    "email": "'ann@example.org'",
    "phone": "'+1 415 555 2671'",
    "postcode": "'90210' or 'SW1A 1AA'",
    "number": "'12.50', '16 GB', '$1,299.00' or '3:45'",
    "coordinate": "48.8566 and 2.3522",
}
"""Values of the kinds that not every text is of."""

TYPES: Mapping[str, Kind] = {
    **dict.fromkeys(("int", "integer", "float", "double", "decimal", "numeric"), "number"),
    **dict.fromkeys(("datetime", "timestamp", "time"), "date"),
    **dict.fromkeys(("str", "string"), "name"),
    **dict.fromkeys(("bool", "boolean", "enum", "categorical"), "category"),
    **dict.fromkeys(("id", "identifier", "sku"), "code"),
    **dict.fromkeys(("geo", "location", "latitude", "longitude", "coordinates"), "coordinate"),
    **dict.fromkeys(("quantity", "amount", "money", "currency"), "number"),
    **dict.fromkeys(("telephone", "mobile"), "phone"),
    **dict.fromkeys(("zip", "zipcode"), "postcode"),
}
"""Kinds by what types of data are called elsewhere."""

BY_KINDS = tuple(kind for kind in KINDS if kind != "coordinate")
"""Kinds that ``kinds=`` gives; coordinates, of two columns, are for ``geo=``."""

SLIP = 0.75
"""Likeness of a slip to what it was meant for, at least, in [0, 1]."""


def check_kinds(
    kinds: Mapping[Hashable, str], columns: Sequence[Hashable], partners: Sequence[Hashable] = ()
) -> None:
    """Check the kinds that a user gives key columns.

    Parameters
    ----------
    kinds
        Kinds by column, the argument ``kinds=``.
    columns, partners
        The key columns, and what the other table calls them, where that is known.

    Raises
    ------
    InputError
        If a column is no key column, or a kind is none.
    """
    for column, kind in kinds.items():
        if column not in columns:
            hint = partner_hint(column, columns, partners) or did_you_mean(column, columns)
            hint = hint or f"one of {list(columns)}."
            raise InputError(f"kinds= names a column that is no key. Got {column!r}. Hint: {hint}")
        if kind not in KINDS:
            hint = _meant(kind)
            raise InputError(
                f"kinds= gives {column!r} a kind that there is not. Got {kind!r}. "
                f"Hint: {f'{hint} The kinds are' if hint else 'one of'} {', '.join(BY_KINDS)}."
            )


def _meant(kind: object) -> str:
    """Ask for the kind that was meant by the name of a type, or by a slip in either's name."""
    name = str(kind).lower()
    if name not in TYPES and (hint := did_you_mean(kind, BY_KINDS)):
        return hint
    meant = next((TYPES[near] for near in nearest(name, TYPES, least=SLIP)), None)
    if meant == "coordinate":
        return "coordinates are two columns, geo=('lat', 'lon')."
    return "" if meant is None else f"did you mean {meant!r}?"


def check_geo(geo: object) -> tuple[Hashable, Hashable]:
    """Check the argument ``geo=``: the names of two columns, latitude first.

    Raises
    ------
    InputError
        If it is anything else.
    """
    if isinstance(geo, tuple | list) and len(geo) == 2 and geo[0] != geo[1]:
        return geo[0], geo[1]
    raise InputError(
        f"geo= takes two columns, latitude and longitude. Got {geo!r}. Hint: geo=('lat', 'lon')."
    )


def geo_names(geo: object) -> tuple[Hashable, ...]:
    """List the columns that ``geo=`` names, none where it is None; raises as `check_geo` does."""
    return () if geo is None else check_geo(geo)


def check_fits(parsed: Parsed, kind: Kind, column: object, shown: object = None) -> None:
    """Refuse a kind that no value of its column fits.

    Parameters
    ----------
    parsed
        The column's values, as a comparer of the kind read them.
    kind, column
        The kind that the user gave, and the column.
    shown
        One of the values, for the message.

    Raises
    ------
    InputError
        If there are values, and none could be read.
    """
    if not parsed.n_unparsable or not parsed.is_null.all():
        return
    got = "" if shown is None else f", such as {shown!r}"
    example = f"values such as {EXAMPLES[kind]} are read; " if kind in EXAMPLES else ""
    # A coordinate is two columns, and both were named there.
    argument = "geo=" if kind == "coordinate" else "kinds="
    raise InputError(
        f"No value of the column {column!r} can be read as the kind {kind!r}. Got "
        f"{parsed.n_unparsable} values{got}. Hint: {example}leave {column!r} out of {argument} to "
        "have its kind recognised."
    )


def unparsable_note(parsed: Parsed, kind: Kind, column: object) -> str | None:
    """Say how many values of a column count as null because they cannot be read, for the log.

    Returns
    -------
    note
        None where all could be read.

    Examples
    --------
    >>> from pearljoin._kinds.date import DateComparer
    >>> unparsable_note(DateComparer().read(["1985", "soon"]), "date", "born")
    "1 of 2 values of 'born' cannot be read as the kind 'date' and count as null"
    """
    if not parsed.n_unparsable:
        return None
    total = parsed.n_unparsable + int((~parsed.is_null).sum())
    return (
        f"{parsed.n_unparsable:,} of {total:,} values of {column!r} cannot be read as the kind "
        f"{kind!r} and count as null"
    )
