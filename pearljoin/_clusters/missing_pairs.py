"""Pairs that blocking missed among the records that likely pairs connect."""

from __future__ import annotations

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from pearljoin._ragged import items_of_rows
from pearljoin._typing import BoolVector, IntVector, Pairs

__all__ = ["MOST_MISSING", "missing_pairs"]

MOST_MISSING = 20
"""Pairs that blocking missed and that are compared, at most, as a multiple of the records."""


def missing_pairs(n_records: int, first: IntVector, second: IntVector, likely: BoolVector) -> Pairs:
    """List the pairs inside components of likely ones that are not listed.

    Parameters
    ----------
    n_records
        Number of records.
    first, second
        int64 of shape (n_pairs,), ``first < second``: the pairs that are listed, in order.
    likely
        bool of shape (n_pairs,): those that connect records.

    Returns
    -------
    first, second
        Aligned int64 arrays: at most `MOST_MISSING` times as many as there are records, of small
        components first.
    """
    ends = first[likely], second[likely]
    graph = coo_matrix((np.ones(len(ends[0]), dtype=np.int8), ends), shape=(n_records, n_records))
    component = connected_components(graph, directed=False)[1]
    sizes = np.bincount(component, minlength=1)
    smallest_first = np.argsort(sizes, kind="stable")
    costs = (sizes * (sizes - 1) // 2)[smallest_first]
    chosen = smallest_first[(np.cumsum(costs) <= MOST_MISSING * n_records) & (costs > 1)]
    members = np.argsort(component, kind="stable")
    starts = np.cumsum(sizes) - sizes
    # Each member meets the later ones of its component.
    position, place = items_of_rows(starts[chosen], sizes[chosen])
    left_over = (starts + sizes)[chosen][position] - place - 1
    at, other = items_of_rows(place + 1, left_over)
    listed = members[place[at]] * n_records + members[other]
    new = np.setdiff1d(listed, first * n_records + second, assume_unique=True)
    return new // max(1, n_records), new % max(1, n_records)
