"""Pairs of rows, of the scored pairs of their records."""

from __future__ import annotations

import numpy as np

from pearljoin._candidates.blocking import refuse_above
from pearljoin._ragged import items_of_rows
from pearljoin._records.missing_keys import NULL
from pearljoin._typing import FloatVector, IntVector

__all__ = ["row_pairs"]


def row_pairs(
    of_row: IntVector, n_records: int, one: IntVector, other: IntVector, score: FloatVector
) -> tuple[IntVector, IntVector, FloatVector]:
    """List the pairs of rows of pairs of records, and those of equal rows, which score 1.

    Parameters
    ----------
    of_row, n_records
        int64 of shape (n_rows,): the record of each row, `NULL` for rows that are left out; and how
        many records there are.
    one, other, score
        Aligned arrays of shape (n_pairs,): pairs of two records, and their scores.

    Returns
    -------
    first, second, score
        Aligned int64, int64 and float32 arrays, ``first < second``, ascending by row.

    Raises
    ------
    InputError
        If they are too many to return.
    """
    rows = np.flatnonzero(of_row != NULL)
    order = rows[np.argsort(of_row[rows], kind="stable")]
    sizes = np.bincount(of_row[rows], minlength=n_records).astype(np.int64)
    ends = np.cumsum(sizes)
    refuse_above(int((sizes[one] * sizes[other]).sum() + (sizes * (sizes - 1) // 2).sum()))
    at, first = items_of_rows((ends - sizes)[one], sizes[one])
    others = other[at]
    again, second = items_of_rows((ends - sizes)[others], sizes[others])
    place = np.arange(len(order))
    equal, later = items_of_rows(place + 1, ends[of_row[order]] - place - 1)
    left = order[np.concatenate([first[again], equal])]
    right = order[np.concatenate([second, later])]
    scores = np.concatenate([score[at][again], np.ones(len(equal), dtype=np.float32)])
    left, right = np.minimum(left, right), np.maximum(left, right)
    ascending = np.lexsort((right, left))
    return left[ascending], right[ascending], scores[ascending]
