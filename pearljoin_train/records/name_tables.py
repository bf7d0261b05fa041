"""Made tables of one column of names to deduplicate: each name with its aliases, and misspelt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

import numpy as np

from pearljoin_train.augment.corruption import corrupt_name
from pearljoin_train.data.splits import fold
from pearljoin_train.records.made import MadeDuplicates, column_of_names
from pearljoin_train.records.multiplicity import Multiplicity

__all__ = ["make_name_table", "name_rows"]

COPY_RATES = (0.0, 0.0, 0.1, 0.4)
"""Shares of a name's further rows that copy one of its rows to the letter."""

ALIAS_RATES = (0.3, 0.6, 0.9)
"""Shares of a name's further rows that are aliases, where it has another; the rest is corrupted."""

NEIGHBOUR_SHARES = (0.0, 0.5, 1.0)
"""Shares of the names that are neighbours in the alphabet, and so look alike."""


def make_name_table(
    names: Mapping[str, Mapping[str, Sequence[str]]], *, seed: int, most_rows: int = 1000
) -> MadeDuplicates:
    """Make a table of names of one source, with one row or several for each.

    Parameters
    ----------
    names
        The aliases of each name, by source and name; see `alias_names`.
    seed
        The same seed gives the same table.
    most_rows
        Rows of the largest table, at least 1.
    """
    source, _, rows = name_rows(names, Random(f"names {seed}"), 2, most_rows)
    return column_of_names(source, rows)


def name_rows(
    names: Mapping[str, Mapping[str, Sequence[str]]], rng: Random, fewest: int, most: int
) -> tuple[str, int, list[tuple[str, int]]]:
    """Draw names of one source, with one row or several for each.

    Returned are the source, how many things were asked of it, of which it may have fewer, and the
    rows in random order, each with the number of its thing.
    """
    source = rng.choice(sorted(names))
    n_rows = max(fewest, int(float(most) ** rng.random() ** 0.7))
    counts = Multiplicity(True, n_rows, rng).draw_until(n_rows)
    chosen = _draw_names(names[source], len(counts), rng)
    return source, len(counts), _write_names(names[source], chosen, counts, rng)


def _write_names(
    aliases: Mapping[str, Sequence[str]], chosen: Sequence[str], counts: Sequence[int], rng: Random
) -> list[tuple[str, int]]:
    """Write names so many times each: some by an alias, some misspelt, some to the letter.

    Returned are the rows in random order, each with the place of its name among those chosen.
    """
    alias_rate, copy_rate = rng.choice(ALIAS_RATES), rng.choice(COPY_RATES)
    corruption = np.random.default_rng(rng.getrandbits(64))
    rows: list[tuple[str, int]] = []
    for cluster, (name, count) in enumerate(zip(chosen, counts, strict=False)):
        others = [*aliases[name]]
        rng.shuffle(others)
        written = [name]
        while len(written) < count:
            if rng.random() < copy_rate:
                written.append(rng.choice(written))
            elif others and rng.random() < alias_rate:
                written.append(others.pop())
            else:
                written.append(corrupt_name(rng.choice(written), corruption))
        rows += [(text, cluster) for text in written]
    rng.shuffle(rows)
    return rows


def _draw_names(names: Mapping[str, Sequence[str]], n: int, rng: Random) -> list[str]:
    """Draw names of which no two share a name or an alias."""
    listed = sorted(names)
    n_near = int(rng.choice(NEIGHBOUR_SHARES) * n)
    start = rng.randrange(max(1, len(listed) - n_near + 1))
    drawn = [*listed[start : start + n_near], *rng.sample(listed, min(len(listed), 2 * n))]
    found: list[str] = []
    taken: set[str] = set()
    for name in dict.fromkeys(drawn):
        forms = {fold(form) for form in (name, *names[name])}
        if len(found) < n and forms.isdisjoint(taken):
            found.append(name)
            taken |= forms
    return found
