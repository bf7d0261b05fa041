"""Stairs, floors and doors of addresses, as they are written outside English."""

from __future__ import annotations

import re
from typing import NamedTuple

from pearljoin._kinds.unit_words import (
    ALONE,
    BLOCKS,
    CLEAR_FLATS,
    CLEAR_FLOORS,
    DOORS,
    FLATS,
    FLOORS,
    GROUND,
    SIDES,
)

__all__ = ["Units", "merge_units", "take_clear_units", "take_units", "write_units"]

MOST_FLOORS = 2
"""Digits of a floor at most, and of one of its doors."""

_NUMBER_SIGNS = frozenset(["n", "no", "nr", "nro", "num", "numero"])
_VALUE = re.compile(r"\d{1,5}[^\W\d_]?|[^\W\d_]\d{0,3}")
_ORDINAL = re.compile(r"(\d{1,2})(?:o|er|ero|do|ro|to|mo|vo|eme|ieme)")
_NUMBERED = re.compile(r"(\d{1,2})[^\W\d_]{0,4}")
_ORDINAL_DOOR = re.compile(r"(\d{1,2})(?:o|a)")
_FLOOR = re.compile(rf"-?\d{{1,{MOST_FLOORS}}}")
_FLOOR_AND_DOOR = re.compile(rf"\d{{1,{MOST_FLOORS}}}[^\W\d_]")
_LETTER = re.compile(r"[^\W\d_]")


class Units(NamedTuple):
    """Parts of a building, each "" where it is not named.

    Attributes
    ----------
    block
        Stairs, blocks and the like, each with its word: "stairb".
    floor
        Number of the floor, or a word for it: "ground".
    door
        Letter, number or side of one of its doors.
    flat
        Number or letter of a flat, that needs no floor.
    """

    block: tuple[str, ...] = ()
    floor: str = ""
    door: str = ""
    flat: str = ""


def take_units(words: list[str], *, is_behind_number: bool) -> tuple[Units, list[str]]:
    """Take the parts of a building out of the words of a line: floor 2, door "a" of "2o a".

    Parameters
    ----------
    words
        Normalised; an ordinal sign is an "o" at the end of its number.
    is_behind_number
        Whether the line stands behind the house number, so that bare numbers and letters are a
        floor and a door ("2 A").

    Examples
    --------
    >>> take_units(["esc", "b", "2o", "izda"], is_behind_number=True)[0]
    Units(block=('stairb',), floor='2', door='left', flat='')
    """
    if is_behind_number and (bare := _bare(words)) is not None:
        return bare, []
    found, rest, at = Units(), list[str](), 0
    while at < len(words):
        taken = _take_at(words, at, found)
        if taken is None:
            rest.append(words[at])
            at += 1
        else:
            found, at = taken
    return found, rest


def take_clear_units(words: list[str]) -> tuple[Units, list[str]]:
    """Take those parts of a building out of a line whose words are clear in any language.

    Examples
    --------
    >>> take_clear_units(["3", "og", "links"])
    (Units(block=(), floor='3', door='left', flat=''), [])
    """
    is_ground = len(words) == 1 and words[0] in ("eg", "dg", "erdgeschoss", "dachgeschoss")
    if is_ground or not (CLEAR_FLOORS | CLEAR_FLATS | ALONE).isdisjoint(words):
        return take_units(words, is_behind_number=False)
    return Units(), words


def merge_units(one: Units, other: Units) -> Units:
    """Add what another line says; the first floor, door and flat count."""
    return Units(
        (*one.block, *other.block),
        one.floor or other.floor,
        one.door or other.door,
        one.flat or other.flat,
    )


