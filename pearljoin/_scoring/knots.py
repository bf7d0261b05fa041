"""Knots of the scale on which a key column compares pairs, from conflict to equality."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pearljoin._typing import FloatVector

__all__ = ["knot_counts"]


def knot_counts(
    position: FloatVector, n_knots: int, weight: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """Count pairs by knot; one between two knots counts for both, by how near it is.

    Parameters
    ----------
    position
        float32 of shape (n_pairs,), NaN for a missing value, which does not count.
    n_knots
        Number of knots.
    weight
        float64 of shape (n_pairs,): how often each pair counts. Default: once.
    """
    known = np.flatnonzero(~np.isnan(position))
    at = position[known].astype(np.float64)
    times = np.ones(len(known)) if weight is None else weight[known]
    low = np.minimum(at.astype(np.int64), n_knots - 2)
    part = at - low
    counts = np.bincount(low, times * (1 - part), n_knots)
    return np.asarray(counts + np.bincount(low + 1, times * part, n_knots), dtype=np.float64)
