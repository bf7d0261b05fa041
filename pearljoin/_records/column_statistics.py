"""What a key column of the reference says of itself: term weights, mean vector, spread.

Learned once, in `fit`, and used for both sides of every comparison. So the similarity of two values
does not depend on what else is looked up.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from pearljoin._records.missing_keys import NULL
from pearljoin._records.similarity import ExactValues, NumberValues, TextValues, spread
from pearljoin._search.vectors import mean_row
from pearljoin._text.term_weights import TermWeights
from pearljoin._typing import FloatVector, IntVector

__all__ = ["ColumnStatistics"]

FEWEST_ROWS = 20
"""Rows from which on numbers that are all different may count them."""

LEAST_FILLED = 0.9
"""Share of a range that the numbers of rows fill at least."""

_WHOLE = re.compile(r"\d{1,15}(?:\.0)?")


@dataclass(frozen=True)
class ColumnStatistics:
    """Statistics of one key column.

    Attributes
    ----------
    terms
        Weights of n-grams and words; None for a column that is not text.
    mean
        Mean of the phrase vectors: float32 of shape (dim,); None likewise.
    spread
        Distance between the 10th and the 90th percentile of the numbers; 1 for other columns.
    is_row_number
        Whether the values are whole numbers that count rows, each of them once.
    """

    terms: TermWeights | None = None
    mean: FloatVector | None = None
    spread: float = 1.0
    is_row_number: bool = False

    @classmethod
    def of(
        cls, values: TextValues | NumberValues | ExactValues, codes: IntVector | None = None
    ) -> ColumnStatistics:
        """Learn the statistics of a column.

        Parameters
        ----------
        values
            Its distinct values.
        codes
            int64 of shape (n_records,): which of them each record has, or `NULL`. Default: whether
            they are row numbers is not asked.
        """
        if isinstance(values, TextValues):
            mean = mean_row(values.vectors) if len(values.texts) else np.zeros(1)
            return cls(TermWeights.of(values.counts), mean.astype(np.float32))
        counts_rows = codes is not None and _are_row_numbers(values, codes)
        width = spread(values) if isinstance(values, NumberValues) else 1.0
        return cls(spread=width, is_row_number=counts_rows)


def _are_row_numbers(values: NumberValues | ExactValues, codes: IntVector) -> bool:
    """Tell whether values are whole numbers without repetition, and most of a range."""
    if not len(codes) == len(values) >= FEWEST_ROWS or (codes == NULL).any():
        return False
    texts = [str(value) for value in values.listed]
    if not all(map(_WHOLE.fullmatch, texts)):
        return False
    numbers = np.array([float(text) for text in texts])
    return bool(np.ptp(numbers) < len(numbers) / LEAST_FILLED)
