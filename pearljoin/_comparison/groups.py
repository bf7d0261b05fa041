"""Whether the exact-match (`by`) columns leave left records anything to compare."""

from __future__ import annotations

import numpy as np

from pearljoin._comparison.comparison import Comparison

__all__ = ["shares_no_group"]


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
