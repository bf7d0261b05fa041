"""Statistics of a key column of the reference: term weights, mean, spread.

Learned once, in `fit`, and used for both sides of every comparison. So the similarity of two values
does not depend on what else is looked up.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pearljoin._records.similarity import ExactValues, NumberValues, TextValues, spread
from pearljoin._search.vectors import mean_row
from pearljoin._text.term_weights import TermWeights
from pearljoin._typing import FloatVector

__all__ = ["ColumnStatistics"]


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
        Whether the values count rows: see `pearljoin._records.row_numbers`.
    """

    terms: TermWeights | None = None
    mean: FloatVector | None = None
    spread: float = 1.0
    is_row_number: bool = False

    @classmethod
    def of(cls, values: TextValues | NumberValues | ExactValues) -> ColumnStatistics:
        """Learn the statistics of a column from its distinct values."""
        if isinstance(values, TextValues):
            mean = mean_row(values.vectors) if len(values.texts) else np.zeros(1)
            return cls(TermWeights.of(values.counts), mean.astype(np.float32))
        return cls(spread=spread(values)) if isinstance(values, NumberValues) else cls()
