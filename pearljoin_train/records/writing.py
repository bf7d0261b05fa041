"""Writing of the rows of a made table by its sources, and putting them into columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from pearljoin_train.records.domains import ColumnKind, Domain, Thing
from pearljoin_train.records.layout import Layout
from pearljoin_train.records.made import Table
from pearljoin_train.records.noise import Noise
from pearljoin_train.records.side import CARELESS, Rates, Row, Side

__all__ = [
    "COPY_RATES",
    "SAME_FORMAT_RATES",
    "as_table",
    "kinds_of",
    "owners_of_rows",
    "thin_out",
    "write_rows",
    "write_sources",
]

COPY_RATES = (0.0, 0.0, 0.1, 0.4)
"""Shares of a thing's further rows that copy one of its rows to the letter."""

N_OTHERS = (0, 0, 1, 3)
"""Numbers of sources beside the first that a table to deduplicate was put together from."""

SAME_FORMAT_RATES = (0.0, 0.0, 0.5, 1.0)
"""Shares of columns that two sides or sources write in the same format."""


def write_sources(
    domain: Domain, layout: Layout, things: Sequence[Thing], counts: Sequence[int], rng: Random
) -> tuple[list[int], list[Row], Rates]:
    """Write the rows of one source, or of several put together.

    Returned are the thing of each row, the rows, and the shares of slips of the first source.
    """
    first = Side(domain, layout.headers, rng, severities=CARELESS)
    same_rate = rng.choice(SAME_FORMAT_RATES)
    others = range(rng.choice(N_OTHERS))
    sides = [
        first,
        *(Side(domain, layout.headers, rng, first, same_rate, CARELESS) for _ in others),
    ]
    owners = owners_of_rows(counts, rng)
    rows = write_rows(sides, things, owners, rng.choice(COPY_RATES), rng)
    return owners, rows, first.rates.by_header(layout.headers)


def owners_of_rows(counts: Sequence[int], rng: Random) -> list[int]:
    """Return the thing of each row, in random order."""
    owners = [thing for thing, count in enumerate(counts) for _ in range(count)]
    rng.shuffle(owners)
    return owners


def write_rows(
    sides: Sequence[Side],
    things: Sequence[Thing],
    owners: Sequence[int],
    copy_rate: float,
    rng: Random,
) -> list[Row]:
    """Write the rows of a table, each from one of its sources."""
    rows: list[Row] = []
    first: dict[int, Row] = {}
    for owner in owners:
        if owner in first and rng.random() < copy_rate:
            rows.append(first[owner])
        else:
            rows.append(rng.choice(sides).write(things[owner]))
            first.setdefault(owner, rows[-1])
    return rows


def thin_out(row: Row, rates: Mapping[str, float], rng: Random) -> Row:
    """Leave values out at the rates of their columns, but not all of a row's."""
    kept = {
        key: None if rng.random() < rates.get(key, 0.0) else value for key, value in row.items()
    }
    return kept if any(value is not None for value in kept.values()) else row


def as_table(rows: Sequence[Row], layout: Layout, noise: Sequence[Noise], rng: Random) -> Table:
    """Put rows into columns, with columns of noise before or after them."""
    table: Table = {header: [row[key] for row in rows] for key, header in layout.headers.items()}
    made = {column.header: column.values(len(rows)) for column in noise}
    made = {header: values for header, values in made.items() if header not in table}
    return {**made, **table} if layout.noise_first else {**table, **made}


def kinds_of(layout: Layout, table: Table) -> dict[str, ColumnKind]:
    """What each column of a table holds, by header."""
    return {header: layout.kinds.get(header, "noise") for header in table}
