"""How often the values of a key column occur among records."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pearljoin._records.missing_keys import NULL
from pearljoin._records.numbered_values import NumberedValues
from pearljoin._typing import IntVector

__all__ = ["ValueShares"]


class ValueShares(NamedTuple):
    """Share of records that have each value, smoothed by half a record a value.

    Attributes
    ----------
    values
        The values.
    share
        float64 of shape (n_numbers + 2,): by the number of the value; then for a value that no
        record has, and for null.
    usual
        The probability that two records have the same value.
    """

    values: NumberedValues
    share: NDArray[np.float64]
    usual: float

    @classmethod
    def among(cls, values: NumberedValues, codes: IntVector, *, nulls_equal: bool) -> ValueShares:
        """Count the values of records.

        Parameters
        ----------
        values
            The distinct values of the column.
        codes
            int64 of shape (n_records,): which value each record has, or `NULL`.
        nulls_equal
            Whether a null is a value like any other; else it is not counted.
        """
        n_numbers = len(values.number_of)
        known = codes != NULL
        counts = np.bincount(values.numbers[codes[known]], minlength=n_numbers + 2)
        counts = counts.astype(np.float64)
        if nulls_equal:
            counts[NULL] = len(codes) - known.sum()
        share = (counts + 0.5) / (counts.sum() + 1)
        return cls(values, share, float(counts @ share) / max(1.0, float(counts.sum())))

    def of(self, values: NumberedValues, codes: IntVector) -> NDArray[np.float64]:
        """Return the share of records that have each of some values.

        Parameters
        ----------
        values
            The distinct values of the other records' column.
        codes
            int64 of shape (n,): which of them, or `NULL`.

        Returns
        -------
        share
            float64 of shape (n,), above 0.
        """
        unseen = len(self.share) - 2
        return self.share[np.minimum(values.numbers_among(self.values)[codes], unseen)]
