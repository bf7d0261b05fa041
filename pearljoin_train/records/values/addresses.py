"""Addresses: street in a column of its own, or the whole address in one; postcodes."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from pearljoin_train.records.values.names import Case
from pearljoin_train.records.values.slips import (
    abbreviate,
    change_digit,
    cut_off,
    drop_word,
    join_words,
    lose_accents,
    mishear,
    misread,
    misspell,
    swap_digits,
    swap_words,
)
from pearljoin_train.records.values.style import Slip, Style, TextSlip

__all__ = ["Address", "AddressStyle", "PostcodeStyle", "StreetStyle"]


class Address(NamedTuple):
    """An address in parts."""

    number: str
    street: str
    """The name of the street, without its type."""
    types: tuple[str, ...]
    """Forms of the type, the full one first."""
    direction: tuple[str, ...]
    """Forms of North and the like; empty where there is none."""
    unit: str
    """Number of the flat; mostly empty."""
    town: tuple[str, ...]
    """The town and its aliases."""
    region: tuple[str, ...]
    postcode: str
    country: tuple[str, ...]
    street_pattern: str
    """Such as ``"{number} {name} {type}"``."""
    town_pattern: str
    """Such as ``"{town}, {region} {postcode}"``."""


def change_number(address: Address, rng: Random) -> Address:
    """Change a digit of the house number."""
    return address._replace(number=change_digit(address.number, rng))


def lose_unit(address: Address, rng: Random) -> Address:
    """Leave out the flat."""
    return address._replace(unit="")


def lose_number(address: Address, rng: Random) -> Address:
    """Leave out the house number."""
    return address._replace(number="")


def lose_type(address: Address, rng: Random) -> Address:
    """Leave out the street's type, where that is a word of its own."""
    return address._replace(types=("",)) if " {type}" in address.street_pattern else address


def lose_direction(address: Address, rng: Random) -> Address:
    """Leave out North and the like."""
    return address._replace(direction=())


UNITS = (
    ", Apt {unit}",
    " Apt. {unit}",
    " #{unit}",
    ", Unit {unit}",
    ", Flat {unit}",
    " ste {unit}",
)


class StreetStyle(Style[Address]):
    """Streets with house numbers."""

    slips: Sequence[Slip[Address]] = (
        change_number,
        lose_unit,
        lose_number,
        lose_type,
        lose_direction,
    )
    text_slips: Sequence[TextSlip] = (
        misspell,
        misspell,
        mishear,
        misread,
        lose_accents,
        join_words,
        cut_off,
        swap_words,
    )

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self._case = Case(rng)
        self._form = rng.choice((0, 1, 1, 2, -1))
        self._unit = rng.choice(UNITS)
        self._is_unit_first = rng.random() < 0.1

    def write(self, value: Address, rng: Random) -> str:
        """Write the street in the order of its country."""
        return self._case(self._street(value, rng))

    def _street(self, value: Address, rng: Random) -> str:
        types, name = value.types, value.street
        # Form -1 mixes all forms.
        form = rng.randrange(len(types)) if self._form < 0 else min(self._form, len(types) - 1)
        if value.direction:
            direction = value.direction[0 if self._form == 0 else -1]
            name = f"{direction} {name}"
        number = value.number
        if value.unit and self._is_unit_first:
            number = f"{value.unit}/{number}"
        text = value.street_pattern.format(number=number, name=name, type=types[form])
        text = " ".join(text.split()).strip(", ")
        if value.unit and not self._is_unit_first:
            text += self._unit.format(unit=value.unit)
        return text


def lose_postcode(address: Address, rng: Random) -> Address:
    """Leave out the postcode."""
    return address._replace(postcode="")


def lose_street(address: Address, rng: Random) -> Address:
    """Leave the town alone."""
    return address._replace(number="", street="", types=("",), direction=(), unit="")


class AddressStyle(StreetStyle):
    """Whole addresses in one column."""

    slips = (*StreetStyle.slips, lose_postcode, lose_street)
    text_slips = (*StreetStyle.text_slips, drop_word, abbreviate)

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self._between = rng.choice((", ", ", ", " ", "; "))
        self._has_country = rng.random() < 0.3
        self._has_postcode = rng.random() < 0.8
        self._region_form = rng.choice((0, 1))

    def write(self, value: Address, rng: Random) -> str:
        """Write street, town, postcode and perhaps the country."""
        line = value.town_pattern.format(
            town=value.town[0],
            region=value.region[min(self._region_form, len(value.region) - 1)],
            postcode=value.postcode if self._has_postcode else "",
        )
        parts = [self._street(value, rng), " ".join(line.split()).strip(", ")]
        if self._has_country:
            parts.append(value.country[0])
        return self._case(self._between.join(part for part in parts if part))


def lose_end(text: str, rng: Random) -> str:
    """Leave the first part of the postcode."""
    return text.split()[0] if " " in text else text[:3]


class PostcodeStyle(Style[str]):
    """Postcodes: with spaces or without, some with the four further digits of American ones."""

    text_slips = (change_digit, change_digit, swap_digits, misread, lose_end)

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self._has_spaces = rng.random() < 0.7
        self._has_plus_four = rng.random() < 0.1
        self._loses_zeros = rng.random() < 0.1
        self._is_number = rng.random() < 0.04

    def write(self, value: str, rng: Random) -> str:
        """Write the postcode."""
        text = value if self._has_spaces else value.replace(" ", "")
        if text.isdigit() and len(text) == 5 and self._has_plus_four:
            return f"{text}-{rng.randrange(1000, 9999)}"
        if self._loses_zeros:
            text = text.lstrip("0")
        return f"{text}.0" if self._is_number and text.isdigit() else text
