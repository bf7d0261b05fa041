"""What the exact-match (`by`) columns leave of rows to compare."""

from __future__ import annotations

import numpy as np

from pearljoin._comparison.comparison import Comparison
from pearljoin._records.missing_keys import NULL
from pearljoin._records.records import Records

__all__ = ["lacks_group", "shares_no_group"]


def lacks_group(records: Records, row: int) -> bool:
    """Whether a row has a key and matches nothing, since one of its `by` values is null."""
    if records.groups is None or records.groups.codes[row] != NULL:
        return False
    return any(field.codes[row] != NULL for field in records.fields)


def shares_no_group(comparison: Comparison, record: int | None = None) -> bool:
    """Whether no right record has the `by` values of a left record; False without `by` columns.

    Parameters
    ----------
    comparison
        The two tables.
    record
        The left record; None: whether that is so of all of them.
    """
    left, right = (side.groups for side in comparison.sides)
    if left is None or right is None:
        return False
    asked = left if record is None else left[[record]]
    return not bool(np.isin(asked, right).any())
