"""Pairs inside clusters that blocking missed.

One false match may connect two groups of records. The scores of the other pairs between the groups
would tell, but blocking leaves these pairs out where records have enough nearer candidates. So all
pairs inside a cluster are compared, and the records are clustered anew, until no pair is missing.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pearljoin._candidates.blocking import Pairs
from pearljoin._clusters.linkage import Bounds, average_linkage
from pearljoin._clusters.partition import cut_log_odds
from pearljoin._clusters.scored_pairs import ScoredPairs, each_once, in_order, joined, unlisted
from pearljoin._ragged import items_of_rows
from pearljoin._typing import FloatVector, IntVector

__all__ = ["MOST_OFFSETS", "complete_clusters", "pairs_within"]

MOST_ROUNDS = 3
"""Most rounds of clustering; hardly a pair is new in the third."""

MOST_OFFSETS = 30
"""Most members of its cluster, in the order of keys, that a record is compared with."""


def complete_clusters(
    scored: ScoredPairs,
    keys: IntVector,
    score: Callable[[IntVector, IntVector], FloatVector],
    permitted: Callable[[IntVector, IntVector], Pairs],
) -> ScoredPairs:
    """Compare the pairs inside clusters that blocking missed.

    Parameters
    ----------
    scored
        The pairs that blocking found, in order.
    keys
        int64 of shape (n_records,): a hash of the content of each record.
    score
        Gives the log odds of pairs: float32 of shape (n_pairs,).
    permitted
        Keeps the pairs that no veto forbids.

    Returns
    -------
    scored
        The pairs of blocking and those inside clusters, in order.
    """
    n_records = len(keys)
    bounds = Bounds(np.ones(n_records, dtype=np.int64))
    for _ in range(MOST_ROUNDS):
        first, second, log_odds = scored
        nothing = np.zeros(len(first), dtype=bool)
        edges = first, second, cut_log_odds(log_odds), nothing
        labels = average_linkage(n_records, *edges, bounds, keys)
        more = permitted(*unlisted(pairs_within(labels, keys), scored))
        if not len(more[0]):
            break
        scored = in_order(*joined(scored, (*more, score(*more))))
    return scored


def pairs_within(labels: IntVector, keys: IntVector) -> Pairs:
    """List pairs of records of one cluster: all in small ones, evenly chosen ones in large ones.

    Parameters
    ----------
    labels
        int64 of shape (n_records,): the cluster of each record.
    keys
        As of `complete_clusters`. Members stand in a circle in the order of keys; each is paired
        with those at the same distances behind it, so that all are in equally many pairs.

    Returns
    -------
    first, second
        Aligned int64 arrays, ``first < second``, ascending: each pair once.

    Examples
    --------
    >>> pairs_within(np.array([5, 7, 5, 5]), np.array([1, 2, 3, 4]))
    (array([0, 0, 2]), array([2, 3, 3]))
    """
    order = np.lexsort((keys, labels))
    _, starts, sizes = np.unique(labels[order], return_index=True, return_counts=True)
    start, size = starts.repeat(sizes), sizes.repeat(sizes)
    reach = size // 2
    position, number = items_of_rows(np.zeros_like(reach), np.minimum(reach, MOST_OFFSETS))
    reach = reach[position]
    spread = 1 + number * (reach - 1) // max(1, MOST_OFFSETS - 1)
    offset = np.where(reach <= MOST_OFFSETS, 1 + number, spread)
    start, size = start[position], size[position]
    other = start + (position - start + offset) % np.maximum(1, size)
    return each_once(order[position], order[other], len(labels))
