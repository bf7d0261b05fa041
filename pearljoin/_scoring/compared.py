"""How candidate pairs compare in each key column."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pearljoin._typing import BoolVector, FloatVector, IntVector

__all__ = ["Compared", "equal_values", "known_values"]


@dataclass(frozen=True)
class Compared:
    """How pairs compare in one key column.

    Attributes
    ----------
    position
        float32 of shape (n_pairs,): from 0 for conflict to ``n_knots - 1`` for equality, NaN where
        a value is missing.
    frequency
        float32 of shape (n_pairs,): the term-frequency adjustment, which is the log of the usual
        frequency over that of the more frequent one of the two values.
    is_new
        bool of shape (n_pairs,): whether no right record has the left value; None: not asked.
    """

    position: FloatVector
    frequency: FloatVector
    is_new: BoolVector | None = None

    def take(self, pairs: IntVector | NDArray[np.bool_]) -> Compared:
        """Return those of some pairs."""
        is_new = None if self.is_new is None else self.is_new[pairs]
        return Compared(self.position[pairs], self.frequency[pairs], is_new)


def known_values(compared: Sequence[Compared]) -> NDArray[np.bool_]:
    """Whether both values of pairs are there: bool of shape (n_pairs, n_columns)."""
    return ~np.isnan(np.column_stack([column.position for column in compared]))


def equal_values(compared: Sequence[Compared], tops: Iterable[int]) -> list[BoolVector]:
    """By key column, whether values are equal: bool of shape (n_pairs,); `tops` are positions."""
    return [some.position >= top for some, top in zip(compared, tops, strict=True)]
