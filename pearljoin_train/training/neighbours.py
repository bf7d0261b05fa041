"""Groups of rows that look alike, found by a random projection tree (Dasgupta and Freund, 2008).

In-batch negatives from such a group are hard ones, at no further cost: nothing is searched, and
nothing but the batch itself is encoded.
"""

from __future__ import annotations

import numpy as np

__all__ = ["leaves"]


def leaves(vectors: np.ndarray, size: int, rng: np.random.Generator) -> list[np.ndarray]:
    """Split rows into groups of neighbours.

    Each node is split at the median of the projection on the line between two of its rows.

    Parameters
    ----------
    vectors (n, d)
        Unit rows.
    size
        Rows of a group at most; every group has at least half as many, unless n is smaller.
    rng
        Draws the lines; another state gives another tree.

    Returns
    -------
    groups
        Row numbers; together every row once.

    Examples
    --------
    >>> groups = leaves(np.eye(8, dtype=np.float32), 2, np.random.default_rng(0))
    >>> len(groups), sorted(np.concatenate(groups).tolist())
    (4, [0, 1, 2, 3, 4, 5, 6, 7])
    """
    found = []
    waiting = [np.arange(len(vectors))]
    while waiting:
        rows = waiting.pop()
        if len(rows) <= size:
            found.append(rows)
            continue
        first, second = rng.choice(len(rows), 2, replace=False)
        line = vectors[rows[first]] - vectors[rows[second]]
        order = np.argsort(vectors[rows] @ line, kind="stable")
        half = len(rows) // 2
        waiting += [rows[order[:half]], rows[order[half:]]]
    return found
