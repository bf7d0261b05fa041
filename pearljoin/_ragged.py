"""Ragged arrays: rows of unequal length that stand one after another in a flat array."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pearljoin._typing import IntVector

__all__ = [
    "SparseRows",
    "Whole",
    "bounds_of",
    "items_of_rows",
    "parts_of",
    "places_of",
    "places_of_each",
    "row_of_each",
    "run_starts",
    "sizes_of",
    "whole_rows",
]

Whole = NDArray[np.signedinteger[Any]]


def bounds_of(sizes: NDArray[Any]) -> IntVector:
    """Return where rows of some sizes start, and where the last one ends: int64.

    Examples
    --------
    >>> bounds_of(np.array([2, 0, 1]))
    array([0, 2, 2, 3])
    """
    bounds = np.zeros(len(sizes) + 1, dtype=np.int64)
    # Told the type, numpy is five times as fast for booleans.
    sizes.cumsum(dtype=np.int64, out=bounds[1:])
    return bounds


def sizes_of(bounds: Whole) -> IntVector:
    """Return the sizes of rows of some bounds; `numpy.diff` takes longer for a few.

    Examples
    --------
    >>> sizes_of(np.array([0, 2, 2, 3]))
    array([2, 0, 1])
    """
    return np.asarray(bounds[1:] - bounds[:-1], dtype=np.int64)


def places_of(marked: NDArray[Any]) -> IntVector:
    """Return where an array is not zero, likewise for `numpy.flatnonzero`.

    Examples
    --------
    >>> places_of(np.array([False, True, True]))
    array([1, 2])
    """
    return marked.nonzero()[0]


def run_starts(values: Whole) -> IntVector:
    """Return where runs of equal values start.

    Examples
    --------
    >>> run_starts(np.array([3, 3, 5, 7, 7]))
    array([0, 2, 3])
    """
    starts = np.ones(len(values), dtype=bool)
    np.not_equal(values[1:], values[:-1], out=starts[1:])
    return places_of(starts)


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
    return np.arange(len(bounds) - 1).repeat(bounds[1:] - bounds[:-1])


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
    position = np.arange(len(size)).repeat(size)
    ends: IntVector = size.cumsum()
    offset: IntVector = np.subtract(start, ends - size, dtype=np.int64)
    item: IntVector = offset.repeat(size) + np.arange(len(position))
    return position, item


def parts_of(sizes: IntVector, most: int) -> list[slice]:
    """Split rows into parts of so many items at most; a row of more is a part of its own.

    Parameters
    ----------
    sizes
        int64 of shape (n_rows,): items of each row.
    most
        Items of a part.

    Examples
    --------
    >>> parts_of(np.array([2, 1, 4, 0]), 3)
    [slice(0, 2, None), slice(2, 3, None), slice(3, 4, None)]
    """
    ends, parts, start = sizes.cumsum(), [], 0
    while start < len(sizes):
        before = ends[start - 1] if start else 0
        end = max(start + 1, int(np.searchsorted(ends, before + most, side="right")))
        parts.append(slice(start, end))
        start = end
    return parts


def places_of_each(
    ascending: IntVector, values: IntVector, most: int | None = None
) -> tuple[IntVector, IntVector]:
    """List where values stand in an array, value after value.

    Parameters
    ----------
    ascending
        int64 of shape (n,), in which a value may stand several times.
    values
        int64 of shape (n_values,), in any order.
    most
        The most places of a value, from the first on; None for all.

    Returns
    -------
    position, place
        int64 of shape (n_found,) each: which of the values it is, ascending, and its place.

    Examples
    --------
    >>> places_of_each(np.array([2, 2, 5]), np.array([5, 3, 2]))
    (array([0, 2, 2]), array([2, 0, 1]))
    >>> places_of_each(np.array([2, 2, 5]), np.array([5, 3, 2]), most=1)
    (array([0, 2]), array([2, 0]))
    """
    start, end = (np.searchsorted(ascending, values, side=side) for side in ("left", "right"))
    size = end - start
    return items_of_rows(start, size if most is None else np.minimum(size, most))


def whole_rows(rows: IntVector, most: int) -> Iterator[slice]:
    """Yield slices of about `most` items that do not divide a row's items.

    Parameters
    ----------
    rows
        int64 of shape (n_items,), ascending: the row of each item.
    most
        Items in a slice; a row of more is one slice.

    Examples
    --------
    >>> list(whole_rows(np.array([0, 0, 1, 2, 2]), 2))
    [slice(0, 2, None), slice(2, 3, None), slice(3, 5, None)]
    """
    start = 0
    while start < len(rows):
        end = start + most
        if end < len(rows):
            end = int(np.searchsorted(rows, rows[end], side="left"))
            if end <= start:
                end = int(np.searchsorted(rows, rows[start], side="right"))
        yield slice(start, min(end, len(rows)))
        start = end


@dataclass(frozen=True, slots=True)
class SparseRows:
    """Rows of a sparse table, as a CSR matrix holds them, without its arithmetic.

    It costs nothing to make, where a matrix of scipy costs as much as the lookup of a name takes
    for a feature.

    Attributes
    ----------
    data
        float32 of shape (n_stored,).
    indices
        Whole numbers of shape (n_stored,): columns, ascending within a row.
    indptr
        int64 of shape (n_rows + 1,): where each row starts, and where the last one ends.
    shape
        Rows and columns.
    """

    data: NDArray[np.float32]
    indices: Whole
    indptr: IntVector
    shape: tuple[int, int]

    @classmethod
    def of_places(cls, rows: IntVector, columns: IntVector, shape: tuple[int, int]) -> SparseRows:
        """Make a table of zeros with ones at some places.

        Parameters
        ----------
        rows, columns
            int64 of shape (n,): the places, which may repeat.
        shape
            Of the table.

        Examples
        --------
        >>> table = SparseRows.of_places(np.array([2, 0, 2]), np.array([1, 3, 1]), (3, 4))
        >>> table.indices, table.indptr
        (array([3, 1]), array([0, 1, 1, 2]))
        """
        n_rows, n_columns = shape
        if not len(rows):
            nothing = np.zeros(0, dtype=np.int64)
            return cls(nothing.astype(np.float32), nothing, np.zeros(n_rows + 1, np.int64), shape)
        places = np.unique(rows * n_columns + columns)
        row, column = np.divmod(places, n_columns)
        bounds = np.zeros(n_rows + 1, dtype=np.int64)
        np.bincount(row, minlength=n_rows).cumsum(out=bounds[1:])
        return cls(np.ones(len(places), dtype=np.float32), column, bounds, shape)
