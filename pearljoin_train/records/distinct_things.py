"""Things of a table of which few are equal in what tells them apart."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from pearljoin_train.records.domains import Domain, Thing
from pearljoin_train.records.layout import Layout

__all__ = ["distinct_things", "identifying", "without_copies"]

NOT_TELLING = frozenset({"code", "quantity", "price", "category", "phone", "web", "email"})
"""Kinds of columns that do not tell things apart: different things differ elsewhere too."""

IDENTIFYING = frozenset({"name", "person", "given_name", "address", "date", "code", "authors"})
"""Kinds of columns of which one value may tell related things apart."""

NAMESAKE_RATES = (0.0, 0.0, 0.2)
"""Shares of things kept that nothing tells from another thing: there are two John Smiths."""

ROUNDS = 8
"""Times that more things are made, where too many are alike."""


def distinct_things(
    domain: Domain, n: int, layout: Layout, rng: Random, twins: float = 1.0
) -> list[Thing]:
    """Make things, few of which have equal values in all columns that tell things apart."""
    telling = _telling(domain, layout)
    kept_rate = rng.choice(NAMESAKE_RATES)
    found: list[Thing] = []
    known: set[tuple[str, ...]] = set()
    for _ in range(ROUNDS):
        for thing in domain.things(n - len(found), twins):
            values = tuple(_folded(thing[key]) for key in telling)
            if values not in known or rng.random() < kept_rate:
                found.append(thing)
                known.add(values)
        if len(found) >= n:
            break
    return [*found, *domain.things(n - len(found), twins)]


def _telling(domain: Domain, layout: Layout) -> list[str]:
    """List the columns that tell things apart."""
    return [
        key
        for key in layout.headers
        if key in domain.core or domain.columns[key].kind not in NOT_TELLING
    ]


def identifying(domain: Domain, layout: Layout) -> list[str]:
    """List the columns of which one value suffices to tell related things apart."""
    return [
        key
        for key in layout.headers
        if key in domain.core or domain.columns[key].kind in IDENTIFYING
    ]


def without_copies(things: Sequence[Thing], keys: Sequence[str]) -> list[Thing]:
    """Keep the first of things with equal values in all columns."""
    found = {tuple(_folded(thing[key]) for key in keys): thing for thing in reversed(things)}
    return list(found.values())[::-1]


def _folded(value: Any) -> str:
    """Return what makes two values the same: the first of several names, without case."""
    is_named = type(value) is tuple and value and isinstance(value[0], str)
    return str(value[0] if is_named else value).casefold()
