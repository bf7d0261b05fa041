"""Rows added to clusters: their pairs, and the cluster that each belongs to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pearljoin._candidates.blocking import MOST_PAIRS, Pairs, distinct_pairs, refuse_above
from pearljoin._candidates.exclusions import conflicts
from pearljoin._clusters.limits import numbered, parts_of_equal
from pearljoin._clusters.linkage import Bounds, average_linkage
from pearljoin._clusters.partition import EQUAL, LARGEST, least_log_odds
from pearljoin._clusters.scored_pairs import ScoredPairs, each_once, joined, unlisted
from pearljoin._clusters.table_pairs import TablePairs
from pearljoin._ragged import items_of_rows, places_of_each
from pearljoin._records.missing_keys import NULL
from pearljoin._records.records import Records
from pearljoin._search import tfidf, vectors
from pearljoin._typing import BoolVector, FloatVector, IntVector

__all__ = ["Additions", "Bridge", "Standing", "assign_rows", "pairs_of_new"]

NEAR_MEANING, NEAR_SPELLING = 0.8, 0.4
"""Lowest cosines of whole records at which two added records are candidates of each other."""

MOST_MEMBERS = 50
"""Records of a cluster that an added one is compared with, at most, beside its nearest."""


class Bridge(NamedTuple):
    """An added row that matches two clusters.

    Attributes
    ----------
    cluster, other
        The cluster that it joined, and one that it might have joined.
    row
        The row.
    log_odds
        Mean log odds that the row matches the rows of the other cluster.
    """

    cluster: int
    other: int
    row: int
    log_odds: float


@dataclass(frozen=True)
class Standing:
    """Rows and clusters from before an addition.

    Attributes
    ----------
    cluster
        int64 of shape (n_rows,): the cluster of each row of the table, `NULL` for a new row.
    is_live
        bool of shape (n_rows,): rows that were not removed.
    sources
        int64 of shape (n_rows,), as of `Limits`.
    max_size
        As of `Limits`.
    next_cluster
        Number of the next new cluster.
    """

    cluster: IntVector
    is_live: np.ndarray[tuple[int], np.dtype[np.bool_]]
    sources: IntVector | None
    max_size: int | None
    next_cluster: int


class Additions(NamedTuple):
    """What became of added rows.

    Attributes
    ----------
    clusters
        int64 of shape (n_new,): their clusters.
    bridges
        Rows that match two clusters.
    """

    clusters: IntVector
    bridges: list[Bridge]


def pairs_of_new(pairs: TablePairs, n_before: int) -> Pairs:
    """List candidate pairs of new records with all others, whatever the order of additions.

    Candidates of a new record are its nearest among the fitted records, and all added records above
    a similarity. So no added record displaces a candidate of another.

    Parameters
    ----------
    pairs
        The whole table, whose first records are those that were fitted, its base.
    n_before
        Number of records without the new ones.

    Returns
    -------
    first, second
        Aligned int64 arrays, ``first < second``.

    Raises
    ------
    InputError
        If there are too many pairs to hold.
    """
    fitted = pairs.base.encoded
    n_records, n_fitted = len(pairs.side), len(fitted)
    new = np.arange(n_before, n_records)
    if not len(new):
        return new, new
    queries = pairs.side.take(new)
    left, right = pairs.block(queries, fitted)
    found = [(right, new[left])]
    added = np.arange(n_fitted, n_records)
    assert queries.whole is not None
    near, others = queries.whole, pairs.side.take(added).whole
    assert others is not None
    at, place = vectors.above(near.meaning, others.meaning, NEAR_MEANING, MOST_PAIRS)
    found.append((new[at], added[place]))
    spelling = near.spelling_matrix, others.spelling_matrix
    at, place = tfidf.above(*spelling, NEAR_SPELLING, MOST_PAIRS)[:2]
    found.append((new[at], added[place]))
    one, other = distinct_pairs(
        [(np.minimum(*both), np.maximum(*both)) for both in found], n_records
    )
    # Both searches stop soon after the limit, so what they found would not be all.
    refuse_above(max(len(one), *(len(both[0]) for both in found)))
    groups = pairs.side.groups
    kept = (one != other) & ~conflicts(pairs.records, pairs.records, one, other)
    if groups is not None:
        kept &= groups[one] == groups[other]
    return one[kept], other[kept]


def assign_rows(
    pairs: TablePairs,
    found: ScoredPairs,
    standing: Standing,
    threshold: float,
) -> Additions:
    """Assign new rows to clusters; existing ones keep their rows.

    Parameters
    ----------
    pairs
        The whole table.
    found
        Pairs of records (first, second, log odds) of which one has a new row at least.
    standing
        The rows and clusters that stand.
    threshold
        As in `pearljoin._clusters.partition.Partition.at`.

    Returns
    -------
    additions
        The clusters of the new rows, by row.
    """
    graph = _Graph(pairs, standing)
    lowest = least_log_odds(threshold)
    first, second, log_odds = _with_members(pairs, graph, found, lowest)
    record = np.concatenate([first, second]), np.concatenate([second, first])
    position, one = graph.new_nodes_of(record[0])
    again, other = graph.nodes_of(record[1][position])
    odds = np.clip(np.tile(log_odds, 2), -LARGEST, LARGEST)[position][again]
    equal = graph.equal_nodes()
    ends = np.concatenate([one[again], equal[0]]), np.concatenate([other, equal[1]])
    odds = np.concatenate([odds, np.full(len(equal[0]), EQUAL, dtype=np.float32)])
    kept = ends[0] != ends[1]
    ends, odds = (ends[0][kept], ends[1][kept]), odds[kept]
    apart = np.zeros(len(odds), dtype=bool)
    above = odds - np.float32(lowest)
    labels = average_linkage(graph.n_nodes, *ends, above, apart, graph.bounds)
    clusters = graph.clusters_of(labels)
    return Additions(clusters, graph.bridges(ends, odds, lowest, clusters))


def _with_members(
    pairs: TablePairs,
    graph: _Graph,
    found: ScoredPairs,
    lowest: float,
) -> ScoredPairs:
    """Add the pairs of new records with other members of the clusters that are near."""
    first, second, log_odds = found
    near = log_odds >= lowest
    of_new = [graph.is_new[part[near]] for part in (first, second)]
    record = np.concatenate([first[near][of_new[0]], second[near][of_new[1]]])
    other = np.concatenate([second[near][of_new[0]], first[near][of_new[1]]])
    position, cluster = graph.clusters_with(other)
    wanted = np.unique(np.stack([record[position], cluster]), axis=1)
    again, member = graph.members_of(wanted[1])
    one, two = wanted[0][again], member
    more = unlisted(each_once(one, two, len(pairs.side)), found)
    return joined(found, (*more, pairs.log_odds_of(*more)))


class _Graph:
    """Existing clusters and units of new rows, as nodes: the clusters first.

    New rows of one record are a unit unless a constraint parts them, as in fit: so they take no
    more rounds than one row.
    """

    def __init__(self, pairs: TablePairs, standing: Standing) -> None:
        self._standing = standing
        of_row = pairs.records.of_row
        self._new = np.flatnonzero(standing.cluster == NULL)
        self._clusters, inverse = np.unique(
            standing.cluster[standing.is_live & (standing.cluster != NULL)], return_inverse=True
        )
        self._rows = np.flatnonzero(standing.is_live & (standing.cluster != NULL))
        self._node = np.full(len(of_row), NULL, dtype=np.int64)
        self._node[self._rows] = inverse.reshape(-1)
        self._open = self._open_clusters(pairs.records)
        self._unit, self._fits = self._units_of_new(pairs.records)
        self._node[self._new] = len(self._clusters) + self._unit
        known = np.flatnonzero((self._node != NULL) & (of_row != NULL))
        both = np.unique(np.stack([of_row[known], self._node[known]]), axis=1)
        self._by_record = both
        self._starts = np.searchsorted(both[0], np.arange(len(pairs.side) + 1))
        self.is_new = np.zeros(len(pairs.side), dtype=bool)
        self.is_new[of_row[self._new[of_row[self._new] != NULL]]] = True
        self.bounds = self._make_bounds(pairs)

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return len(self._clusters) + int(self._unit.max(initial=-1)) + 1

    def _units_of_new(self, records: Records) -> tuple[IntVector, BoolVector]:
        """Put new rows into units, numbered by first appearance.

        Returns
        -------
        unit
            int64 of shape (n_new,): the unit of each new row.
        fits
            bool of shape (n_units,): whether it fits into the open cluster of its record.
        """
        new, sources, most = self._new, self._standing.sources, self._standing.max_size
        # The last open cluster, for rows without a record, is none.
        record, joined = records.of_row[new], self._open[records.of_row[new]]
        sources = None if sources is None else sources[new]
        taken = None if sources is None else self._holds(joined, sources)
        part = parts_of_equal(record, sources, most, taken, self._sizes()[joined])
        key = np.where(record == NULL, records.n_records + np.arange(len(new)), record)
        _, unit = np.unique(np.stack([key, part]), axis=1, return_inverse=True)
        unit = numbered(unit.reshape(-1))
        return unit, part[np.unique(unit, return_index=True)[1]] == 0

    def _open_clusters(self, records: Records) -> IntVector:
        """Find the cluster that new rows of each record join: the first with room for one of them.

        int64 of shape (n_records + 1,): a node; the number of clusters where there is none.
        """
        standing, of_row, n_old = self._standing, records.of_row, len(self._clusters)
        known = self._rows[of_row[self._rows] != NULL]
        if standing.max_size is not None:
            known = known[self._sizes()[self._node[known]] < standing.max_size]
        there = np.unique(np.stack([of_row[known], self._node[known]]), axis=1)
        if standing.sources is not None:
            rows = self._new[of_row[self._new] != NULL]
            wanted = np.unique(np.stack([of_row[rows], standing.sources[rows]]), axis=1)
            position, place = places_of_each(there[0], wanted[0])
            there = there[:, place[~self._holds(there[1][place], wanted[1][position])]]
        found = np.full(records.n_records + 1, n_old, dtype=np.int64)
        np.minimum.at(found, there[0], there[1])
        return found

    def _sizes(self) -> IntVector:
        """Rows of each cluster, and 0 for none: int64 of shape (n_clusters + 1,)."""
        return np.bincount(self._node[self._rows], minlength=len(self._clusters) + 1)

    def _holds(self, cluster: IntVector, sources: IntVector) -> BoolVector:
        """Mark clusters that have a row of a source other than null."""
        known = self._standing.sources
        assert known is not None
        rows = self._rows[known[self._rows] != NULL]
        size = int(known.max(initial=0)) + 1
        held = np.isin(cluster * size + sources, self._node[rows] * size + known[rows])
        return np.asarray(held & (sources != NULL), dtype=bool)

    def _make_bounds(self, pairs: TablePairs) -> Bounds:
        standing, n_old = self._standing, len(self._clusters)
        live = np.flatnonzero(self._node != NULL)
        sizes = np.bincount(self._node[live], minlength=self.n_nodes).astype(np.int64)
        # Existing clusters must not merge: each is the one value of its nodes in this column.
        columns = [np.append(np.arange(n_old), np.full(self.n_nodes - n_old, NULL))]
        for column in pairs.records.vetoes:
            found = np.full(self.n_nodes, NULL, dtype=np.int64)
            np.maximum.at(found, self._node[live], column.codes[live])
            columns.append(found)
        exclusive = None
        if standing.sources is not None:
            rows = live[standing.sources[live] != NULL]
            listed = np.unique(np.stack([self._node[rows], standing.sources[rows]]), axis=1)
            exclusive = listed[0], listed[1]
        return Bounds(sizes, standing.max_size, exclusive, np.stack(columns))

    def nodes_of(self, records: IntVector) -> Pairs:
        """List the nodes that have rows of each record: (position, node)."""
        start = self._starts[records]
        position, place = items_of_rows(start, self._starts[records + 1] - start)
        return position, self._by_record[1][place]

    def new_nodes_of(self, records: IntVector) -> Pairs:
        """List the units of new rows of each record: (position, node)."""
        position, node = self.nodes_of(records)
        kept = node >= len(self._clusters)
        return position[kept], node[kept]

    def clusters_with(self, records: IntVector) -> Pairs:
        """List the nodes of the clusters that have rows of each record: (position, node)."""
        position, node = self.nodes_of(records)
        kept = node < len(self._clusters)
        return position[kept], node[kept]

    def members_of(self, nodes: IntVector) -> Pairs:
        """List records of each cluster, of each at most `MOST_MEMBERS`: (position, record)."""
        record, node = self._by_record
        order = np.argsort(node, kind="stable")
        position, place = places_of_each(node[order], nodes, MOST_MEMBERS)
        return position, record[order[place]]

    def equal_nodes(self) -> Pairs:
        """List pairs of nodes that have rows of one record.

        A record's units with its first one; and with its open cluster, the unit that has room
        there: another that came first would leave the cluster unfilled.
        """
        record, node = self._by_record
        is_unit = node >= len(self._clusters)
        record, unit = record[is_unit], node[is_unit]
        first = unit[np.searchsorted(record, record)]
        cluster = self._open[record]
        fits = (cluster < len(self._clusters)) & self._fits[unit - len(self._clusters)]
        ends = np.concatenate([first, cluster[fits]]), np.concatenate([unit, unit[fits]])
        apart = ends[0] != ends[1]
        return ends[0][apart], ends[1][apart]

    def clusters_of(self, labels: IntVector) -> IntVector:
        """The cluster of each new row: int64 of shape (n_new,)."""
        n_old = len(self._clusters)
        found = np.full(self.n_nodes, NULL, dtype=np.int64)
        found[labels[:n_old]] = self._clusters
        mine = labels[n_old:]
        next_cluster = self._standing.next_cluster
        for label in mine[np.sort(np.unique(mine, return_index=True)[1])].tolist():
            if found[label] == NULL:
                found[label] = next_cluster
                next_cluster += 1
        return found[mine[self._unit]]

    def bridges(
        self, ends: Pairs, log_odds: FloatVector, lowest: float, clusters: IntVector
    ) -> list[Bridge]:
        """List new rows that on average also match another cluster."""
        n_old = len(self._clusters)
        node, cluster = (np.concatenate([ends[at], ends[1 - at]]) for at in (0, 1))
        kept = (node >= n_old) & (cluster < n_old)
        listed, of = np.unique(np.stack([node[kept], cluster[kept]]), axis=1, return_inverse=True)
        totals = np.bincount(of.reshape(-1), weights=np.tile(log_odds, 2)[kept])
        means = totals / np.bincount(of.reshape(-1))
        unit, cluster = listed[0] - n_old, self._clusters[listed[1]]
        order = np.argsort(self._unit, kind="stable")
        position, place = places_of_each(self._unit[order], unit)
        row, other, mean = order[place], cluster[position], means[position]
        joined = clusters[row]
        is_bridge = (joined != other) & (mean >= lowest) & (joined < self._standing.next_cluster)
        found = np.flatnonzero(is_bridge)
        found = found[np.lexsort((other[found], row[found]))]
        columns = joined[found], other[found], self._new[row[found]], mean[found]
        return [Bridge(*one) for one in zip(*(part.tolist() for part in columns), strict=True)]
