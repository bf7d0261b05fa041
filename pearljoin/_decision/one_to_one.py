"""One-to-one assignment of rows: equal keys first, then the best assignment of the rest."""

from __future__ import annotations

import numpy as np

from pearljoin._assignment_solver import assign
from pearljoin._candidates.blocking import refuse_above
from pearljoin._comparison.comparison import Candidates
from pearljoin._decision.row_pairs import expand
from pearljoin._matches import Matches, ranks_within
from pearljoin._records.records import Records
from pearljoin._typing import BoolVector, FloatVector, IntVector

__all__ = ["assign_one_to_one"]


def assign_one_to_one(
    candidates: Candidates,
    left: Records,
    right: Records,
    keys: tuple[IntVector, IntVector] | None = None,
) -> Matches:
    """Choose matches so that no row is used twice and the sum of scores is greatest.

    Equal keys are paired first, in the order of rows: those equal as they stand, then those equal
    after normalisation.

    Parameters
    ----------
    candidates
        The pairs of records that may match.
    left, right
        Records of both tables.
    keys
        The normalised key of each left and each right record as a number, below 0 for none; given
        where `candidates` do not hold all pairs of equal keys.

    Returns
    -------
    matches
        In left order.

    Raises
    ------
    InputError
        If the remaining pairs of rows are too many to hold.
    """
    paired = _PairedRows(left, right)
    for level in (2, 1) if keys is None else (2,):
        equal = candidates.take(candidates.equality == level)
        paired.pair_in_order(equal.take(np.lexsort((equal.right, equal.left))))
    if keys is not None:
        paired.pair_equal_keys(*keys)
    rest = candidates.take((candidates.equality == 0) & (paired.n_row_pairs(candidates) > 0))
    isolated = _isolated(rest, left.n_records, right.n_records)
    paired.pair_in_order(rest.take(isolated))
    rest = rest.take(~isolated)
    refuse_above(int(paired.n_row_pairs(rest).sum()))
    pairs, left_rows, right_rows = expand(rest, left, right)
    free = paired.both_free(left_rows, right_rows)
    pairs, left_rows, right_rows = pairs[free], left_rows[free], right_rows[free]
    chosen = assign(left_rows, right_rows, rest.score[pairs])
    return Matches(
        np.concatenate([*paired.left_rows, left_rows[chosen]]),
        np.concatenate([*paired.right_rows, right_rows[chosen]]),
        np.concatenate([*paired.scores, rest.score[pairs][chosen]]),
    ).ranked()


def _isolated(pairs: Candidates, n_left: int, n_right: int) -> BoolVector:
    """Mark pairs that are the only pair of both their records.

    The rows of such a pair are interchangeable, so they need no assignment.
    """
    of_left = np.bincount(pairs.left, minlength=n_left)[pairs.left]
    of_right = np.bincount(pairs.right, minlength=n_right)[pairs.right]
    return np.asarray((of_left == 1) & (of_right == 1), dtype=bool)


class _PairedRows:
    """Rows that are paired so far, and those that are free."""

    def __init__(self, left: Records, right: Records) -> None:
        self.left_rows: list[IntVector] = []
        self.right_rows: list[IntVector] = []
        self.scores: list[FloatVector] = []
        self._left = _FreeRows(left)
        self._right = _FreeRows(right)

    def pair_in_order(self, pairs: Candidates) -> None:
        """Pair as many free rows of each pair of records as there are, first rows first."""
        listed = zip(pairs.left.tolist(), pairs.right.tolist(), pairs.score, strict=True)
        for left, right, score in listed:
            n_rows = int(min(self._left.count[left], self._right.count[right]))
            if n_rows:
                self.left_rows.append(self._left.pop(left, n_rows))
                self.right_rows.append(self._right.pop(right, n_rows))
                self.scores.append(np.full(n_rows, score, dtype=np.float32))

    def pair_equal_keys(self, left_keys: IntVector, right_keys: IntVector) -> None:
        """Pair the free rows of each key, first records and first rows first."""
        left_rows, left_places = self._left.by_key(left_keys)
        right_rows, right_places = self._right.by_key(right_keys)
        n_places = 1 + max(len(left_rows), len(right_rows))
        _, left_at, right_at = np.intersect1d(
            left_places @ (n_places, 1), right_places @ (n_places, 1), return_indices=True
        )
        self.left_rows.append(self._left.pop_rows(left_rows[left_at]))
        self.right_rows.append(self._right.pop_rows(right_rows[right_at]))
        self.scores.append(np.ones(len(left_at), dtype=np.float32))

    def n_row_pairs(self, pairs: Candidates) -> IntVector:
        """Number of pairs of free rows of each pair of records: int64 of shape (n_pairs,)."""
        return np.asarray(self._left.count[pairs.left] * self._right.count[pairs.right], np.int64)

    def both_free(self, left_rows: IntVector, right_rows: IntVector) -> BoolVector:
        """Tell which pairs of rows are free on both sides: bool of shape (n_pairs,)."""
        return self._left.is_free[left_rows] & self._right.is_free[right_rows]


class _FreeRows:
    """Free rows of each record of one table.

    Attributes
    ----------
    count
        Number of free rows: int64 of shape (n_records,).
    is_free
        bool of shape (n_rows,).
    """

    def __init__(self, records: Records) -> None:
        self._record, self._rows = records.rows_of(np.arange(records.n_records))
        self._of_row = records.of_row
        self.count = np.bincount(self._record, minlength=records.n_records)
        self.is_free = np.ones(records.n_rows, dtype=bool)
        self._next = np.cumsum(self.count) - self.count

    def pop(self, record: int, n_rows: int) -> IntVector:
        """Take the first `n_rows` free rows of a record."""
        start = self._next[record]
        rows = self._rows[start : start + n_rows]
        self._next[record] += n_rows
        self.count[record] -= n_rows
        self.is_free[rows] = False
        return rows

    def by_key(self, keys: IntVector) -> tuple[IntVector, IntVector]:
        """List the free rows of records with a key, by key, record and row.

        Returns
        -------
        rows, places
            int64 of shape (n_free,) and (n_free, 2): the rows; the key of each, and its place among
            the rows of that key.
        """
        of_row = keys[self._record]
        kept = np.flatnonzero(self.is_free[self._rows] & (of_row >= 0))
        kept = kept[np.argsort(of_row[kept], kind="stable")]
        found = of_row[kept]
        return self._rows[kept], np.stack([found, ranks_within(found)], axis=1)

    def pop_rows(self, rows: IntVector) -> IntVector:
        """Take rows that are the first free ones of their records."""
        taken = np.bincount(self._of_row[rows], minlength=len(self.count))
        self._next += taken
        self.count -= taken
        self.is_free[rows] = False
        return rows
