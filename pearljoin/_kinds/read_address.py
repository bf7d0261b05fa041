"""Street addresses in parts: number, street, direction, unit, locality."""

from __future__ import annotations

import re
from typing import NamedTuple

from pearljoin._kinds.address_units import Unit, write_unit
from pearljoin._kinds.street_words import (
    COMPOUND_ENDS,
    COUNTED_IN_FLATS,
    DIRECTIONS,
    EXPANSIONS,
    NUMBER_SIGNS,
    ORDINALS,
    STREET_TYPES,
    UNIT_WORDS,
)
from pearljoin._kinds.units_abroad import take_units_abroad
from pearljoin._text.lexicon import SMALL_WORDS
from pearljoin._text.normalise import mend, normalise

__all__ = ["Address", "read_address", "read_with_units"]

SHORTEST_NAME = 3
"""Letters of a name before the end of a compound: "Hauptstr." is a street, "Str." is a word."""

_LINES = re.compile(r"[,;\n|]+")
_POST_BOX = re.compile(r"\b(?:p\.?\s*o\.?\s*b(?:o?x)?|post(?:al)?\s+(?:office\s+)?box)\b\.?", re.I)
_UNIT_SIGN = re.compile(r"#\s*(?=\w)")
_HOUSE_NUMBER = re.compile(r"\d+[^\W\d_]?")
_FEW_DIGITS = re.compile(r"\d{1,4}[^\W\d_]?")
_UNIT = re.compile(r"\d+[^\W\d_]{0,2}|[^\W\d_]\d*|[^\W\d_]{2}")
_NAMED = rf"(?<!\w)(?:{'|'.join(UNIT_WORDS)})\W{{1,3}}"
_SIGNS_WITHIN = (
    re.compile(rf"({_NAMED}\d{{1,4}})[-/](?=[^\W\d_](?!\w))", re.IGNORECASE),
    re.compile(rf"({_NAMED}[^\W\d_])-(?=\d{{1,4}}(?!\w))", re.IGNORECASE),
)
"""Signs within the flats *4-B*, *4/B* and *B-4*."""
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)")
_ENDS = tuple(COMPOUND_ENDS)
_OTHER_PARTS = frozenset(["floor", "building", "lot", "department"])
"""Words that name no flat."""


