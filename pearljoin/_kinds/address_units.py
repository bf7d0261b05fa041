"""Units of a building: flats, floors, doors, and how those of two addresses compare."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple, TypeAlias, get_args

__all__ = ["PARTS", "Part", "Unit", "by_part", "write_unit"]

Part: TypeAlias = Literal["building", "floor", "door", "flat", "lot", "department"]
PARTS: tuple[Part, ...] = get_args(Part)
"""Parts that a unit may be. Two addresses with two values of one part have different units; two
parts, *Suite 210* and *2nd Floor*, may be of one unit."""


class Unit(NamedTuple):
    """A part of a building.

    Attributes
    ----------
    part
        One of `PARTS`; suites and rooms are flats.
    value
        Its number, letter, or the word for it.
    """

    part: str
    value: str


def by_part(units: Iterable[Unit]) -> dict[str, str]:
    """Give the value of each part, the first one where there are several.

    Zeros before a number do not count, and a letter behind the number of a floor, as in the flat
    *2b* beside *2º B*, is not split off.

    Examples
    --------
    >>> by_part([Unit("floor", "02"), Unit("door", "b")])
    {'floor': '2', 'door': 'b'}
    """
    found: dict[str, str] = {}
    for part, value in units:
        found.setdefault(part, value.lstrip("0") or value)
    return found


def write_unit(units: Iterable[Unit]) -> str:
    """Write units as words that are equal for equal units.

    A flat has no word before its number.

    Examples
    --------
    >>> write_unit([Unit("door", "b"), Unit("floor", "2")])
    'floor2 doorb'
    """
    found = by_part(units)
    return " ".join(
        (part if part != "flat" else "") + found[part] for part in PARTS if part in found
    )
