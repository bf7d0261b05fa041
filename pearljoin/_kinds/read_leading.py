"""Street addresses outside English: the house number stands behind the street, the unit last.

That are those with the kind of the street before its name ("Calle Mayor 8, 2o B"), and those whose
street ends with its kind ("Hauptstr. 12, 3. OG").
"""

from __future__ import annotations

import re
from typing import NamedTuple

from pearljoin._kinds.address_parts import Address, split_compound, split_street
from pearljoin._kinds.leading_words import (
    BEHIND_NUMBER,
    DUTCH_ENDS,
    FOLLOWED_KINDS,
    LEADING,
    MONTHS,
    NAME_WORDS,
    SLASHED_FLATS,
    UNCLEAR_LEADING,
)
from pearljoin._kinds.read_units import (
    Units,
    merge_units,
    take_clear_units,
    take_units,
    write_units,
)
from pearljoin._kinds.street_words import EXPANSIONS, NUMBER_SIGNS, STREET_TYPES
from pearljoin._text.lexicon import SMALL_WORDS
from pearljoin._text.normalise import normalise

__all__ = ["read_leading"]

_PARTS = re.compile(r"[,;\n|]+|\s[-–—]+\s")
_SIGNS = (
    (re.compile(r"\bs\s?/\s?n[º°]?(?!\w)", re.IGNORECASE), " sn "),
    (re.compile(r"(?<!\w)r\s?/\s?c(?!\w)", re.IGNORECASE), " rc "),
    (re.compile(r"(?<!\w)c\s?/\s?(?=[^\W\d_]{2}|\d)", re.IGNORECASE), " calle "),
    (re.compile(r"(?<!\w)p\.?[º°]", re.IGNORECASE), " paseo "),
    (re.compile(r"(?<!\w)n\.?\s?[º°.]\s?(?=\d)|#\s?(?=\d)", re.IGNORECASE), " nr "),
    (re.compile(r"(?<=\d)\s?\.?[ºª°]"), "o "),
    # As in Austria: house, stairs and flat.
    (re.compile(r"(?<!\S)(\d{1,4}[a-z]?)/(\d{1,2})/(\d{1,3})(?!\S)"), r"\1 stiege \2 top \3"),
    (re.compile(r"(?<=\d)\s?/\s?(?=\d)"), " slash "),
    (re.compile(r"(?<=\d)\s?[-–]\s?(?=\d)"), " dash "),
    (re.compile(r"(?<=\d)[-/](?=[^\W\d_](?!\w))"), ""),
    (re.compile(r"(?<=\d)\s?-\s?(?=[ivx]{1,4}\b)", re.IGNORECASE), " dash "),
)
"""Signs whose meaning is lost as punctuation goes, as words."""

_HOUSE = re.compile(r"\d{1,6}[^\W\d_]?")
_SHORT_HOUSE = re.compile(r"\d{1,4}[^\W\d_]?")
_YEAR = re.compile(r"1[5-9]\d\d|20\d\d")
_FLOOR_BEHIND = re.compile(r"\d{1,2}o")
_BEFORE = NUMBER_SIGNS | frozenset(["n", "km", "д", "дом", "dom"])
_UNNUMBERED = "sn"
_REPEATED = {"bis": "b", "ter": "t", "quater": "q"}
"""Letters for what stands behind a number that is given a second time."""

_ROMAN = {"hs": "hs", "huis": "hs", "i": "1", "ii": "2", "iii": "3", "iv": "4", "v": "5"}
"""Floors behind Dutch house numbers."""

_OF_DATES = frozenset(["de", "di", "du"])
_LEFT_OUT = SMALL_WORDS | {"dash", "slash"}


class _Street(NamedTuple):
    """A street and its number: the words of its line, and what stands behind them there."""

    words: list[str]
    number: str
    flat: str
    rest: list[str]
    n_parts: int


def read_leading(text: str) -> Address | None:
    """Read an address whose number stands behind the street; None where that is not clear.

    Examples
    --------
    >>> read_leading("C/ Mayor nº 8, 2º B, 28013 Madrid")[:5]
    ('8', ('calle', 'mayor'), '', (), '2-b')
    >>> read_leading("Hauptstr. 12, 3. OG")[4], read_leading("12 Main St, Apt 3")
    ('floor3', None)
    """
    for pattern, word in _SIGNS:
        text = pattern.sub(word, text)
    parts = [words for part in _PARTS.split(text) if (words := normalise(part).split())]
    if any(map(_is_english, parts)):
        return None
    for at, words in enumerate(parts):
        after = parts[at + 1] if at + 1 < len(parts) else []
        street = _with_leading_kind(words, after) or _behind_number(words, after)
        street = street or _with_kind_behind(words)
        if street is not None:
            return _write(street, parts[:at], parts[at + max(1, street.n_parts) :])
    return None


def _is_english(words: list[str]) -> bool:
    """Tell whether a line is a street behind its number, of a kind that stands last."""
    if not _SHORT_HOUSE.fullmatch(words[0]) or not BEHIND_NUMBER.isdisjoint(words[1:3]):
        return False
    is_last = len(words) > 2 and words[-1] in STREET_TYPES
    return is_last or any(word in STREET_TYPES and word not in LEADING for word in words[2:])