class Address(NamedTuple):
    """A street address in parts, normalised; empty where there is none.

    Attributes
    ----------
    number
        House number, with its letter; "34-12" for two.
    street
        Words of the street's name, abbreviations written out.
    kind
        Kind of the street: "street", "avenue".
    directions
        "north" and so on, sorted.
    unit
        Number of the flat, suite or floor.
    locality
        What is left: city, postal code.
    """

    number: str
    street: tuple[str, ...]
    kind: str
    directions: tuple[str, ...]
    unit: str
    locality: tuple[str, ...]


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
    >>> read_address("C/ Mayor nº 8, 2º B").unit
    'floor2 doorb'
    """
    found = read_with_units(text)
    return None if found is None else found[0]


def read_with_units(text: str) -> tuple[Address, tuple[Unit, ...]] | None:
    """Read a street address, and all units that it names: building and flat, say.

    Examples
    --------
    >>> found = read_with_units("Building B, Apt 4, 123 Main St")
    >>> found[0].unit, found[1]
    ('buildingb', (Unit(part='building', value='b'), Unit(part='flat', value='4')))
    """
    abroad, mended = take_units_abroad(mend(text))
    marked = _UNIT_SIGN.sub(" unit ", _POST_BOX.sub(" pobox ", mended))
    for sign in _SIGNS_WITHIN:
        marked = sign.sub(r"\1", marked)
    units: list[Unit] = list(abroad)
    lines: list[list[str]] = []
    for part in _LINES.split(marked):
        found, words = _take_unit(normalise(part).split())
        while found:  # "Bldg A Apt 4"
            units.append(found)
            found, words = _take_unit(words)
        if words:
            lines.append(words)
    unit = write_unit(units if abroad else units[:1])
    if not any(character.isalnum() for words in lines for word in words for character in word):
        return None if not units else (Address("", (), "", (), unit, ()), tuple(units))
    at = _street_line(lines)
    number, words = _take_number(lines[at])
    others = lines[:at] + lines[at + 1 :]
    if not number:
        alone = [line for line in others if len(line) == 1 and _FEW_DIGITS.fullmatch(line[0])]
        if alone:
            number = alone[0][0]
            others.remove(alone[0])
    street, kind, directions, rest = _split_street(words)
    locality = [EXPANSIONS.get(word, word) for line in [rest, *others] for word in line]
    return Address(number, street, kind, directions, unit, tuple(locality)), tuple(units)


def _take_unit(words: list[str]) -> tuple[Unit | None, list[str]]:
    """Take the unit out of the words of a line: a flat 4, and the rest, of "apt 4"."""
    at = 0
    while at < len(words):
        last = at
        # "apt unit 4" of "Apt #4"
        while last + 2 < len(words) and words[last] in UNIT_WORDS and words[last + 1] in UNIT_WORDS:
            last += 1
        words = words if last == at else [*words[:at], *words[last:]]
        name = UNIT_WORDS.get(words[at])
        if name is not None:
            part = name if name in _OTHER_PARTS else "flat"
            value, rest = _take_value(words[at + 1 :])
            if value:
                return Unit(part, value), [*words[:at], *rest]
            if at and _ORDINAL.fullmatch(words[at - 1]):  # "2nd floor"
                return Unit(part, words[at - 1][:-2]), [*words[: at - 1], *words[at + 1 :]]
        at += 1
    return None, words


def _take_value(words: list[str]) -> tuple[str, list[str]]:
    """Take the value of a unit out of the words behind its name; "" where they name none.

    Listings have such words: "flat to let", "room in a house", "apartment 2 bedrooms".
    """
    is_signed = len(words) > 1 and words[0] in NUMBER_SIGNS
    value, *rest = words[is_signed:] or [""]
    is_word = len(value) == 2 and value in SMALL_WORDS
    is_unit = _UNIT.fullmatch(value) or _ORDINAL.fullmatch(value)
    if is_word or not is_unit or (rest and rest[0] in COUNTED_IN_FLATS):
        return "", words
    letter = rest[0] if len(rest) == 1 and rest[0] not in DIRECTIONS else ""
    if value.isdigit() and len(letter) == 1 and letter.isalpha():  # "4 B"
        return value + letter, []
    return value, rest


def _street_line(lines: list[list[str]]) -> int:
    """Find the line of the street: with a number or the kind of a street beside a name."""

    def score(words: list[str]) -> int:
        has_name = any(not word[0].isdigit() for word in words)
        has_number = any(_FEW_DIGITS.fullmatch(word) for word in words)
        has_kind = any(word in STREET_TYPES or _compound(word) for word in words)
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


def _split_street(
    words: list[str],
) -> tuple[tuple[str, ...], str, tuple[str, ...], list[str]]:
    """Split the words of a line: the street's name, kind and directions, and what follows."""
    name: list[str] = []
    directions: list[str] = []
    kind, end = "", len(words)
    for at, word in enumerate(words):
        is_kind, compound = word in STREET_TYPES, _compound(word)
        if word in DIRECTIONS and (name or not _is_name(words, at)):
            directions.append(DIRECTIONS[word])
        elif kind and not (is_kind and words[at - 1] in STREET_TYPES):
            end = at
            break
        elif is_kind and name:
            # "Sunset Park Way": what looked like the kind is part of the name.
            name += [kind] if kind else []
            kind = STREET_TYPES[word]
        elif compound:
            name.append(compound[0])
            kind = compound[1]
        elif word not in SMALL_WORDS or len(word) == 1:
            # Before a name "St" is a saint, and any other kind part of the name: "Park Avenue".
            spelled = "saint" if word == "st" else EXPANSIONS.get(word, word)
            name.append(ORDINALS.get(spelled, spelled))
    return tuple(name), kind, tuple(sorted(directions)), words[end:]


def _is_name(words: list[str], at: int) -> bool:
    """Tell whether a direction that stands first is the street's name, as in "North Avenue"."""
    kinds = [word in STREET_TYPES for word in words[at + 1 : at + 3]]
    return not kinds or (kinds[0] and kinds[1:] != [True])


def _compound(word: str) -> tuple[str, str] | None:
    """Split a word such as "hauptstr" into name and kind of the street."""
    if not word.endswith(_ENDS):
        return None
    for end, kind in COMPOUND_ENDS.items():
        if word.endswith(end) and len(word) >= len(end) + SHORTEST_NAME:
            return word.removesuffix(end), kind
    return None
