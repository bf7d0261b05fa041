"""Pairs of records, and their values in one key column."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from pearljoin._cached import cached_property
from pearljoin._records.encoded import EncodedRecords
from pearljoin._records.missing_keys import NULL
from pearljoin._typing import BoolVector, IntVector

__all__ = ["ColumnPairs", "PairedRecords"]


@dataclass(frozen=True)
class PairedRecords:
    """Pairs of records of two sides.

    Attributes
    ----------
    left, right
        The two sides.
    left_at, right_at
        int64 of shape (n_pairs,): the records of each pair.
    """

    left: EncodedRecords
    right: EncodedRecords
    left_at: IntVector
    right_at: IntVector

    def take(self, pairs: IntVector | BoolVector) -> Self:
        """Return some of the pairs."""
        return replace(self, left_at=self.left_at[pairs], right_at=self.right_at[pairs])

    def column(self, at: int) -> ColumnPairs:
        """Return the pairs in one key column."""
        return ColumnPairs(self.left, self.right, at, self.left_at, self.right_at)


@dataclass(frozen=True)
class ColumnPairs:
    """Pairs of records in one key column.

    Attributes
    ----------
    left, right
        The two sides.
    at
        Position of the column.
    left_at, right_at
        int64 of shape (n_pairs,): the records of each pair.
    """

    left: EncodedRecords
    right: EncodedRecords
    at: int
    left_at: IntVector
    right_at: IntVector

    def __len__(self) -> int:
        return len(self.left_at)

    @property
    def codes(self) -> tuple[IntVector, IntVector]:
        """Left and right value of each pair, or `NULL`: int64 of shape (n_pairs,) each."""
        return self.left.codes[self.at][self.left_at], self.right.codes[self.at][self.right_at]

    @cached_property
    def known(self) -> IntVector:
        """Places of the pairs of which neither value is null: int64 of shape (n_known,)."""
        left_codes, right_codes = self.codes
        return np.flatnonzero((left_codes != NULL) & (right_codes != NULL))

    @cached_property
    def known_codes(self) -> tuple[IntVector, IntVector]:
        """Both values of these pairs: int64 of shape (n_known,) each."""
        left_codes, right_codes = self.codes
        return left_codes[self.known], right_codes[self.known]
