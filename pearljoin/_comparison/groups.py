"""What the exact-match (`by`) columns leave of rows to compare."""

from __future__ import annotations

import numpy as np

from pearljoin._comparison.comparison import Comparison
from pearljoin._records.missing_keys import NULL
from pearljoin._records.records import Records
from pearljoin._typing import BoolVector, IntVector

__all__ = ["lacks_group", "shares_no_group", "without_group"]


def lacks_group(records: Records, row: int) -> bool:
    """Whether a row has a key and matches nothing, since one of its `by` values is null."""
    if records.groups is None or records.groups.codes[row] != NULL:
        return False
    return any(field.codes[row] != NULL for field in records.fields)


def shares_no_group(comparison: Comparison) -> bool:
    """Whether no right record has the `by` values of any left record; False without them."""
    left = comparison.left
    return left.groups is not None and bool(
        without_group(comparison, np.arange(left.n_records)).all()
    )


def without_group(comparison: Comparison, records: IntVector) -> BoolVector:
    """Mark the left records whose `by` values no right record has.

    Parameters
    ----------
    comparison
        The two tables.
    records
        int64 of shape (n,): record numbers.

    Returns
    -------
    is_apart
        bool of shape (n,); False without `by` columns.
    """
    left, right = (side.groups for side in comparison.sides)
    if left is None or right is None:
        return np.zeros(len(records), dtype=bool)
    return np.asarray(~np.isin(left[records], right), dtype=bool)
