"""Records of people in five columns: real names with made dates, cities, e-mails and phones."""

from __future__ import annotations

import datetime as dt
from random import Random

from benchmarks.scale.names import ScaleNames, read_scale_names

__all__ = ["COLUMNS", "read_scale_people"]

COLUMNS = ("name", "born", "city", "email", "phone")

N_CITIES = 2_000
FIRST_DAY, N_DAYS = dt.date(1940, 1, 1), 24_000

MISSPELT, OTHER_DAY, MOVED = 0.3, 0.05, 0.1
"""Shares of left rows with two letters of the name swapped, another birthday, and another city."""

MISSING = {"born": 0.1, "city": 0.1, "email": 0.4, "phone": 0.3}
"""Shares of left rows that lack a value."""

Row = dict[str, str | None]


def read_scale_people(n_left: int, n_reference: int | None = None) -> ScaleNames:
    """Make a reference of people, and rows of some of them as someone else wrote them down.

    Parameters
    ----------
    n_left, n_reference
        Rows; at most as many left rows as there are reference rows.

    Returns
    -------
    names
        Rows as dictionaries with `COLUMNS`. The same numbers give the same rows.
    """
    names = read_scale_names(1, n_reference or n_left).reference
    rng = Random(0)
    cities = names[-N_CITIES:]
    reference = [_person(name, cities, rng) for name in names]
    rows = rng.sample(range(len(reference)), n_left)
    left = [_written_again(reference[row], cities, rng) for row in rows]
    return ScaleNames(reference, left, [[row] for row in rows], [False] * n_left)


def _person(name: str, cities: list[str], rng: Random) -> Row:
    letters = "".join(letter for letter in name.lower() if letter.isascii() and letter.isalpha())
    return {
        "name": name,
        "born": (FIRST_DAY + dt.timedelta(days=rng.randrange(N_DAYS))).isoformat(),
        # Some cities are large.
        "city": cities[int(len(cities) * rng.random() ** 2)],
        "email": f"{letters[:12] or 'mail'}{rng.randrange(100)}@example.com",
        "phone": f"+44 20 7{rng.randrange(10**6):06d}",
    }


def _written_again(person: Row, cities: list[str], rng: Random) -> Row:
    row = dict(person)
    name = str(row["name"])
    if len(name) > 3 and rng.random() < MISSPELT:
        at = rng.randrange(1, len(name) - 1)
        row["name"] = name[:at] + name[at + 1] + name[at] + name[at + 2 :]
    if rng.random() < OTHER_DAY:
        day = dt.date.fromisoformat(str(row["born"]))
        row["born"] = (day + dt.timedelta(days=rng.choice((-10, -1, 1, 10)))).isoformat()
    if rng.random() < MOVED:
        row["city"] = rng.choice(cities)
    for column, share in MISSING.items():
        if rng.random() < share:
            row[column] = None
    return row
