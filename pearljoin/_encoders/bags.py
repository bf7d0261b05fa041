"""Bags: rows of a table that are added up, each phrase its own."""

from __future__ import annotations

from typing import Any

import numpy as np

from pearljoin._typing import FloatMatrix, IntVector

__all__ = ["counts_matrix", "sums_of_rows"]


def counts_matrix(columns: IntVector, starts: IntVector, n_columns: int) -> Any:
    """Make a sparse matrix of counts: how often each row lists each column.

    Parameters
    ----------
    columns
        int64 of shape (n_entries,): the rows' columns, end to end.
    starts
        int64 of shape (n_rows + 1,): where each row begins in `columns`, and the end.
    n_columns
        Number of columns.

    Returns
    -------
    counts
        scipy CSR array, float32 of shape (n_rows, n_columns). A product with it adds row by row,
        in the order of `columns`, so a row of the product does not depend on the others.
    """
    from scipy.sparse import csr_array

    ones = np.ones(len(columns), dtype=np.float32)
    return csr_array((ones, columns, starts), shape=(len(starts) - 1, n_columns))


def sums_of_rows(table: FloatMatrix, columns: IntVector, starts: IntVector) -> FloatMatrix:
    """Add up the rows of a table that each row lists.

    Parameters
    ----------
    table
        float32 of shape (n_columns, dim).
    columns, starts
        As of `counts_matrix`.

    Returns
    -------
    sums
        float32 of shape (n_rows, dim).

    Examples
    --------
    >>> table = np.eye(2, dtype=np.float32)
    >>> sums_of_rows(table, np.array([0, 1, 1]), np.array([0, 0, 3])).tolist()
    [[0.0, 0.0], [1.0, 2.0]]
    """
    sums: FloatMatrix = counts_matrix(columns, starts, len(table)) @ table
    return sums
