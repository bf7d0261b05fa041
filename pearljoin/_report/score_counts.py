"""Histogram of scores; matches, expected precision and recall by threshold. All rows count."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pearljoin._comparison.comparison import Comparison
from pearljoin._decision.expected_quality import ExpectedQuality, Probability
from pearljoin._decision.select import select_matches
from pearljoin._scoring.packed_candidates import best_of_parts
from pearljoin._typing import Constraint, FloatVector

__all__ = ["ScoreCounts", "count_scores"]

BINS = 50
"""Bars of the histogram."""

STEPS = 200
"""Steps of the threshold from 0 to 1."""


@dataclass(frozen=True)
class ScoreCounts:
    """Counts of matches by score, for all rows.

    Attributes
    ----------
    histogram
        int64 of shape (`BINS`,): number of matches by score, equal keys left out.
    n_equal
        Number of matches by equal keys.
    matches
        int64 of shape (`STEPS` + 1,): number of matches at thresholds 0, 1 / `STEPS`, ..., 1.
    precision, recall
        float64 of the same shape, in [0, 1], NaN where undefined: expected at these thresholds;
        None where scores give no probabilities.
    """

    histogram: NDArray[np.int64]
    n_equal: int
    matches: NDArray[np.int64]
    precision: NDArray[np.float64] | None
    recall: NDArray[np.float64] | None

    def grid(self) -> dict[str, Any]:
        """Return the figures by threshold for JSON."""
        return {
            "step": 1 / STEPS,
            "matches": self.matches.tolist(),
            "precision": None if self.precision is None else rounded(self.precision),
            "recall": None if self.recall is None else rounded(self.recall),
        }


def count_scores(
    comparison: Comparison, constraint: Constraint, k: int | None, probability: Probability | None
) -> ScoreCounts:
    """Count the scores of possible matches.

    Under many_to_one these are each left row's best candidates; under one_to_one, the assignment
    at threshold 0; under many_to_many, all candidates.

    Parameters
    ----------
    comparison
        Scored candidates.
    constraint, k
        How many partners a row may have.
    probability
        Function from scores to probabilities; None where there is none.
    """
    score, weight = _possible_matches(comparison, constraint, k)
    equal = score >= 1
    histogram, _ = np.histogram(score[~equal], BINS, (0, 1), weights=weight[~equal])
    order = np.argsort(-score, kind="stable")
    falling, counts = score[order], np.cumsum(weight[order])
    thresholds = (np.arange(STEPS + 1) / STEPS).astype(np.float32)
    # The last place whose score reaches the threshold; -1 for none.
    last = np.searchsorted(-falling, -thresholds, side="right") - 1
    matches = np.where(last < 0, 0, counts[last] if len(counts) else 0).astype(np.int64)
    precision = recall = None
    if probability is not None:
        quality = ExpectedQuality(comparison, constraint, k, probability)
        right = np.cumsum(probability(falling) * weight[order])
        n_right = np.where(last < 0, 0.0, right[last] if len(right) else 0.0)
        precision = np.divide(n_right, matches, out=np.full(STEPS + 1, np.nan), where=matches > 0)
        recall = quality.recall_of(n_right)
    return ScoreCounts(
        histogram.astype(np.int64), int(weight[equal].sum()), matches, precision, recall
    )


def _possible_matches(
    comparison: Comparison, constraint: Constraint, k: int | None
) -> tuple[FloatVector, NDArray[np.int64]]:
    """Scores of distinct pairs that may match, and how many pairs of rows each stands for."""
    if constraint == "one_to_one":
        scores = select_matches(comparison, 0.0, constraint, k).score
        return scores, np.ones(len(scores), dtype=np.int64)
    left, right = comparison.left, comparison.right
    if constraint == "many_to_many":
        candidates = comparison.candidates_for(constraint)
        kept = candidates if k is None else candidates.take(candidates.rank < k)
        return kept.score, left.sizes[kept.left] * right.sizes[kept.right]
    kept = best_of_parts(comparison.candidate_parts(constraint))
    return kept.score, left.sizes[kept.left]


def rounded(values: NDArray[np.float64]) -> list[float | None]:
    """Numbers for JSON, which has no NaN."""
    return [None if np.isnan(value) else round(float(value), 4) for value in values]
