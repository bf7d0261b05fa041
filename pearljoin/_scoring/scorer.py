"""Match scorer: features of candidate pairs to match probabilities, in three steps.

1. A network takes the features of each pair by itself.
2. A second one takes what the first says of the pair and of its rivals, and the pair's unmatched
   tokens, by how expected these are.
3. The log odds are calibrated to the tables: by two numbers of Platt scaling, which other tables
   taught to be read off table features. Those of texts with alternatives, which the comparison
   knows, are lowered (see `pearljoin._scoring.alternatives`).

What steps 2 and 3 take from the tables is learned once, by `Scorer.calibrate`, and then frozen. So
the score of a pair depends on its left record, the reference and that state alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.special import expit

from pearljoin._features.compute import CandidateFeatures
from pearljoin._features.context import context_features, table_features
from pearljoin._features.registry import REGISTRY
from pearljoin._features.rival_groups import Groups
from pearljoin._features.unmatched_tokens import (
    NO_COUNTS,
    PairTokens,
    TokenCounts,
    count_tokens,
    unmatched_token_features,
)
from pearljoin._scoring.calibration import Calibration
from pearljoin._scoring.network import Network
from pearljoin._scoring.table_calibration import TableCalibration
from pearljoin._typing import FloatMatrix, FloatVector, IntVector

__all__ = [
    "NullPairs",
    "ScoreSteps",
    "Scorer",
    "probability_of_log_odds",
    "without_matches",
]


class NullPairs(NamedTuple):
    """Candidate pairs of rows that are known to have no answer among them.

    Attributes
    ----------
    logit
        float32 of shape (n_pairs,): log odds after the first step.
    left
        int64 of shape (n_pairs,): the row of each pair.
    tokens
        The tokens of the pairs.
    things
        int64 of shape (n_pairs,): as of `CandidateFeatures`. Default: all are rivals.
    """

    logit: FloatVector
    left: IntVector
    tokens: PairTokens | None
    things: IntVector | None = None


def probability_of_log_odds(logit: FloatVector) -> FloatVector:
    """Return the probability of log odds: float32, in [0, 1]."""
    return np.asarray(expit(logit), dtype=np.float32)


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
    calibrated
        Calibrated to the tables.
    named
        Lowered for given names of different people.
    final
        Lowered for alternatives: the logit of the probability.
    """

    pair: FloatVector
    words: FloatMatrix
    context: FloatVector
    calibrated: FloatVector
    named: FloatVector
    final: FloatVector

    @property
    def probability(self) -> FloatVector:
        """Probability of a match, in [0, 1]."""
        return probability_of_log_odds(self.final)


def without_matches(
    pairs: CandidateFeatures, logit: FloatVector, rows: Groups
) -> CandidateFeatures:
    """Return the candidates of rows that probably have a match, without the match.

    Their scores are those of rows without an answer, in this very table. Rows with several best
    pairs are left out, because nothing says which of them is the match; so are pairs that write
    the match's name again.

    Parameters
    ----------
    pairs
        Candidates of the left records.
    logit
        float32 of shape (n_pairs,): log odds after the first step.
    rows
        The pairs by left record.
    """
    best = rows.best(logit)
    alone = np.bincount(rows.number[rows.is_best(logit)], minlength=len(rows)) == 1
    match = np.where((logit[best] > 0) & alone, best, -1)[rows.number]
    others = (match >= 0) & (match != np.arange(len(logit)))
    rest = pairs.take(np.flatnonzero(others & (pairs.things != pairs.things[match])))
    return rest._replace(features=REGISTRY.without_rivals(rest.features, rest.left, rest.things))


