"""Clear answers: pairs of which some columns leave hardly a doubt, to judge another column by."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pearljoin._ragged import run_starts
from pearljoin._scoring.match_weights import MatchWeights, row_shares
from pearljoin._scoring.record_features import RecordPairs

__all__ = ["clear_answers"]

CLEAR = 0.5
"""Probability of a pair from which on it is a clear answer."""


def clear_answers(
    pairs: RecordPairs, weight: NDArray[np.float64], weights: MatchWeights
) -> NDArray[np.float64]:
    """Return the probability of each pair that is the one clear answer of its left record; else 0.

    Parameters
    ----------
    pairs
        All candidates of sampled left records.
    weight
        float64 of shape (n_pairs,): match weights of these pairs, of the columns that judge.
    weights
        Where the share of left records that have an answer is taken from.

    Returns
    -------
    probability
        float64 of shape (n_pairs,).
    """
    starts = run_starts(pairs.left)
    chance = row_shares(weight, starts, weights.match_rate, weights.n_right)
    return np.where(chance >= CLEAR, chance, 0.0)
