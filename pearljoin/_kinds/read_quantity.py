"""Numbers as they are written, with units and currencies: "$1,299.00", "1.5 kg", "3:45"."""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import NamedTuple

from pearljoin._kinds.plain_quantity import plain_quantity, read_ordinal
from pearljoin._kinds.units import BY_CASE, UNITS, Unit, read_unit

__all__ = ["LONGEST", "NO_UNIT", "Quantity", "read_out_of", "read_quantity"]

NO_UNIT = Unit("", 1.0)

LONGEST = 60
"""Characters of a quantity: patterns that seek a unit in a long text take the square of its length.
"""

_PLAIN = re.compile(r"\d{1,15}(?:\.\d{1,15})?")
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
_NO_CENTS = re.compile(r"(?<=\d)[.,:/]\s?[\-−–—]+(?=\s|$|[^\W\d_]|[€$£])")  # "12,- €", "50:-"
_OF_DAY = re.compile(r"(\d{1,2})(?:[:.]([0-5]\d)(?::([0-5]\d))?)?\s?([ap])\.?m\.?", re.IGNORECASE)
_OF_DAY_IN_GERMAN = re.compile(r"(\d{1,2})(?:[.:]([0-5]\d))?\s?uhr", re.IGNORECASE)
_HOURS = re.compile(r"(\d{1,2})\s?h\s?([0-5]\d)", re.IGNORECASE)  # "1h52"
_CLOCK_OF_UNIT = re.compile(
    r"(\d{1,3}):([0-5]\d)\s?([mh])(?:ins?|inutes?|rs?|ours?)?\.?", re.IGNORECASE
)
_CLOCK = re.compile(r"(?:(\d{1,3})\s?days?,?\s)?(\d{1,3}):([0-5]\d)(?::([0-5]\d))?([.,]\d{1,9})?")
_ISO_DURATION = re.compile(r"p(?:(\d+)d)?(?:t(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:[.,]\d+)?)s)?)?")
_PARTS = re.compile(r"(\d{1,6}(?:[.,]\d{1,6})?)\s?([^\W\d_]+|['\"’”′″]+)\.?(?:\s?,?\s?(?:and\s)?)")

_OUT_OF = re.compile(
    r"(\d{1,3}(?:[.,]\d{1,2})?)\s?(?:/|out of|of|von|sur)\s?(\d{1,3})", re.IGNORECASE
)
_IN_BRACKETS = re.compile(r"(\S[^()]*?)\s?[(\[]\s?([^()\[\]]+?)\s?[)\]]")
_DECADE = re.compile(r"(?:1\d|20)\d0s")  # ten years, and no seconds

MINUTES = frozenset("m")
"""What stands for metres alone, and for minutes beside hours or seconds."""

_WORDS = {
    12.0: "dozen dozens doz dz",
    1e3: "thousand tsd",
    1e5: "lakh lakhs lac",
    1e6: "million millions mio",
    1e7: "crore crores",
    1e9: "billion billions bn mrd",
}
MULTIPLES = {word: many for many, words in _WORDS.items() for word in words.split()}
MULTIPLES_OF_PRICES = {"k": 1e3, "m": 1e6, "mn": 1e6, "b": 1e9, "cr": 1e7}
"""What stands for thousands and so on after a number, and after that of a price: "$1.2M"."""

NO_COINS = frozenset(["IDR", "VND", "HUF", "KRW", "JPY", "CLP", "COP", "PYG"])
"""Currencies of which a point parts thousands, as their smaller coins are out of use."""

WORDS_AS_CODES = frozenset(["cad", "cop", "pen", "rub", "try"])
"""Codes of currencies that are words, and before a number codes in capitals alone."""

CURRENCY = re.compile(r"[A-Z]{2,3}")
"""Dimensions that are currencies: they may stand before the number."""


class Quantity(NamedTuple):
    """A number as written, and its unit."""

    number: float
    unit: Unit = NO_UNIT


def read_quantity(
    text: str, decimal: str | None = None, *, millions: bool = False
) -> Quantity | None:
    """Read a number with or without a unit; None for other text.

    Thousands may be separated by blanks, apostrophes, commas or points, and a comma may be the
    decimal sign: a number such as "1,500" is read as one of thousands, and "1.500" is not. Parts in
    falling units are added up in the last of them ("5 ft 11 in", "1h 52m"). Numbers as on a clock
    are 60 of what the last is: "0:03:45" is 225 seconds, and so many of no unit is "3:45", which
    may be minutes and seconds as well as hours and minutes. "From" and "about" do not count
    (`pearljoin._kinds.plain_quantity`). "4/5" and "4 out of 5" are shares.

    Parameters
    ----------
    text
        The number as written.
    decimal
        The sign before decimals, where it is known: a comma before three digits is, or a point no
        more.
    millions
        Whether "1.2M" is 1,200,000 rather than a length; "1.2K" is 1,200.

    Examples
    --------
    >>> read_quantity("$1,299.00").number, read_quantity("16GB").unit.dimension
    (1299.0, 'data in byte')
    >>> read_quantity("1.299,5 €").number, read_quantity("iPhone 4")
    (1299.5, None)
    >>> read_quantity("3m 45s").number, read_quantity("3:45")
    (225.0, Quantity(number=225.0, unit=Unit(dimension='', factor=1.0)))
    """
    if _PLAIN.fullmatch(text) and decimal != ",":
        return Quantity(float(text))
    if len(text) > LONGEST or _DECADE.fullmatch(text):
        return None
    ordinal = read_ordinal(text)
    if ordinal is not None:
        return Quantity(ordinal)
    found = _read(text, decimal, millions)
    if found is None:
        plain = plain_quantity(text)
        found = _of_clock_words(text) or (
            None if plain == text else _read(plain, decimal, millions)
        )
    return found or read_out_of(text) or _before_brackets(text, decimal, millions)


