"""Pairs of records, scored or not, and their order."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from scipy.special import expit

from pearljoin._candidates.blocking import Pairs
from pearljoin._matches import find_pairs
from pearljoin._records.similarity import BELOW_EQUAL
from pearljoin._typing import FloatVector, IntVector

__all__ = [
    "NO_PAIRS",
    "ScoredPairs",
    "each_once",
    "in_order",
    "joined",
    "look_up",
    "probabilities",
    "unlisted",
]

ScoredPairs: TypeAlias = tuple[IntVector, IntVector, FloatVector]
"""First and second records, int64 of shape (n_pairs,) each, and the log odds that both are the same
thing, float32 of that shape."""

NO_PAIRS: ScoredPairs = (
    np.zeros(0, dtype=np.int64),
    np.zeros(0, dtype=np.int64),
    np.zeros(0, dtype=np.float32),
)


def in_order(first: IntVector, second: IntVector, log_odds: FloatVector) -> ScoredPairs:
    """Sort scored pairs by their first and then their second record."""
    order = np.lexsort((second, first))
    return first[order], second[order], log_odds[order]


def joined(one: ScoredPairs, other: ScoredPairs) -> ScoredPairs:
    """Put scored pairs behind others."""
    return (
        np.concatenate([one[0], other[0]]),
        np.concatenate([one[1], other[1]]),
        np.concatenate([one[2], other[2]]),
    )


def unlisted(pairs: Pairs, scored: ScoredPairs) -> Pairs:
    """Leave out the pairs that are among scored ones; both have the lower record first."""
    new = find_pairs(*scored[:2], *pairs) < 0
    return pairs[0][new], pairs[1][new]


def look_up(
    first: IntVector, second: IntVector, scored: ScoredPairs
) -> tuple[FloatVector, IntVector]:
    """Look pairs up among scored ones; both have the lower record first.

    Returns
    -------
    log_odds
        float32 of shape (n_pairs,): of those that are there; 0 for the others.
    unknown
        int64 of shape (n_unknown,): places of the others.
    """
    at = find_pairs(*scored[:2], first, second)
    log_odds = np.append(scored[2], np.float32(0))[at]
    return log_odds, np.flatnonzero(at < 0)


def each_once(left: IntVector, right: IntVector, n_records: int) -> Pairs:
    """List pairs of one table's records once, the lower record first, none with itself.

    Parameters
    ----------
    left, right
        int64 of shape (n_pairs,).
    n_records
        Number of records.

    Returns
    -------
    first, second
        Aligned int64 arrays, ``first < second``, ascending by the first and then the second.

    Examples
    --------
    >>> import numpy as np
    >>> each_once(np.array([0, 1, 1, 2]), np.array([1, 0, 1, 0]), 3)
    (array([0, 0]), array([1, 2]))
    """
    apart = left != right
    first, second = np.minimum(left, right)[apart], np.maximum(left, right)[apart]
    listed = np.unique(first * max(1, n_records) + second)
    return listed // max(1, n_records), listed % max(1, n_records)


def probabilities(log_odds: FloatVector) -> FloatVector:
    """Turn log odds into probabilities; 1 for infinite ones alone."""
    found = np.minimum(expit(log_odds.astype(np.float64)), BELOW_EQUAL)
    return np.where(np.isposinf(log_odds), 1, found).astype(np.float32)
