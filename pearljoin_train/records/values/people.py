"""People's names: given and family name in two columns, or the full name in one."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from pearljoin_train.records.lists import words
from pearljoin_train.records.values.names import Case
from pearljoin_train.records.values.slips import (
    lose_accents,
    mishear,
    misread,
    misspell,
    punctuate,
)
from pearljoin_train.records.values.style import Style

__all__ = ["FamilyStyle", "GivenStyle", "Person", "PersonStyle"]


class Person(NamedTuple):
    """A person's name in parts."""

    given: str
    middle: str
    """Further given names; may be empty."""
    family: str
    short_forms: tuple[str, ...] = ()
    """Short forms of the given name."""
    suffix: str = ""
    """Such as Jr.; mostly empty."""


def use_short_form(person: Person, rng: Random) -> Person:
    """Call a person by a short form of the given name, if there is one."""
    return person._replace(given=rng.choice(person.short_forms)) if person.short_forms else person


def use_initial(person: Person, rng: Random) -> Person:
    """Leave an initial of the given name."""
    return person._replace(given=person.given[:1] + rng.choice(("", ".")))


def use_middle(person: Person, rng: Random) -> Person:
    """Call a person by the middle name, as some prefer."""
    if len(person.middle) < 3:
        return person
    given = person.middle.split()[0]
    middle = rng.choice(("", person.given))
    return person._replace(given=given, middle=middle, short_forms=())


def lose_part_of_family_name(person: Person, rng: Random) -> Person:
    """Leave out a half of a double name, or a particle, or join the particle to the name."""
    parts = person.family.replace("-", " ").split()
    if len(parts) < 2:
        return person
    way = rng.random()
    if way < 0.4:
        return person._replace(family=parts[-1])
    if way < 0.6:
        return person._replace(family=parts[0].title())
    separator = "-" if " " in person.family else " "
    return person._replace(family=rng.choice(("", separator)).join(parts))


def lose_suffix(person: Person, rng: Random) -> Person:
    """Leave out Jr. and the like."""
    return person._replace(suffix="")


def add_title(text: str, rng: Random) -> str:
    """Put a title before the name."""
    return f"{rng.choice(words('people', 'titles'))} {text}"


def swap_parts(text: str, rng: Random) -> str:
    """Put the last word first, with a comma or without."""
    parts = text.replace(",", "").split()
    if len(parts) < 2:
        return text
    return parts[-1] + rng.choice((", ", " ")) + " ".join(parts[:-1])


class _MiddleNames:
    """Writes middle names as one table does: not, as initials, or in full."""

    def __init__(self, rng: Random) -> None:
        self._way = rng.choice(("none", "none", "initial", "initial.", "full"))

    def __call__(self, person: Person) -> str:
        if self._way == "none" or not person.middle:
            return ""
        if self._way == "full":
            return person.middle
        dot = "." if self._way == "initial." else ""
        return " ".join(part[0] + dot for part in person.middle.split())


class GivenStyle(Style[Person]):
    """Given names in a column of their own."""

    slips = (use_short_form, use_short_form, use_initial, use_middle)
    text_slips = (misspell, misspell, mishear, misread, lose_accents)

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self._case = Case(rng)
        self._middle = _MiddleNames(rng) if rng.random() < 0.4 else None

    def write(self, value: Person, rng: Random) -> str:
        """Write the given name, in some tables with middle names."""
        middle = self._middle(value) if self._middle is not None else ""
        return self._case(f"{value.given} {middle}" if middle else value.given)


class FamilyStyle(Style[Person]):
    """Family names in a column of their own."""

    slips = (lose_part_of_family_name, lose_suffix)
    text_slips = (misspell, misspell, mishear, misread, lose_accents, punctuate)

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self._case = Case(rng)
        self._has_suffix = rng.random() < 0.5

    def write(self, value: Person, rng: Random) -> str:
        """Write the family name, in some tables with its suffix."""
        has_suffix = value.suffix and self._has_suffix
        return self._case(f"{value.family} {value.suffix}" if has_suffix else value.family)


class PersonStyle(Style[Person]):
    """Full names in one column, in the order of one table."""

    slips = (use_short_form, use_initial, use_middle, lose_part_of_family_name, lose_suffix)
    text_slips = (misspell, misspell, mishear, misread, lose_accents, swap_parts, add_title)

    ORDERS = ("{given} {family}",) * 5 + ("{family}, {given}",) * 2 + ("{family} {given}",)

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self._case = Case(rng)
        self._order = rng.choice(self.ORDERS)
        self._middle = _MiddleNames(rng)
        self._is_loud = rng.random() < 0.08
        self._has_initials = rng.random() < 0.08

    def write(self, value: Person, rng: Random) -> str:
        """Write the full name."""
        middle = self._middle(value)
        given = f"{value.given[:1]}." if self._has_initials else value.given
        family = value.family.upper() if self._is_loud else value.family
        text = self._order.format(given=f"{given} {middle}".rstrip(), family=family)
        return self._case(f"{text} {value.suffix}".rstrip())
