"""Where a pair stands among its rivals: those of its left record, and those of its right one."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from pearljoin._typing import BoolVector, FloatMatrix, FloatVector, IntVector

__all__ = ["STANDING", "TABLE", "Groups", "column_rival", "standing", "table_view"]

STANDING = ("logit", "row_lead", "row_share", "row_rival", "column_lead")
"""What the columns of `standing` hold, in order."""

TABLE = ("mean_best", "median_best", "reference")
"""What the numbers of `table_view` are, in order."""

USUAL_ROW_RIVAL, USUAL_COLUMN_RIVAL = -3.0, -4.0
"""What stands in for the rival of a pair that has none, which must not make it look safe."""

USUAL_MEAN, FEW = 0.4, 20
"""A table of few left rows is taken to be a usual one, as if it had so many rows of that more."""

LARGEST_LOGIT = 12.0
EQUAL = 1e-5
"""Judgements that differ by no more are taken to be of equal evidence."""


class Groups:
    """Values of one kind for every pair, to be compared within groups of pairs.

    Parameters
    ----------
    groups
        int64 of shape (n_pairs,): each pair's group.
    """

    def __init__(self, groups: IntVector) -> None:
        self._order = np.argsort(groups, kind="stable")
        ordered = groups[self._order]
        self._starts = np.flatnonzero(np.diff(ordered, prepend=ordered[:1] - 1))
        sizes = np.diff(np.append(self._starts, len(ordered)))
        self._number = np.repeat(np.arange(len(sizes)), sizes)

    def __len__(self) -> int:
        return len(self._starts)

    @cached_property
    def number(self) -> IntVector:
        """int64 of shape (n_pairs,): each pair's group, as `best` counts them."""
        result = np.empty(len(self._order), dtype=np.int64)
        result[self._order] = self._number
        return result

    def best_other(self, values: FloatVector, usual: float) -> FloatVector:
        """The best other value of each pair's group; `usual` where there is none."""
        if not len(self):
            return np.zeros(0, dtype=np.float32)
        first, best, second = self._best_two(values)
        other = best[self._number]
        other[first] = second
        other[np.isneginf(other)] = usual
        result = np.empty(len(other), dtype=np.float32)
        result[self._order] = other
        return result

    def lead(self, values: FloatVector, usual: float) -> FloatVector:
        """By how much each value exceeds its group's best other one.

        A lone candidate has no rival to be measured by, which must not make it look safe: it is
        measured by `usual`.
        """
        return np.asarray(values - self.best_other(values, usual), dtype=np.float32)

    def best(self, values: FloatVector) -> IntVector:
        """Position of each group's best value; the first of equal ones."""
        if not len(self):
            return np.zeros(0, dtype=np.int64)
        return np.asarray(self._order[self._best_two(values)[0]], dtype=np.int64)

    def is_best(self, values: FloatVector) -> BoolVector:
        """Which values are their group's best, equal ones too.

        Values as near as `EQUAL` are equal: equal evidence may be judged with other last digits.
        """
        return np.asarray(values >= values[self.best(values)][self.number] - EQUAL, dtype=bool)

    def usual_rival(self, values: FloatVector, least: float) -> float:
        """Median of the second best values, but not below `least`: how crowded it is."""
        if not len(self):
            return least
        second = self._best_two(values)[2]
        known = second[~np.isneginf(second)]
        return max(least, float(np.median(known))) if len(known) else least

    def share(self, odds: FloatVector) -> FloatVector:
        """Logarithm of each pair's odds over one plus those of its group's others."""
        sums = np.bincount(self._number, weights=odds[self._order], minlength=len(self))
        others = np.empty(len(odds))
        others[self._order] = sums[self._number]
        rest = np.maximum(others - odds, 0)
        return np.asarray(np.log(odds / (1 + rest)), dtype=np.float32)

    def _best_two(self, values: FloatVector) -> tuple[IntVector, FloatVector, FloatVector]:
        """Where each group's best value stands in order, that value, and the second best.

        The second is minus infinity in groups of one.
        """
        ordered = values[self._order]
        best = np.maximum.reduceat(ordered, self._starts)
        top = np.flatnonzero(ordered == best[self._number])
        first = top[np.flatnonzero(np.diff(self._number[top], prepend=-1))]
        ordered[first] = -np.inf
        return first, best, np.maximum.reduceat(ordered, self._starts)


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
