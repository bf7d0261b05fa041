"""Scores of a sample of left rows, as the threshold rules need them."""

from __future__ import annotations

import numpy as np

from pearljoin._comparison.reference import Reference
from pearljoin._decision.thresholds import LEAST_PROBABILITY, LEAST_SAME
from pearljoin._scoring.frozen_state import FrozenState
from pearljoin._typing import Constraint, FloatVector

__all__ = ["TableScores"]


class TableScores:
    """The frozen scores of a reference, as a `pearljoin._decision.thresholds.ScoreDistribution`.

    Parameters
    ----------
    reference
        The reference.
    state
        What was learned beforehand.
    constraint, k
        How many partners a row may have, as in `select_matches`.
    """

    def __init__(
        self,
        reference: Reference,
        state: FrozenState,
        constraint: Constraint,
        k: int | None,
    ) -> None:
        self._reference = reference
        self._sample = state.sample_for(constraint)
        self._neighbours = state.neighbours
        self._most = np.inf if k is None else k
        self._constraint = constraint

    @property
    def calibrated(self) -> bool:
        """Whether a score is the probability of a match."""
        return self._reference.calibrated

    @property
    def equal_only(self) -> bool:
        """Whether near keys are others, as whole numbers and dates are."""
        return self._reference.equal_only

    @property
    def fallback(self) -> float:
        """The threshold for small tables of similarities, in [0, 1]."""
        return self._reference.fallback_threshold

    @property
    def pairs(self) -> FloatVector:
        """Scores of possible matches of the sample: float32 of shape (n_pairs,)."""
        ranks = self._sample.ranks
        most = self._most if self._constraint == "many_to_many" else 1
        return np.asarray(self._sample.scores[ranks < most], dtype=np.float32)

    @property
    def usual(self) -> FloatVector:
        """Scores of best candidates in tables at large: float32, empty where none are known."""
        known = self._reference.scorer or self._reference.networks
        return np.zeros(0, dtype=np.float32) if known is None else known.usual_scores

    @property
    def least(self) -> float:
        """Lowest probability of a match."""
        by_itself = self._constraint == "many_to_many" and self._reference.networks is not None
        return LEAST_SAME if by_itself else LEAST_PROBABILITY

    @property
    def best(self) -> FloatVector:
        """Best score of each sampled left record that equals no reference record."""
        return self._sample.best

    @property
    def rivals(self) -> FloatVector:
        """Second best score of the same left records."""
        return self._sample.rivals

    @property
    def neighbours(self) -> FloatVector:
        """Best score of sampled reference records against other reference records."""
        before = self._neighbours
        return self._reference.neighbour_scores if before is None else before