def _with_leading_kind(words: list[str], after: list[str]) -> _Street | None:
    """Read a line that begins with the kind of a street: its number is the first behind a name."""
    kind = LEADING.get(words[0])
    if kind is None:
        return None
    at = _number_place(words)
    if at is not None:
        number, flat, end = _read_number(words, at, kind)
        name_end = at - (words[at - 1] in _BEFORE)
        return _Street([kind, *words[1:name_end]], number, flat, words[end:], 1)
    next_at = int(bool(after) and after[0] in _BEFORE)
    is_next = len(after) > next_at and (
        _SHORT_HOUSE.fullmatch(after[next_at]) or after[next_at] == _UNNUMBERED
    )
    if len(words) > 1 and is_next:
        number, flat, end = _read_number(after, next_at, kind)
        return _Street([kind, *words[1:]], number, flat, after[end:], 2)
    is_clear = len(words) > 1 and words[0] not in UNCLEAR_LEADING
    return _Street([kind, *words[1:]], "", "", [], 1) if is_clear else None


def _number_place(words: list[str]) -> int | None:
    """Find the house number in a line that begins with the kind of the street."""
    if _UNNUMBERED in words[2:]:
        return words.index(_UNNUMBERED, 2)
    places = [at for at in range(2, len(words)) if _HOUSE.fullmatch(words[at])]
    signed = [at for at in places if words[at - 1] in _BEFORE]
    if signed:
        return signed[0]
    return next((at for at in places if not _is_of_date(words, at)), None)


def _is_of_date(words: list[str], at: int) -> bool:
    """Tell whether a number is the day or the year of a date that a street is named after."""
    after = words[at + 1] if at + 1 < len(words) else ""
    is_year = _YEAR.fullmatch(words[at]) is not None and words[at - 1] in MONTHS
    return is_year or after in MONTHS or (after in _OF_DATES and words[at].isdigit())


def _behind_number(words: list[str], after: list[str]) -> _Street | None:
    """Read a line such as "12 bis rue de la Paix", also in two: "12", "rue de la Paix"."""
    if not _SHORT_HOUSE.fullmatch(words[0]):
        return None
    number, _, end = _read_number(words, 0, "")
    line, n_parts = (words[end:], 1) if end < len(words) else (after, 2)
    if len(line) < 2 or line[0] not in BEHIND_NUMBER:
        return None
    if line[0] == "r" and not STREET_TYPES.keys().isdisjoint(line[1:]):
        return None  # "12 R Street"
    stop = next((at for at in range(2, len(line)) if line[at].isdigit() and len(line[at]) == 5), 99)
    kind = "rue" if line[0] == "r" else LEADING[line[0]]
    return _Street([kind, *line[1:stop]], number, "", line[stop:], n_parts)


def _with_kind_behind(words: list[str]) -> _Street | None:
    """Read a line such as "Hauptstr. 12" or "Lange Straße 12": a kind, and the number behind it."""
    for at in range(1, len(words)):
        before = words[at - 1]
        is_kind = split_compound(before) is not None or (at > 1 and before in FOLLOWED_KINDS)
        if is_kind and _SHORT_HOUSE.fullmatch(words[at]) and not words[0][0].isdigit():
            number, flat, end = _read_number(words, at, before)
            return _Street(words[:at], number, flat, words[end:], 0)
    return None


def _read_number(words: list[str], at: int, kind: str) -> tuple[str, str, int]:
    """Read a house number: with its letter, the flat behind a slash, and where it ends."""
    number, end = words[at], at + 1
    after, value = [*words[end : end + 2], "", ""][:2]
    is_signed = after in ("slash", "dash") and not _FLOOR_BEHIND.fullmatch(value)
    if kind.endswith(DUTCH_ENDS) and (value if is_signed else after) in _ROMAN:
        floor = _ROMAN[value if is_signed else after]
        return f"{number}-{floor}", "", end + 1 + is_signed
    if is_signed and kind in SLASHED_FLATS and after == "slash":
        return number, value, end + 2
    if is_signed:
        return f"{number}-{value}", "", end + 2
    if after == "dash":
        return number, "", end + 1
    if after in _REPEATED and number.isdigit():
        return number + _REPEATED[after], "", end + 1
    is_letter = len(after) == 1 and after.isalpha() and number.isdigit()
    if is_letter and end + 1 == len(words):
        return number + after, "", end + 1
    return number, "", end


def _write(street: _Street, before: list[list[str]], behind: list[list[str]]) -> Address:
    """Join the street with the units and the locality of the other lines."""
    units, locality = Units(flat=street.flat), list[str]()
    for words in before:
        found, rest = take_units(words, is_behind_number=False)
        units, locality = merge_units(units, found), [*locality, *rest]
    is_near = True
    for words in [street.rest, *behind]:
        found, rest = (
            take_units(words, is_behind_number=bool(street.number))
            if is_near
            else take_clear_units(words)
        )
        units, locality = merge_units(units, found), [*locality, *rest]
        # Behind the town a letter is no door, and a word for a floor part of a name.
        is_near = is_near and not rest
    place = tuple(EXPANSIONS.get(word, word) for word in locality if word not in _LEFT_OUT)
    name, kind, directions = _name(street)
    return Address(street.number, name, kind, directions, write_units(units), place)


def _name(street: _Street) -> tuple[tuple[str, ...], str, tuple[str, ...]]:
    """Words of the street's name, its kind behind it, and directions."""
    if not street.n_parts:
        name, kind, directions, rest = split_street(street.words)
        return (*name, *rest), kind, directions
    kind, *others = street.words
    words = [word for word in others if word not in SMALL_WORDS or len(word) == 1]
    return (kind, *(NAME_WORDS.get(word, word) for word in words)), "", ()
