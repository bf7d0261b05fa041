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
    "column_rival",
    "context_features",
    "table_features",
]

USUAL_ROW_RIVAL, USUAL_COLUMN_RIVAL = -3.0, -4.0
"""Log odds that stand in for the rival of a pair that has none, so that it does not look safe."""

USUAL_MEAN, FEW = 0.4, 20
"""The mean probability of best pairs in a usual table, and how many rows it counts for."""

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
    right_margin: FloatVector


class _Table(NamedTuple):
    """Table features by name."""

    mean_best: float
    median_best: float
    reference: float


CONTEXT_FEATURES = _Context._fields
"""Names of the first columns of `context_features`."""

TABLE_FEATURES = _Table._fields
"""Names of the numbers of `table_features`."""


def column_rival(logit: FloatVector, columns: Groups) -> FloatVector:
    """Return the highest other log odds of each pair's right record.

    Parameters
    ----------
    logit
        float32 of shape (n_pairs,): log odds that each pair is a match.
    columns
        The pairs by right record.

    Returns
    -------
    rival
        float32 of shape (n_pairs,); `USUAL_COLUMN_RIVAL` where there is no other pair.
    """
    return columns.best_other(_clipped(logit), USUAL_COLUMN_RIVAL)


def context_features(
    logit: FloatVector, rows: Groups, rival: FloatVector, words: FloatMatrix
) -> FloatMatrix:
    """Compute the features of pairs among their rivals, from log odds of each pair by itself.

    Parameters
    ----------
    logit
        float32 of shape (n_pairs,): log odds that each pair is a match.
    rows
        The pairs by left record.
    rival
        float32 of shape (n_pairs,): the rival for the right record, as of `column_rival`.
    words
        float32 of shape (n_pairs, n_columns): features of the unmatched tokens, to be appended.

    Returns
    -------
    features
        float32 of shape (n_pairs, len(CONTEXT_FEATURES) + n_columns).
    """
    kept = _clipped(logit)
    row_rival = rows.best_other(kept, USUAL_ROW_RIVAL)
    context = _Context(
        logit=kept,
        left_margin=kept - row_rival,
        left_share=rows.share(np.exp(kept.astype(np.float64))),
        left_rival=row_rival,
        right_margin=kept - rival,
    )
    return np.column_stack([*context, words]).astype(np.float32)


def _clipped(logit: FloatVector) -> FloatVector:
    return np.clip(logit, -LARGEST_LOGIT, LARGEST_LOGIT).astype(np.float32)


def table_features(logit: FloatVector, rows: Groups, columns: Groups) -> FloatVector:
    """Compute the features of a whole table: how sure its best pairs are, and its size.

    Parameters
    ----------
    logit
        float32 of shape (n_pairs,): log odds that each pair is a match.
    rows, columns
        The pairs by left and by right record.

    Returns
    -------
    features
        float32 of shape (len(TABLE_FEATURES),): the mean probability of the rows' best pairs and
        the median of their log odds, both drawn to a usual table's where rows are few, and the
        logarithm of the number of right records that are candidates.
    """
    best = np.clip(logit[rows.best(logit)], -LARGEST_BEST, LARGEST_BEST).astype(np.float64)
    trust = len(best) / (len(best) + FEW)
    mean = float((1 / (1 + np.exp(-best))).mean()) if len(best) else 0.0
    median = float(np.median(best)) if len(best) else 0.0
    features = _Table(
        mean_best=mean * trust + USUAL_MEAN * (1 - trust),
        median_best=median * trust,
        reference=float(np.log(max(1, len(columns)))),
    )
    return np.array(features, dtype=np.float32)
