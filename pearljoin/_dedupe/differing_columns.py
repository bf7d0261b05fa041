"""Warning of columns in which most pairs that share a cluster differ: they may tell things apart.

Invoices of one supplier agree in all but their numbers and dates, members of a household in all but
their given names. In such a column their values are no more alike than those of rows at random,
while one thing's are mostly more so, however they are spelled. Whether such pairs are one thing is
nothing that a table says by itself: offers of one hotel differ in their prices just so.

Of an event that was entered twice, and of the next one, two pairs in three differ or fewer. A date
or a code that differs in most clusters tells things apart all the same, as one thing has one.
"""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Sequence
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from pearljoin._clusters.similar_pairs import SimilarPairs
from pearljoin._clusters.table_pairs import TablePairs
from pearljoin._errors import DifferingColumnWarning, caller_stacklevel
from pearljoin._records.records import Field
from pearljoin._records.sampling import mix
from pearljoin._scoring.compared import Compared
from pearljoin._tables.keys import Keys, key_columns
from pearljoin._typing import BoolVector, FloatVector, IntVector

__all__ = ["warn_of_differing"]

LEAST_SHARE = 0.67
"""Share of pairs that differ in a column, from which it is told."""

LEAST_CLUSTERS = 0.5
"""Share of clusters in which a date or a code differs, from which it is told."""

FEWEST_CLUSTERS = 10
"""Clusters that are asked, at least."""

ONE_OF_A_THING = frozenset({"code", "date"})
"""Kinds of which one thing has one value, however many rows it has. Prices change."""

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
    compared = _compared(comparison, labels, threshold)
    if compared is None:
        return
    told = _told(keys, fields, _pair_shares(compared), LEAST_SHARE)
    in_what = "Most pairs of different keys that share a cluster are no more alike in a column than"
    of_what = "the pairs that have both values"
    if not told:
        told = _told(keys, fields, _cluster_shares(compared, fields), LEAST_CLUSTERS)
        in_what = "Most clusters of different keys hold rows no more alike in a column than"
        of_what = "the clusters"
    if not told:
        return
    listed = ", ".join(f"{name!r} in {share:.0%}" for share, name in told)
    one = told[0][1]
    warnings.warn(
        f"{in_what} rows at random. Got {listed} of {of_what}. Hint: if {one!r} tells things "
        f"apart, as the number of an invoice does, veto={one!r} keeps them apart; if it changes "
        "from row to row of one thing, as a price does, leave it out of on=.",
        DifferingColumnWarning,
        stacklevel=caller_stacklevel(),
    )


def _told(
    keys: Keys, fields: Sequence[Field], shares: Sequence[float], least: float
) -> list[tuple[float, Hashable]]:
    """Shares of at least some size and their key columns, the highest first.

    What several columns hold together, as coordinates do, is not told: no veto is made of it.
    """
    told = [
        (share, keys.left[of[0]])
        for of, share in zip(key_columns(fields), shares, strict=True)
        if len(of) == 1 and share >= least
    ]
    return sorted(told, key=itemgetter(0), reverse=True)


class _Compared(NamedTuple):
    """Pairs of different keys that share a cluster, and pairs at random, by key column.

    Attributes
    ----------
    columns, usual
        How the pairs of a cluster compare, and those at random.
    tops
        Positions of equal values.
    clusters
        int64 of shape (n_pairs,): the cluster of each pair of `columns`.
    """

    columns: Sequence[Compared]
    usual: Sequence[Compared]
    tops: Sequence[int]
    clusters: IntVector


def _compared(comparison: TablePairs, labels: IntVector, threshold: float) -> _Compared | None:
    """Compare pairs that share a cluster; None where they are too few."""
    first, second, _ = comparison.above(threshold)
    of_record = labels[comparison.records.first_row]
    is_equal = comparison.side.equal_normalised.equals(first, second)
    together = (of_record[first] == of_record[second]) & ~is_equal
    first, second = _some(comparison, first[together], second[together])
    if len(first) < FEWEST:
        return None
    return _Compared(
        comparison.compare(first, second).columns,
        comparison.compare(*_apart(comparison, of_record)).columns,
        [len(weights.weight) - 1 for weights in comparison.weights.columns],
        of_record[first],
    )


def _differing_shares(comparison: TablePairs, labels: IntVector, threshold: float) -> list[float]:
    """By key column, the share of pairs that differ; 0 where too few have both values."""
    compared = _compared(comparison, labels, threshold)
    if compared is None:
        return [0.0] * len(comparison.weights.columns)
    return _pair_shares(compared)


def _pair_shares(compared: _Compared) -> list[float]:
    return [
        _differing_share(_known(column), _known(usual), top)
        for column, usual, top in zip(compared.columns, compared.usual, compared.tops, strict=True)
    ]


def _cluster_shares(compared: _Compared, fields: Sequence[Field]) -> list[float]:
    """By key column, the share of clusters in which a date or a code differs; 0 for others."""
    shares = []
    for at, (field, column) in enumerate(zip(fields, compared.columns, strict=True)):
        is_known = ~np.isnan(column.position)
        asked = np.unique(compared.clusters[is_known])
        is_one = field.is_time or field.shown_kind in ONE_OF_A_THING
        if not is_one or len(asked) < FEWEST_CLUSTERS:
            shares.append(0.0)
            continue
        differs = _differ(column.position[is_known], _known(compared.usual[at]), compared.tops[at])
        odd = np.unique(compared.clusters[is_known][differs])
        shares.append(len(odd) / len(asked))
    return shares


def _known(column: Compared) -> FloatVector:
    return column.position[~np.isnan(column.position)]


def _differing_share(position: FloatVector, usual: FloatVector, top: int) -> float:
    """Share of pairs that are not equal, and no more alike than most pairs at random."""
    return float(_differ(position, usual, top).mean()) if len(position) else 0.0


def _differ(position: FloatVector, usual: FloatVector, top: int) -> BoolVector:
    """Mark pairs that are not equal, and no more alike than most at random; none of too few."""
    unequal = usual[usual < top]
    if min(len(position), len(unequal)) < FEWEST:
        return np.zeros(len(position), dtype=bool)
    most = np.quantile(usual, BY_CHANCE)
    if most == top:  # a column of few values, many of which are equal by chance
        most = np.quantile(unequal, BY_CHANCE)
    return (position <= most) & (position < top)


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
