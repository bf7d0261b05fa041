"""Made tables of one column of text to deduplicate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random

from pearljoin_train.data.join import Join
from pearljoin_train.records.assemble import make_duplicates
from pearljoin_train.records.catalogues import make_catalogue
from pearljoin_train.records.lists import OpenLists
from pearljoin_train.records.made import MadeDuplicates, column_of_names
from pearljoin_train.records.name_tables import make_name_table
from pearljoin_train.records.namesakes import make_namesakes
from pearljoin_train.records.serial_tables import make_serial_table
from pearljoin_train.scorer.joins import Aliases, make_joins

__all__ = ["make_text_table"]

KINDS = {
    "names": 0.3,
    "record": 0.17,
    "listed": 0.15,
    "numbered": 0.08,
    "catalogue": 0.22,
    "namesakes": 0.08,
}
"""Shares of tables of names and their aliases, of a column of a record or several in one, of the
two sides of a join below each other, of numbered things, of siblings, and of people some of whom
share a name."""

LARGE_SHARE, LARGEST = 0.12, 6.0
"""Share of tables that may have more rows than usual, and by what factor at most."""

ASKED_SHARES = (0.2, 0.5, 1.0, 1.0)
"""Shares of the left names of a join that stand in its table."""


def make_text_table(
    lists: OpenLists,
    names: Mapping[str, Aliases],
    *,
    seed: int,
    most_rows: int = 1000,
) -> MadeDuplicates:
    """Make a table of one column of text, some of whose rows are the same thing.

    Parameters
    ----------
    lists
        Names and words, see `read_lists`.
    names
        The aliases of each name, by source and name; see `alias_names`.
    seed
        The same seed gives the same table.
    most_rows
        Rows of the largest table, but for a few, at least 1.
    """
    rng = Random(f"texts {seed}")
    if rng.random() < LARGE_SHARE:
        most_rows = int(most_rows * LARGEST ** rng.random())
    kind = rng.choices(list(KINDS), weights=list(KINDS.values()))[0]
    if kind == "names":
        return make_name_table(names, seed=rng.getrandbits(64), most_rows=most_rows)
    if kind == "numbered":
        made = make_serial_table(lists, seed=rng.getrandbits(64))
        return replace(made, table={"name": made.table["name"]})
    if kind == "catalogue":
        return make_catalogue(lists, seed=rng.getrandbits(64), most_rows=most_rows)
    if kind == "namesakes":
        return make_namesakes(lists, seed=rng.getrandbits(64), most_rows=most_rows)
    if kind == "listed":
        return _below_each_other(_join(names, rng), rng)
    while True:
        made = make_duplicates(lists, seed=rng.getrandbits(64), most_rows=most_rows)
        if len(made.table) == 1:
            return made


def _join(names: Mapping[str, Aliases], rng: Random) -> Join:
    """Make a join of one source; few sources give none at times."""
    nicknames = names.get("nicknames", {})
    while True:
        source = rng.choice(sorted(names))
        for join in make_joins(
            {source: names[source]}, nicknames, a_source=1, seed=rng.getrandbits(31)
        ):
            return join


def _below_each_other(join: Join, rng: Random) -> MadeDuplicates:
    """Put the right names of a join and some left ones that are answered into one column."""
    asked_share = rng.choice(ASKED_SHARES)
    thing = {name: number for number, name in enumerate(join.right)}
    asked: list[tuple[str, str]] = []
    for name, answers in zip(join.left, join.answers, strict=True):
        if not answers or rng.random() >= asked_share:
            continue
        first = min(answers)
        asked.append((name, first))
        merged, kept = {thing[answer] for answer in answers}, thing[first]
        thing = {right: kept if of in merged else of for right, of in thing.items()}
    rows = [(name, thing[name]) for name in join.right]
    rows += [(name, thing[answer]) for name, answer in asked]
    rng.shuffle(rows)
    return column_of_names(join.source, rows)
