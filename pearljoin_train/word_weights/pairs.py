"""Pairs of short texts: what belongs together, and what does not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["PairSet"]


@dataclass(frozen=True)
class PairSet:
    """Pairs of texts.

    Attributes
    ----------
    first, second
        The two texts of each pair: words with single spaces between them.
    related
        bool of shape (n_pairs,): whether they belong together.
    """

    first: tuple[str, ...]
    second: tuple[str, ...]
    related: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.first)

    def take(self, rows: NDArray[np.int64]) -> PairSet:
        """Return the pairs at these positions."""
        first = tuple(self.first[row] for row in rows)
        second = tuple(self.second[row] for row in rows)
        return PairSet(first, second, self.related[rows])

    @classmethod
    def of(
        cls, related: Sequence[tuple[str, str]], unrelated: Sequence[tuple[str, str]]
    ) -> PairSet:
        """Put related and unrelated pairs into one set."""
        pairs = [*related, *unrelated]
        return cls(
            tuple(left for left, _ in pairs),
            tuple(right for _, right in pairs),
            np.arange(len(pairs)) < len(related),
        )
