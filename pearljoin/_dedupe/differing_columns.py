"""Warning of columns in which most pairs that share a cluster differ: they may tell things apart.

Invoices of one supplier agree in all but their numbers and dates, members of a household in all but
their given names. In such a column their values are no more alike than those of rows at random,
while one thing's are mostly more so, however they are spelled. Whether such pairs are one thing is
nothing that a table says by itself: offers of one hotel differ in their prices just so.
"""

from __future__ import annotations

import warnings
from operator import itemgetter

import numpy as np

from pearljoin._clusters.similar_pairs import SimilarPairs
from pearljoin._clusters.table_pairs import TablePairs
from pearljoin._errors import DifferingColumnWarning, caller_stacklevel
from pearljoin._records.sampling import mix
from pearljoin._scoring.compared import Compared
from pearljoin._tables.keys import Keys, key_columns
from pearljoin._typing import FloatVector, IntVector

__all__ = ["warn_of_differing"]

LEAST_SHARE = 0.67
"""Share of pairs that differ in a column, from which it is told."""

BY_CHANCE = 0.9
"""Share of pairs of records at random that are less alike than those from which on two values count
as alike."""

NEIGHBOURS = (1, 2, 3, 4, 5)
"""Places by which two records of a pair at random lie apart."""

FEWEST, MOST = 20, 1_000
"""Pairs of records that are asked, and pairs at random, at least and at most."""


def warn_of_differing(
    keys: Keys, comparison: TablePairs | SimilarPairs, labels: IntVector, threshold: float
) -> None:
    """Warn of key columns in which most pairs that share a cluster differ.

    Parameters
    ----------
    keys
        The columns.
    comparison
        Scored pairs of records.
    labels
        int64 of shape (n_rows,): the cluster of each row.
    threshold
        That of the clusters: pairs of at least this score are asked.
    """
    fields = comparison.records.fields
    if len(fields) < 2 or not isinstance(comparison, TablePairs):
        return
    shares = _differing_shares(comparison, labels, threshold)
    # What several columns hold together, as coordinates do, is not told: no veto is made of it.
    told = [
        (share, keys.left[of[0]])
        for of, share in zip(key_columns(fields), shares, strict=True)
        if len(of) == 1 and share >= LEAST_SHARE
    ]
    if not told:
        return
    told.sort(key=itemgetter(0), reverse=True)
    listed = ", ".join(f"{name!r} in {share:.0%}" for share, name in told)
    one = told[0][1]
    warnings.warn(
        "Most pairs of different keys that share a cluster are no more alike in a column than rows "
        f"at random. Got {listed} of the pairs that have both values. Hint: if {one!r} tells "
        f"things apart, as the number of an invoice does, veto={one!r} keeps them apart; if it "
        "changes from row to row of one thing, as a price does, leave it out of on=.",
        DifferingColumnWarning,
        stacklevel=caller_stacklevel(),
    )


def _differing_shares(comparison: TablePairs, labels: IntVector, threshold: float) -> list[float]:
    """By key column, the share of pairs that differ; 0 where too few have both values."""
    first, second, _ = comparison.above(threshold)
    of_record = labels[comparison.records.first_row]
    is_equal = comparison.side.equal_normalised.equals(first, second)
    together = (of_record[first] == of_record[second]) & ~is_equal
    first, second = _some(comparison, first[together], second[together])
    if len(first) < FEWEST:
        return [0.0] * len(comparison.weights.columns)
    columns = comparison.compare(first, second).columns
    by_chance = comparison.compare(*_apart(comparison, of_record)).columns
    return [
        _differing_share(_known(column), _known(usual), len(weights.weight) - 1)
        for column, usual, weights in zip(
            columns, by_chance, comparison.weights.columns, strict=True
        )
    ]


def _known(column: Compared) -> FloatVector:
    return column.position[~np.isnan(column.position)]


def _differing_share(position: FloatVector, usual: FloatVector, top: int) -> float:
    """Share of pairs that are not equal, and no more alike than most pairs at random."""
    unequal = usual[usual < top]
    if min(len(position), len(unequal)) < FEWEST:
        return 0.0
    most = np.quantile(usual, BY_CHANCE)
    if most == top:  # a column of few values, many of which are equal by chance
        most = np.quantile(unequal, BY_CHANCE)
    return float(((position <= most) & (position < top)).mean())


def _apart(comparison: TablePairs, of_record: IntVector) -> tuple[IntVector, IntVector]:
    """Pairs at random of one group and two clusters, the same in every order of rows."""
    side = comparison.side
    groups = np.zeros(len(side), dtype=np.int64) if side.groups is None else side.groups
    order = np.lexsort((mix(comparison.keys), groups))
    # Neighbours in the order of mixed hashes have nothing to do with each other.
    first, second = (
        np.concatenate(parts)
        for parts in zip(*((order[:-by], order[by:]) for by in NEIGHBOURS), strict=True)
    )
    apart = (groups[first] == groups[second]) & (of_record[first] != of_record[second])
    return _some(comparison, first[apart], second[apart])


def _some(
    comparison: TablePairs, first: IntVector, second: IntVector
) -> tuple[IntVector, IntVector]:
    """Choose pairs at equal distances, in an order that does not depend on that of the rows."""
    if len(first) <= MOST:
        return first, second
    keys = comparison.keys[first], comparison.keys[second]
    order = np.lexsort((np.maximum(*keys), np.minimum(*keys)))
    some = order[np.linspace(0, len(order) - 1, MOST).astype(np.int64)]
    return first[some], second[some]
