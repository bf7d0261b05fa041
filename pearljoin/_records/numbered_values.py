"""Distinct values of a column with a number for each; equal values have equal numbers."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from pearljoin._cached import cached_property
from pearljoin._records.missing_keys import NULL
from pearljoin._typing import IntVector

__all__ = ["NumberedValues"]


class NumberedValues:
    """Distinct values of a column, some of which may be equal once they are normalised."""

    _among: tuple[NumberedValues, IntVector] | None = None
    """The values that these were last numbered among, and the numbers."""

    @property
    def normalised(self) -> Sequence[Hashable]:
        """The values as they are compared for equality."""
        raise NotImplementedError

    def __len__(self) -> int:
        return len(self.normalised)

    @cached_property
    def number_of(self) -> dict[Hashable, int]:
        """The number of each normalised value, by first appearance from 0 on."""
        distinct = dict.fromkeys(self.normalised)
        return dict(zip(distinct, range(len(distinct)), strict=True))

    @cached_property
    def numbers(self) -> IntVector:
        """The number of each value, and of null for its code: int64 of shape (n_values + 1,)."""
        numbers = map(self.number_of.__getitem__, self.normalised)
        return np.append(np.fromiter(numbers, dtype=np.int64, count=len(self)), NULL)

    def numbers_among(self, reference: NumberedValues) -> IntVector:
        """Number the values as those of a reference, and what it lacks from there on.

        Parts of many pairs ask for the same numbers, so they are kept until another reference is
        asked for.

        Parameters
        ----------
        reference
            The values that have numbers.

        Returns
        -------
        numbers
            int64 of shape (n_values + 1,): those of `reference.numbers` for equal values, at least
            ``len(reference.number_of)`` for others; the last is for null.
        """
        if self is reference:
            return self.numbers
        # Another thread may ask for another reference meanwhile.
        kept = self._among
        if kept is None or kept[0] is not reference:
            known, new = reference.number_of, dict[Hashable, int]()
            found = [
                known[value] if value in known else new.setdefault(value, len(known) + len(new))
                for value in self.normalised
            ]
            self._among = kept = reference, np.array([*found, NULL], dtype=np.int64)
        return kept[1]
