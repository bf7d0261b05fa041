"""Made tables of things that go by several names, told by what stands beside: a position, a code.

Cities are written in several languages, diseases and journals by synonyms and abbreviations, which
no text tells; rows of one thing share its position, its code or the year of its founding. Here and
there, several things share one of these, as the shops of one house do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import TypeAlias

from pearljoin_train.records.made import MadeDuplicates, Table
from pearljoin_train.records.name_tables import name_rows
from pearljoin_train.records.side import Rates
from pearljoin_train.records.values.codes import fill
from pearljoin_train.records.values.slips import change_digit, misspell

__all__ = ["make_alias_table"]

FEWEST_ROWS = 10

N_COLUMNS = (1, 1, 2, 3)
"""Numbers of what stands beside the names; a position may take two columns."""

SHARED_RATES = (0.0, 0.0, 0.05, 0.3)
"""Chances that a thing has what the thing before it in the list has."""

MISSING_RATES = (0.0, 0.0, 0.1, 0.4)
"""Shares of values that are missing."""

SLIP_RATES = (0.0, 0.0, 0.02, 0.1)
"""Shares of values with a slip."""

PATTERNS = ("@@#####", "#######", "####-####", "@##.#", "@@@", "@@@-####")
"""Of codes, as `fill` reads them."""

N_CATEGORIES = (2, 4, 12)
"""Numbers of different values of a category."""

Values: TypeAlias = dict[str, str]
"""What one thing has, by header."""


def make_alias_table(
    names: Mapping[str, Mapping[str, Sequence[str]]], *, seed: int, most_rows: int = 1000
) -> MadeDuplicates:
    """Make a table of names of one source and what else is known of them.

    Parameters
    ----------
    names
        The aliases of each name, by source and name; see `alias_names`.
    seed
        The same seed gives the same table.
    most_rows
        Rows of the largest table, at least 10.
    """
    rng = Random(f"aliases {seed}")
    source, n_things, rows = name_rows(names, rng, FEWEST_ROWS, most_rows)
    draw = [each(rng) for each in rng.sample(BESIDE, rng.choice(N_COLUMNS))]
    known = [[each() for _ in range(n_things)] for each in draw]
    for column, shared in zip(known, rng.choices(SHARED_RATES, k=len(known)), strict=True):
        for thing in range(1, len(column)):
            if rng.random() < shared:
                column[thing] = column[thing - 1]
    of_things: list[Values] = [
        {header: value for values in each for header, value in values.items()}
        for each in zip(*known, strict=True)
    ]
    table: Table = {"name": [text for text, _ in rows]}
    for header in of_things[0]:
        missing, wrong = rng.choice(MISSING_RATES), rng.choice(SLIP_RATES)
        table[header] = [
            _written(of_things[thing][header], missing, wrong, rng) for _, thing in rows
        ]
    return MadeDuplicates(
        source,
        table,
        [thing for _, thing in rows],
        dict.fromkeys(table, "name"),
        Rates({}, {}, ()),
    )


def _written(value: str, missing: float, wrong: float, rng: Random) -> str | None:
    if rng.random() < missing:
        return None
    if rng.random() < wrong:
        return change_digit(value, rng) if any(map(str.isdigit, value)) else misspell(value, rng)
    return value


def _position(rng: Random) -> Callable[[], Values]:
    """Latitude and longitude of places in one region, in one column or in two."""
    middle = rng.uniform(-60, 60), rng.uniform(-160, 160)
    extent, digits = rng.choice((0.1, 2.0, 15.0)), rng.choice((2, 3, 4, 5, 6))
    headers = rng.choice((("latitude", "longitude"), ("lat", "lon"), ("y", "x")))
    is_one = rng.random() < 0.25

    def draw() -> Values:
        one, other = (f"{rng.uniform(at - extent, at + extent):.{digits}f}" for at in middle)
        return (
            {"coordinates": f"{one}, {other}"}
            if is_one
            else dict(zip(headers, (one, other), strict=True))
        )

    return draw


def _code(rng: Random) -> Callable[[], Values]:
    """Codes of one pattern."""
    pattern, header = rng.choice(PATTERNS), rng.choice(("code", "ref", "number", "identifier"))
    return lambda: {header: fill(pattern, rng)}


def _year(rng: Random) -> Callable[[], Values]:
    """Years, which many things share."""
    first, header = rng.randint(1500, 1990), rng.choice(("year", "founded", "since"))
    return lambda: {header: str(rng.randint(first, 2024))}


def _number(rng: Random) -> Callable[[], Values]:
    """Numbers of people, of pages, of metres: of several orders of magnitude."""
    most, header = rng.choice((2, 4, 6)), rng.choice(("population", "pages", "area", "height"))
    return lambda: {header: str(int(10 ** rng.uniform(0, most)))}


def _category(rng: Random) -> Callable[[], Values]:
    """One of few letters or words."""
    some = [fill("@@@", rng) for _ in range(rng.choice(N_CATEGORIES))]
    header = rng.choice(("type", "region", "group"))
    return lambda: {header: rng.choice(some)}


BESIDE = (_position, _code, _year, _number, _category)
"""What may stand beside the names: each draws what draws the values of a thing."""
