"""The distinct pairs that a report may show, and the choice among them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pearljoin._comparison.comparison import Comparison
from pearljoin._matches import Matches, ranks_within
from pearljoin._scoring.packed_candidates import best_of_parts
from pearljoin._typing import BoolVector, Constraint, FloatVector, IntVector

__all__ = [
    "MOST_PAIRS",
    "REVIEWED",
    "PairPool",
    "choose_pairs",
    "pool_pairs",
]

MOST_PAIRS = 5_000
"""Pairs that a report holds."""

REVIEWED = 200
"""Pairs that the review asks about."""

STRATA = 20
"""Ranges of the score, of equal width, that pairs are drawn from."""


@dataclass(frozen=True)
class PairPool:
    """Distinct pairs of records: the matches, and the best candidates that are none.

    Attributes
    ----------
    left, right
        int64 of shape (n_pairs,): record numbers.
    left_row, right_row
        int64 of shape (n_pairs,): the rows that stand for the records.
    n_left
        int64 of shape (n_pairs,): how many left rows have this pair.
    score
        float32 of shape (n_pairs,), in [0, 1].
    is_match
        bool of shape (n_pairs,).
    """

    left: IntVector
    right: IntVector
    left_row: IntVector
    right_row: IntVector
    n_left: IntVector
    score: FloatVector
    is_match: BoolVector

    def __len__(self) -> int:
        return len(self.left)

    def take(self, positions: IntVector) -> PairPool:
        """Return the pairs at `positions`, in that order."""
        return PairPool(
            self.left[positions],
            self.right[positions],
            self.left_row[positions],
            self.right_row[positions],
            self.n_left[positions],
            self.score[positions],
            self.is_match[positions],
        )


def pool_pairs(comparison: Comparison, matches: Matches, constraint: Constraint) -> PairPool:
    """List the distinct pairs of a result: its matches, and the candidates that are none.

    Parameters
    ----------
    comparison
        Scored candidates.
    matches
        The matches of the result.
    constraint
        Under many_to_many all candidates are listed, else each left record's best one.
    """
    left, right = comparison.left, comparison.right
    n_right = max(1, right.n_records)
    of_match = left.of_row[matches.left] * n_right + right.of_row[matches.right]
    known, first, counts = np.unique(of_match, return_index=True, return_counts=True)
    if constraint == "many_to_many":
        candidates = comparison.candidates_for(constraint)
    else:
        candidates = best_of_parts(comparison.candidate_parts(constraint))
    rest = candidates.take(~np.isin(candidates.left * n_right + candidates.right, known))
    n_rest = np.zeros(len(rest), dtype=bool)
    return PairPool(
        np.concatenate([known // n_right, rest.left]),
        np.concatenate([known % n_right, rest.right]),
        np.concatenate([matches.left[first], left.first_row[rest.left]]),
        np.concatenate([matches.right[first], right.first_row[rest.right]]),
        np.concatenate([counts, left.sizes[rest.left]]),
        np.concatenate([matches.score[first], rest.score]),
        np.concatenate([np.ones(len(first), dtype=bool), n_rest]),
    )


def choose_pairs(score: FloatVector, threshold: float, most: int) -> IntVector:
    """Choose pairs to show: half the nearest to the threshold, half from the whole range.

    Pairs with equal keys (score 1) come last.

    Parameters
    ----------
    score
        In [0, 1], of shape (n_pairs,).
    threshold
        In [0, 1].
    most
        The most pairs to choose.

    Returns
    -------
    positions
        int64 of shape (min(most, n_pairs),), without repetition, most doubtful first.
    """
    doubt = np.abs(score.astype(np.float64) - threshold) + 2.0 * (score >= 1)
    order = np.argsort(doubt, kind="stable")
    if len(order) <= most:
        return order
    nearest, others = order[: most // 2], order[most // 2 :]
    # A shuffled order within each range, so that its pairs are a sample of it.
    others = np.random.default_rng(0).permutation(others)
    stratum = np.minimum((score[others] * STRATA).astype(np.int64), STRATA - 1)
    stratum[score[others] >= 1] = STRATA
    by_stratum = np.argsort(stratum, kind="stable")
    turn = np.empty(len(others), dtype=np.int64)
    turn[by_stratum] = ranks_within(stratum[by_stratum])
    turn[stratum == STRATA] += len(others)
    drawn = others[np.argsort(turn, kind="stable")[: most - len(nearest)]]
    chosen = np.concatenate([nearest, drawn])
    return np.asarray(chosen[np.argsort(doubt[chosen], kind="stable")], dtype=np.int64)
