"""Made records with known truth: two tables to link, or one to deduplicate."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from random import Random

from pearljoin import InputError
from pearljoin_train.records.distinct_things import distinct_things, identifying, without_copies
from pearljoin_train.records.domains import DOMAINS, Domain
from pearljoin_train.records.layout import Layout, draw_layout
from pearljoin_train.records.lists import OpenLists
from pearljoin_train.records.made import MadeDuplicates, MadeTables, Table
from pearljoin_train.records.merged import Merging
from pearljoin_train.records.multiplicity import RELATIONS, Multiplicity, Relation, draw_counts
from pearljoin_train.records.noise import Noise
from pearljoin_train.records.related import Relations
from pearljoin_train.records.side import CARELESS, Row, Side
from pearljoin_train.records.writing import (
    COPY_RATES,
    SAME_FORMAT_RATES,
    as_table,
    kinds_of,
    owners_of_rows,
    thin_out,
    write_rows,
    write_sources,
)

__all__ = [
    "MOST_ROWS",
    "make_duplicates",
    "make_gathered",
    "make_records",
    "make_related",
    "make_tables",
]

MOST_ROWS = 3000

UNMATCHED = (0.0, 0.0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.65, 0.8)
"""Shares of a side's rows without a match."""

DUPLICATES_SHARE = 0.4
"""Share of made records that are one table to deduplicate."""

N_NOISE = (0, 0, 0, 1, 1, 2, 3)
"""Numbers of columns of noise."""

SINGLE_SHARE = 0.1
"""Share of the tables to deduplicate that have a single column of a record's own."""

MERGED_SHARE = 0.3
"""Share of them that have several columns written into one, half of which have no other column."""

TWINS = (0.0, 0.3, 1.0)
"""Factors on the chance of near twins in tables to deduplicate."""

RELATED_ROWS = 20, 200
"""Rows of a table of related things that would have fewer."""

FEW_COPIES = 0.7
"""Share of the tables of related things in which few have further rows."""

NEAR_SHARE, NEAR_RATES = 0.25, (0.1, 0.3, 0.6)
"""Share of these tables whose related things are near twins of their domain, and chances of one."""

GATHERED_DOMAINS = ("papers",) * 7
"""Drawn beside each domain once: bibliographies are half of the tables with a gathered side."""

GATHERED_RELATIONS: tuple[Relation, ...] = ("one_to_many", "one_to_many", "many_to_many")
GATHERED_UNMATCHED = (0.05, 0.2, 0.5), (0.3, 0.5, 0.7, 0.85)
"""Shares of rows without a match: of the list, and of what was gathered."""

GATHERED_COLUMNS = 3
"""Columns that such tables have at least."""

N_GATHERED = (5, 15, 40)
"""Numbers of sources that one side was gathered from."""

KEPT_WELL = (0.0, 0.0, 0.02, 0.05)
"""Mean shares of values with a slip in a list that is kept well."""

LEFT_OUT_RATES = (0.0, 0.2, 0.4, 0.55)
"""Shares of values that a gathered side lacks, beside those that its sources lack."""


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
    left_counts, right_counts = draw_counts(
        relation, unmatched, _size(most_rows, rng), most_rows, rng
    )
    things = distinct_things(made, len(left_counts), layout, rng)
    noise = [Noise(lists, rng) for _ in range(rng.choice(N_NOISE))]
    left = Side(made, layout.headers, rng)
    right = Side(made, layout.headers, rng, left, rng.choice(SAME_FORMAT_RATES))
    copy_rate = rng.choice(COPY_RATES)
    tables, owners = [], []
    for side, counts in zip((left, right), (left_counts, right_counts), strict=True):
        of_rows = owners_of_rows(counts, rng)
        rows = write_rows([side], things, of_rows, copy_rate, rng)
        tables.append(as_table(rows, layout, noise, rng))
        owners.append(of_rows)
    return MadeTables(
        domain=made.name,
        left=tables[0],
        right=tables[1],
        left_things=owners[0],
        right_things=owners[1],
        kinds=kinds_of(layout, tables[0]),
        relation=relation,
        unmatched=unmatched,
        rates=(left.rates.by_header(layout.headers), right.rates.by_header(layout.headers)),
    )


