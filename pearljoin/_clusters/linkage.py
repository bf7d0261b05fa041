"""Average linkage: clusters whose mean log odds of a match are positive.

Two clusters merge while the mean of the log odds between their members reaches the threshold, the
highest mean first (Sokal and Michener 1958). One likely pair does not merge two groups whose other
pairs are unlikely.

Average linkage is reducible: merging two clusters brings neither nearer to a third. So clusters
that are each other's nearest can merge at once, a whole round of them by array operations, and the
result is that of merging one pair at a time.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from pearljoin._ragged import items_of_rows
from pearljoin._records.missing_keys import NULL
from pearljoin._typing import BoolVector, FloatVector, IntVector

__all__ = ["Bounds", "average_linkage"]

STEPS = 1024.0
"""Log odds are summed as whole numbers of parts, so many to one: their order changes no sum."""

EXACT_ROUNDS, ROUNDS_A_HALVING = 200, 10
"""Rounds in which means are compared exactly; every `ROUNDS_A_HALVING` later ones they are compared
half as finely, or a long chain of rising means would merge one pair a round. A few dozen rounds are
usual."""


@dataclass(frozen=True)
class Bounds:
    """Constraints on the nodes of one cluster.

    Attributes
    ----------
    sizes
        int64 of shape (n_nodes,): what each node counts towards `max_size`.
    max_size
        Most that a cluster may count; None for no limit.
    exclusive
        Aligned int64 arrays (node, source): a cluster has each source once. None without.
    uniform
        int64 of shape (n_columns, n_nodes): the nodes of a cluster have one value in each column,
        `NULL` apart.
    """

    sizes: IntVector
    max_size: int | None = None
    exclusive: tuple[IntVector, IntVector] | None = None
    uniform: IntVector | None = None

    @property
    def are_none(self) -> bool:
        """Whether nothing is constrained."""
        return self.max_size is None and self.exclusive is None and self.uniform is None


def average_linkage(
    n_nodes: int,
    first: IntVector,
    second: IntVector,
    log_odds: FloatVector,
    apart: BoolVector,
    bounds: Bounds,
    keys: IntVector | None = None,
) -> IntVector:
    """Cluster the nodes of a graph.

    Parameters
    ----------
    n_nodes
        Number of nodes.
    first, second
        int64 of shape (n_edges,): two different nodes each; an edge may be given several times.
    log_odds
        float32 of shape (n_edges,): 0 or more for nodes that belong together.
    apart
        bool of shape (n_edges,): nodes that must not share a cluster.
    bounds
        Further constraints.
    keys
        int64 of shape (n_nodes,): what decides between equal edges. Default: the node numbers.

    Returns
    -------
    labels
        int64 of shape (n_nodes,): a node of each node's cluster.
    """
    state = _State(np.arange(n_nodes) if keys is None else keys, bounds)
    whole = np.rint(log_odds.astype(np.float64) * STEPS).astype(np.int64)
    edges = _Edges.merged(first, second, whole, np.ones(len(first), dtype=np.int64), apart)
    for number in count():
        state.part(edges)
        edges = edges.within_components(n_nodes)
        doublings = max(0, number - EXACT_ROUNDS) / ROUNDS_A_HALVING
        step = 2.0 ** min(doublings, 60) if doublings else 0.0
        into, merged = edges.merges(state.keys, step, at_once=bounds.are_none)
        if not len(merged):
            break
        state.merge(into, merged)
        edges = edges.relabelled(state.label)
    return state.label


@dataclass(frozen=True)
class _Edges:
    """Edges between clusters, each pair once.

    Attributes
    ----------
    first, second
        int64 of shape (n_edges,), ``first < second``.
    total, count
        int64 of shape (n_edges,): sum of the log odds of the pairs of nodes, and their number.
    apart
        bool of shape (n_edges,): the two must not merge.
    """

    first: IntVector
    second: IntVector
    total: IntVector
    count: IntVector
    apart: BoolVector

    @classmethod
    def merged(
        cls,
        first: IntVector,
        second: IntVector,
        total: IntVector,
        count: IntVector,
        apart: BoolVector,
    ) -> _Edges:
        """Add up the edges of each pair of clusters."""
        low, high = np.minimum(first, second), np.maximum(first, second)
        order = np.lexsort((high, low))
        low, high = low[order], high[order]
        starts = np.flatnonzero((np.diff(low, prepend=-1) != 0) | (np.diff(high, prepend=-1) != 0))
        if not len(starts):
            return cls(low, high, total, count, apart)
        return cls(
            low[starts],
            high[starts],
            np.add.reduceat(total[order], starts),
            np.add.reduceat(count[order], starts),
            np.logical_or.reduceat(apart[order], starts),
        )

    @property
    def may_merge(self) -> BoolVector:
        """Edges of clusters that belong together and may: bool of shape (n_edges,)."""
        return np.asarray((self.total >= 0) & ~self.apart, dtype=bool)

    def take(self, kept: IntVector | BoolVector) -> _Edges:
        """Return some of the edges."""
        return _Edges(
            self.first[kept],
            self.second[kept],
            self.total[kept],
            self.count[kept],
            self.apart[kept],
        )

    def within_components(self, n_nodes: int) -> _Edges:
        """Keep the edges inside components of those that may merge: no others will ever matter."""
        kept = self.may_merge
        ends = self.first[kept], self.second[kept]
        graph = coo_matrix((np.ones(kept.sum(), dtype=np.int8), ends), shape=(n_nodes, n_nodes))
        component = connected_components(graph, directed=False)[1]
        return self.take(component[self.first] == component[self.second])

    def merges(self, keys: IntVector, step: float, *, at_once: bool) -> tuple[IntVector, IntVector]:
        """Find clusters that are each other's nearest.

        Parameters
        ----------
        keys
            int64 of shape (n_nodes,): what decides between equal means.
        step
            Means are told apart by steps of so many parts of `STEPS`; 0 for exactly.
        at_once
            Whether clusters that are all equally near to each other merge in one round, however
            many. A name in a thousand spellings would take hundreds of rounds.

        Returns
        -------
        into, merged
            Aligned int64 arrays: the clusters of the second merge into those of the first, each
            once.
        """
        at = np.flatnonzero(self.may_merge)
        mean = self.total[at] / self.count[at]
        mean = np.floor(mean / step) if step else mean
        first, second = self.first[at], self.second[at]
        highest = np.full(len(keys), -np.inf)
        np.maximum.at(highest, first, mean)
        np.maximum.at(highest, second, mean)
        of_first, of_second = mean == highest[first], mean == highest[second]
        grouped = np.zeros(len(keys), dtype=bool)
        into, merged = first[:0], second[:0]
        if at_once:
            into, merged = self._alike(at[of_first & of_second], len(keys))
            grouped[into] = grouped[merged] = True
        near = np.flatnonzero(of_first | of_second)
        first, second, mean = first[near], second[near], mean[near]
        # Equal edges come in an order that favours no node, so that many can merge in a round.
        order = np.lexsort((_scrambled(keys[first], keys[second]), -mean))
        first, second = first[order], second[order]
        place = np.arange(len(order))
        best = np.full(len(keys), len(order), dtype=np.int64)
        np.minimum.at(best, first, place)
        np.minimum.at(best, second, place)
        mutual = (best[first] == place) & (best[second] == place)
        mutual &= ~(grouped[first] | grouped[second])
        return np.append(into, first[mutual]), np.append(merged, second[mutual])

    def _alike(self, nearest: IntVector, n_nodes: int) -> tuple[IntVector, IntVector]:
        """Find groups of clusters whose edges among each other are all equally near.

        Merging some of a group changes no mean between the others, so it ends as one.

        Parameters
        ----------
        nearest
            int64 of shape (n,): the edges of clusters that are each other's nearest by their mean.
        n_nodes
            Number of nodes.

        Returns
        -------
        into, merged
            As of `merges`.
        """
        ends = self.first[nearest], self.second[nearest]
        graph = coo_matrix((np.ones(len(nearest), dtype=np.int8), ends), shape=(n_nodes, n_nodes))
        n_groups, group = connected_components(graph, directed=False)
        inside = self.first[group[self.first] == group[self.second]]
        n_edges = np.bincount(group[inside], minlength=n_groups)
        is_whole = n_edges == np.bincount(group[ends[0]], minlength=n_groups)
        _, head = np.unique(group, return_index=True)
        merged = np.flatnonzero(is_whole[group] & (head[group] != np.arange(n_nodes)))
        return head[group[merged]], merged

    def relabelled(self, label: IntVector) -> _Edges:
        """Return the edges between the clusters that nodes are in now."""
        first, second = label[self.first], label[self.second]
        kept = first != second
        return _Edges.merged(
            first[kept], second[kept], self.total[kept], self.count[kept], self.apart[kept]
        )


def _scrambled(first: IntVector, second: IntVector) -> NDArray[np.uint64]:
    """Number edges in pseudo-random order, by multiplicative hashing of the keys of their ends."""
    low, high = np.minimum(first, second), np.maximum(first, second)
    mixed = low.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= high.astype(np.uint64) * np.uint64(0xC2B2AE3D27D4EB4F)
    return (mixed ^ (mixed >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)


class _State:
    """The cluster of each node, and what constraints need of clusters."""

    def __init__(self, keys: IntVector, bounds: Bounds) -> None:
        n_nodes = len(keys)
        self.label = np.arange(n_nodes)
        self.keys = keys.copy()
        self._bounds = bounds
        self._sizes = bounds.sizes.copy()
        known = np.zeros((0, n_nodes), dtype=np.int64) if bounds.uniform is None else bounds.uniform
        self._value = known.copy()
        self._has_grown = np.ones(n_nodes, dtype=bool)

    def part(self, edges: _Edges) -> None:
        """Mark edges of clusters that grew last and that constraints keep apart.

        All of them at once, or a full cluster would refuse one of its neighbours in each round.
        """
        grown = self._has_grown[edges.first] | self._has_grown[edges.second]
        at = np.flatnonzero(grown & edges.may_merge)
        edges.apart[at] = self._must_not_merge(edges.first[at], edges.second[at])

    def merge(self, first: IntVector, second: IntVector) -> None:
        """Merge clusters: each of the second, once, into the first, which stay."""
        np.minimum.at(self.keys, first, self.keys[second])
        np.add.at(self._sizes, first, self._sizes[second])
        for values in self._value:
            np.maximum.at(values, first, values[second])
        self._has_grown[:] = False
        self._has_grown[first] = True
        target = np.arange(len(self.label))
        target[second] = first
        self.label = target[self.label]

    def _must_not_merge(self, first: IntVector, second: IntVector) -> BoolVector:
        """Mark pairs of clusters whose merge breaks a constraint: shape (n_pairs,)."""
        values = self._value[:, first], self._value[:, second]
        found = ((values[0] != values[1]) & (values[0] != NULL) & (values[1] != NULL)).any(axis=0)
        if self._bounds.max_size is not None:
            found |= self._sizes[first] + self._sizes[second] > self._bounds.max_size
        if self._bounds.exclusive is not None and len(first):
            found |= self._share_source(first, second, *self._bounds.exclusive)
        return np.asarray(found, dtype=bool)

    def _share_source(
        self, first: IntVector, second: IntVector, node: IntVector, source: IntVector
    ) -> BoolVector:
        """Mark pairs of clusters with a common source: bool of shape (n_pairs,)."""
        n_sources = int(source.max(initial=-1)) + 1
        held = np.unique(self.label[node] * n_sources + source)
        bounds = np.searchsorted(held, np.arange(len(self.label) + 1) * n_sources)
        sizes = np.diff(bounds)
        few, many = np.where(sizes[first] <= sizes[second], (first, second), (second, first))
        position, place = items_of_rows(bounds[few], sizes[few])
        wanted = many[position] * n_sources + held[place] % max(1, n_sources)
        found = np.zeros(len(first), dtype=bool)
        found[position[np.isin(wanted, held)]] = True
        return found
