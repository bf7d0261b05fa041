"""Scores of a comparison, as the threshold rules need them; computed on first use."""

from __future__ import annotations

import numpy as np

from pearljoin._comparison import Comparison
from pearljoin._typing import Constraint, FloatVector, IntVector

__all__ = ["TableScores"]


class TableScores:
    """A comparison's scores, as a `pearljoin._decision.thresholds.ScoreDistribution`.

    Parameters
    ----------
    comparison
        Scored candidates.
    fallback
        The threshold that ships with the model.
    constraint, k
        How many partners a row may have, as in `select_matches`.
    """

    def __init__(
        self, comparison: Comparison, fallback: float, constraint: Constraint, k: int | None
    ) -> None:
        self._comparison = comparison
        self._constraint = constraint
        self._k = k
        self.fallback = fallback

    @property
    def calibrated(self) -> bool:
        """Whether a score is the probability of a match."""
        return self._comparison.calibrated

    @property
    def pairs(self) -> tuple[FloatVector, IntVector]:
        """Scores of possible matches, and the number of row pairs of each."""
        candidates, left = self._comparison.candidates, self._comparison.left
        if self._constraint != "many_to_many":
            kept = candidates.take((candidates.rank == 0) & (candidates.equality == 0))
            return kept.score, left.sizes[kept.left]
        most = np.inf if self._k is None else self._k
        kept = candidates.take((candidates.rank < most) & (candidates.equality == 0))
        return kept.score, left.sizes[kept.left] * self._comparison.right.sizes[kept.right]

    @property
    def best(self) -> FloatVector:
        """Best score of each left record that equals no reference record."""
        return self._scores_at(rank=0)

    @property
    def rivals(self) -> FloatVector:
        """Second best score of the same left records."""
        return self._scores_at(rank=1)

    def _scores_at(self, rank: int) -> FloatVector:
        candidates = self._comparison.candidates
        at_rank = candidates.take(candidates.rank == rank)
        scores = np.zeros(self._comparison.left.n_records, dtype=np.float32)
        scores[at_rank.left] = at_rank.score
        equal = np.zeros(len(scores), dtype=bool)
        equal[candidates.left[candidates.equality > 0]] = True
        return np.asarray(scores[~equal], dtype=np.float32)

    @property
    def neighbours(self) -> FloatVector:
        """Best score of sampled reference records against other reference records."""
        return self._comparison.neighbour_scores
