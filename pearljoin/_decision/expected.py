"""What calibrated probabilities promise of a set of matches: precision and recall, expected."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pearljoin._comparison import Comparison
from pearljoin._decision.select import select_matches
from pearljoin._typing import Constraint, FloatVector

__all__ = ["Curve", "Expected"]

MOST_POINTS = 200
"""Thresholds of a curve, at most."""


class Curve(NamedTuple):
    """Expected precision and recall over the thresholds that make a difference.

    Attributes
    ----------
    threshold
        float64 of shape (n_points,), in [0, 1], ascending.
    precision
        float64 of shape (n_points,): the share of the matches at each threshold expected to be
        right.
    recall
        float64 of shape (n_points,): the share of the answers among the candidates expected to be
        found.
    """

    threshold: NDArray[np.float64]
    precision: NDArray[np.float64]
    recall: NDArray[np.float64]


class Expected:
    """What the matches of a comparison are expected to be worth.

    Parameters
    ----------
    comparison
        What was found.
    constraint, k
        How many partners a row may have, as in `select_matches`.
    probability
        From scores, of shape (n,), to probabilities.
    """

    def __init__(
        self,
        comparison: Comparison,
        constraint: Constraint,
        k: int | None,
        probability: Callable[[FloatVector], NDArray[np.float64]],
    ) -> None:
        self._comparison = comparison
        self._constraint: Constraint = constraint
        self._k = k
        self._probability = probability
        self._answers = self._expected_answers()

    def _expected_answers(self) -> float:
        """Expected number of answers among the candidates."""
        candidates, left = self._comparison.candidates, self._comparison.left
        right = self._comparison.right
        probability = self._probability(candidates.score)
        if self._constraint == "many_to_many":
            n_rows = left.sizes[candidates.left] * right.sizes[candidates.right]
            return float(probability @ n_rows)
        # A left row has one answer at most, however many candidates look right.
        answer = np.bincount(candidates.left, weights=probability, minlength=left.n_records)
        return float(np.minimum(answer, 1) @ left.sizes)

    def at(self, threshold: float) -> tuple[float, float]:
        """Expected precision and recall of the matches at a threshold; NaN where undefined."""
        scores = select_matches(self._comparison, threshold, self._constraint, self._k).score
        right = float(self._probability(scores).sum())
        return (
            right / len(scores) if len(scores) else float("nan"),
            float(self._recall(right)),
        )

    def curve(self) -> Curve:
        """Expected precision and recall at thresholds spread over the scores of the matches."""
        matches = select_matches(self._comparison, 0.0, self._constraint, self._k)
        distinct = np.unique(matches.score)
        if len(distinct) > MOST_POINTS:
            places = np.linspace(0, len(distinct) - 1, MOST_POINTS).astype(np.int64)
            distinct = distinct[places]
        if self._constraint == "one_to_one":
            # Another threshold may be another assignment.
            points = np.array([self.at(float(t)) for t in distinct]).reshape(-1, 2)
            return Curve(distinct.astype(np.float64), points[:, 0], points[:, 1])
        falling = np.sort(matches.score)[::-1]
        right = np.cumsum(self._probability(falling))
        kept = len(falling) - np.searchsorted(falling[::-1], distinct, side="left")
        right = right[kept - 1]
        return Curve(distinct.astype(np.float64), right / kept, self._recall(right))

    def _recall(self, right: NDArray[np.float64] | float) -> NDArray[np.float64]:
        # Similarities may match, under many_to_many, beyond the candidates.
        return np.minimum(np.divide(right, self._answers or np.nan), 1.0)
