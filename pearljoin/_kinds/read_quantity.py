"""Numbers as they are written, with units and currencies: "$1,299.00", "1.5 kg", "3:45"."""

from __future__ import annotations

import math
import re
from typing import NamedTuple

from pearljoin._kinds.units import UNITS, Unit, read_unit

__all__ = ["NO_UNIT", "Quantity", "read_quantity"]

NO_UNIT = Unit("", 1.0)

LONGEST = 60
"""Characters of a quantity: patterns that seek a unit in a long text take the square of its length.
"""

_NUMBER = re.compile(
    r"([+\-−]?)"
    r"(\d{1,3}([\s'’_.,])(?:\d{2,3}\3)*\d{3}|\d*)"  # in groups, by one sign; or not
    r"(?:([.,])(\d*))?"
    r"(e[+-]?\d{1,3})?"
)
_WORD = r"[^\d\s.,+\-−]+\.?"
_QUANTITY = re.compile(
    r"([\-−]\s*(?=[^\d\s.,]))?"  # a sign before the currency
    rf"({_WORD}(?:\s{_WORD})?)?\s*"
    r"([+\-−]?(?:[.,]?\d)(?:[\d.,'’_\s]*[\d.,])?(?:e[+-]?\d{1,3})?)\s*"
    r"([^\d\s]\S*(?:\s?/\s?\S+(?:\s\S+)?|\s[^\d\s]+)?)?",
    re.IGNORECASE,
)
_NO_CENTS = re.compile(r"(?<=\d)[.,]\s?[\-−–—]+(?=\s|$)")  # "12,- €"
_CLOCK = re.compile(r"(?:(\d{1,3})\s?days?,?\s)?(\d{1,3}):([0-5]\d)(?::([0-5]\d))?([.,]\d{1,9})?")
_ISO_DURATION = re.compile(r"p(?:(\d+)d)?(?:t(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:[.,]\d+)?)s)?)?")
_PARTS = re.compile(r"(\d{1,6}(?:[.,]\d{1,6})?)\s?([^\W\d_]+|['\"’”′″]+)\.?(?:\s?,?\s?(?:and\s)?)")

_DECADE = re.compile(r"(?:1\d|20)\d0s")  # ten years, and no seconds

MINUTES = frozenset("m")
"""What stands for metres alone, and for minutes beside hours or seconds."""

_WORDS = {1e3: "thousand", 1e6: "million millions mio", 1e9: "billion billions bn mrd"}
MULTIPLES = {word: many for many, words in _WORDS.items() for word in words.split()}
MULTIPLES_OF_PRICES = {"k": 1e3, "m": 1e6, "mn": 1e6, "b": 1e9}
"""What stands for thousands and so on after a number, and after that of a price: "$1.2M"."""

CURRENCY = re.compile(r"[A-Z]{2,3}")
"""Dimensions that are currencies: they may stand before the number."""


class Quantity(NamedTuple):
    """A number as written, and its unit."""

    number: float
    unit: Unit = NO_UNIT


def read_quantity(text: str) -> Quantity | None:
    """Read a number with or without a unit; None for other text.

    Thousands may be separated by blanks, apostrophes, commas or points, and a comma may be the
    decimal sign: a number such as "1,500" is read as one of thousands, and "1.500" is not. Parts in
    falling units are added up in the last of them ("5 ft 11 in", "1h 52m"). Numbers as on a clock
    are 60 of what the last is: "0:03:45" is 225 seconds, and so many of no unit is "3:45", which
    may be minutes and seconds as well as hours and minutes.

    Examples
    --------
    >>> read_quantity("$1,299.00").number, read_quantity("16GB").unit.dimension
    (1299.0, 'data in byte')
    >>> read_quantity("1.299,5 €").number, read_quantity("iPhone 4")
    (1299.5, None)
    >>> read_quantity("3m 45s").number, read_quantity("3:45")
    (225.0, Quantity(number=225.0, unit=Unit(dimension='', factor=1.0)))
    """
    if len(text) > LONGEST or _DECADE.fullmatch(text):
        return None
    found = _QUANTITY.fullmatch(_NO_CENTS.sub("", text))
    if found is None or ":" in text or _ISO_DURATION.fullmatch(text.casefold()):
        return _on_a_clock(text) or _in_parts(text)
    sign, before, digits, after = found.groups()
    if before is not None and _bare(before) == "rm" and before != "RM":
        return None  # "Rm. 12" is a room
    number, read = _number(digits), _unit(_bare(before), _bare(after))
    if number is None or read is None:
        return _in_parts(text)
    unit, many = read
    number *= -many if sign else many
    return Quantity(number, unit) if math.isfinite(number) else None


