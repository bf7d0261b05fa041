"""Inner products of given pairs of rows of sparse tables."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_matrix

from pearljoin._parallel import in_parts
from pearljoin._ragged import SparseRows, items_of_rows, places_of, row_of_each
from pearljoin._search.weighing import WeighedRows
from pearljoin._typing import FloatVector, IntVector

__all__ = ["half_products", "halves", "pair_products"]

FEW_PAIRS = 4_096
"""Pairs of rows up to which matrices of all of them would cost more than they save."""


def halves(vectors: csr_matrix) -> tuple[csr_matrix, csr_matrix]:
    """Split what `weigh` returns into its n-gram part and its word part."""
    middle = vectors.shape[1] // 2
    return csr_matrix(vectors[:, :middle]), csr_matrix(vectors[:, middle:])


def pair_products(
    left: csr_matrix | SparseRows | WeighedRows,
    right: csr_matrix | SparseRows | WeighedRows,
    left_rows: IntVector,
    right_rows: IntVector,
) -> FloatVector:
    """Inner products of given pairs of rows: float32 of shape (n_pairs,)."""
    if len(left_rows) <= FEW_PAIRS:
        return _few_products(*_taken(left, left_rows), *_taken(right, right_rows))
    products = np.empty(len(left_rows), dtype=np.float32)

    def multiply(part: slice) -> None:
        if isinstance(left, SparseRows) or isinstance(right, SparseRows):
            sides = _taken(left, left_rows[part]), _taken(right, right_rows[part])
            products[part] = _few_products(*sides[0], *sides[1])
            return
        overlap = csr_matrix(left[left_rows[part]].multiply(right[right_rows[part]]))
        # Summed as those of few pairs are: a product must not depend on how many others there are.
        pair = row_of_each(overlap.indptr)
        products[part] = np.bincount(pair, weights=overlap.data, minlength=overlap.shape[0])

    in_parts(multiply, len(left_rows))
    return products


def half_products(
    left: csr_matrix, right: csr_matrix, left_rows: IntVector, right_rows: IntVector
) -> tuple[FloatVector, FloatVector]:
    """Inner products of given pairs of rows by their n-gram parts, and by their word parts."""
    if len(left_rows) > FEW_PAIRS:
        first, second = zip(halves(left), halves(right), strict=True)
        return (
            pair_products(*first, left_rows, right_rows),
            pair_products(*second, left_rows, right_rows),
        )
    pair, column, product = _common_entries(left, right, left_rows, right_rows)
    is_word, n_pairs = column >= left.shape[1] // 2, len(left_rows)
    slots = np.bincount(2 * pair + is_word, weights=product, minlength=2 * n_pairs)
    return slots[::2].astype(np.float32), slots[1::2].astype(np.float32)


def _few_products(
    left: csr_matrix | SparseRows,
    left_rows: IntVector,
    right: csr_matrix | SparseRows,
    right_rows: IntVector,
) -> FloatVector:
    """Inner products of pairs of rows, without the matrices of all pairs."""
    pair, _, product = _common_entries(left, right, left_rows, right_rows)
    sums = np.bincount(pair, weights=product, minlength=len(left_rows))
    return np.asarray(sums, dtype=np.float32)


def _taken(
    table: csr_matrix | SparseRows | WeighedRows, rows: IntVector
) -> tuple[csr_matrix | SparseRows, IntVector]:
    """A table that holds some rows, and where they are in it."""
    return (table[rows], np.arange(len(rows))) if isinstance(table, WeighedRows) else (table, rows)


def _common_entries(
    left: csr_matrix | SparseRows,
    right: csr_matrix | SparseRows,
    left_rows: IntVector,
    right_rows: IntVector,
) -> tuple[IntVector, IntVector, FloatVector]:
    """List the columns that both rows of each pair have: pair, column, product.

    Without the matrices of all pairs, whose cost is mostly fixed. Columns ascend in each row.
    """
    distinct, place = np.unique(left_rows, return_inverse=True)
    row, at = _entries(left, distinct)
    keys = row * left.shape[1] + left.indices[at]
    if not len(keys):
        nothing = np.zeros(0, dtype=np.int64)
        return nothing, nothing, np.zeros(0, dtype=np.float32)
    pair, entry = _entries(right, right_rows)
    column = right.indices[entry].astype(np.int64)
    sought = place.reshape(-1)[pair] * left.shape[1] + column
    found = np.minimum(np.searchsorted(keys, sought), len(keys) - 1)
    hit = places_of(keys[found] == sought)
    product = left.data[at[found[hit]]] * right.data[entry[hit]]
    return pair[hit], column[hit], product


def _entries(matrix: csr_matrix | SparseRows, rows: IntVector) -> tuple[IntVector, IntVector]:
    """List the stored entries of some rows: position in `rows`, and place of the entry."""
    start = matrix.indptr[rows]
    return items_of_rows(start, matrix.indptr[rows + 1] - start)
