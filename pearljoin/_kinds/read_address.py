"""Street addresses in parts: number, street, direction, unit, locality."""

from __future__ import annotations

import re

from pearljoin._kinds.address_parts import Address, split_compound, split_street
from pearljoin._kinds.read_leading import read_leading
from pearljoin._kinds.read_units import take_clear_units, write_units
from pearljoin._kinds.street_words import (
    DIRECTIONS,
    EXPANSIONS,
    NUMBER_SIGNS,
    STREET_TYPES,
    UNIT_WORDS,
)
from pearljoin._text.normalise import mend, normalise

__all__ = ["Address", "read_address"]

_LINES = re.compile(r"[,;\n|]+")
_POST_BOX = re.compile(r"\b(?:p\.?\s*o\.?\s*b(?:o?x)?|post(?:al)?\s+(?:office\s+)?box)\b\.?", re.I)
_UNIT_SIGN = re.compile(r"#\s*(?=\w)")
_HOUSE_NUMBER = re.compile(r"\d+[^\W\d_]?")
_FEW_DIGITS = re.compile(r"\d{1,4}[^\W\d_]?")
_UNIT = re.compile(r"\d+[^\W\d_]{0,2}|[^\W\d_]\d*|[^\W\d_]{2}")
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)")
_NAMES_FLOOR = frozenset(["floor", "building", "lot", "department"])


def read_address(text: str) -> Address | None:
    """Read a street address; None for text without a letter or digit.

    The parts may stand in any order, in lines or separated by commas.

    Examples
    --------
    >>> address = read_address("Apt. 4, 123 N. Main St, Springfield")
    >>> address.number, address.street, address.kind, address.unit
    ('123', ('main',), 'street', '4')
    >>> read_address("Hauptstr. 12a")[:3]
    ('12a', ('haupt',), 'street')
    """
    mended = _POST_BOX.sub(" pobox ", mend(text))
    leading = read_leading(mended)
    if leading is not None:
        return leading
    marked = _UNIT_SIGN.sub(" unit ", mended)
    unit = ""
    lines: list[list[str]] = []
    for part in _LINES.split(marked):
        found, words = _take_unit(normalise(part).split())
        if not found:
            units, words = take_clear_units(words)
            found = write_units(units)
        unit = unit or found
        if words:
            lines.append(words)
    if not any(character.isalnum() for words in lines for word in words for character in word):
        return None if not unit else Address("", (), "", (), unit, ())
    at = _street_line(lines)
    number, words = _take_number(lines[at])
    others = lines[:at] + lines[at + 1 :]
    if not number:
        alone = [line for line in others if len(line) == 1 and _FEW_DIGITS.fullmatch(line[0])]
        if alone:
            number = alone[0][0]
            others.remove(alone[0])
    street, kind, directions, rest = split_street(words)
    locality = [EXPANSIONS.get(word, word) for line in [rest, *others] for word in line]
    return Address(number, street, kind, directions, unit, tuple(locality))


def _take_unit(words: list[str]) -> tuple[str, list[str]]:
    """Take the unit out of the words of a line: ("4", rest) of "apt 4"."""
    for at, word in enumerate(words):
        name = UNIT_WORDS.get(word)
        if name is None:
            continue
        value = words[at + 1] if at + 1 < len(words) else ""
        if value in UNIT_WORDS and at + 2 < len(words):  # "apt unit 4" of "Apt #4"
            return _take_unit([*words[:at], *words[at + 1 :]])
        mark = name if name in _NAMES_FLOOR else ""
        if _UNIT.fullmatch(value) or _ORDINAL.fullmatch(value):
            return mark + value, [*words[:at], *words[at + 2 :]]
        if at and _ORDINAL.fullmatch(words[at - 1]):  # "2nd floor"
            return mark + words[at - 1][:-2], [*words[: at - 1], *words[at + 1 :]]
    return "", words


def _street_line(lines: list[list[str]]) -> int:
    """Find the line of the street: with a number or the kind of a street beside a name."""

    def score(words: list[str]) -> int:
        has_name = any(not word[0].isdigit() for word in words)
        has_number = any(_FEW_DIGITS.fullmatch(word) for word in words)
        has_kind = any(word in STREET_TYPES or split_compound(word) for word in words)
        return 4 * has_name + 2 * has_number + has_kind

    if len(lines) == 1:
        return 0
    scores = [score(words) for words in lines]
    return scores.index(max(scores))


def _take_number(words: list[str]) -> tuple[str, list[str]]:
    """Take the house number out of the words of a line."""
    for at, word in enumerate(words):
        if not _HOUSE_NUMBER.fullmatch(word):
            continue
        end = at + 1
        while end < len(words) and words[end].isdigit() and end - at < 2:
            end += 1
        number = "-".join(words[at:end])
        after = words[end] if end < len(words) else ""
        if len(after) == 1 and after.isalpha() and number[-1].isdigit():
            last = end + 1 == len(words)
            # "12 N Main St" has a direction there, and "12 A St" the name of the street.
            if last or (after not in DIRECTIONS and words[end + 1] not in STREET_TYPES):
                number, end = number + after, end + 1
        start = at - 1 if at and words[at - 1] in NUMBER_SIGNS else at
        return number, [*words[:start], *words[end:]]
    return "", words
