"""Metrics of a distance on related and unrelated pairs (De Boom et al., section 5)."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest

__all__ = ["best_threshold", "binomial_p", "jensen_shannon", "split_error"]

Floats: TypeAlias = NDArray[np.float64]
Bools: TypeAlias = NDArray[np.bool_]

BINS = 50


def best_threshold(distance: Floats, related: Bools) -> float:
    """Return the distance at which pairs are split with fewest errors.

    Parameters
    ----------
    distance
        float64 of shape (n_pairs,), at least one.
    related
        bool of shape (n_pairs,).

    Returns
    -------
    threshold
        Halfway between two neighbouring distances (or beyond the last): pairs at most so far
        apart are taken as related. The lowest such value among equally good ones.

    Examples
    --------
    >>> best_threshold(np.array([1.0, 2.0, 3.0, 4.0]), np.array([True, True, False, False]))
    2.5
    """
    order = np.argsort(distance, kind="stable")
    ordered = distance[order]
    # errors[i]: the first i pairs taken as related
    missed = related.sum() - np.concatenate([[0], np.cumsum(related[order])])
    wrong = np.concatenate([[0], np.cumsum(~related[order])])
    edges = np.concatenate([[ordered[0] - 1], (ordered[:-1] + ordered[1:]) / 2, [ordered[-1] + 1]])
    # Between equal distances no threshold can cut.
    possible = np.concatenate([[True], ordered[1:] > ordered[:-1], [True]])
    errors = np.where(possible, missed + wrong, len(distance) + 1)
    return float(edges[np.argmin(errors)])


def split_error(distance: Floats, related: Bools, threshold: float) -> float:
    """Return the share of pairs on the wrong side of a threshold, in [0, 1] (equation 2)."""
    return float(((distance <= threshold) != related).mean())


def jensen_shannon(distance: Floats, related: Bools, bins: int = BINS) -> float:
    """Return the Jensen-Shannon divergence of the two kinds' distances, in bits.

    Parameters
    ----------
    distance, related
        As for `best_threshold`, both kinds present.
    bins
        Of equal width between the least and the greatest distance. The paper does not say how
        it estimates the distributions; on few pairs a histogram overstates the divergence.

    Returns
    -------
    divergence
        In [0, 1]: 0 for equal histograms, 1 for disjoint ones.

    Examples
    --------
    >>> jensen_shannon(np.array([0.0, 0.1, 0.9, 1.0]), np.array([True, True, False, False]))
    1.0
    """
    edges = np.linspace(distance.min(), distance.max(), bins + 1)
    left, right = (
        np.histogram(distance[related == kind], edges)[0] / max((related == kind).sum(), 1)
        for kind in (True, False)
    )
    middle = (left + right) / 2
    return float((_entropy_from(left, middle) + _entropy_from(right, middle)) / 2)


def _entropy_from(p: Floats, q: Floats) -> float:
    filled = p > 0
    return float((p[filled] * np.log2(p[filled] / q[filled])).sum())


def binomial_p(left_is_right: Bools, right_is_right: Bools) -> float:
    """Test two methods on the same pairs: a two-tailed binomial test.

    Parameters
    ----------
    left_is_right, right_is_right
        bool of shape (n_pairs,): where each method decides rightly.

    Returns
    -------
    p
        Of the null hypothesis that, of the pairs on which just one of them is right, each is as
        often that one; 1.0 where there is no such pair.

    Examples
    --------
    >>> binomial_p(np.ones(10, dtype=bool), np.zeros(10, dtype=bool))
    0.001953125
    """
    wins = int((left_is_right & ~right_is_right).sum())
    losses = int((~left_is_right & right_is_right).sum())
    return float(binomtest(wins, wins + losses, 0.5).pvalue) if wins + losses else 1.0
