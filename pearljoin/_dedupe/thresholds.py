"""The threshold of clusters: a number, or chosen for a precision."""

from __future__ import annotations

import numpy as np

from pearljoin._clusters.similar_pairs import SimilarPairs
from pearljoin._clusters.table_pairs import TablePairs
from pearljoin._decision.thresholds import (
    LEAST_PROBABILITY,
    FixedThreshold,
    PrecisionTarget,
    Threshold,
)
from pearljoin._typing import FloatVector

__all__ = ["AUTO", "LEAST", "choose_threshold"]

AUTO = 0.75
"""Threshold for ``"auto"`` where scores are similarities."""

LEAST = 0.5
"""Lowest probability that a rule chooses: below it, two rows are more likely two things."""

NONE = np.zeros(0, dtype=np.float32)


class PairScores:
    """Scores of pairs of one table, as a `pearljoin._decision.thresholds.ScoreDistribution`.

    Parameters
    ----------
    comparison
        The scored pairs.
    """

    best, rivals, neighbours = NONE, NONE, NONE
    fallback = AUTO
    least = LEAST_PROBABILITY

    def __init__(self, comparison: TablePairs | SimilarPairs) -> None:
        self.calibrated = comparison.calibrated
        self.equal_only = comparison.reference.equal_only
        self._comparison = comparison
        # Few pairs say little of the precision of others, so those of tables at large count, too.
        networks = comparison.reference.networks
        self.usual = NONE if networks is None else networks.usual_scores

    @property
    def pairs(self) -> FloatVector:
        """Scores of compared pairs of records, equal keys left out: float32 of shape (n_pairs,)."""
        score = self._comparison.above(self._comparison.least)[2]
        return np.asarray(score[score < 1], dtype=np.float32)


def choose_threshold(rule: Threshold, comparison: TablePairs | SimilarPairs) -> float:
    """Choose the threshold of clusters by a rule.

    Parameters
    ----------
    rule
        The rule. One that aims at a precision chooses at least `LEAST`, and no more than the
        precision itself: a pair of that probability is right as often as is asked for.
    comparison
        The scored pairs.

    Returns
    -------
    threshold
        In [0, 1].
    """
    scores = PairScores(comparison)
    chosen = FixedThreshold(rule.choose(scores)).value
    if isinstance(rule, PrecisionTarget) and not scores.equal_only:
        return float(np.clip(chosen, LEAST, max(LEAST, rule.precision)))
    return chosen
