"""Tables of records: key columns of every kind, written in one way and another."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

GIVEN = ["Anna", "Bob", "Robert", "José", "Wei", "Mary-Jane", "O.", "Ann"]
FAMILY = ["Smith", "Smyth", "García Márquez", "O'Neill", "van der Berg", "Li", "Müller", "X"]
STREETS = ["Main Street", "High St.", "Rue de la Paix", "5th Ave", "Hauptstraße", "PO Box"]
PLACES = ["Springfield", "Paris", "New York NY", "Köln", "东京"]
TAGS = ["red", "blue", "music", "Art & Craft", "a, b", "x;y"]
MONTHS = ["Jan", "February", "März", "dec."]


def _person(rng: random.Random) -> str:
    given, family = rng.choice(GIVEN), rng.choice(FAMILY)
    return rng.choice([f"{given} {family}", f"{family}, {given}", f"Dr. {given[0]}. {family}"])


def _date(rng: random.Random) -> str:
    day, month, year = rng.randint(1, 31), rng.randint(1, 13), rng.choice([1950, 1999, 2020, 24])
    return rng.choice(
        [
            f"{year}-{month:02}-{day:02}",
            f"{day}/{month}/{year}",
            f"{day} {rng.choice(MONTHS)} {year}",
            f"{year}",
            f"{month}.{day}.{year} 25:61",
        ]
    )


def _phone(rng: random.Random) -> str:
    number = "".join(rng.choices("0123456789", k=rng.choice([3, 7, 10, 15])))
    return rng.choice([number, f"+44 {number}", f"({number[:3]}) {number[3:]} x12", f"00{number}"])


def _email(rng: random.Random) -> str:
    name = rng.choice(GIVEN).lower()
    return rng.choice([f"{name}@example.org", f"{name}+x@EXAMPLE.org", f"{name} at example", "@"])


def _address(rng: random.Random) -> str:
    number = rng.choice(["1", "12b", "7-9", "", "99999"])
    return f"{number} {rng.choice(STREETS)}, {rng.choice(PLACES)} {rng.randint(0, 99999)}"


def _postcode(rng: random.Random) -> str:
    return rng.choice(["SW1A 1AA", "sw1a1aa", "12345-6789", "01234", "75008", "D-50667", "0"])


def _code(rng: random.Random) -> str:
    return rng.choice(["AB-", "ab", "", "#"]) + str(rng.randint(0, 99999)) + rng.choice("XxZ-")


def _quantity(rng: random.Random) -> str:
    number = rng.choice(["1", "1,5", "1.500,00", "-3e4", "½", "1e400", "12"])
    return number + rng.choice(["", " kg", "g", " $", "€", " ft", "%", " furlongs"])


def _list(rng: random.Random) -> str:
    return rng.choice([", ", "; ", " | ", " and "]).join(rng.choices(TAGS, k=rng.randint(1, 5)))


def _text(rng: random.Random) -> str:
    return " ".join(rng.choices([*GIVEN, *FAMILY, *PLACES, *TAGS], k=rng.randint(5, 40)))


DRAWN: dict[str, Callable[[random.Random], Any]] = {
    "name": lambda rng: f"{rng.choice(FAMILY)} {rng.choice(['Ltd', 'GmbH', '& Sons', ''])}",
    "person": _person,
    "date": _date,
    "phone": _phone,
    "email": _email,
    "address": _address,
    "postcode": _postcode,
    "code": _code,
    "number": _quantity,
    "category": lambda rng: rng.choice(["red", "RED", "green", "1"]),
    "list": _list,
    "text": _text,
}
"""Cells of text of each kind of key column; some cannot be read as such."""

OTHERS = ["whole", "number", "date", "moment", "boolean", "decimal", "duration", "category"]
"""Types of columns that hold no text; `cases` draws their cells."""


def draw_columns(rng: random.Random) -> tuple[dict[str, str], dict[str, Any]]:
    """Draw the kind of each key column by name, and what the call says of the kinds."""
    names = rng.sample(["name", "b", "id", "born", "left key", "e-mail", "zip"], rng.randint(1, 4))
    columns = {name: rng.choice(list(DRAWN)) for name in names}
    if rng.random() < 0.2:
        columns[rng.choice(names)] = f"typed {rng.choice(OTHERS)}"
    given = {name: kind for name, kind in columns.items() if kind in DRAWN and rng.random() < 0.5}
    options: dict[str, Any] = {}
    if rng.random() < 0.15:
        columns |= {"lat": "latitude", "lon": "longitude"}
        if rng.random() < 0.7:
            options["geo"] = ["lat", "lon"]
    if given and rng.random() < 0.05:  # of another kind than what is there
        given[rng.choice(list(given))] = rng.choice([*DRAWN, "coordinate"])
    if given:
        options["kinds"] = given
    if rng.random() < 0.2:
        options["phone_region"] = rng.choice(["GB", "US", "DE"])
    on = list(columns)
    options["on"] = on if len(on) > 1 else on[0]
    return columns, options


def type_of(kind: str) -> str:
    """The type of the cells of a column."""
    if kind in ("latitude", "longitude"):
        return "number"
    return kind.removeprefix("typed ") if kind.startswith("typed ") else "text"


def draw_value(rng: random.Random, kind: str) -> Any:
    """A value of a column, as one of the things in a table has it; no column of other types."""
    if kind in ("latitude", "longitude"):
        return round(rng.uniform(-95, 95), rng.choice([0, 3, 6]))
    return DRAWN[kind](rng)
