"""The best candidates of each left record side by side, to be compared with each other."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pearljoin._matches import ranks_within
from pearljoin._typing import BoolVector, FloatVector, IntVector

__all__ = ["BestCandidates"]


class BestCandidates:
    """The best candidates of each left record side by side, to be compared with each other.

    Parameters
    ----------
    left, right
        int64 of shape (n_pairs,): the records of candidate pairs.
    score
        float32 of shape (n_pairs,): what they are ranked by; of equal ones the lower right record
        comes first.
    at
        int64 of shape (n,): places of the pairs that count.
    most
        Candidates of a left record that are kept.

    Attributes
    ----------
    at, row, rank
        int64 of shape (n_kept,): places of the pairs that are kept, the row of each, and its place
        in that row. A row is of one left record.
    place
        int64 of shape (n_rows, most): places of the pairs of each row, best first; -1 where there
        are fewer.
    """

    def __init__(
        self, left: IntVector, right: IntVector, score: FloatVector, at: IntVector, most: int
    ) -> None:
        at = at[np.lexsort((right[at], -score[at], left[at]))]
        rank = ranks_within(left[at])
        kept = rank < most
        self.at, self.rank = at[kept], rank[kept]
        self.row = np.cumsum(self.rank == 0) - 1
        n_rows = int(self.row[-1]) + 1 if len(self.row) else 0
        self.place = np.full((n_rows, most), -1)
        self.place[self.row, self.rank] = self.at
        self._first, self._second = np.triu_indices(most, 1)
        self._both = (self.place[:, self._first] >= 0) & (self.place[:, self._second] >= 0)

    @property
    def pairs(self) -> tuple[IntVector, IntVector]:
        """Places of every two candidates of one row: int64 of shape (n_twos,) each."""
        first, second = self.place[:, self._first], self.place[:, self._second]
        return first[self._both], second[self._both]

    def matrix(self, values: NDArray[Any]) -> NDArray[Any]:
        """Arrange what is known of every two candidates.

        Parameters
        ----------
        values
            Of shape (n_twos,), as `pairs`.

        Returns
        -------
        matrix
            Of shape (n_rows, most, most), symmetric; 0 on the diagonal and where a candidate lacks.
        """
        n_rows, most = self.place.shape
        spread = np.zeros(self._both.shape, dtype=values.dtype)
        spread[self._both] = values
        matrix = np.zeros((n_rows, most, most), dtype=values.dtype)
        matrix[:, self._first, self._second] = matrix[:, self._second, self._first] = spread
        return matrix

    def first_same(self, same: BoolVector) -> IntVector:
        """Group the candidates of each row by complete linkage, best ones first.

        Parameters
        ----------
        same
            bool of shape (n_twos,): which two are the same thing.

        Returns
        -------
        first
            int64 of shape (n_kept,): for each of `at`, the place of the first pair of its group.
        """
        group = _complete_linkage(self.matrix(same))
        return np.asarray(self.place[self.row, group[self.row, self.rank]], dtype=np.int64)


def _complete_linkage(same: NDArray[np.bool_]) -> IntVector:
    """Group candidates by complete linkage, the best ones first.

    Parameters
    ----------
    same
        bool of shape (n_rows, n, n).

    Returns
    -------
    first
        int64 of shape (n_rows, n): the first member of each candidate's group.
    """
    n_rows, n = same.shape[:2]
    group = np.tile(np.arange(n), (n_rows, 1))
    for new in range(1, n):
        for old in range(new):
            members = group[:, :new] == old
            fits = members.any(axis=1) & (same[:, new, :new] | ~members).all(axis=1)
            group[fits & (group[:, new] == new), new] = old
    return group
