"""Whether a left record has an answer at all: what is known of its candidates together.

Which candidate is the answer is a matter of their order. Whether one is hangs on the tables, too:
where the reference has a sibling of every absent thing, one that is far ahead of all others is an
answer less often than elsewhere.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from pearljoin._ragged import run_starts
from pearljoin._typing import FloatMatrix, FloatVector, IntVector

__all__ = ["ROW_FEATURES", "PairLogOdds", "answered_features", "mixed_log_odds"]

ROW_FEATURES = (
    "answer",
    "weights",
    "same",
    "most_same",
    "highest",
    "n_candidates",
    "n_right",
    "match_rate",
)
"""Names of the features of a left record.

answer, weights
    Log odds that some candidate is the answer, by the network of answers and by match weights.
same
    Log odds that some candidate is the same thing.
most_same, highest
    The highest log odds of a candidate that it is the same thing, and that it is the answer.
n_candidates, n_right
    Logs of the number of candidates, and of right records.
match_rate
    Log odds that a left record has an answer in these tables.
"""

WEIGHTS_SHARE = 0.2
"""Share of the log odds by match weights in those that do without what is known of the tables."""

SAME_SHARE = 0.15
"""Likewise, of the log odds that some candidate is the same thing. The rest is of candidates as
rivals, of which one that is far ahead looks like an answer."""

LEAST = 1e-6
"""Probabilities are kept this far from 0 and 1, so that their log odds are finite."""


class PairLogOdds(NamedTuple):
    """Log odds of candidate pairs, float32 of shape (n_pairs,) each.

    Attributes
    ----------
    answer, weights
        That a pair is the answer, by the network of answers and by match weights.
    same
        That both records are the same thing.
    """

    answer: FloatVector
    weights: FloatVector
    same: FloatVector


def answered_features(
    odds: PairLogOdds, rows: IntVector, n_right: FloatVector, match_rate: FloatVector
) -> FloatMatrix:
    """Describe left records by their candidates.

    Parameters
    ----------
    odds
        Log odds of the pairs.
    rows
        int64 of shape (n_pairs,), ascending from 0 without gaps: the left record of each pair.
    n_right, match_rate
        float32 of shape (n_pairs,): of the pairs' features.

    Returns
    -------
    features
        float32 of shape (n_rows, len(ROW_FEATURES)).
    """
    starts = run_starts(rows)
    columns = [
        _any_answer(expit(odds.answer), rows),
        _any_answer(expit(odds.weights), rows),
        _any_same(expit(odds.same), rows),
        _log_odds(expit(np.maximum.reduceat(odds.same, starts))),
        np.maximum.reduceat(odds.answer, starts),
        np.log(np.diff(np.append(starts, len(rows)))),
        n_right[starts],
        match_rate[starts],
    ]
    return np.column_stack(columns).astype(np.float32)


def mixed_log_odds(odds: PairLogOdds, rows: IntVector) -> NDArray[np.float64]:
    """Mix the log odds that left records have an answer, without what is known of the tables.

    The parameters are those of `answered_features`; the result has shape (n_rows,).
    """
    both = expit((1 - WEIGHTS_SHARE) * odds.answer + WEIGHTS_SHARE * odds.weights)
    some_same = _any_same(expit(odds.same), rows)
    return (1 - SAME_SHARE) * _any_answer(both, rows) + SAME_SHARE * some_same


def _any_answer(probability: NDArray[Any], rows: IntVector) -> NDArray[np.float64]:
    """Log odds that some candidate is the answer; only one is."""
    return _log_odds(np.bincount(rows, weights=probability))


def _any_same(probability: NDArray[Any], rows: IntVector) -> NDArray[np.float64]:
    """Log odds that some candidate is the same thing; several may be."""
    none = np.bincount(rows, weights=np.log1p(-np.minimum(probability, 1 - LEAST)))
    return _log_odds(-np.expm1(none))


def _log_odds(probability: NDArray[Any]) -> NDArray[np.float64]:
    return np.asarray(logit(np.clip(probability, LEAST, 1 - LEAST)), dtype=np.float64)
