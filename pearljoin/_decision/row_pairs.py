"""From pairs of records to pairs of rows."""

from __future__ import annotations

import numpy as np

from pearljoin._candidates.blocking import refuse_above
from pearljoin._comparison.comparison import Candidates
from pearljoin._records.records import Records
from pearljoin._typing import IntVector

__all__ = ["check_size", "expand"]


def expand(
    candidates: Candidates, left: Records, right: Records, k: int | None = None
) -> tuple[IntVector, IntVector, IntVector]:
    """List the pairs of rows of each pair of records.

    Parameters
    ----------
    candidates
        Pairs of records.
    left, right
        Records of both tables.
    k
        The most rows of one right record, from the first on; None for all.

    Returns
    -------
    pair, left_row, right_row
        Aligned int64 arrays: the position in `candidates`, and the row positions.
    """
    left_pairs, left_rows = left.rows_of(candidates.left)
    position, right_rows = right.rows_of(candidates.right[left_pairs], k)
    return left_pairs[position], left_rows[position], right_rows


def check_size(candidates: Candidates, left: Records, right: Records, k: int | None = None) -> None:
    """Refuse more pairs of rows than `expand` can hold.

    Raises
    ------
    InputError
        If there are too many.
    """
    sizes = right.sizes[candidates.right]
    refuse_above(int((left.sizes[candidates.left] * np.minimum(sizes, k or sizes)).sum()))
