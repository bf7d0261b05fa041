"""Expected precision and recall of matches, from calibrated probabilities."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pearljoin._comparison.comparison import Comparison
from pearljoin._decision.select import select_matches
from pearljoin._typing import Constraint, FloatVector

__all__ = ["Curve", "ExpectedQuality", "Probability"]

Probability: TypeAlias = Callable[[FloatVector], NDArray[np.float64]]
"""Function from scores, of shape (n,), to probabilities of the same shape."""

MOST_POINTS = 200
"""Largest number of thresholds of a curve."""


class Curve(NamedTuple):
    """Expected precision and recall by threshold.

    Attributes
    ----------
    threshold
        float64 of shape (n_points,), in [0, 1], ascending.
    precision
        float64 of shape (n_points,), in [0, 1]: expected share of right matches at each threshold.
    recall
        float64 of shape (n_points,), in [0, 1]: expected share of the answers among the candidates
        that are found.
    """

    threshold: NDArray[np.float64]
    precision: NDArray[np.float64]
    recall: NDArray[np.float64]


class ExpectedQuality:
    """Expected precision and recall of a comparison's matches.

    Parameters
    ----------
    comparison
        Scored candidates.
    constraint, k
        How many partners a row may have, as in `select_matches`.
    probability
        What scores mean.
    """

    def __init__(
        self,
        comparison: Comparison,
        constraint: Constraint,
        k: int | None,
        probability: Probability,
    ) -> None:
        self._comparison = comparison
        self._constraint: Constraint = constraint
        self._k = k
        self._probability = probability
        self._n_answers = self._expected_answers()

    def _expected_answers(self) -> float:
        """Expected number of answers among the candidates."""
        left, right = self._comparison.left, self._comparison.right
        if self._constraint == "many_to_many":
            candidates = self._comparison.candidates_for(self._constraint)
            n_rows = left.sizes[candidates.left] * right.sizes[candidates.right]
            return float(self._probability(candidates.score) @ n_rows)
        answers = np.zeros(left.n_records)
        for part in self._comparison.candidate_parts(self._constraint):
            # Doubles are one answer.
            once = self._probability(part.score) * part.is_first_of_thing
            answers[: int(part.left.max(initial=-1)) + 1] += np.bincount(part.left, weights=once)
        # A left row has at most one answer, whatever its probabilities add up to.
        return float(np.minimum(answers, 1) @ left.sizes)

    def at(self, threshold: float) -> tuple[float, float]:
        """Expected precision and recall of the matches at a threshold; NaN where undefined."""
        scores = select_matches(self._comparison, threshold, self._constraint, self._k).score
        n_right = float(self._probability(scores).sum())
        precision = n_right / len(scores) if len(scores) else float("nan")
        return precision, float(self.recall_of(n_right))

    def curve(self) -> Curve:
        """Expected precision and recall at thresholds over the range of scores."""
        matches = select_matches(self._comparison, 0.0, self._constraint, self._k)
        distinct = np.unique(matches.score)
        if len(distinct) > MOST_POINTS:
            positions = np.linspace(0, len(distinct) - 1, MOST_POINTS).astype(np.int64)
            distinct = distinct[positions]
        if self._constraint == "one_to_one":
            # Each threshold may have its own assignment.
            points = np.array([self.at(float(t)) for t in distinct]).reshape(-1, 2)
            return Curve(distinct.astype(np.float64), points[:, 0], points[:, 1])
        falling = np.sort(matches.score)[::-1]
        n_matches = len(falling) - np.searchsorted(falling[::-1], distinct, side="left")
        n_right = np.cumsum(self._probability(falling))[n_matches - 1]
        return Curve(distinct.astype(np.float64), n_right / n_matches, self.recall_of(n_right))

    def recall_of(self, n_right: NDArray[np.float64] | float) -> NDArray[np.float64]:
        """Return the expected recall of matches of which `n_right` are expected to be right."""
        # At most 1: under many_to_many, similarities may match pairs that are no candidates.
        return np.minimum(np.divide(n_right, self._n_answers or np.nan), 1.0)
