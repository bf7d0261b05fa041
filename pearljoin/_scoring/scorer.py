"""Match scorer: features of candidate pairs to match probabilities, in four steps.

1. A network takes the features of each pair by itself.
2. A second one takes what the first says of the pair and of its rivals, and the pair's unmatched
   tokens, by how expected these are in the table.
3. The log odds are calibrated to the table: by two numbers of Platt scaling, which other tables
   taught to be read off the table's own scores; and by null scores, which are the scores of rows
   whose match was taken away (`pearljoin._scoring.null_pairs`).
4. The probability is the mean over what still differs from table to table.

Steps 3 and 4 scale and shift all pairs of a table alike, so they change no row's best pair.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.special import expit

from pearljoin._features.context import column_rival, context_features, table_features
from pearljoin._features.registry import REGISTRY
from pearljoin._features.rival_groups import Groups
from pearljoin._features.unmatched_tokens import PairTexts, unmatched_token_features
from pearljoin._scoring.network import Network
from pearljoin._scoring.null_calibration import calibrate_to_null
from pearljoin._scoring.null_pairs import choose_null_pairs, sample_by_log_odds
from pearljoin._scoring.table_calibration import TableCalibration
from pearljoin._typing import FloatMatrix, FloatVector, IntVector

__all__ = ["Calibration", "ScoreSteps", "Scorer"]

LEARNED = (3.0, 20.0)
"""How strongly null calibration is held to changing nothing; see `calibrate_to_null`."""

LEAST_SLOPE = 0.7
"""If null calibration finds a lower slope, the null scores count as matches, as in a reference that
names things twice, and log odds stay as they are."""

LOWEST, HIGHEST, STEEPEST = -1.5, 1.0, 2.0
"""Bounds of the shift that null calibration may make to log odds, and of its slope."""

SPREAD = 1.05
"""Standard deviation, from table to table, of the error in log odds."""


class Calibration(NamedTuple):
    """What calibrates the log odds of one table.

    Attributes
    ----------
    table
        float32 of shape (n_numbers,): the table features.
    shift, slope
        What null calibration adds to log odds and multiplies them by.
    """

    table: FloatVector
    shift: float = 0.0
    slope: float = 1.0


class ScoreSteps(NamedTuple):
    """Log odds of a match after each step; float32 of shape (n_pairs,) unless stated otherwise.

    Attributes
    ----------
    pair
        By the features of the pair itself.
    words
        Features of its unmatched tokens: float32 of shape (n_pairs, n_columns).
    context
        By its rivals and its unmatched tokens, too.
    final
        Calibrated to the table and averaged over tables: the logit of the probability.
    calibration
        What calibrated them.
    """

    pair: FloatVector
    words: FloatMatrix
    context: FloatVector
    final: FloatVector
    calibration: Calibration

    @property
    def probability(self) -> FloatVector:
        """Probability of a match, in [0, 1]."""
        return np.asarray(expit(self.final), dtype=np.float32)


@dataclass(frozen=True)
class Scorer:
    """A calibrated match scorer.

    Attributes
    ----------
    pair
        Network over the features of a pair.
    standing
        Network over its context features and unmatched tokens, by its name in scorer files.
    table
        Calibration to the table.
    """

    pair: Network
    standing: Network
    table: TableCalibration

    @property
    def context(self) -> Network:
        """The network over context features and unmatched tokens."""
        return self.standing

    def probability(
        self,
        features: FloatMatrix,
        left: IntVector,
        right: IntVector,
        texts: PairTexts | None = None,
    ) -> FloatVector:
        """Return the probability that each candidate pair of two tables is a match.

        Parameters
        ----------
        features
            float32 of shape (n_pairs, n_features), columns as `pearljoin.scoring.FEATURES`.
        left, right
            int64 of shape (n_pairs,): the left and the right record, or row, of each pair.
        texts
            The texts of the pairs. None stands for pairs without unmatched tokens: probabilities
            are then too high.

        Returns
        -------
        probability
            float32 of shape (n_pairs,), in [0, 1].
        """
        return self.steps(features, left, right, texts).probability

    def steps(
        self,
        features: FloatMatrix,
        left: IntVector,
        right: IntVector,
        texts: PairTexts | None = None,
        calibration: Calibration | None = None,
    ) -> ScoreSteps:
        """Return the log odds after each step.

        Parameters
        ----------
        features, left, right, texts
            As of `probability`.
        calibration
            What calibrates the log odds. Default: what these pairs say of their table.

        Returns
        -------
        steps
            The log odds after each step.
        """
        rows, columns = Groups(left), Groups(right)
        pair = self.pair.logit(features)
        words = unmatched_token_features(texts, pair, rows)
        rival = column_rival(pair, columns)
        context = self.context.logit(context_features(pair, rows, rival, words))
        if calibration is None:
            table = table_features(context, rows, columns)
            calibrated = self.table.apply(context, table)
            calibration = Calibration(table)
            null = choose_null_pairs(calibrated, rows, texts)
            if null.any():
                # What rows without an answer would score: pairs beside the rivals that remain.
                without = self.pair.logit(REGISTRY.without_rivals(features[null], left[null]))
                rest = Groups(left[null])
                inputs = context_features(without, rest, rival[null], words[null])
                logit = self.context.logit(inputs)
                null_scores = self.table.apply(logit[rest.best(logit)], table)
                scores = calibrated[sample_by_log_odds(rows.best(calibrated), calibrated)]
                calibration = _null_calibrated(calibration, scores, null_scores)
        return ScoreSteps(pair, words, context, self._calibrate(context, calibration), calibration)

    judge = steps
    """The name of `steps` in earlier versions."""

    def beside_rivals(
        self, steps: ScoreSteps, left: IntVector, right: IntVector, words: FloatMatrix
    ) -> FloatVector:
        """Return the log odds that pairs would have with other unmatched tokens.

        Parameters
        ----------
        steps
            Of all pairs.
        left, right
            int64 of shape (n_pairs,): the left and the right record, or row, of each pair.
        words
            float32 of shape (n_pairs, n_columns): in place of ``steps.words``.

        Returns
        -------
        context
            float32 of shape (n_pairs,), as ``steps.context``.
        """
        rival = column_rival(steps.pair, Groups(right))
        return self.context.logit(context_features(steps.pair, Groups(left), rival, words))

    def _calibrate(self, logit: FloatVector, calibration: Calibration) -> FloatVector:
        """Calibrate log odds to a table, and average over tables (moderated: MacKay 1992)."""
        found = self.table.apply(logit, calibration.table)
        # In double precision, as the shift is.
        shifted = np.float64(calibration.shift) + calibration.slope * found
        final = shifted.astype(np.float32) / np.sqrt(1 + np.pi * SPREAD**2 / 8)
        return np.asarray(final, dtype=np.float32)


def _null_calibrated(
    calibration: Calibration, scores: FloatVector, null_scores: FloatVector
) -> Calibration:
    """Calibration by null scores, within bounds; log odds of rows in both arrays."""
    intercept, slope = calibrate_to_null(
        scores.astype(np.float64), null_scores.astype(np.float64), LEARNED
    )
    if slope < LEAST_SLOPE:
        return calibration
    shift = float(np.clip(intercept, LOWEST, HIGHEST))
    return calibration._replace(shift=shift, slope=min(slope, STEEPEST))