@dataclass(frozen=True)
class Scorer:
    """A calibrated match scorer.

    Attributes
    ----------
    pair
        Network over the features of a pair.
    context
        Network over its context features and unmatched tokens.
    table
        Calibration to the table.
    middle
        float32 of shape (dim,): mean vector of names at large.
    usual_scores
        float32 of shape (n,), ascending: quantiles of the scores of rows' best pairs in the tables
        that the scorer was trained on, equal keys left out.
    """

    pair: Network
    context: Network
    table: TableCalibration
    middle: FloatVector
    usual_scores: FloatVector

    def steps(
        self,
        features: FloatMatrix,
        left: IntVector,
        tokens: PairTokens | None,
        calibration: Calibration,
        things: IntVector | None = None,
    ) -> ScoreSteps:
        """Return the log odds after each step.

        Parameters
        ----------
        features
            float32 of shape (n_pairs, n_features), columns as `pearljoin.scoring.FEATURES`.
        left
            int64 of shape (n_pairs,): the left record, or row, of each pair.
        tokens
            The tokens of the pairs. None stands for pairs without unmatched tokens: probabilities
            are then too high.
        calibration
            As of `calibrate`.
        things
            int64 of shape (n_pairs,): equal for a left record's candidates that are the same thing,
            and so no rivals. Default: all are rivals.
        """
        pair = self.pair.logit(features)
        words = unmatched_token_features(tokens, calibration.counts, len(pair))
        context = self.in_context(pair, Groups(left, things), words)
        calibrated = self.table.apply(context, calibration.table)
        return ScoreSteps(pair, words, context, *[calibrated] * 3)

    def calibrate(
        self, pairs: CandidateFeatures | None, null: NullPairs, n_right: int
    ) -> Calibration:
        """Learn from the candidates of left records how to score those of this kind.

        Parameters
        ----------
        pairs
            Candidates of the left records, each record once; None where none is known.
        null
            Candidates of records that have no answer, such as reference records among the others.
        n_right
            Number of right records.
        """
        if pairs is None:
            null_best = self._best_context(null, NO_COUNTS)
            nothing = np.zeros(0, dtype=np.float32)
            return Calibration(table_features(nothing, null_best, nothing, n_right))
        return self.calibrate_and_score(pairs, null, n_right)[0]

    def calibrate_and_score(
        self, pairs: CandidateFeatures, null: NullPairs, n_right: int
    ) -> tuple[Calibration, ScoreSteps]:
        """Return what `calibrate` does of some candidates, and what `steps` then does of them."""
        if not len(pairs.left):
            nothing = np.zeros(0, dtype=np.float32)
            words = unmatched_token_features(None, NO_COUNTS, 0)
            steps = ScoreSteps(nothing, words, *[nothing] * 4)
            return self.calibrate(None, null, n_right), steps
        logit, rows = self.pair.logit(pairs.features), Groups(pairs.left, pairs.things)
        counts = count_tokens(pairs.tokens, logit, rows)
        words = unmatched_token_features(pairs.tokens, counts, len(logit))
        context = self.in_context(logit, rows, words)
        best = np.asarray(context[rows.best(context)], dtype=np.float32)
        null_best = self._best_context(null, counts)
        rest = without_matches(pairs, logit, rows)
        unmatched = NullPairs(self.pair.logit(rest.features), rest.left, rest.tokens, rest.things)
        left_null = self._best_context(unmatched, counts)
        table = table_features(best, null_best, left_null, n_right)
        final = self.table.apply(context, table)
        steps = ScoreSteps(logit, words, context, *[final] * 3)
        return Calibration(table, counts, len(rows)), steps

    def _best_context(self, pairs: NullPairs, counts: TokenCounts) -> FloatVector:
        """Highest log odds of each row after the second step."""
        if not len(pairs.left):
            return np.zeros(0, dtype=np.float32)
        rows = Groups(pairs.left, pairs.things)
        words = unmatched_token_features(pairs.tokens, counts, len(pairs.logit))
        context = self.in_context(pairs.logit, rows, words)
        return np.asarray(context[rows.best(context)], dtype=np.float32)

    def in_context(self, logit: FloatVector, rows: Groups, words: FloatMatrix) -> FloatVector:
        """Return the log odds after the second step: by rivals and unmatched tokens, too.

        Parameters
        ----------
        logit
            float32 of shape (n_pairs,): log odds after the first step.
        rows
            The pairs by left record, or row.
        words
            float32 of shape (n_pairs, n_columns): features of the unmatched tokens.

        Returns
        -------
        context
            float32 of shape (n_pairs,).
        """
        return self.context.logit(context_features(logit, rows, words))
