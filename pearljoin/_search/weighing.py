"""Tf-idf vectors of counts, weighed at once or when they are taken out."""

from __future__ import annotations

from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, vstack

from pearljoin._cached import cached_property
from pearljoin._ragged import bounds_of, row_of_each
from pearljoin._typing import FloatVector, IntVector

__all__ = [
    "ColumnWeights",
    "TfidfRows",
    "WeighedRows",
    "as_matrix",
    "only_columns",
    "weigh",
    "weighed",
]

ROWS_AT_ONCE = 65_536
"""Rows that are weighed at once: bounds the memory."""

FEW_ROWS = 4_096
"""Rows up to which they are weighed by themselves."""

MANY_ROWS = 50_000
"""Rows from which vectors are kept as counts."""

COLUMNS_AN_ENTRY = 32
"""Columns of a matrix for each of its entries, above which its columns are sought one by one: to
number all columns takes longer."""


class ColumnWeights(Protocol):
    """Weights of columns: an array of all, or what finds those that are asked for."""

    def __getitem__(self, columns: Any, /) -> FloatVector:
        """Return the weights of some columns: float32 of their shape."""


def weigh(counts: csr_matrix, idf: ColumnWeights) -> csr_matrix:
    """Turn counts into vectors whose inner product is the mean of two tf-idf cosines.

    Parameters
    ----------
    counts
        As of `pearljoin._search.tfidf.count`.
    idf
        Inverse document frequencies of the columns.

    Returns
    -------
    vectors
        float32, the shape of `counts`. Each half has length ``sqrt(1/2)``, so a product of two rows
        is half the n-gram cosine plus half the word cosine, in [0, 1].
    """
    data = np.empty(counts.nnz, dtype=np.float32)
    for start in range(0, counts.shape[0], ROWS_AT_ONCE):
        bounds = counts.indptr[start : start + ROWS_AT_ONCE + 1]
        part = slice(bounds[0], bounds[-1])
        weights, slot = _weights(counts, idf, bounds)
        np.divide(weights, _lengths(weights, slot, len(bounds) - 1)[slot], out=data[part])
    return csr_matrix((data, counts.indices, counts.indptr), shape=counts.shape)


class WeighedRows:
    """The vectors of `weigh`, kept as counts of 8 bits: a row is weighed when it is taken out.

    Parameters
    ----------
    counts, idf
        As of `weigh`; columns ascend within a row.

    Attributes
    ----------
    counts
        The counts.
    shape
        Rows and columns.
    """

    def __init__(self, counts: csr_matrix, idf: ColumnWeights) -> None:
        self.counts = counts
        self.shape: tuple[int, int] = counts.shape
        self._idf = idf

    @cached_property
    def _halves(self) -> tuple[FloatVector, NDArray[np.int32]]:
        """Of each row's n-grams, and of its words: what they are divided by, and their number.

        float32 and int32 of shape (n_rows, 2).
        """
        n_rows, counts = self.shape[0], self.counts
        lengths = np.empty((n_rows, 2), dtype=np.float32)
        sizes = np.empty((n_rows, 2), dtype=np.int32)
        for start in range(0, n_rows, ROWS_AT_ONCE):
            bounds = counts.indptr[start : start + ROWS_AT_ONCE + 1]
            weights, slot = _weights(counts, self._idf, bounds)
            rows, n_some = slice(start, start + ROWS_AT_ONCE), len(bounds) - 1
            lengths[rows] = _lengths(weights, slot, n_some).reshape(-1, 2)
            sizes[rows] = np.bincount(slot, minlength=2 * n_some).reshape(-1, 2)
        return lengths, sizes

    def __getitem__(self, rows: slice | IntVector) -> csr_matrix:
        some = self.counts[rows]
        if some.shape[0] <= FEW_ROWS and "_halves" not in vars(self):
            # A lookup does not wait for the lengths of all rows; the vectors are the same.
            return weigh(some, self._idf)
        lengths, sizes = self._halves
        data = np.multiply(some.data, self._idf[some.indices], dtype=np.float32)
        # The n-grams and then the words, as they stand in a row.
        data /= lengths[rows].reshape(-1).repeat(sizes[rows].reshape(-1))
        return csr_matrix((data, some.indices, some.indptr), shape=some.shape)

    def only_columns(self, columns: IntVector) -> csr_matrix:
        """Return the vectors of all rows in some columns, as of `only_columns`."""
        starts = range(0, self.shape[0], ROWS_AT_ONCE)
        parts = [only_columns(self[start : start + ROWS_AT_ONCE], columns) for start in starts]
        return csr_matrix(vstack(parts))


TfidfRows: TypeAlias = "csr_matrix | WeighedRows"
"""Tf-idf vectors of texts: a matrix, or of many texts their counts."""


def weighed(counts: csr_matrix, idf: ColumnWeights) -> TfidfRows:
    """Return the vectors of `weigh`; those of many rows are kept as counts."""
    return WeighedRows(counts, idf) if counts.shape[0] > MANY_ROWS else weigh(counts, idf)


def as_matrix(vectors: TfidfRows) -> csr_matrix:
    """Return all vectors as a matrix."""
    return vectors[:] if isinstance(vectors, WeighedRows) else vectors


def only_columns(matrix: csr_matrix, columns: NDArray[np.integer[Any]]) -> csr_matrix:
    """Keep some columns, given in ascending order, and number them in it."""
    if matrix.nnz < matrix.shape[1] // COLUMNS_AN_ENTRY:
        place: NDArray[np.integer[Any]] = np.searchsorted(columns, matrix.indices)
        known = np.append(columns, -1)[place] == matrix.indices
    else:
        number = np.full(matrix.shape[1], -1, dtype=np.int32)
        number[columns] = np.arange(len(columns), dtype=np.int32)
        place = number[matrix.indices]
        known = place >= 0
    bounds = bounds_of(known)[matrix.indptr]
    return csr_matrix(
        (matrix.data[known], place[known], bounds), shape=(matrix.shape[0], len(columns))
    )


def _weights(
    counts: csr_matrix, idf: ColumnWeights, bounds: NDArray[np.signedinteger[Any]]
) -> tuple[FloatVector, IntVector]:
    """The entries of some rows, times idf, and the half of which row each is in."""
    part = slice(bounds[0], bounds[-1])
    columns = counts.indices[part]
    weights = np.multiply(counts.data[part], idf[columns], dtype=np.float32)
    return weights, 2 * row_of_each(bounds) + (columns >= counts.shape[1] // 2)


def _lengths(weights: FloatVector, slot: IntVector, n_rows: int) -> FloatVector:
    """What the halves of rows are divided by: float32 of shape (2 * n_rows,)."""
    squares = np.bincount(slot, weights=weights**2, minlength=2 * n_rows)
    return np.sqrt(2 * squares).astype(np.float32)
