"""Repair of clusters: nodes move to where they fit better.

Linkage never undoes a merge: one very likely pair between two groups merges early, before the other
pairs between them count. So nodes move, one of a cluster at a time, wherever this raises the sum of
the log odds inside clusters: the objective of correlation clustering (Bansal, Blum and Chawla
2004).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from pearljoin._clusters.linkage import STEPS, Bounds
from pearljoin._records.missing_keys import NULL
from pearljoin._typing import BoolVector, FloatVector, IntVector

__all__ = ["repair"]

MOST_ROUNDS = 50
"""Rounds of moves after which clusters stay as they are; a few are usual."""


def repair(
    labels: IntVector,
    first: IntVector,
    second: IntVector,
    log_odds: FloatVector,
    apart: BoolVector,
    bounds: Bounds,
) -> IntVector:
    """Move nodes between clusters while that raises the sum of the log odds inside them.

    Parameters
    ----------
    labels
        int64 of shape (n_nodes,): the cluster of each node, as the number of one of its nodes.
    first, second, log_odds, apart, bounds
        As of `pearljoin._clusters.linkage.average_linkage`.

    Returns
    -------
    labels
        Likewise; new clusters are numbered from n_nodes on.
    """
    whole = np.rint(log_odds.astype(np.float64) * STEPS).astype(np.int64)
    likely = (whole >= 0) & ~apart
    # Only where a node has a likely partner in another cluster, or an unlikely one in its own, can
    # a move gain anything.
    inside = labels[first] == labels[second]
    odd = np.unique(labels[np.concatenate([first, second])[np.tile(inside != likely, 2)]])
    kept = np.isin(labels[first], odd) | np.isin(labels[second], odd)
    graph = _Graph(labels, first[kept], second[kept], whole[kept], apart[kept], bounds)
    for _ in range(MOST_ROUNDS):
        if not graph.move():
            break
    return graph.labels


class _Graph:
    """Nodes in clusters, and the edges between them, both ways."""

    def __init__(
        self,
        labels: IntVector,
        first: IntVector,
        second: IntVector,
        total: IntVector,
        apart: BoolVector,
        bounds: Bounds,
    ) -> None:
        self.labels = labels.copy()
        self._node = np.concatenate([first, second])
        self._other = np.concatenate([second, first])
        self._total = np.tile(total, 2)
        self._apart = np.tile(apart, 2)
        self._bounds = bounds
        self._sources: dict[int, list[int]] = {}
        if bounds.exclusive is not None:
            for node, source in zip(*(part.tolist() for part in bounds.exclusive), strict=True):
                self._sources.setdefault(node, []).append(source)
        self._members: dict[int, set[int]] = {}
        for node, label in enumerate(labels.tolist()):
            self._members.setdefault(label, set()).add(node)

    def move(self) -> int:
        """Move nodes that gain by it, of each cluster at most one; return how many."""
        n_moved = 0
        touched: set[int] = set()
        for node, target in self._wishes():
            source = int(self.labels[node])
            if source in touched or target in touched or target == source:
                continue
            if target == NULL:
                target = len(self.labels) + len(self._members)
            elif not self._fits(node, target):
                continue
            self.labels[node] = target
            self._members[source].remove(node)
            self._members.setdefault(target, set()).add(node)
            touched |= {source, target}
            n_moved += 1
        return n_moved

    def _wishes(self) -> Iterator[tuple[int, int]]:
        """Yield nodes that gain by a move and where to, `NULL` for alone; largest gains first."""
        n_nodes = len(self.labels)
        n_labels = int(self.labels.max(initial=0)) + 1
        keys = self._node * n_labels + self.labels[self._other]
        listed, of = np.unique(keys, return_inverse=True)
        sums = np.zeros(len(listed), dtype=np.int64)
        np.add.at(sums, of.reshape(-1), self._total)
        barred = np.zeros(len(listed), dtype=bool)
        barred[of.reshape(-1)[self._apart]] = True
        node, cluster = listed // n_labels, listed % n_labels
        at_home = cluster == self.labels[node]
        home: NDArray[np.int64] = np.zeros(n_nodes, dtype=np.int64)
        home[node[at_home]] = sums[at_home]
        away = ~at_home & ~barred
        # To another cluster, or out of one in which the log odds of a node add up to less than 0.
        alone = np.flatnonzero(home < 0)
        nodes = np.concatenate([node[away], alone])
        targets = np.concatenate([cluster[away], np.full(len(alone), NULL)])
        gains = np.concatenate([sums[away], np.zeros(len(alone), dtype=np.int64)]) - home[nodes]
        kept = np.flatnonzero((gains > 0) & (gains + home[nodes] >= 0))
        order = kept[np.lexsort((targets[kept], nodes[kept], -gains[kept]))]
        yield from zip(nodes[order].tolist(), targets[order].tolist(), strict=True)

    def _fits(self, node: int, target: int) -> bool:
        """Whether constraints permit a node in a cluster."""
        bounds = self._bounds
        if bounds.max_size is None and bounds.uniform is None and bounds.exclusive is None:
            return True
        members = np.array(sorted(self._members[target]), dtype=np.int64)
        size = int(bounds.sizes[members].sum() + bounds.sizes[node])
        if bounds.max_size is not None and size > bounds.max_size:
            return False
        if bounds.uniform is not None:
            mine, theirs = bounds.uniform[:, node], bounds.uniform[:, members].max(axis=1)
            if ((mine != theirs) & (mine != NULL) & (theirs != NULL)).any():
                return False
        held = {source for member in members.tolist() for source in self._sources.get(member, ())}
        return held.isdisjoint(self._sources.get(node, ()))
