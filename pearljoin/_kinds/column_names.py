"""What the name of a column says of its kind, and which part of a person or place it holds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, TypeAlias, TypeVar, get_args

from pearljoin._kinds.column_words import (
    endings,
    listed,
    meanings,
    name_words,
    word_meanings,
    written_words,
)
from pearljoin._kinds.person_names import Part
from pearljoin._kinds.protocol import KINDS, Kind
from pearljoin._kinds.units import UNITS, NamedUnit, is_money

__all__ = [
    "DatePart",
    "coordinate_part",
    "date_part",
    "hints",
    "is_bare_name",
    "named_unit",
    "person_part",
    "person_parts",
    "say_birth",
    "says_amount",
    "says_birth",
]

DatePart: TypeAlias = Literal["year", "month", "day"]
"""What one of several columns of a date holds."""

PartT = TypeVar("PartT", bound=str)

DATE_PARTS: tuple[DatePart, ...] = get_args(DatePart)
PERSON_PARTS: tuple[Part, ...] = ("given", "middle", "family")
COORDINATES = "latitude", "longitude"

_LETTER_PART = re.compile(r"([a-z])([ymd])")

_UNCLEAR_UNITS = frozenset(["in", "min", "ms", "st", "pt", "mo", "ps", "std", "second"])
"""Units that stand for something else at the end of a name, such as a minimum, as any letter may:
*revenue_m* is in millions."""

_POWERS = {
    "kw": UNITS["kw"],
    "mw": UNITS["megawatt"],
    "gw": UNITS["gw"],
    "kwh": UNITS["kwh"],
    "mwh": UNITS["megawatthour"],
    "gwh": UNITS["gwh"],
}
"""Units that are a name by themselves, and that names have in small letters."""


def hints(name: object) -> set[Kind]:
    """Kinds that a column's name hints at.

    Examples
    --------
    >>> hints("author"), hints("colour")
    ({'person'}, set())
    """
    said = meanings(name_words(name))
    found = {kind for kind in KINDS if kind in said}
    if says_birth(name):
        found.add("date")
    if person_part(name) is not None:
        found.add("person")
    return found


def says_amount(name: object) -> bool:
    """Tell whether a column holds amounts by its name, if it holds numbers.

    Examples
    --------
    >>> says_amount("Annual rent"), says_amount("price"), says_amount("fee_id")
    (True, True, False)
    """
    hinted = hints(name)
    has_amount = not meanings(name_words(name)).isdisjoint(("money", "amount"))
    return "number" in hinted or ("code" not in hinted and has_amount)


def person_part(name: object) -> Part | None:
    """Tell which part of a person's name a column holds by its name; None for another column.

    Examples
    --------
    >>> person_part("first_name"), person_part("Surname"), person_part("name")
    ('given', 'family', None)
    >>> person_part("first_name + last_name")
    'full'
    """
    said = meanings(name_words(name))
    if "full" in said or {"given", "family"} <= said:
        return "full"
    return next((part for part in PERSON_PARTS if part in said), None)


def person_parts(names: Sequence[object]) -> list[Part | None]:
    """Tell which parts of a person's name the columns of one table hold, as `person_part`.

    What is called a name, as *nom* and *jméno*, is the family name beside given names and the given
    name beside family names.

    Examples
    --------
    >>> person_parts(["Nom", "Prénom"]), person_parts(["Jméno", "Příjmení"])
    (['family', 'given'], ['given', 'family'])
    """
    parts = [person_part(name) for name in names]
    other: Part | None = None
    if ("given" in parts) != ("family" in parts):
        other = "family" if "given" in parts else "given"
    return [
        other if part is None and other and is_bare_name(name, beside=other) else part
        for part, name in zip(parts, names, strict=True)
    ]


def is_bare_name(name: object, *, beside: Part = "full") -> bool:
    """Tell whether a column is called a name and no more; with `beside`, the part it may be.

    Examples
    --------
    >>> is_bare_name("Nom"), is_bare_name("ship name")
    (True, False)
    """
    words = name_words(name)
    said = word_meanings(words[0]) if len(words) == 1 else frozenset()
    return "names" in said or (beside == "given" and "name-beside-family" in said)


def say_birth(names: Sequence[object]) -> bool:
    """Tell whether columns hold dates of birth by their names, if they hold dates.

    Parameters
    ----------
    names
        Of one column of dates, or of several that hold the parts of one.

    Examples
    --------
    >>> say_birth(["dob"]), say_birth(["by", "bm", "bd"]), say_birth(["by"])
    (True, True, False)
    """
    parts = [date_part(name) for name in names] if len(names) > 1 else []
    return any(map(says_birth, names)) or any(part and "birth" in part[1] for part in parts)


def says_birth(name: object) -> bool:
    """Tell whether a column holds dates of birth by its name, if it holds dates.

    Examples
    --------
    >>> says_birth("date_of_birth"), says_birth("Geburtsdatum"), says_birth("birth_registered_on")
    (True, True, False)
    """
    said = meanings(name_words(name))
    return "birth" in said and "not-birth" not in said


def named_unit(name: object) -> NamedUnit | None:
    """Return the unit with which a column's name ends; None for another name.

    Only another unit of the same dimension, in the cells or in the name of the column beside it,
    tells that it is one: *price_min* is no time. One letter is no clear unit, and nor is any at the
    end of a name that speaks of money, or that is the whole name: *mw*, *kw* and the like.

    Examples
    --------
    >>> named_unit("height_cm")
    NamedUnit(unit=Unit(dimension='length in m', factor=0.01), is_clear=True)
    >>> named_unit("elevation_m").is_clear, named_unit("revenue_mm").is_clear, named_unit("minutes")
    (False, False, None)
    """
    words = written_words(name)
    last = words[-1] if words and "per" not in words else ""
    unit = _POWERS.get(last) or (UNITS.get(last) if len(words) > 1 else None)
    if unit is None:
        return None
    is_sum = "money" in meanings(name_words(name)) or any(
        word in UNITS and is_money(UNITS[word]) for word in words
    )
    is_letter = len(last) == 1 and last.isalpha()
    is_other = is_letter or last in _UNCLEAR_UNITS or is_sum or len(words) == 1
    return NamedUnit(unit, is_money(unit) or not is_other)


def coordinate_part(name: object) -> tuple[str, tuple[str, ...]] | None:
    """Tell whether a column holds a latitude or a longitude by its name, and of what.

    Examples
    --------
    >>> coordinate_part("shop_lat"), coordinate_part("name")
    (('latitude', ('shop',)), None)
    """
    return _only_part(name_words(name), COORDINATES)


def date_part(name: object) -> tuple[DatePart, tuple[str, ...]] | None:
    """Tell whether a column holds the year, month or day of a date by its name, and of which.

    Parts of *byear*, *by* and *yob* are read, too.

    Examples
    --------
    >>> date_part("birth_year"), date_part("bd"), date_part("address")
    (('year', ('birth',)), ('day', ('birth',)), None)
    """
    words = name_words(name)
    found = _only_part(words, DATE_PARTS)
    if found is not None:
        return found[0], tuple("birth" if word == "b" else word for word in found[1])
    word = words[0] if len(words) == 1 else ""
    fused = _LETTER_PART.fullmatch(word)
    ends = [*endings(word), *([(fused[1], listed(fused[2]))] if fused else [])]
    ends = [("birth", listed("=" + word)), *ends]
    for before, said in ends:
        part = next((part for part in DATE_PARTS if part in said), None)
        if part is not None and before:
            start = before.removesuffix("s") or before
            return part, ("birth" if start == "b" else start,)
    return None


def _only_part(
    words: Sequence[str], parts: Sequence[PartT]
) -> tuple[PartT, tuple[str, ...]] | None:
    """The part that one word alone names, and the other words."""
    found = [(word, part) for word in words for part in parts if part in listed(word)]
    if len(found) != 1:
        return None
    return found[0][1], tuple(word for word in words if word != found[0][0])
