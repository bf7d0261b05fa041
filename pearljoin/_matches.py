"""Matches: aligned arrays of left rows, right rows and scores."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pearljoin._assignment_solver import assign
from pearljoin._typing import FloatVector, IntVector

__all__ = ["Matches", "find_pairs", "ranks_within"]


@dataclass(frozen=True, slots=True, eq=False)
class Matches:
    """Pairs of row positions with a score.

    Attributes
    ----------
    left, right
        int64 of shape (n_matches,): row positions in the left and in the right table.
    score
        float32 of shape (n_matches,), in [0, 1]; 1 is kept for equal keys.

    Examples
    --------
    >>> import numpy as np
    >>> scores = np.array([0.9, 0.4, 0.8])
    >>> matches = Matches(np.array([0, 0, 1]), np.array([5, 3, 3]), scores)
    >>> matches.above(0.5)
    Matches(left=[0 1], right=[5 3], score=[0.9 0.8])
    """

    left: IntVector
    right: IntVector
    score: FloatVector

    def __post_init__(self) -> None:
        for name, dtype in (("left", np.int64), ("right", np.int64), ("score", np.float32)):
            values = np.asarray(getattr(self, name), dtype=dtype)
            if values.ndim != 1 or len(values) != len(self.left):
                raise ValueError(f"Matches.{name} must be one-dimensional and as long as left.")
            object.__setattr__(self, name, values)

    def __len__(self) -> int:
        return len(self.left)

    def __repr__(self) -> str:
        with np.printoptions(threshold=8, precision=4):
            return f"Matches(left={self.left}, right={self.right}, score={self.score})"

    def take(self, positions: IntVector | np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Matches:
        """Keep the pairs at `positions` (integers or a mask), in that order."""
        return Matches(self.left[positions], self.right[positions], self.score[positions])

    def above(self, threshold: float) -> Matches:
        """Keep pairs with a score of at least `threshold`."""
        return self.take(self.score >= np.float32(threshold))

    def ranked(self) -> Matches:
        """Order by left row, then descending score, then right row."""
        return self.take(np.lexsort((self.right, -self.score, self.left)))

    def best(self, k: int = 1) -> Matches:
        """Keep at most the `k` best pairs of each left row; ties go to the first right row.

        Parameters
        ----------
        k
            The most pairs of a left row, at least 1.
        """
        ranked = self.ranked()
        return ranked.take(ranks_within(ranked.left) < k)

    def one_to_one(self) -> Matches:
        """Choose pairs so that no row is used twice and the sum of scores is greatest.

        An optimal assignment over the graph of these pairs, not a greedy one. Pairs of score 1
        (equal keys) are assigned first.

        Returns
        -------
        matches
            In left order, each left row and each right row at most once.
        """
        return self.take(assign(self.left, self.right, self.score)).ranked()


def ranks_within(groups: IntVector) -> IntVector:
    """Number the members of each group 0, 1, ... in their order.

    Parameters
    ----------
    groups
        Group of each member: int64 of shape (n,), ascending.

    Returns
    -------
    ranks
        int64 of shape (n,).
    """
    _, start, count = np.unique(groups, return_index=True, return_counts=True)
    return np.asarray(np.arange(len(groups)) - np.repeat(start, count), dtype=np.int64)


def find_pairs(
    left_at: IntVector, right_at: IntVector, left: IntVector, right: IntVector
) -> IntVector:
    """Find pairs in a list of pairs.

    Parameters
    ----------
    left_at, right_at
        int64 of shape (n_listed,): the list.
    left, right
        int64 of shape (n_pairs,): the pairs to find.

    Returns
    -------
    places
        int64 of shape (n_pairs,): one for a pair that is listed several times, and -1 for one that
        is not.

    Examples
    --------
    >>> find_pairs(np.array([4, 4]), np.array([1, 0]), np.array([4, 5]), np.array([0, 0]))
    array([ 1, -1])
    """
    if not len(left_at):
        return np.full(len(left), -1, dtype=np.int64)
    n_right = 1 + max(right_at.max(initial=0), right.max(initial=0))
    listed, wanted = left_at * n_right + right_at, left * n_right + right
    order = np.argsort(listed, kind="stable")
    at = np.minimum(np.searchsorted(listed, wanted, sorter=order), len(listed) - 1)
    found = order[at]
    return np.asarray(np.where(listed[found] == wanted, found, -1), dtype=np.int64)
