"""What the threshold rules may look at in a comparison, worked out when it is asked for."""

from __future__ import annotations

import numpy as np

from pearljoin._comparison import Comparison
from pearljoin._typing import Constraint, FloatVector, IntVector

__all__ = ["TableEvidence"]


class TableEvidence:
    """Scores of left and reference records, as `pearljoin._decision.thresholds.Evidence`."""

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
        """Scores of what could match, and how many pairs of rows each stands for."""
        candidates, left = self._comparison.candidates, self._comparison.left
        if self._constraint != "many_to_many":
            kept = candidates.take((candidates.place == 0) & (candidates.priority == 0))
            return kept.score, left.sizes[kept.left]
        most = np.inf if self._k is None else self._k
        kept = candidates.take((candidates.place < most) & (candidates.priority == 0))
        return kept.score, left.sizes[kept.left] * self._comparison.right.sizes[kept.right]

    @property
    def best(self) -> FloatVector:
        """Best score of each left record that equals none of the reference."""
        return self._scores(place=0)

    @property
    def rivals(self) -> FloatVector:
        """Second best score of the same records."""
        return self._scores(place=1)

    def _scores(self, place: int) -> FloatVector:
        candidates = self._comparison.candidates
        at_place = candidates.take(candidates.place == place)
        scores = np.zeros(self._comparison.left.n_records, dtype=np.float32)
        scores[at_place.left] = at_place.score
        equal = np.zeros(len(scores), dtype=bool)
        equal[candidates.left[candidates.priority > 0]] = True
        return np.asarray(scores[~equal], dtype=np.float32)

    @property
    def neighbours(self) -> FloatVector:
        """Best score of reference records against the others of the reference."""
        return self._comparison.neighbour_scores
