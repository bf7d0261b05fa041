"""Missing values of keys: nulls, rows that can match, equality of nulls.

1. A cell is null where its table says so, and where it is NaN or text without a visible character
   (`pearljoin._tables.cells`). A null has the code `NULL` in every key column.
2. A row whose key columns are all null matches nothing, and neither does a row with a null in an
   exact-match (`by`) column: such rows have no record (`rows_with_keys`).
3. In a key of several columns, a column with a null on either side does not count
   (`columns_compared`), and the two records are not equal (`records_with_null`).
4. A null in a veto column forbids nothing (`values_differ`).

With ``nulls_equal=True`` a null is a value like any other in rules 2 and 3: it equals other nulls
and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pearljoin._typing import BoolVector, IntVector

__all__ = [
    "NULL",
    "columns_compared",
    "known_values",
    "records_with_null",
    "rows_with_keys",
    "values_differ",
]

NULL = -1
"""Code of a null value, and record number of a row that has no record."""


def known_values(codes: IntVector) -> IntVector:
    """List the distinct values of a column by their codes, without null, ascending.

    Examples
    --------
    >>> known_values(np.array([3, NULL, 1, 3]))
    array([1, 3])
    """
    return np.unique(codes[codes != NULL])


def rows_with_keys(
    key_codes: Sequence[IntVector], group_codes: IntVector | None, *, nulls_equal: bool
) -> BoolVector:
    """Tell which rows can match: those with a key value and no null in `by`.

    Parameters
    ----------
    key_codes
        For each key column, int64 of shape (n_rows,).
    group_codes
        Codes of the exact-match columns, int64 of shape (n_rows,); None without any.
    nulls_equal
        Whether a null is a value like any other.

    Returns
    -------
    usable
        bool of shape (n_rows,).
    """
    if nulls_equal:
        return np.ones(len(key_codes[0]), dtype=bool)
    usable: BoolVector = (np.stack(key_codes) != NULL).any(axis=0)
    return usable if group_codes is None else usable & (group_codes != NULL)


def columns_compared(
    left_codes: NDArray[np.int64], right_codes: NDArray[np.int64], *, nulls_equal: bool
) -> NDArray[np.bool_]:
    """Mark where a key column counts: no nulls, or nulls are equal.

    Parameters
    ----------
    left_codes, right_codes
        int64, of shapes that numpy broadcasts to one.
    nulls_equal
        Whether a null is a value like any other.
    """
    return np.asarray(nulls_equal | ((left_codes != NULL) & (right_codes != NULL)), dtype=bool)


def records_with_null(codes: Sequence[IntVector]) -> IntVector:
    """Records with a null in at least one key column, ascending.

    Parameters
    ----------
    codes
        For each key column, int64 of shape (n_records,).
    """
    return np.flatnonzero(np.min(codes, axis=0) == NULL)


def values_differ(left_codes: IntVector, right_codes: IntVector) -> BoolVector:
    """Mark pairs with two different values; a null differs from no value.

    Parameters
    ----------
    left_codes, right_codes
        int64 of shape (n_pairs,), equal for equal values.
    """
    both = (left_codes != NULL) & (right_codes != NULL)
    return np.asarray(both & (left_codes != right_codes), dtype=bool)
