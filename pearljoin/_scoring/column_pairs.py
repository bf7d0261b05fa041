"""Pairs of records in one key column."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pearljoin._cached import cached_property
from pearljoin._records.encoded import EncodedRecords
from pearljoin._records.missing_keys import NULL
from pearljoin._typing import IntVector

__all__ = ["ColumnPairs"]


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
