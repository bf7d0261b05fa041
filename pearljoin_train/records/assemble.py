"""Made records with known truth: two tables to link, or one to deduplicate."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from random import Random
from typing import Any

from pearljoin import InputError
from pearljoin_train.records.domains import DOMAINS, ColumnKind, Domain, Thing
from pearljoin_train.records.layout import Layout, draw_layout
from pearljoin_train.records.lists import OpenLists
from pearljoin_train.records.made import MadeDuplicates, MadeTables, Table
from pearljoin_train.records.merged import Merging
from pearljoin_train.records.multiplicity import RELATIONS, Multiplicity, Relation, draw_counts
from pearljoin_train.records.noise import Noise
from pearljoin_train.records.side import CARELESS, Row, Side

__all__ = ["MOST_ROWS", "make_duplicates", "make_gathered", "make_records", "make_tables"]

MOST_ROWS = 3000

UNMATCHED = (0.0, 0.0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.65, 0.8)
"""Shares of a side's rows without a match."""

DUPLICATES_SHARE = 0.4
"""Share of made records that are one table to deduplicate."""

COPY_RATES = (0.0, 0.0, 0.1, 0.4)
"""Shares of a thing's further rows that copy one of its rows to the letter."""

N_NOISE = (0, 0, 0, 1, 1, 2, 3)
"""Numbers of columns of noise."""

SINGLE_SHARE = 0.1
"""Share of the tables to deduplicate that have a single column of a record's own."""

MERGED_SHARE = 0.3
"""Share of them that have several columns written into one, half of which have no other column."""

TWINS = (0.0, 0.3, 1.0)
"""Factors on the chance of near twins in tables to deduplicate."""

N_OTHERS = (0, 0, 1, 3)
"""Numbers of sources beside the first that a table to deduplicate was put together from."""

NOT_TELLING = frozenset({"code", "quantity", "price", "category", "phone", "web", "email"})
"""Kinds of columns that do not tell things apart: different things differ elsewhere too."""

NAMESAKE_RATES = (0.0, 0.0, 0.2)
"""Shares of things kept that nothing tells from another thing: there are two John Smiths."""

SAME_FORMAT_RATES = (0.0, 0.0, 0.5, 1.0)
"""Shares of columns that two sides or sources write in the same format."""

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

ROUNDS = 8
"""Times that more things are made, where too many are alike."""


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
    things = _distinct_things(made, len(left_counts), layout, rng)
    noise = [Noise(lists, rng) for _ in range(rng.choice(N_NOISE))]
    left = Side(made, layout.headers, rng)
    right = Side(made, layout.headers, rng, left, rng.choice(SAME_FORMAT_RATES))
    copy_rate = rng.choice(COPY_RATES)
    tables, owners = [], []
    for side, counts in zip((left, right), (left_counts, right_counts), strict=True):
        of_rows = _owners(counts, rng)
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
    things = _distinct_things(made, len(counts[0]), layout, rng, rng.choice(TWINS))
    left = Side(made, layout.headers, rng, severities=KEPT_WELL)
    same_rate = rng.choice(SAME_FORMAT_RATES)
    sources = [
        Side(made, layout.headers, rng, left, same_rate, CARELESS)
        for _ in range(rng.choice(N_GATHERED))
    ]
    owners = [_owners(of_side, rng) for of_side in counts]
    listed = _write([left], things, owners[0], 0.0, rng)
    gathered = _write(sources, things, owners[1], rng.choice(COPY_RATES), rng)
    left_out = {key: rng.choice(LEFT_OUT_RATES) for key in layout.headers if key not in made.core}
    gathered = [_thinned(row, left_out, rng) for row in gathered]
    tables = [_table(rows, layout, (), rng) for rows in (listed, gathered)]
    return MadeTables(
        domain=made.name,
        left=tables[0],
        right=tables[1],
        left_things=owners[0],
        right_things=owners[1],
        kinds=_kinds(layout, tables[0]),
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
    things = _distinct_things(made, len(counts), layout, rng, rng.choice(TWINS))
    noise = [Noise(lists, rng) for _ in range(rng.choice(N_NOISE))]
    first = Side(made, layout.headers, rng, severities=CARELESS)
    same_rate = rng.choice(SAME_FORMAT_RATES)
    others = range(rng.choice(N_OTHERS))
    sides = [
        first,
        *(Side(made, layout.headers, rng, first, same_rate, CARELESS) for _ in others),
    ]
    owners = _owners(counts, rng)
    rows = _write(sides, things, owners, rng.choice(COPY_RATES), rng)
    rates = first.rates.by_header(layout.headers)
    drawn = rng.random()
    if drawn < SINGLE_SHARE:
        only = rng.choice([key for key in layout.headers if key in made.core])
        table: Table = {layout.headers[only]: [row[only] for row in rows]}
    elif drawn < SINGLE_SHARE + MERGED_SHARE:
        table = _merged(rows, made, layout, rng)
    else:
        table = _table(rows, layout, noise, rng)
    return MadeDuplicates(made.name, table, owners, _kinds(layout, table), rates)


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


def _distinct_things(
    domain: Domain, n: int, layout: Layout, rng: Random, twins: float = 1.0
) -> list[Thing]:
    """Make things, few of which have equal values in all columns that tell things apart."""
    telling = [
        key
        for key in layout.headers
        if key in domain.core or domain.columns[key].kind not in NOT_TELLING
    ]
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


def _thinned(row: Row, rates: Mapping[str, float], rng: Random) -> Row:
    """Leave values out at the rates of their columns, but not all of a row's."""
    kept = {
        key: None if rng.random() < rates.get(key, 0.0) else value for key, value in row.items()
    }
    return kept if any(value is not None for value in kept.values()) else row


def _table(rows: Sequence[Row], layout: Layout, noise: Sequence[Noise], rng: Random) -> Table:
    """Put rows into columns, with columns of noise before or after them."""
    table: Table = {header: [row[key] for row in rows] for key, header in layout.headers.items()}
    made = {column.header: column.values(len(rows)) for column in noise}
    made = {header: values for header, values in made.items() if header not in table}
    return {**made, **table} if layout.noise_first else {**table, **made}


def _kinds(layout: Layout, table: Table) -> dict[str, ColumnKind]:
    return {header: layout.kinds.get(header, "noise") for header in table}
