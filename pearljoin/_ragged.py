"""Ragged arrays: rows of unequal length that stand one after another in a flat array."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pearljoin._typing import IntVector

__all__ = ["items_of_rows", "row_of_each"]

Whole = NDArray[np.signedinteger[Any]]


def row_of_each(bounds: Whole) -> IntVector:
    """Return the row that each item belongs to.

    Parameters
    ----------
    bounds
        Whole numbers of shape (n_rows + 1,): where each row starts, and where the last one ends; as
        ``indptr`` of a sparse matrix.

    Returns
    -------
    row
        int64 of shape (n_items,), ascending.

    Examples
    --------
    >>> row_of_each(np.array([0, 2, 2, 3]))
    array([0, 0, 2])
    """
    return np.repeat(np.arange(len(bounds) - 1), np.diff(bounds))


def items_of_rows(start: Whole, size: Whole) -> tuple[IntVector, IntVector]:
    """List the items of some rows, row after row.

    Parameters
    ----------
    start, size
        Whole numbers of shape (n_rows,): where the items of each row start, and how many there are.

    Returns
    -------
    position, item
        int64 of shape (n_items,) each: which of the rows it is, ascending, and the place of the
        item in the flat array.

    Examples
    --------
    >>> position, item = items_of_rows(np.array([5, 0, 2]), np.array([2, 0, 1]))
    >>> position, item
    (array([0, 0, 2]), array([5, 6, 2]))
    """
    size = np.asarray(size, dtype=np.int64)
    position = np.repeat(np.arange(len(size)), size)
    offset = start - (np.cumsum(size) - size)
    return position, np.repeat(offset, size) + np.arange(len(position))