def _bare(word: str | None) -> str:
    return "" if word is None else "".join(word.casefold().replace(".", "").split())


def _unit(before: str, after: str) -> tuple[Unit, float] | None:
    """Read the unit of what stands before and after a number, and what to multiply this by."""
    if not before and after in MULTIPLES:
        return NO_UNIT, MULTIPLES[after]
    if not before:
        unit = read_unit(after) if after else NO_UNIT
        return None if unit is None else (unit, 1.0)
    currency = UNITS.get(before)
    # "PS 5", "A 4" and "'85" are no power, current or length.
    is_money = currency is not None and CURRENCY.fullmatch(currency.dimension)
    if currency is None or not is_money or (currency.factor < 1 and before != "¢"):
        return None  # nor is "Cent 5" a price
    many = MULTIPLES.get(after) or MULTIPLES_OF_PRICES.get(after)
    if not after or many is not None or UNITS.get(after) == currency:  # "$5M", "$5 USD"
        return currency, many or 1.0
    rate = read_unit(before + after) if after.startswith("/") else None  # "$5/kg"
    return None if rate is None else (rate, 1.0)


def _on_a_clock(text: str) -> Quantity | None:
    """Read "3:45", "0:03:45", "1 day, 0:03:45" and "PT3M45S"."""
    iso = _ISO_DURATION.fullmatch(text.casefold())
    if iso is not None:
        days, hours, minutes, seconds = (
            float(part.replace(",", ".")) if part else 0.0 for part in iso.groups()
        )
        total = ((days * 24 + hours) * 60 + minutes) * 60 + seconds
        return Quantity(total, UNITS["s"]) if any(iso.groups()) else None
    found = _CLOCK.fullmatch(text)
    if found is None:
        return None
    whole, first, second, third, rest = found.groups()
    number = 60.0 * int(first) + int(second)
    if third is None and rest is None and whole is None:
        return Quantity(number)
    if third is not None:
        number = 60 * number + int(third)
    number += 86_400 * int(whole or 0) + (float("0." + rest[1:]) if rest else 0)
    return Quantity(number, UNITS["s"])


def _in_parts(text: str) -> Quantity | None:
    """Read parts in falling units of one dimension, each less than one of the unit before it."""
    parts = _PARTS.findall(text + " ")
    if len(parts) < 2 or "".join(_PARTS.sub("", text + " ").split()):
        return None
    words = [word.casefold() for _, word in parts]
    are_times = any(
        word in UNITS and UNITS[word].dimension == UNITS["s"].dimension for word in words
    )
    units = [UNITS.get("min" if are_times and word in MINUTES else word) for word in words]
    total, last = 0.0, None
    for (digits, _), unit in zip(parts, units, strict=True):
        if unit is None:
            return None
        number = float(digits.replace(",", ".")) * unit.factor
        if last is not None and (unit.dimension != last.dimension or number >= last.factor):
            return None
        total, last = total + number, unit
    assert last is not None
    return Quantity(total / last.factor, last)


def _number(digits: str) -> float | None:
    """Read the digits of a number, with any signs of thousands and decimals."""
    found = _NUMBER.fullmatch(digits.lower())
    if found is None:
        return None
    sign, whole, group, decimal, fraction, exponent = found.groups()
    if group and group == decimal:
        return None
    if group == "." and decimal is None and whole.count(".") == 1:
        plain = whole
    else:
        plain = whole.replace(group or " ", "") + "." + (fraction or "")
    try:
        number = float(plain + (exponent or ""))
    except ValueError:
        return None
    return (-number if sign and sign != "+" else number) if math.isfinite(number) else None
