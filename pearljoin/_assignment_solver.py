"""Solver of the one-to-one assignment: the matching of greatest total score in a sparse graph."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from pearljoin._typing import BoolVector, FloatVector, IntVector

__all__ = ["assign"]

DENSE_CELLS = 4_000_000
"""Largest component that is solved as a dense matrix, in cells of 8 bytes."""

UNMATCHED = 2 + 1e-6
"""Cost of leaving a row unmatched: slightly above the cost of a pair of score 0."""

TIE_BREAK = 1e-10
"""Cost difference between tied pairs: below the resolution of a score (1e-5), above float64's."""


def assign(left: IntVector, right: IntVector, score: FloatVector) -> BoolVector:
    """Choose pairs so that each row is used at most once and the sum of scores is greatest.

    As many pairs of score 1 (equal keys) as possible are chosen first.

    Parameters
    ----------
    left, right, score
        Edges of the graph: row positions (int64) and scores (float32, in [0, 1]), each of shape
        (n_pairs,).

    Returns
    -------
    chosen
        bool of shape (n_pairs,).
    """
    chosen = np.zeros(len(left), dtype=bool)
    if not len(left):
        return chosen
    left, right = _codes(left), _codes(right)
    for level in (score >= 1, score < 1):
        taken_left, taken_right = left[chosen], right[chosen]
        edges = np.flatnonzero(level & ~np.isin(left, taken_left) & ~np.isin(right, taken_right))
        if len(edges):
            picked = _assign_components(_codes(left[edges]), _codes(right[edges]), score[edges])
            chosen[edges[picked]] = True
    return chosen


def _codes(values: IntVector) -> IntVector:
    """Number the distinct values 0, 1, ... in ascending order."""
    return np.unique(values, return_inverse=True)[1].astype(np.int64).reshape(-1)


def _assign_components(left: IntVector, right: IntVector, score: FloatVector) -> BoolVector:
    """Solve each connected component on its own."""
    # Imported here, as the solvers below: few joins are one-to-one, and a fresh process waits.
    from scipy.sparse.csgraph import connected_components

    n_left, n_right = int(left.max()) + 1, int(right.max()) + 1
    graph = csr_array(
        (np.ones(len(left), dtype=np.int8), (left, right + n_left)),
        shape=(n_left + n_right, n_left + n_right),
    )
    component = connected_components(graph, directed=False)[1][left]
    cost = _costs(left / n_left, right / n_right, score)
    order = np.argsort(component, kind="stable")
    bounds = np.flatnonzero(np.diff(component[order])) + 1
    chosen = np.zeros(len(left), dtype=bool)
    for edges in np.split(order, bounds):
        if len(edges) == 1:
            chosen[edges] = True
        else:
            chosen[edges] = _assign_connected(
                _codes(left[edges]), _codes(right[edges]), cost[edges]
            )
    return chosen


def _costs(
    left: NDArray[np.float64], right: NDArray[np.float64], score: FloatVector
) -> NDArray[np.float64]:
    """Cost of each edge, in (1, 2]; ties go to low right rows, in the order of left rows."""
    return 2 - score.astype(np.float64) + TIE_BREAK * (right - 0.5 * left * right)


def _assign_connected(left: IntVector, right: IntVector, cost: NDArray[np.float64]) -> BoolVector:
    """Solve one connected component whose rows are numbered from 0."""
    from scipy.optimize import linear_sum_assignment
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    n_left, n_right = int(left.max()) + 1, int(right.max()) + 1
    if n_left * n_right <= DENSE_CELLS:
        # A missing edge costs as much as two unmatched rows, so choosing it leaves them unmatched.
        table = np.full((n_left, n_right), UNMATCHED)
        table[left, right] = cost
        rows, columns = (np.asarray(part, np.int64) for part in linear_sum_assignment(table))
    else:
        # scipy's sparse solver needs a full matching, so every left row gets a dummy partner.
        graph = csr_array(
            (
                np.concatenate([cost, np.full(n_left, UNMATCHED)]),
                (
                    np.concatenate([left, np.arange(n_left)]),
                    np.concatenate([right, n_right + np.arange(n_left)]),
                ),
            ),
            shape=(n_left, n_right + n_left),
        )
        solved = min_weight_full_bipartite_matching(graph)
        rows, columns = (np.asarray(part, np.int64) for part in solved)
    partner = np.full(n_left, -1, dtype=np.int64)
    partner[rows] = columns
    return np.asarray(partner[left] == right, dtype=bool)
