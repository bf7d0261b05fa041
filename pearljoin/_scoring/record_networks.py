"""Networks that score records of several columns, as plain numbers.

One takes the features of two texts, and says how likely they name the same thing, whatever else
does. The others take the features of pairs of records: one answers whether the pair is the answer
to its left record, beside its rivals; the other whether both name the same thing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from pearljoin._features.rival_groups import Groups
from pearljoin._scoring.match_weights import LevelPrior
from pearljoin._scoring.network import Network
from pearljoin._typing import FloatMatrix, FloatVector, IntVector

__all__ = ["RecordNetworks"]


@dataclass(frozen=True)
class RecordNetworks:
    """Networks over the evidence of several columns.

    Attributes
    ----------
    text
        From features of two texts to log odds that they name the same thing.
    text_features
        int64 of shape (n_inputs,): columns of `pearljoin.scoring.FEATURES` that it takes.
    knots
        float32 of shape (n,), ascending: log odds at the knots of a scale of text. Equality is one
        knot more.
    priors
        m and u probabilities by kind of column.
    answer
        From features of a pair of records to log odds that it is the answer.
    same
        From the first of these features to log odds that both records are the same thing.
    middle
        float32 of shape (dim,): mean vector of names at large.
    usual_scores
        float32 of shape (n,): scores of left records' best candidates in tables at large.
    """

    text: Network
    text_features: IntVector
    knots: FloatVector
    priors: Mapping[str, LevelPrior]
    answer: Network
    same: Network
    middle: FloatVector
    usual_scores: FloatVector

    @property
    def n_knots(self) -> int:
        """Number of knots of a scale of text."""
        return len(self.knots) + 1

    def text_logit(self, features: FloatMatrix) -> FloatVector:
        """Log odds that two texts name the same thing: float32 of shape (n_pairs,)."""
        return self.text.logit(features[:, self.text_features])

    def place(self, logit: FloatVector) -> FloatVector:
        """Place log odds on the scale of text: float32, from 0 to that of the last knot."""
        places = np.arange(len(self.knots))
        return np.asarray(np.interp(logit, self.knots, places), dtype=np.float32)

    def probabilities(
        self, features: FloatMatrix, left: IntVector
    ) -> tuple[FloatVector, FloatVector]:
        """Probability that each pair is the answer, and that both records are the same thing.

        The candidates of a left record share one unit of probability that they are the answer.

        Parameters
        ----------
        features
            float32 of shape (n_pairs, len(RECORD_FEATURES)).
        left
            int64 of shape (n_pairs,): the left record of each pair.

        Returns
        -------
        answer, same
            float32 of shape (n_pairs,), in [0, 1].
        """
        alone = features[:, : len(self.same.mean)]
        logits = self.answer.logit(features), self.same.logit(alone)
        answer, same = (np.asarray(expit(logit), dtype=np.float32) for logit in logits)
        rows = Groups(left).number
        sums = np.bincount(rows, weights=answer, minlength=1)
        return np.asarray(answer / np.maximum(sums, 1)[rows], dtype=np.float32), same