def make_gathered(
    lists: OpenLists, *, seed: int, domain: str | None = None, most_rows: int = MOST_ROWS
) -> MadeTables:
    """Make a list that is kept well, and rows about its things that were gathered elsewhere.

    A bibliography and what others cite, a catalogue and the offers of many shops: the right side
    has several rows of many things and most rows of none, each written as its source writes.

    Parameters
    ----------
    lists
        Names and words, see `read_lists`.
    seed
        The same seed gives the same tables.
    domain
        A key of `DOMAINS`; half of the tables are of papers where it is not given.
    most_rows
        Rows of the largest right side, at least 1; the left side has at most a quarter of these.

    Raises
    ------
    InputError
        As `make_records`.
    """
    rng = Random(f"gathered {seed}")
    made = _domain(domain or rng.choice((*sorted(DOMAINS), *GATHERED_DOMAINS)), lists, rng)
    layout = draw_layout(made, rng)
    while len(layout.headers) < GATHERED_COLUMNS:
        layout = draw_layout(made, rng)
    relation = rng.choice(GATHERED_RELATIONS)
    unmatched = rng.choice(GATHERED_UNMATCHED[0]), rng.choice(GATHERED_UNMATCHED[1])
    n_left = max(1, int(most_rows / 4 * rng.uniform(0.1, 1.0)))
    counts = draw_counts(relation, unmatched, n_left, most_rows, rng)
    things = distinct_things(made, len(counts[0]), layout, rng, rng.choice(TWINS))
    left = Side(made, layout.headers, rng, severities=KEPT_WELL)
    same_rate = rng.choice(SAME_FORMAT_RATES)
    sources = [
        Side(made, layout.headers, rng, left, same_rate, CARELESS)
        for _ in range(rng.choice(N_GATHERED))
    ]
    owners = [owners_of_rows(of_side, rng) for of_side in counts]
    listed = write_rows([left], things, owners[0], 0.0, rng)
    gathered = write_rows(sources, things, owners[1], rng.choice(COPY_RATES), rng)
    left_out = {key: rng.choice(LEFT_OUT_RATES) for key in layout.headers if key not in made.core}
    gathered = [thin_out(row, left_out, rng) for row in gathered]
    tables = [as_table(rows, layout, (), rng) for rows in (listed, gathered)]
    return MadeTables(
        domain=made.name,
        left=tables[0],
        right=tables[1],
        left_things=owners[0],
        right_things=owners[1],
        kinds=kinds_of(layout, tables[0]),
        relation=relation,
        unmatched=unmatched,
        rates=(left.rates.by_header(layout.headers), sources[0].rates.by_header(layout.headers)),
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
    things = distinct_things(made, len(counts), layout, rng, rng.choice(TWINS))
    noise = [Noise(lists, rng) for _ in range(rng.choice(N_NOISE))]
    owners, rows, rates = write_sources(made, layout, things, counts, rng)
    drawn = rng.random()
    if drawn < SINGLE_SHARE:
        only = rng.choice([key for key in layout.headers if key in made.core])
        table: Table = {layout.headers[only]: [row[only] for row in rows]}
    elif drawn < SINGLE_SHARE + MERGED_SHARE:
        table = _merged(rows, made, layout, rng)
    else:
        table = as_table(rows, layout, noise, rng)
    return MadeDuplicates(made.name, table, owners, kinds_of(layout, table), rates)


def make_related(
    lists: OpenLists, *, seed: int, domain: str | None = None, most_rows: int = MOST_ROWS
) -> MadeDuplicates:
    """Make one table to deduplicate, many of whose things differ in few columns.

    It has two columns or more; arguments and errors are those of `make_records`.
    """
    rng = Random(f"related {seed}")
    made = _domain(domain, lists, rng)
    layout = draw_layout(made, rng)
    while len(layout.headers) < 2:
        layout = draw_layout(made, rng)
    n_rows = _size(most_rows, rng)
    if n_rows < RELATED_ROWS[0]:
        n_rows = min(most_rows, rng.randint(*RELATED_ROWS))
    counts = Multiplicity(True, n_rows, rng, rng.random() < FEW_COPIES).draw_until(n_rows)
    if rng.random() < NEAR_SHARE:
        made.near_rate = rng.choice(NEAR_RATES)
        things = distinct_things(made, len(counts), layout, rng)
    else:
        drawn = distinct_things(made, len(counts), layout, rng, rng.choice(TWINS))
        related = Relations([*layout.headers], identifying(made, layout), rng).relate(drawn)
        things = without_copies(related, [*layout.headers])
    noise = [Noise(lists, rng) for _ in range(rng.choice(N_NOISE))]
    owners, rows, rates = write_sources(made, layout, things, counts[: len(things)], rng)
    table = as_table(rows, layout, noise, rng)
    return MadeDuplicates(made.name, table, owners, kinds_of(layout, table), rates)


def _merged(rows: Sequence[Row], domain: Domain, layout: Layout, rng: Random) -> Table:
    """Write several columns into one, under the header of the first."""
    kinds = {key: domain.columns[key].kind for key in layout.headers}
    merging = Merging(kinds, domain.core, rng)
    first = merging.keys[0]
    others = [] if rng.random() < 0.5 else [key for key in kinds if key not in merging.keys]
    return {
        layout.headers[first]: [merging.write(row) for row in rows],
        **{layout.headers[key]: [row[key] for row in rows] for key in others},
    }


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
