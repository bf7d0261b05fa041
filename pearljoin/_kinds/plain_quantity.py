"""What people write around a number, and in it, that a plain way of writing does without."""

from __future__ import annotations

import re
import unicodedata

__all__ = ["plain_quantity", "read_ordinal"]

_ABOUT = re.compile(
    r"^(?:from|approx\.?|about|ca\.|circa|~|≈|ab(?=\s[\d.,]+\s?(?:€|eur))|[<>≤≥±]=?)"
    r"\s*(?=\S*\s?\d)",
    re.IGNORECASE,
)
_EACH = re.compile(r"\s(?:each|ea\.?)$|(?<=\d)\s?\+$", re.IGNORECASE)
_HYPHEN = re.compile(r"(?<=\d)-(?=[^\W\d_]{3})")  # "15-inch"
_NEGATIVE = re.compile(
    r"([^\d\s()]{0,4})\(([^()]*\d[.,]\d\d)\)"  # as bookkeepers write it: "(12.50)", "$(12.50)"
    r"|(\S*\d[.,]\d\d)-"  # and SAP
)
_FRACTION = re.compile(
    r"(?<![\d/.,])(?:(\d{1,3})[\s-](?=\d{1,2}/\d{1,2}(?!\d)))?(\d{1,2})/(2|3|4|8|16|32|64)"
    r"(?=\s?[^\W\d_]|\s?[\"”″]|$)"
)
_VULGAR = re.compile(r"(\d{0,6})\s?([¼½¾⅐-⅞])")
_ORDINAL = re.compile(r"(\d*(?<!1)(?:1st|2nd|3rd)|\d+th)", re.IGNORECASE)


def plain_quantity(text: str) -> str:
    """Write a quantity without what changes nothing about it, and in decimals.

    That are words and signs around it ("from", "about", "each", "<"), the brackets of a negative
    amount of money, and fractions.

    Examples
    --------
    >>> [plain_quantity(text) for text in ("from $5", "(12.50)", "12.50-", '1 1/2"', "2½ l")]
    ['$5', '-12.50', '-12.50', '1.5"', '2.5 l']
    """
    negative = _NEGATIVE.fullmatch(text)
    if negative is not None:
        before, inside, whole = negative.groups()
        return f"-{whole or (before + inside)}"
    text = _EACH.sub("", _ABOUT.sub("", text))
    text = _FRACTION.sub(_with_decimals, _VULGAR.sub(_without_sign, text))
    return _HYPHEN.sub(" ", text).replace(" per ", "/")


def read_ordinal(text: str) -> float | None:
    """Read an ordinal number in English, of which "1st" is no stone.

    Examples
    --------
    >>> read_ordinal("1st"), read_ordinal("22nd"), read_ordinal("11st")
    (1.0, 22.0, None)
    """
    found = _ORDINAL.fullmatch(text)
    return None if found is None else float(found[1][:-2])


def _with_decimals(found: re.Match[str]) -> str:
    above, below = int(found[2]), int(found[3])
    return found[0] if above >= below else f"{int(found[1] or 0) + above / below:.6g}"


def _without_sign(found: re.Match[str]) -> str:
    return f"{int(found[1] or 0) + unicodedata.numeric(found[2]):.6g}"
