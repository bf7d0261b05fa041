"""Candidate pairs grouped by record: the best of each group, margins over rivals, shares."""

from __future__ import annotations

import numpy as np

from pearljoin._cached import cached_property
from pearljoin._ragged import places_of, run_starts
from pearljoin._typing import BoolVector, FloatVector, IntVector

__all__ = ["Groups"]

EQUAL = 1e-5
"""Log odds that differ by no more count as equal: equal pairs may differ in their last digits."""


class Groups:
    """Candidate pairs in groups, such as those of one left record.

    Parameters
    ----------
    groups
        int64 of shape (n_pairs,): the group of each pair.
    """

    def __init__(self, groups: IntVector) -> None:
        self._order = np.argsort(groups, kind="stable")
        ordered = groups[self._order]
        self._starts = run_starts(ordered)
        sizes = np.diff(np.append(self._starts, len(ordered)))
        self._number = np.arange(len(sizes)).repeat(sizes)

    def __len__(self) -> int:
        return len(self._starts)

    @cached_property
    def number(self) -> IntVector:
        """int64 of shape (n_pairs,): the group of each pair, numbered as in `best`."""
        result = np.empty(len(self._order), dtype=np.int64)
        result[self._order] = self._number
        return result

    def best_other(self, values: FloatVector, usual: float) -> FloatVector:
        """Return the highest other value in each pair's group; `usual` where there is no other."""
        if not len(self):
            return np.zeros(0, dtype=np.float32)
        first, best, second = self._best_two(values)
        other = best[self._number]
        other[first] = second
        other[np.isneginf(other)] = usual
        result = np.empty(len(other), dtype=np.float32)
        result[self._order] = other
        return result

    def margin(self, values: FloatVector, usual: float) -> FloatVector:
        """Return each value minus the highest other value in its group.

        A pair without a rival is compared with `usual`; otherwise it would look safe.
        """
        return np.asarray(values - self.best_other(values, usual), dtype=np.float32)

    lead = margin
    """The name of `margin` in earlier versions."""

    def best(self, values: FloatVector) -> IntVector:
        """Return the position of each group's highest value; the first of equal ones."""
        if not len(self):
            return np.zeros(0, dtype=np.int64)
        return np.asarray(self._order[self._best_two(values)[0]], dtype=np.int64)

    def is_best(self, values: FloatVector) -> BoolVector:
        """Mark the values that are their group's highest, up to `EQUAL`."""
        return np.asarray(values >= values[self.best(values)][self.number] - EQUAL, dtype=bool)

    def share(self, odds: FloatVector) -> FloatVector:
        """Return the logarithm of each pair's odds over one plus the odds of its group's others."""
        sums = np.bincount(self._number, weights=odds[self._order], minlength=len(self))
        others = np.empty(len(odds))
        others[self._order] = sums[self._number]
        rest = np.maximum(others - odds, 0)
        return np.asarray(np.log(odds / (1 + rest)), dtype=np.float32)

    def _best_two(self, values: FloatVector) -> tuple[IntVector, FloatVector, FloatVector]:
        """Place in sorted order of each group's highest value, that value, and the second highest.

        The second is minus infinity in groups of one.
        """
        ordered = values[self._order]
        best = np.maximum.reduceat(ordered, self._starts)
        top = places_of(ordered == best[self._number])
        first = top[run_starts(self._number[top])]
        ordered[first] = -np.inf
        return first, best, np.maximum.reduceat(ordered, self._starts)
