"""Where a pair stands among its rivals: those of its left record, and those of its right one."""

from __future__ import annotations

import numpy as np

from pearljoin._features.groups import Groups
from pearljoin._typing import FloatMatrix, FloatVector

__all__ = ["STANDING", "TABLE", "column_rival", "standing", "table_view"]

STANDING = ("logit", "row_lead", "row_share", "row_rival", "column_lead")
"""What the columns of `standing` hold, in order."""

TABLE = ("mean_best", "median_best", "reference")
"""What the numbers of `table_view` are, in order."""

USUAL_ROW_RIVAL, USUAL_COLUMN_RIVAL = -3.0, -4.0
"""What stands in for the rival of a pair that has none, which must not make it look safe."""

USUAL_MEAN, FEW = 0.4, 20
"""A table of few left rows is taken to be a usual one, as if it had so many rows of that more."""

LARGEST_LOGIT = 12.0


def column_rival(logit: FloatVector, columns: Groups) -> FloatVector:
    """The best other judgement of each pair's right record, or what stands in for one.

    Parameters
    ----------
    logit
        float32 of shape (n_pairs,): log odds that each pair is a match.
    columns
        The pairs by right record.
    """
    return columns.best_other(_clipped(logit), USUAL_COLUMN_RIVAL)


def standing(
    logit: FloatVector, rows: Groups, rival: FloatVector, words: FloatMatrix
) -> FloatMatrix:
    """Describe where pairs stand among their rivals, by a first judgement of each pair alone.

    Parameters
    ----------
    logit
        float32 of shape (n_pairs,): log odds that each pair is a match.
    rows
        The pairs by left record.
    rival
        float32 of shape (n_pairs,): the rival for the right record, as of `column_rival`.
    words
        float32 of shape (n_pairs, n_columns): what the pairs leave over, to stand beside the rest.

    Returns
    -------
    standing
        float32 of shape (n_pairs, len(STANDING) + n_columns).
    """
    kept = _clipped(logit)
    odds = np.exp(kept.astype(np.float64))
    row_rival = rows.best_other(kept, USUAL_ROW_RIVAL)
    described = (kept, kept - row_rival, rows.share(odds), row_rival, kept - rival)
    return np.column_stack([*described, words]).astype(np.float32)


def _clipped(logit: FloatVector) -> FloatVector:
    return np.clip(logit, -LARGEST_LOGIT, LARGEST_LOGIT).astype(np.float32)


def table_view(logit: FloatVector, rows: Groups, columns: Groups) -> FloatVector:
    """Describe a whole comparison: how sure its rows are of their best pairs, and its size.

    Parameters
    ----------
    logit
        float32 of shape (n_pairs,).
    rows, columns
        The pairs by left and by right record.

    Returns
    -------
    view
        float32 of shape (len(TABLE),): mean probability of the rows' best pairs and the median of
        their logits, both drawn to a usual table's where rows are few, and the logarithm of the
        number of right records that are anyone's candidate.
    """
    best = np.clip(logit[rows.best(logit)], -8, 8).astype(np.float64)
    trust = len(best) / (len(best) + FEW)
    mean = float((1 / (1 + np.exp(-best))).mean()) if len(best) else 0.0
    median = float(np.median(best)) if len(best) else 0.0
    view = (mean * trust + USUAL_MEAN * (1 - trust), median * trust, np.log(max(1, len(columns))))
    return np.array(view, dtype=np.float32)
