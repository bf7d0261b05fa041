"""Sorts of columns of one kind, by how their matches and pairs at random compare."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["fit_sorts", "smoothed"]

N_SORTS = 12
"""Sorts at most."""

COLUMNS_A_SORT = 10
"""Columns for each sort at least."""

ROUNDS = 100


def fit_sorts(
    matches: NDArray[np.float64],
    among: NDArray[np.float64],
    smoothing: tuple[float, float],
    most: int = N_SORTS,
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Fit a mixture of pairs of multinomial distributions by expectation-maximisation.

    Parameters
    ----------
    matches, among
        float64 of shape (n_columns, n_knots): by column, how many matches, and how many pairs at
        random, are at each knot; of no column all matches are 0.
    smoothing
        Added to the shares of each, so that no knot is impossible.
    most
        Sorts at most; of few columns there are fewer.

    Returns
    -------
    sorts_m, sorts_u
        float64 of shape (n_sorts, n_knots): m and u probabilities of each sort.
    shares
        float64 of shape (n_sorts,): how many of the columns are of it; their sum is 1.
    """
    n_columns, n_knots = matches.shape
    n_sorts = int(np.clip(n_columns // COLUMNS_A_SORT, 1, most))
    # At first by how far the values of matches agree.
    agreement = matches @ np.arange(n_knots) / matches.sum(axis=1)
    rank = np.argsort(np.argsort(agreement, kind="stable"), kind="stable")
    chance = np.eye(n_sorts)[rank * n_sorts // n_columns]
    for _ in range(ROUNDS):
        sorts = [
            smoothed(chance.T @ counts, by)
            for counts, by in zip((matches, among), smoothing, strict=True)
        ]
        shares = (chance.sum(axis=0) + 1) / (n_columns + n_sorts)
        fit = np.log(shares) + matches @ np.log(sorts[0]).T + among @ np.log(sorts[1]).T
        chance = np.exp(fit - fit.max(axis=1, keepdims=True))
        chance /= chance.sum(axis=1, keepdims=True)
    return sorts[0], sorts[1], shares


def smoothed(counts: NDArray[np.float64], by: float) -> NDArray[np.float64]:
    """Return the shares of counts along the last axis, with `by` added to each."""
    found = counts / np.maximum(counts.sum(axis=-1, keepdims=True), 1e-9) + by
    return np.asarray(found / found.sum(axis=-1, keepdims=True), dtype=np.float64)
