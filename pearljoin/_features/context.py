"""Features of a pair among its rivals, and features of a whole table, from log odds of pairs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pearljoin._features.rival_groups import Groups
from pearljoin._typing import FloatMatrix, FloatVector

__all__ = [
    "CONTEXT_FEATURES",
    "LARGEST_LOGIT",
    "TABLE_FEATURES",
    "context_features",
    "table_features",
]

USUAL_RIVAL = -3.0
"""Log odds that stand in for the rival of a pair that has none, so that it does not look safe."""

USUAL_MEAN, FEW = 0.4, 20
"""The mean probability of best pairs in a usual table, and how many rows it counts for."""

USUAL_NULL, HIGH = (-4.0, -1.0), 0.9
"""Mean and high quantile of the null scores of a usual reference, and which quantile that is."""

LEAST_RATE = 0.05
"""Match rates are kept this far from 0 and 1."""

LARGEST_LOGIT = 12.0
"""Log odds of pairs are cut to plus or minus this before they are compared."""

LARGEST_BEST = 8.0
"""Likewise, the log odds of the rows' best pairs, before their mean is taken."""


class _Context(NamedTuple):
    """Context features by name; float32 of shape (n_pairs,) each."""

    logit: FloatVector
    left_margin: FloatVector
    left_share: FloatVector
    left_rival: FloatVector


class _Table(NamedTuple):
    """Table features by name."""

    mean_best: float
    median_best: float
    reference: float
    mean_null: float
    high_null: float
    mean_left_null: float
    high_left_null: float
    match_rate: float


CONTEXT_FEATURES = _Context._fields
"""Names of the first columns of `context_features`."""

TABLE_FEATURES = _Table._fields
"""Names of the numbers of `table_features`."""


def context_features(logit: FloatVector, rows: Groups, words: FloatMatrix) -> FloatMatrix:
    """Compute the features of pairs among their rivals, from log odds of each pair by itself.

    Parameters
    ----------
    logit
        float32 of shape (n_pairs,): log odds that each pair is a match.
    rows
        The pairs by left record.
    words
        float32 of shape (n_pairs, n_columns): features of the unmatched tokens, to be appended.

    Returns
    -------
    features
        float32 of shape (n_pairs, len(CONTEXT_FEATURES) + n_columns).
    """
    kept = _clipped(logit)
    row_rival = rows.best_other(kept, USUAL_RIVAL)
    context = _Context(
        logit=kept,
        left_margin=kept - row_rival,
        left_share=rows.share(np.exp(kept.astype(np.float64))),
        left_rival=row_rival,
    )
    return np.column_stack([*context, words]).astype(np.float32)


def _clipped(logit: FloatVector) -> FloatVector:
    return np.clip(logit, -LARGEST_LOGIT, LARGEST_LOGIT).astype(np.float32)


def table_features(
    best: FloatVector, null: FloatVector, left_null: FloatVector, n_right: int
) -> FloatVector:
    """Compute the features of two tables: how sure the best pairs are, and what chance gives.

    Parameters
    ----------
    best
        float32 of shape (n_rows,): log odds of the best pairs of left records that are known; empty
        where none is.
    null
        float32 of shape (n_null,): the same of reference records among the others.
    left_null
        float32 of shape (n_left_null,): the same of left records without their match.
    n_right
        Number of right records.

    Returns
    -------
    features
        float32 of shape (len(TABLE_FEATURES),): the mean probability of the rows' best pairs and
        the median of their log odds; the logarithm of the number of right records; the mean and a
        high quantile of both kinds of null scores; the log odds that a record has an answer. All
        but the third are drawn to those of a usual table where rows are few.
    """
    kept = np.clip(best, -LARGEST_BEST, LARGEST_BEST).astype(np.float64)
    mean, median = (
        (float((1 / (1 + np.exp(-kept))).mean()), float(np.median(kept))) if len(kept) else (0, 0)
    )
    trust = _trust(best)
    features = _Table(
        mean * trust + USUAL_MEAN * (1 - trust),
        median * trust,
        float(np.log(max(1, n_right))),
        *_null_features(null),
        *_null_features(left_null),
        _match_rate(best, left_null),
    )
    return np.array(features, dtype=np.float32)


def _match_rate(best: FloatVector, left_null: FloatVector) -> float:
    """Estimate the log odds that a left record has an answer, drawn to 0 where few are known.

    A record without an answer falls short of the median of the null scores half of the time, and
    one with an answer seldom (Storey 2002).
    """
    if not len(best) or not len(left_null):
        return 0.0
    below = float((best < np.median(left_null)).sum())
    unanswered = min(1.0, 2 * (below + 1) / (len(best) + 4))
    rate = np.clip(1 - unanswered, LEAST_RATE, 1 - LEAST_RATE)
    few = min(len(best), len(left_null))
    return float(np.log(rate / (1 - rate)) * few / (few + FEW))


def _null_features(null: FloatVector) -> tuple[float, float]:
    """Mean and high quantile of null scores, drawn to the usual ones where there are few."""
    kept, trust = np.clip(null, -LARGEST_BEST, LARGEST_BEST), _trust(null)
    found = (float(kept.mean()), float(np.quantile(kept, HIGH))) if len(kept) else (0.0, 0.0)
    mean, high = (
        value * trust + usual * (1 - trust) for value, usual in zip(found, USUAL_NULL, strict=True)
    )
    return mean, high


def _trust(values: FloatVector) -> float:
    """How far a table's own numbers are to be trusted, in [0, 1)."""
    return len(values) / (len(values) + FEW)
