"""Both probabilities of pairs of records: that one is the other's answer, and that both are one."""

from __future__ import annotations

import numpy as np

from pearljoin._comparison.comparison import PAIRS_AT_ONCE, Comparison
from pearljoin._features.compute import CandidateFeatures
from pearljoin._matches import find_pairs
from pearljoin._ragged import whole_rows
from pearljoin._scoring.scorer import probability_of_log_odds
from pearljoin._typing import FloatVector, IntVector

__all__ = ["answer_and_same"]


def answer_and_same(
    comparison: Comparison, left_at: IntVector, right_at: IntVector
) -> tuple[FloatVector, FloatVector | None]:
    """Look up both probabilities of candidate pairs, or of pairs of equal records.

    Parameters
    ----------
    comparison
        What was compared.
    left_at, right_at
        int64 of shape (n_pairs,): the records of each pair.

    Returns
    -------
    answer
        float32 of shape (n_pairs,), in [0, 1]: that the pair is the left record's answer.
    same
        Likewise, that both are the same thing, whatever else is; None where the encoder's scorer
        cannot say.
    """
    found = comparison.candidates
    place = find_pairs(found.left, found.right, left_at, right_at)
    is_known = place >= 0
    # Pairs that are no candidates match by equal keys alone.
    answer = np.where(is_known, found.score[place], 1).astype(np.float32)
    if found.same is not None:
        return answer, np.where(is_known, found.same[place], 1).astype(np.float32)
    same = _same_texts(comparison, left_at, right_at)
    if same is None:
        return answer, None
    # Two networks say so: one of them knows the rivals, and what is the answer is the same.
    equal = ~is_known | (found.equality[place] > 0)
    return answer, np.where(equal, 1, np.maximum(same, answer)).astype(np.float32)


def _same_texts(
    comparison: Comparison, left_at: IntVector, right_at: IntVector
) -> FloatVector | None:
    """Probability that the texts of records name the same thing; 0 where one is null."""
    networks = comparison.reference.text_networks
    if networks is None:
        return None
    n_right = max(1, len(comparison.reference.encoded))
    pairs, which = np.unique(left_at * n_right + right_at, return_inverse=True)
    left_at, right_at = np.divmod(pairs, n_right)
    same = np.zeros(len(pairs), dtype=np.float32)
    known = np.flatnonzero(comparison.is_observed(left_at, right_at))
    for part in whole_rows(left_at[known], PAIRS_AT_ONCE):
        some = known[part]
        compared = comparison.compare(left_at[some], right_at[some])
        assert isinstance(compared, CandidateFeatures)
        same[some] = probability_of_log_odds(networks.text_logit(compared.features))
    return np.asarray(same[which.reshape(-1)], dtype=np.float32)
