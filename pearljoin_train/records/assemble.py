"""Made records with known truth: two tables to link, or one to deduplicate."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pearljoin import InputError
from pearljoin_train.records.domains import DOMAINS, ColumnKind, Domain, Thing
from pearljoin_train.records.layout import Layout, draw_layout
from pearljoin_train.records.lists import OpenLists
from pearljoin_train.records.multiplicity import Multiplicity
from pearljoin_train.records.noise import Noise
from pearljoin_train.records.side import Rates, Row, Side

__all__ = [
    "MOST_ROWS",
    "MadeDuplicates",
    "MadeTables",
    "Relation",
    "Table",
    "make_duplicates",
    "make_records",
    "make_tables",
]

Table: TypeAlias = dict[str, list[str | None]]
"""Values by header; all columns are as long."""

Relation = Literal["one_to_one", "one_to_many", "many_to_one", "many_to_many"]
"""How many rows of the left side, and of the right, are of one thing."""

MOST_ROWS = 3000

RELATIONS: dict[Relation, float] = {
    "one_to_one": 0.45,
    "many_to_one": 0.2,
    "one_to_many": 0.1,
    "many_to_many": 0.25,
}
UNMATCHED = (0.0, 0.0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.65, 0.8)
"""Shares of a side's rows without a match."""

DUPLICATES_SHARE = 0.4
"""Share of made records that are one table to deduplicate."""

COPY_RATES = (0.0, 0.0, 0.1, 0.4)
"""Shares of a thing's further rows that copy one of its rows to the letter."""

N_NOISE = (0, 0, 0, 1, 1, 2, 3)
"""Numbers of columns of noise."""

NOT_TELLING = frozenset({"code", "quantity", "price", "category", "phone", "web", "email"})
"""Kinds of columns that do not tell things apart: different things differ elsewhere too."""

ROUNDS = 8
"""Times that more things are made, where too many are alike."""


@dataclass(frozen=True)
class MadeTables:
    """Two tables to link.

    Attributes
    ----------
    domain
        A key of `DOMAINS`.
    left, right
        Values by header. Both sides have the same headers.
    left_things, right_things
        The number of the thing that each row is of; both sides count the same things.
    kinds
        What each column holds, by header.
    relation
        What was drawn: at most one row of a thing on a side, or several.
    unmatched
        The shares of left and right rows without a match that were drawn.
    rates
        What else was drawn, of the left side and the right, by header.
    """

    domain: str
    left: Table
    right: Table
    left_things: list[int]
    right_things: list[int]
    kinds: Mapping[str, ColumnKind]
    relation: Relation
    unmatched: tuple[float, float]
    rates: tuple[Rates, Rates]

    def pairs(self) -> NDArray[np.int64]:
        """Return all matching pairs.

        Returns
        -------
        pairs
            int64 of shape (n_pairs, 2): a left row and a right row, in ascending order.
        """
        rows: dict[int, list[int]] = defaultdict(list)
        for row, thing in enumerate(self.right_things):
            rows[thing].append(row)
        found = [
            (left, right)
            for left, thing in enumerate(self.left_things)
            for right in rows.get(thing, ())
        ]
        return np.array(found, dtype=np.int64).reshape(-1, 2)


@dataclass(frozen=True)
class MadeDuplicates:
    """One table that has several rows of some things.

    Attributes
    ----------
    domain
        A key of `DOMAINS`.
    table
        Values by header.
    clusters
        The number of the thing that each row is of.
    kinds
        What each column holds, by header.
    rates
        What was drawn, by header; where there are several sources, those of the first.
    """

    domain: str
    table: Table
    clusters: list[int]
    kinds: Mapping[str, ColumnKind]
    rates: Rates


def make_records(
    lists: OpenLists,
    n: int,
    *,
    seed: int = 0,
    domains: Collection[str] = tuple(DOMAINS),
    most_rows: int = MOST_ROWS,
) -> Iterator[MadeTables | MadeDuplicates]:
    """Make records of many domains and sizes, to link or to deduplicate.

    Parameters
    ----------
    lists
        Names and words, see `read_lists`.
    n
        How many tables to deduplicate and pairs of tables to link there are together.
    seed
        The same seed gives the same records.
    domains
        Keys of `DOMAINS` to draw from.
    most_rows
        Rows of the largest table, at least 1.

    Raises
    ------
    InputError
        If a domain is unknown, or `most_rows` is below 1.
    """
    for number in range(n):
        rng = Random(f"records {seed} {number}")
        domain = rng.choice(sorted(domains))
        make = make_duplicates if rng.random() < DUPLICATES_SHARE else make_tables
        yield make(lists, seed=rng.getrandbits(64), domain=domain, most_rows=most_rows)


