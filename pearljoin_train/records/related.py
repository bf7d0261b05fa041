"""Things that are related: members of a household, policies of a holder, variants of a product.

They share the values of some columns, and are different things all the same: what tells them apart
stands in the others, drawn anew or numbered, as invoices and the houses of a street are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta
from random import Random
from typing import Any

from pearljoin_train.records.domains import Thing
from pearljoin_train.records.values.addresses import Address

__all__ = ["Relations"]

RELATED_SHARES = (0.2, 0.5, 0.9)
"""Chances that a thing has relatives."""

TAILS, MOST_RELATIVES = (0.7, 1.0, 1.5, 3.0), 60
"""Exponents of the Pareto distribution of how many a thing has, and the most."""

N_RELATIONS = (1, 1, 2, 3)
"""Numbers of ways in which the things of a table are related."""

N_APART = (1, 1, 2, 2, 3)
"""Numbers of columns whose values relatives do not share."""

ANY_COLUMN = 0.1
"""Chance that what tells relatives apart is any column, not one that identifies."""

SERIAL_SHARE = 0.5
"""Share of the columns in which what relatives do not share is numbered."""

STEPS = (1, 1, 1, 2, 2, 4, 10)
DAYS = (1, 7, 30, 365)
"""How far a number lies from that of the relative before, and how many days each step takes among
the relatives of one thing."""

POOLED_SHARE, N_POOLED, POOL_SIZES = 0.25, (1, 1, 2, 3), (5, 10, 25)
"""Share of tables in which some columns have few different values, of which each thing has any; how
many columns these are; and how many values."""

_NUMBER_AT_END = re.compile(r"\d+$")


class Relations:
    """How the things of a table are related.

    Parameters
    ----------
    keys
        Columns of the table, at least two.
    telling
        Those of them that tell things apart, not empty.
    rng
        Draws which columns relatives share.
    """

    def __init__(self, keys: Sequence[str], telling: Sequence[str], rng: Random) -> None:
        self._keys, self._rng = keys, rng
        self._share, self._tail = rng.choice(RELATED_SHARES), rng.choice(TAILS)
        self._serial = [key for key in keys if rng.random() < SERIAL_SHARE]
        self._shared = [self._draw_shared(telling) for _ in range(rng.choice(N_RELATIONS))]

    def _draw_shared(self, telling: Sequence[str]) -> list[str]:
        """Draw the columns that relatives share, at least one."""
        keys, rng = self._keys, self._rng
        n_apart = min(len(keys) - 1, rng.choice(N_APART))
        first = rng.choice(keys if rng.random() < ANY_COLUMN else telling)
        others = rng.sample([key for key in keys if key != first], n_apart - 1)
        return [key for key in keys if key != first and key not in others]

    def relate(self, things: Sequence[Thing]) -> list[Thing]:
        """Return the things, some of which have taken values from one before them."""
        things, rng = [{**thing} for thing in things], self._rng
        if rng.random() < POOLED_SHARE:
            self._pool(things)
        found: list[Thing] = []
        rest = iter(things)
        for first in rest:
            found.append(first)
            if rng.random() < self._share:
                shared, number, days = rng.choice(self._shared), 0, rng.choice(DAYS)
                for _ in range(min(MOST_RELATIVES, 1 + int(rng.paretovariate(self._tail)))):
                    relative = next(rest, None)
                    if relative is None:
                        break
                    number += rng.choice(STEPS)
                    self._take(relative, first, shared, (number, days))
                    found.append(relative)
        return found

    def _pool(self, things: Sequence[Thing]) -> None:
        rng = self._rng
        n_columns = min(len(self._keys) - 1, rng.choice(N_POOLED))
        for key in rng.sample(self._keys, n_columns):
            size = min(len(things), rng.choice(POOL_SIZES))
            pool = [thing[key] for thing in rng.sample(things, size)]
            for thing in things:
                thing[key] = rng.choice(pool)

    def _take(
        self, thing: Thing, first: Thing, shared: Sequence[str], step: tuple[int, int]
    ) -> None:
        """Give a thing what it shares with its first relative, and numbers after its own."""
        for key in shared:
            thing[key] = first[key]
        for key in self._serial:
            if key not in shared:
                thing[key] = _numbered(first[key], step, thing[key])


def _numbered(value: Any, step: tuple[int, int], otherwise: Any) -> Any:
    """Return the value that is a number after another, or so many times some days."""
    number, days = step
    if isinstance(value, Address):
        digits = re.match(r"\d+", value.number)
        return value._replace(number=str(int(digits[0]) + number)) if digits else otherwise
    if type(value) is date:
        return value + timedelta(number * days)
    if type(value) is int:
        return value + number
    found = _NUMBER_AT_END.search(value) if isinstance(value, str) else None
    if found is None:
        return otherwise
    return value[: found.start()] + str(int(found[0]) + number).zfill(len(found[0]))
