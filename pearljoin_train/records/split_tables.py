"""Written tables split in two: rows of one thing on both sides, as two offices have them."""

from __future__ import annotations

from collections import defaultdict
from random import Random
from typing import TypeAlias

from pearljoin_train.records.made import LinkedTables, Table
from pearljoin_train.records.multiplicity import RELATIONS, Relation
from pearljoin_train.records.written_tables import WrittenTable, as_texts

__all__ = ["split_in_two"]

Row: TypeAlias = tuple[str, ...]
"""Values of a row as texts; empty for a missing one."""

ABSENT_SHARES, UNASKED_SHARES = (0.0, 0.0, 0.1, 0.3, 0.5, 0.8), (0.0, 0.0, 0.2, 0.5)
"""Shares of the things with rows on both sides that keep none on the right, and on the left."""


def split_in_two(written: WrittenTable, rng: Random) -> LinkedTables:
    """Split the rows of a table into a left side and a right one.

    A thing of which there is one row is on one of them, so its siblings of the other side are no
    answers. Of a thing with several rows each side has one, or all that the other has not; with at
    most one row a side the rest is left out. Of some things with rows on both sides only those of
    one side stay.

    Parameters
    ----------
    written
        The table.
    rng
        Draws which rows go where.
    """
    relation: Relation = rng.choices(list(RELATIONS), list(RELATIONS.values()))[0]
    absent, unasked = rng.choice(ABSENT_SHARES), rng.choice(UNASKED_SHARES)
    of_thing: dict[int, list[Row]] = defaultdict(list)
    for thing, row in zip(written.clusters, written.rows(), strict=True):
        of_thing[thing].append(as_texts(row))
    left: list[tuple[int, Row]] = []
    right: list[tuple[int, Row]] = []
    for thing, rows in of_thing.items():
        here, there = _sides(rng.sample(rows, len(rows)), relation, rng)
        is_absent, is_unasked = rng.random() < absent, rng.random() < unasked
        if not here or not there:  # siblings of others, which stay whatever is absent
            is_absent = is_unasked = False
        left += [(thing, row) for row in here if is_absent or not is_unasked]
        right += [(thing, row) for row in there if not is_absent]
    rng.shuffle(left)
    rng.shuffle(right)
    headers = [str(header) for header in written.texts]
    return LinkedTables(
        domain=written.domain,
        left=_as_table(headers, [row for _, row in left]),
        right=_as_table(headers, [row for _, row in right]),
        left_things=[thing for thing, _ in left],
        right_things=[thing for thing, _ in right],
        relation=relation,
    )


def _sides(rows: list[Row], relation: Relation, rng: Random) -> tuple[list[Row], list[Row]]:
    """Give the rows of a thing to the left side and the right one."""
    if len(rows) == 1:
        return (rows, []) if rng.random() < 0.5 else ([], rows)
    if relation == "one_to_one":
        return rows[:1], rows[1:2]
    if relation == "many_to_one":
        return rows[1:], rows[:1]
    if relation == "one_to_many":
        return rows[:1], rows[1:]
    cut = rng.randint(1, len(rows) - 1)
    return rows[:cut], rows[cut:]


def _as_table(headers: list[str], rows: list[Row]) -> Table:
    columns = zip(*rows, strict=True) if rows else ((),) * len(headers)
    return {
        header: [value or None for value in column]
        for header, column in zip(headers, columns, strict=True)
    }
