"""Made catalogues: tables whose things have names that differ from those of siblings in a word."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

import numpy as np
import pandas as pd

from pearljoin_train.augment.corruption import corrupt_name
from pearljoin_train.records.families import Member, draw_families
from pearljoin_train.records.lists import OpenLists
from pearljoin_train.records.made import MadeDuplicates, column_of_names
from pearljoin_train.records.multiplicity import Multiplicity
from pearljoin_train.records.values.slips import (
    abbreviate,
    change_case,
    join_words,
    lose_accents,
    misspell,
    punctuate,
    swap_words,
)
from pearljoin_train.records.written_tables import WrittenTable

__all__ = ["catalogue_counts", "make_catalogue", "make_catalogues"]

FEWEST_ROWS, MOST_ROWS = 12, 500

N_AREAS = 6
"""Areas that catalogues are put into, as if they were written tables."""

WITHOUT_COPIES, FEW_COPIES = 0.3, 0.5
"""Shares of catalogues in which nothing has two rows, and in which few things have."""

ALIAS_RATES = (0.0, 0.3, 0.7)
"""Chances that a further row has another name of the thing, where there is one."""

N_SLIPS = (1, 1, 2, 3)
"""Numbers of slips in a further row."""

SLIPS: tuple[Callable[[str, Random], str], ...] = (
    misspell,
    misspell,
    change_case,
    punctuate,
    abbreviate,
    join_words,
    swap_words,
    lose_accents,
)


def make_catalogue(lists: OpenLists, *, seed: int, most_rows: int = 300) -> MadeDuplicates:
    """Make a table of names that come in families, some of whose rows are the same thing.

    Parameters
    ----------
    lists
        Names and words, see `read_lists`.
    seed
        The same seed gives the same table.
    most_rows
        Rows of the largest table, at least `FEWEST_ROWS`.
    """
    rng = Random(f"catalogue {seed}")
    counts = catalogue_counts(most_rows, rng)
    members = [each for family in draw_families(lists, len(counts), rng) for each in family]
    alias_rate = rng.choice(ALIAS_RATES)
    rows = [
        (text, number)
        for number, (member, count) in enumerate(zip(members, counts, strict=True))
        for text in _rows(member, count, alias_rate, rng)
    ]
    rng.shuffle(rows)
    return column_of_names("catalogue", rows)


def make_catalogues(lists: OpenLists, n: int, *, seed: int) -> Iterator[WrittenTable]:
    """Make catalogues as if they were written tables, in a few areas.

    Parameters
    ----------
    lists
        Names and words, see `read_lists`.
    n
        How many.
    seed
        The same seed gives the same catalogues.
    """
    for number in range(n):
        made = make_catalogue(lists, seed=seed * n + number, most_rows=MOST_ROWS)
        area = f"catalogue_{number % N_AREAS}"
        yield WrittenTable(area, str(number), pd.DataFrame(made.table), made.clusters)


def catalogue_counts(most_rows: int, rng: Random) -> list[int]:
    """Draw how many rows a catalogue has of each of its things: one of most."""
    n_rows = max(FEWEST_ROWS, int(float(most_rows) ** rng.random() ** 0.7))
    drawn = rng.random()
    is_many, few = drawn >= WITHOUT_COPIES, drawn < WITHOUT_COPIES + FEW_COPIES
    return Multiplicity(is_many, n_rows, rng, few).draw_until(n_rows)


def _rows(member: Member, n: int, alias_rate: float, rng: Random) -> list[str]:
    """Write the rows of a thing."""
    base, aliases, write = member
    found = [write(base)]
    corruption = np.random.default_rng(rng.getrandbits(64))
    while len(found) < n:
        text = write(rng.choice(aliases) if aliases and rng.random() < alias_rate else base)
        for _ in range(rng.choice(N_SLIPS)):
            if rng.random() < 0.2:
                text = corrupt_name(text, corruption)
            else:
                text = rng.choice(SLIPS)(text, rng)
        found.append(text)
    return found
