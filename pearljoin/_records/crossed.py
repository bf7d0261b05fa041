"""Tables whose records are combinations of values, such as countries by years."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pearljoin._records.missing_keys import NULL
from pearljoin._typing import IntVector

__all__ = ["are_crossed"]

FEWEST = 12
"""Fewest records of a table that counts as crossed."""

LEAST_REPEATED = 2.0
"""Fewest records for each distinct value, on average, in every column: a column with fewer all but
identifies a record by itself."""

LEAST_FILLED = 0.2
"""Smallest share of all combinations of the columns' values that the records cover."""


def are_crossed(columns: Sequence[IntVector]) -> bool:
    """Tell whether records are combinations of values, and most combinations are there.

    In such a table many records agree in any one column by chance, and no value is rare enough to
    tell a match: two records match where the values of every column do.

    Parameters
    ----------
    columns
        By key column, int64 of shape (n_records,): the value of each distinct record, or `NULL`.

    Examples
    --------
    >>> country, year = map(np.ravel, np.indices((6, 10)))
    >>> are_crossed([country, year]), are_crossed([country, np.arange(60)])
    (True, False)
    """
    known = np.all([codes != NULL for codes in columns], axis=0)
    n_records = int(known.sum())
    sizes = [len(np.unique(codes[known])) for codes in columns]
    n_several = sum(size > 1 for size in sizes)
    if n_records < FEWEST or n_several < 2 or max(sizes) * LEAST_REPEATED > n_records:
        return False
    return bool(n_records >= LEAST_FILLED * np.prod(np.array(sizes, dtype=np.float64)))
