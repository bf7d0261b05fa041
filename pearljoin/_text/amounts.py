"""Amounts in a text, written in one way: *0,5 l* is *500 ml*, and *1/2 in* is *0.5 in*.

Products and drugs are told apart by how much of them there is, and each source writes that in units
of its own. Only masses and volumes are levelled: an *m* may be a million, and *90 x 200* names a
board as *90 x 200 cm* does, so that its second side is better left as it stands.
"""

from __future__ import annotations

import re
from decimal import Decimal

__all__ = ["UNITS", "level_amounts", "with_point", "with_points"]

_MEASURES = (
    r"in(?! ?[^\W\d])|in(?= ?[x\u00d7] ?\d)|ins|inch|inches|ft|foot|feet|yd|yards?|miles?|lbs?|oz|"
    "cups?|tsp|tbsp|gal|gallons?|qt|quarts?|pints?|hp|tons?|kg|ml|cm|mm|l|ltr|lit(?:er|re)s?"
)
_INCHES = "[\"\u201d\u2033]|''"
_TIMES = "[x\u00d7]"
_FRACTION = re.compile(
    rf"(?<![\d/.,])(?:(?P<factor>(?<=[\d\"] {_TIMES} )|(?<=\d{_TIMES})|(?<=\din {_TIMES} )|"
    rf"(?<= in {_TIMES} ))|)"
    r"(?:(\d{1,2})[ -])?(\d{1,2})[/\u2044](2|3|4|5|6|8|10|12|16|32|64)(?![\d/\u2044]|[.,]\d)"
    rf"(?(factor)|(?= ?{_TIMES} ?\d| ?-?(?:{_INCHES}|(?:{_MEASURES})(?![^\W_]))))"
)
"""A fraction before a unit, or in a size: *1/2 in*, *1 1/2"*, *3/4-inch*, *#8 x 1-1/4*. Elsewhere a
stroke stands between a flat and a house, or a day and a month."""

_LADDERS = (
    (
        (1, 0, "mcg", "ug \u03bcg microgram micrograms"),
        (1_000, 1_000, "mg", "milligram milligrams milligramm"),
        (10**6, 2 * 10**6, "g", "gr gram grams gramm gramme grammes gramos"),
        (10**9, 10**9, "kg", "kgs kilo kilos kilogram kilograms kilogramm kilogrammes"),
    ),
    (
        (1, 0, "ml", "millilitre millilitres milliliter milliliters"),
        (10, None, "cl", ""),
        (100, None, "dl", ""),
        (1_000, 1_000, "l", "ltr ltrs litre litres liter liters litro litros"),
    ),
)
"""Units of mass and of volume: how many of the smallest each is, from how many on amounts are
written in it, and other spellings. They are chosen so that the number is the one that texts without
a unit have: a drug of 1000 mg, an engine of 1.4 l."""

_UNITS = {
    spelling: (factor, ladder)
    for ladder in _LADDERS
    for factor, _, unit, others in ladder
    for spelling in (unit, *others.split())
}
_SPELLINGS = "|".join(sorted(_UNITS, key=len, reverse=True))
_OTHERS = "mm|cm|m|km|in|inch|zoll|v|w|kw|ah|ghz|hz|%|gb|tb|oz"
UNITS = f"{_SPELLINGS}|{_OTHERS}"
"""A pattern of units that are written after a number."""


_COMMA = re.compile(
    r"(?<![\d.,])(?:\d{1,3}(?:,\d{3})+|\d{1,4},\d{1,3})"
    rf"(?= ?-?(?:{UNITS})(?![^\W_]))"
)
_THOUSANDS = re.compile(rf"(?<!\S)(?<!\d )([1-9]\d{{0,2}}) (0\d\d)(?= ?(?:{_SPELLINGS})(?!\S))")
"""Of *1 500 ml* nothing says whether these are thousands, of *1 000 ml* the nought does."""

_AMOUNT = re.compile(
    r"(\d(?:(?<!\S\d)|(?<=\dx\d))(?<!0(?=\d))(?<![2-6](?=g(?!\S)))\d{0,5})"
    rf"(?:\.(\d{{1,6}}))? ?({_SPELLINGS})(?!\S)"
)
"""An amount: *330 ml*, *6x330ml*. Not *5g*, which is a network, and *007 g*. What stands before it
is asked for after its first digit: a pattern that begins with a digit is found twice as fast."""


def with_points(text: str) -> str:
    """Write numbers before a unit with a decimal point, whether a comma or a fraction was there.

    Parameters
    ----------
    text
        A text in lower case, with its punctuation.

    Examples
    --------
    >>> with_points("cola 0,5 l"), with_points("flour, 1,000 g"), with_points('pipe 1 1/2"')
    ('cola 0.5 l', 'flour, 1000 g', 'pipe 1.5"')
    """
    # Patterns are sought where their sign is: most of a million names have none.
    if "/" in text or "\u2044" in text:
        text = _FRACTION.sub(_decimal, text)
    return _COMMA.sub(with_point, text) if "," in text else text


def level_amounts(text: str) -> str:
    """Write each mass and volume in the unit of its size.

    Parameters
    ----------
    text
        A normalised text: words with blanks between them.

    Examples
    --------
    >>> level_amounts("cola 0.5 l"), level_amounts("cola 50cl"), level_amounts("flour 1000 grams")
    ('cola 500 ml', 'cola 500 ml', 'flour 1 kg')
    """
    if " 0" in text:
        text = _THOUSANDS.sub(r"\1\2", text)
    return _AMOUNT.sub(_level, text)


def _decimal(found: re.Match[str]) -> str:
    """Write a fraction as a decimal, rounded to what a ruler has; as it stands if it is none."""
    whole, above, below = int(found[2] or 0), int(found[3]), int(found[4])
    return f"{whole + above / below:.6g}" if 0 < above < below else found[0]


def with_point(found: re.Match[str]) -> str:
    """Leave out the commas of thousands, and write that of decimals as a point."""
    whole, *groups = found[0].split(",")
    are_thousands = whole[0] != "0" and len(whole) < 4 and all(len(each) == 3 for each in groups)
    return found[0].replace(",", "" if are_thousands else ".")


def _level(found: re.Match[str]) -> str:
    whole, decimals, spelling = found.groups()
    factor, ladder = _UNITS[spelling]
    # Of "1.500 ml" nothing says whether these are thousands.
    if decimals is not None and len(decimals) == 3 and whole != "0":
        return found[0]
    amount = factor * Decimal(f"{whole}.{decimals or 0}")
    for size, least, unit, _ in reversed(ladder):
        if least is not None and amount >= max(least, 1):
            return f"{(amount / size).normalize():f} {unit}"
    return found[0]
