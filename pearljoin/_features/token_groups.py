"""Tokens grouped by candidate pair: sums and largest values of each pair's tokens."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pearljoin._cached import cached_property
from pearljoin._ragged import places_of, row_of_each, sizes_of
from pearljoin._typing import FloatVector, IntVector

__all__ = ["TokenGroups"]


@dataclass(frozen=True)
class TokenGroups:
    """The tokens of one text of each pair, pair after pair.

    Attributes
    ----------
    bounds
        int64 of shape (n_pairs + 1,): where the tokens of each pair start, and the last ones end.
    """

    bounds: IntVector

    @cached_property
    def pair(self) -> IntVector:
        """int64 of shape (n_tokens,): the pair of each token."""
        return row_of_each(self.bounds)

    def sums(self, values: FloatVector) -> FloatVector:
        """Sum values of the tokens by pair: float32 of shape (n_pairs,)."""
        n_pairs = len(self.bounds) - 1
        return np.bincount(self.pair, weights=values, minlength=n_pairs).astype(np.float32)

    def largest(self, values: FloatVector) -> FloatVector:
        """Return the largest of each pair's values, at least 0: float32 of shape (n_pairs,)."""
        found = np.zeros(len(self.bounds) - 1, dtype=np.float32)
        some = places_of(sizes_of(self.bounds))
        if len(some):
            found[some] = np.maximum(np.maximum.reduceat(values, self.bounds[some]), 0)
        return found
