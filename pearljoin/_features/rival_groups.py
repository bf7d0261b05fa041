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
    things
        int64 of shape (n_pairs,): equal within a group for pairs that are no rivals of each other,
        since their right records are the same thing. Default: all of a group are rivals.
    """

    def __init__(self, groups: IntVector, things: IntVector | None = None) -> None:
        self._order = np.argsort(groups, kind="stable")
        ordered = groups[self._order]
        self._starts = run_starts(ordered)
        sizes = np.diff(np.append(self._starts, len(ordered)))
        self._number = np.arange(len(sizes)).repeat(sizes)
        self._things = None if things is None else things[self._order]

    def __len__(self) -> int:
        return len(self._starts)

    @cached_property
    def number(self) -> IntVector:
        """int64 of shape (n_pairs,): the group of each pair, numbered as in `best`."""
        result = np.empty(len(self._order), dtype=np.int64)
        result[self._order] = self._number
        return result

    def best_other(self, values: FloatVector, usual: float) -> FloatVector:
        """Return the highest value of another thing in each pair's group.

        `usual` where there is no other.
        """
        if not len(self):
            return np.zeros(0, dtype=np.float32)
        first, best, second = self._best_two(values)
        other = best[self._number]
        if self._things is None:
            other[first] = second
        else:
            is_best = self._things == self._things[first][self._number]
            rest = np.where(is_best, -np.inf, values[self._order])
            second = np.maximum.reduceat(rest, self._starts)
            other[is_best] = second[self._number[is_best]]
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
        """Return the logarithm of each pair's odds over one plus the odds of its group's others.

        The odds of a thing are the highest of its pairs.
        """
        own = ordered = odds[self._order]
        once = ordered
        if self._things is not None and len(ordered):
            own, first = self._best_of_thing(ordered)
            once = np.where(first, own, 0)
        sums = np.bincount(self._number, weights=once, minlength=len(self))
        rest = np.empty(len(odds))
        rest[self._order] = np.maximum(sums[self._number] - own, 0)
        return np.asarray(np.log(odds / (1 + rest)), dtype=np.float32)

    def _best_of_thing(self, ordered: FloatVector) -> tuple[FloatVector, BoolVector]:
        """Highest value of each pair's thing, in sorted order, and the first pair of each thing."""
        assert self._things is not None
        by_thing = np.lexsort((self._things, self._number))
        things = self._things[by_thing]
        is_first = np.append(True, (np.diff(things) != 0) | (np.diff(self._number) != 0))
        best = np.maximum.reduceat(ordered[by_thing], places_of(is_first))
        highest, first = np.empty_like(ordered), np.zeros(len(ordered), dtype=bool)
        highest[by_thing] = best[np.cumsum(is_first) - 1]
        first[by_thing] = is_first
        return highest, first

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