def _before_brackets(text: str, decimal: str | None, millions: bool) -> Quantity | None:
    """Read "79 kW (107 PS)": a quantity, and the same in another unit in brackets."""
    found = _IN_BRACKETS.fullmatch(text)
    if found is None:
        return None
    first, second = (_read(part, decimal, millions) for part in found.groups())
    if first is None or second is None or NO_UNIT in (first.unit, second.unit):
        return None
    return first


def read_out_of(text: str) -> Quantity | None:
    """Read "4/5" and "4.5 out of 5": the first number, in parts of the second.

    Examples
    --------
    >>> read_out_of("4/5"), read_out_of("5/4")
    (Quantity(number=4.0, unit=Unit(dimension='share', factor=0.2)), None)
    """
    found = _OUT_OF.fullmatch(text)
    if found is None:
        return None
    number, whole = float(found[1].replace(",", ".")), int(found[2])
    is_part = whole > 1 and number <= whole
    return Quantity(number, Unit(UNITS["%"].dimension, 1 / whole)) if is_part else None


def _read(text: str, decimal: str | None, millions: bool) -> Quantity | None:
    text = _NO_CENTS.sub(_with_cents, text)
    found = _QUANTITY.fullmatch(text)
    if found is None or ":" in text or _ISO_DURATION.fullmatch(text.casefold()):
        return _on_a_clock(text) or _in_parts(text)
    sign, before, digits, after = found.groups()
    read = _unit_around(before, after, millions)
    if read is None:
        return _in_parts(text)
    unit, many = read
    number = _number(digits, "" if unit.dimension in NO_COINS else decimal or ".")
    if number is None:
        return _in_parts(text)
    number *= -many if sign else many
    return Quantity(number, unit) if math.isfinite(number) else None


@lru_cache(maxsize=1_000)
def _unit_around(
    before: str | None, after: str | None, millions: bool
) -> tuple[Unit, float] | None:
    """Read the unit of what stands before and after a number, as written."""
    word = _bare(before)
    if (word == "rm" and before != "RM") or (word == "fr" and before == "FR"):
        return None  # "Rm. 12" is a room, and "FR 75001" a postal code
    if word in WORDS_AS_CODES and not (before or "").isupper():
        return None  # "Pen 3"
    if before is None and (after in ("k", "K") or (after == "M" and millions)):
        return NO_UNIT, MULTIPLES_OF_PRICES[after.lower()]
    return _unit(word, _bare(after))


def _with_cents(found: re.Match[str]) -> str:
    """Write the cents of "12,-", by a comma where points separate thousands."""
    return ",00" if "." in found.string[: found.start()] else ".00"


def _of_clock_words(text: str) -> Quantity | None:
    """Read "9:30 pm", "3:39 min", "1h52" and "(3:39)"; a time of day counts from midnight."""
    found = _OF_DAY.fullmatch(text)
    if found is not None:
        hour, minute, second = (int(part or 0) for part in found.groups()[:3])
        if not 1 <= hour <= 12:
            return None
        number = 60.0 * (hour % 12 + 12 * (found[4] in "pP")) + minute
        return Quantity(number) if found[3] is None else Quantity(60 * number + second, UNITS["s"])
    found = _OF_DAY_IN_GERMAN.fullmatch(text)
    if found is not None:
        return Quantity(60.0 * int(found[1]) + int(found[2] or 0))
    found = _HOURS.fullmatch(text)
    if found is not None:
        return Quantity(60.0 * int(found[1]) + int(found[2]), UNITS["min"])
    found = _CLOCK_OF_UNIT.fullmatch(text)
    if found is not None:
        unit = UNITS["min" if found[3] in "hH" else "s"]
        return Quantity(60.0 * int(found[1]) + int(found[2]), unit)
    return _on_a_clock(text.strip("()[]. ")) if ":" in text else None


def _bare(word: str | None) -> str:
    if word is None:
        return ""
    bare = "".join(word.replace(".", "").split())
    return BY_CASE.get(bare) or bare.casefold()


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


def _number(digits: str, of_decimals: str) -> float | None:
    """Read the digits of a number, with any signs of thousands and decimals.

    One sign before three digits is one of decimals where it is `of_decimals`, and after a zero.
    """
    found = _NUMBER.fullmatch(digits.lower())
    if found is None:
        return None
    sign, whole, group, decimal, fraction, exponent = found.groups()
    if group and group == decimal:
        return None
    is_decimal = group == of_decimals or (group in (",", ".") and whole.startswith("0"))
    if is_decimal and decimal is None and whole.count(group) == 1:
        plain = whole.replace(",", ".")
    else:
        plain = whole.replace(group or " ", "") + "." + (fraction or "")
    try:
        number = float(plain + (exponent or ""))
    except ValueError:
        return None
    return (-number if sign and sign != "+" else number) if math.isfinite(number) else None