def make_tables(
    lists: OpenLists, *, seed: int, domain: str | None = None, most_rows: int = MOST_ROWS
) -> MadeTables:
    """Make two tables to link; arguments and errors are those of `make_records`."""
    rng = Random(f"tables {seed}")
    made = _domain(domain, lists, rng)
    layout = draw_layout(made, rng)
    relation: Relation = rng.choices(list(RELATIONS), weights=list(RELATIONS.values()))[0]
    unmatched = rng.choice(UNMATCHED), rng.choice(UNMATCHED)
    left_counts, right_counts = _draw_counts(
        relation, unmatched, _size(most_rows, rng), most_rows, rng
    )
    things = _distinct_things(made, len(left_counts), layout, rng)
    noise = [Noise(lists, rng) for _ in range(rng.choice(N_NOISE))]
    sides = Side(made, layout.headers, rng), Side(made, layout.headers, rng)
    copy_rate = rng.choice(COPY_RATES)
    tables, owners = [], []
    for side, counts in zip(sides, (left_counts, right_counts), strict=True):
        of_rows = _owners(counts[: len(things)], rng)
        rows = _write([side], things, of_rows, copy_rate, rng)
        tables.append(_table(rows, layout, noise, rng))
        owners.append(of_rows)
    return MadeTables(
        domain=made.name,
        left=tables[0],
        right=tables[1],
        left_things=owners[0],
        right_things=owners[1],
        kinds=_kinds(layout, tables[0]),
        relation=relation,
        unmatched=unmatched,
        rates=(sides[0].rates.by_header(layout.headers), sides[1].rates.by_header(layout.headers)),
    )


def make_duplicates(
    lists: OpenLists, *, seed: int, domain: str | None = None, most_rows: int = MOST_ROWS
) -> MadeDuplicates:
    """Make one table to deduplicate; arguments and errors are those of `make_records`."""
    rng = Random(f"duplicates {seed}")
    made = _domain(domain, lists, rng)
    layout = draw_layout(made, rng)
    n_rows = _size(most_rows, rng)
    counts = Multiplicity(True, n_rows, rng).draw_until(n_rows)
    things = _distinct_things(made, len(counts), layout, rng)
    noise = [Noise(lists, rng) for _ in range(rng.choice(N_NOISE))]
    sides = [Side(made, layout.headers, rng) for _ in range(rng.choice((1, 1, 2, 4)))]
    owners = _owners(counts[: len(things)], rng)
    rows = _write(sides, things, owners, rng.choice(COPY_RATES), rng)
    table = _table(rows, layout, noise, rng)
    rates = sides[0].rates.by_header(layout.headers)
    return MadeDuplicates(made.name, table, owners, _kinds(layout, table), rates)


def _domain(name: str | None, lists: OpenLists, rng: Random) -> Domain:
    name = name or rng.choice(sorted(DOMAINS))
    if name not in DOMAINS:
        raise InputError(f"The domain is unknown. Got {name!r}. Hint: {', '.join(DOMAINS)}.")
    return DOMAINS[name](lists, rng)


def _size(most_rows: int, rng: Random) -> int:
    """Draw a number of rows: of all orders of magnitude, more often of the larger ones."""
    if most_rows < 1:
        raise InputError(f"Tables have at least one row. Got {most_rows}. Hint: most_rows=1000.")
    return max(1, int(float(most_rows) ** rng.random() ** 0.7))


def _draw_counts(
    relation: Relation,
    unmatched: tuple[float, float],
    n_left: int,
    most_rows: int,
    rng: Random,
) -> tuple[list[int], list[int]]:
    """Draw how many rows of each thing each side has.

    Returns
    -------
    left_counts, right_counts
        For each thing, of which those without a match have 0 rows on one side. In random order,
        so that near twins may be of any sort.
    """
    left = Multiplicity(relation.startswith("many"), n_left, rng)
    right = Multiplicity(relation.endswith("many"), n_left, rng)
    matched = left.draw_until(round(n_left * (1 - unmatched[0])))
    answers = [right.draw() for _ in matched]
    while sum(answers) > most_rows:
        matched.pop()
        answers.pop()
    left_only = left.draw_until(n_left - sum(matched))
    n_right_only = round(sum(answers) * unmatched[1] / (1 - unmatched[1])) or not answers
    right_only = right.draw_until(min(most_rows - sum(answers), n_right_only))
    counts = [
        *zip(matched, answers, strict=True),
        *((count, 0) for count in left_only),
        *((0, count) for count in right_only),
    ]
    rng.shuffle(counts)
    return [left for left, _ in counts], [right for _, right in counts]


def _distinct_things(domain: Domain, n: int, layout: Layout, rng: Random) -> list[Thing]:
    """Make things, no two of which have equal values in all columns that tell things apart."""
    telling = [
        key
        for key in layout.headers
        if key in domain.core or domain.columns[key].kind not in NOT_TELLING
    ]
    found: dict[tuple[str, ...], Thing] = {}
    for _ in range(ROUNDS):
        for thing in domain.things(n - len(found)):
            found.setdefault(tuple(_folded(thing[key]) for key in telling), thing)
        if len(found) >= n:
            break
    return list(found.values())


def _folded(value: Any) -> str:
    """Return what makes two values the same: the first of several names, without case."""
    is_named = type(value) is tuple and value and isinstance(value[0], str)
    return str(value[0] if is_named else value).casefold()


def _owners(counts: Sequence[int], rng: Random) -> list[int]:
    """Return the thing of each row, in random order."""
    owners = [thing for thing, count in enumerate(counts) for _ in range(count)]
    rng.shuffle(owners)
    return owners


def _write(
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


def _table(rows: Sequence[Row], layout: Layout, noise: Sequence[Noise], rng: Random) -> Table:
    """Put rows into columns, with columns of noise before or after them."""
    table: Table = {header: [row[key] for row in rows] for key, header in layout.headers.items()}
    made = {column.header: column.values(len(rows)) for column in noise}
    made = {header: values for header, values in made.items() if header not in table}
    return {**made, **table} if layout.noise_first else {**table, **made}


def _kinds(layout: Layout, table: Table) -> dict[str, ColumnKind]:
    return {header: layout.kinds.get(header, "noise") for header in table}
