"""The distinct values of a key column whose kind has parts: dates, phone numbers, addresses, ..."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from pearljoin._kinds.protocol import MISSING, Comparer
from pearljoin._records.similarity import ExactValues
from pearljoin._typing import FloatVector, IntVector

__all__ = ["ParsedValues"]


class ParsedValues(ExactValues):
    """The distinct values of a column, read by the comparer of its kind.

    Attributes
    ----------
    kind, prior_kind
        Kind of the column, and that by which match weights of tables at large are kept.
    levels, n_levels
        Names of the comparison levels, the lowest first, and how many there are.
    texts
        The values as they are written, for the whole record.
    listed
        Canonical forms of the values: equal for values that mean the same.
    parsed
        What the comparer read.
    """

    def __init__(self, values: Sequence[Hashable], comparer: Comparer[Any]) -> None:
        self.kind = comparer.kind
        self.prior_kind = comparer.prior_kind
        self.levels = comparer.levels
        self.n_levels = len(comparer.levels)
        self.texts = [_written(value) for value in values]
        self._comparer = comparer
        self.parsed = comparer.read(list(values))
        super().__init__(list(self.parsed.canonical))

    def similarity(
        self, reference: ExactValues, left_values: IntVector, right_values: IntVector
    ) -> FloatVector:
        """Place of pairs of values on the scale of match weights: float32 of shape (n_pairs,).

        In [0, 1]; NaN where nothing is known in common of two values.
        """
        assert isinstance(reference, ParsedValues)
        parsed = self.parsed, reference.parsed
        found = self._comparer.compare(*parsed, left_values, right_values)
        known = np.where(found.level == MISSING, np.nan, self._comparer.place(found))
        return known.astype(np.float32)


def _written(value: Hashable) -> str:
    """A value as text; one of several columns as all of its parts."""
    if isinstance(value, tuple):
        return " ".join(str(part) for part in value if part is not None)
    return str(value)