def write_units(units: Units) -> str:
    """Write the parts of a building as words that can be compared.

    A door is one of its floor, so both are one word: another door is another flat. The number of a
    flat says by itself which one it is, and is a word of its own.

    Examples
    --------
    >>> write_units(Units(floor="2", door="a")), write_units(Units(("blockb",), "3", flat="12"))
    ('2-a', 'blockb floor3 12')
    """
    block, floor, door, flat = units
    if flat.isalpha() and floor and not door:  # "piso 2, depto B" is "2o B"
        door, flat = flat, ""
    if flat and not floor and _FLOOR_AND_DOOR.fullmatch(flat):  # "apto 2B"
        floor, door, flat = flat[:-1], flat[-1], ""
    named = f"{floor}-{door}" if floor and door else floor and f"floor{floor}"
    return " ".join(filter(None, [*sorted(block), named or door, flat]))


def _bare(words: list[str]) -> Units | None:
    """Read a line of a floor and a door without their words: "2 A", "2A", "2", "A", "3 izda"."""
    if len(words) == 1:
        word = words[0]
        if _FLOOR_AND_DOOR.fullmatch(word) and not word.endswith("o"):
            return Units(floor=word[:-1], door=word[-1])
        if _LETTER.fullmatch(word) or (word in SIDES and word != "centro"):
            return Units(door=SIDES.get(word, word))
        return Units(flat=word) if word.isdigit() and len(word) <= MOST_FLOORS else None
    if len(words) == 2 and _FLOOR.fullmatch(words[0]):
        door = _door(words, 1)
        return Units(floor=words[0], door=door) if door else None
    return None


def _take_at(words: list[str], at: int, found: Units) -> tuple[Units, int] | None:
    """Take the part of a building that begins at a word, and the place of the word behind it."""
    word = words[at]
    value_at = at + 2 if at + 1 < len(words) and words[at + 1] in _NUMBER_SIGNS else at + 1
    value = words[value_at] if value_at < len(words) else ""
    is_value = _VALUE.fullmatch(value) is not None
    if word in BLOCKS and is_value:
        return found._replace(block=(*found.block, BLOCKS[word] + value)), value_at + 1
    if word in DOORS and (is_value or value in SIDES):
        return found._replace(door=_plain(value)), value_at + 1
    floor = _take_floor(words, at)
    if floor is not None and not found.floor:
        return _with_door(words, floor[1], found._replace(floor=floor[0]))
    if word in FLATS and is_value and not found.flat:
        return found._replace(flat=value), value_at + 1
    if word in ALONE:
        return found._replace(block=(*found.block, SIDES.get(word, word))), at + 1
    return None


def _take_floor(words: list[str], at: int) -> tuple[str, int] | None:
    """Read a floor at a word: "piso 2", "2 piso", "2o", "bajo", "planta baja"."""
    word, after = words[at], words[at + 1] if at + 1 < len(words) else ""
    numbered = _NUMBERED.fullmatch(after if word in FLOORS else word)
    if word in FLOORS and after in GROUND:
        return GROUND[after], at + 2
    if numbered and (word in FLOORS or after in FLOORS):
        return numbered[1], at + 2
    ordinal = _ORDINAL.fullmatch(word)
    if ordinal:
        return ordinal[1], at + 1
    # Elsewhere it is a word of a name: "Baja California", "Frankfurt am Main".
    return (GROUND[word], at + 1) if word in GROUND and at == 0 else None


def _with_door(words: list[str], at: int, found: Units) -> tuple[Units, int]:
    """Add the door that stands behind a floor, if one does."""
    door = _door(words, at)
    return (found._replace(door=door), at + 1) if door else (found, at)


def _door(words: list[str], at: int) -> str:
    word = words[at] if at < len(words) else ""
    if _LETTER.fullmatch(word) or word in SIDES or _ORDINAL_DOOR.fullmatch(word):
        return _plain(word)
    return word if word.isdigit() and len(word) <= MOST_FLOORS else ""


def _plain(word: str) -> str:
    """A door as it is compared: the number of an ordinal, the first word of a side."""
    ordinal = _ORDINAL_DOOR.fullmatch(word)
    return ordinal[1] if ordinal else SIDES.get(word, word)
