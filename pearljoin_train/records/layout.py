"""The layout of a made table: which columns of a domain it has, under which headers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random

from pearljoin_train.records.domains import Domain
from pearljoin_train.records.domains.domain import ColumnKind

__all__ = ["Layout", "draw_layout"]

KEPT_SHARES = (0.3, 0.6, 0.6, 0.9)
"""Share of a domain's columns that a table has, beside the core."""

TELLING = frozenset({"code", "email", "phone", "web"})
TELLING_FACTOR = 0.4
"""Kinds that nearly identify a thing, and how much rarer they are: with them a table is easy."""

CORE_ALONE, FEW = 0.06, 0.2
"""Shares of tables with nothing but the core, and with one or two columns beside it."""

CASES: tuple[Callable[[str], str], ...] = (
    str,
    str,
    str,
    str.title,
    str.upper,
    lambda header: header.replace("_", " "),
)


@dataclass(frozen=True)
class Layout:
    """Columns of a table.

    Attributes
    ----------
    headers
        The header of each column by the domain's key, in the order of the table.
    kinds
        What each column holds, by header.
    noise_first
        Whether columns of noise stand before the others.
    """

    headers: Mapping[str, str]
    kinds: Mapping[str, ColumnKind]
    noise_first: bool


def draw_layout(domain: Domain, rng: Random) -> Layout:
    """Draw the columns of a table, which both sides of a linkage have."""
    share, drawn = rng.choice(KEPT_SHARES), rng.random()
    kept = set(domain.core)
    if drawn < FEW:
        others = [key for key in domain.columns if key not in kept]
        kept.update(rng.sample(others, min(len(others), rng.choice((1, 2)))))
    elif drawn >= FEW + CORE_ALONE:
        for key, column in domain.columns.items():
            if rng.random() < share * (TELLING_FACTOR if column.kind in TELLING else 1.0):
                kept.add(key)
    for group in domain.together:
        if kept & set(group):
            kept.update(group)
    keys = [key for key in domain.columns if key in kept]
    if rng.random() < 0.2:
        rng.shuffle(keys)
    case = rng.choice(CASES)
    headers: dict[str, str] = {}
    for key in keys:
        offered = [
            header for header in domain.columns[key].headers if header not in headers.values()
        ]
        headers[key] = rng.choice(offered) if offered else f"{key}_2"
    written = {key: case(header) for key, header in headers.items()}
    kinds = {written[key]: domain.columns[key].kind for key in keys}
    return Layout(written, kinds, noise_first=rng.random() < 0.3)
