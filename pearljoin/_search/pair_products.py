"""Inner products of given pairs of rows of sparse tables."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_matrix

from pearljoin._parallel import in_parts, run_parts
from pearljoin._ragged import SparseRows, items_of_rows, parts_of, places_of, row_of_each, sizes_of
from pearljoin._search.weighing import WeighedRows
from pearljoin._typing import FloatVector, IntVector

__all__ = ["half_products", "pair_products"]

FEW_ENTRIES = 20_000
"""Entries of all pairs' rows up to which matrices of them would cost more than they save."""

ENTRIES_AT_ONCE = 500_000
"""Entries of the matrices that are multiplied at a time in each thread: some megabytes, which stay
near the processor. Rows of long texts have thousands."""


def pair_products(
    left: csr_matrix | SparseRows | WeighedRows,
    right: csr_matrix | SparseRows | WeighedRows,
    left_rows: IntVector,
    right_rows: IntVector,
) -> FloatVector:
    """Inner products of given pairs of rows: float32 of shape (n_pairs,).

    Both tables are `SparseRows`, or neither is.
    """
    if isinstance(left, SparseRows) and isinstance(right, SparseRows):
        return _table_products(left, right, left_rows, right_rows)
    assert not isinstance(left, SparseRows)
    assert not isinstance(right, SparseRows)
    sizes = _sizes(left)[left_rows] + _sizes(right)[right_rows]
    if sizes.sum() <= FEW_ENTRIES:
        return _few_products(*_taken(left, left_rows), *_taken(right, right_rows))
    products = np.empty(len(left_rows), dtype=np.float32)

    def multiply(part: slice) -> None:
        overlap = csr_matrix(left[left_rows[part]].multiply(right[right_rows[part]]))
        # Summed as those of few pairs are: a product must not depend on how many others there are.
        pair = row_of_each(overlap.indptr)
        products[part] = np.bincount(pair, weights=overlap.data, minlength=overlap.shape[0])

    run_parts(multiply, parts_of(sizes, ENTRIES_AT_ONCE))
    return products


def half_products(
    left: csr_matrix, right: csr_matrix, left_rows: IntVector, right_rows: IntVector
) -> tuple[FloatVector, FloatVector]:
    """Inner products of given pairs of rows by their n-gram parts, and by their word parts."""
    middle, n_pairs = left.shape[1] // 2, len(left_rows)
    products = np.empty((n_pairs, 2), dtype=np.float32)
    sizes = _sizes(left)[left_rows] + _sizes(right)[right_rows]
    are_few = sizes.sum() <= FEW_ENTRIES

    def multiply(part: slice) -> None:
        rows = left_rows[part], right_rows[part]
        if are_few:
            pair, column, product = _common_entries(left, right, *rows)
            is_word = column >= middle
        else:
            overlap = csr_matrix(left[rows[0]].multiply(right[rows[1]]))
            pair, is_word = row_of_each(overlap.indptr), overlap.indices >= middle
            product = overlap.data
        slots = np.bincount(2 * pair + is_word, weights=product, minlength=2 * len(rows[0]))
        products[part] = slots.reshape(-1, 2)

    run_parts(multiply, parts_of(sizes, ENTRIES_AT_ONCE))
    return products[:, 0].copy(), products[:, 1].copy()


def _sizes(table: csr_matrix | WeighedRows) -> IntVector:
    """Entries of each row."""
    counts = table.counts if isinstance(table, WeighedRows) else table
    return sizes_of(counts.indptr)


def _table_products(
    left: SparseRows, right: SparseRows, left_rows: IntVector, right_rows: IntVector
) -> FloatVector:
    """Inner products of pairs of rows, most of which may be empty: few texts have a number."""
    sizes = sizes_of(left.indptr)[left_rows], sizes_of(right.indptr)[right_rows]
    stored = places_of((sizes[0] > 0) & (sizes[1] > 0))
    products = np.zeros(len(left_rows), dtype=np.float32)

    def multiply(part: slice) -> None:
        at = stored[part]
        products[at] = _few_products(left, left_rows[at], right, right_rows[at])

    in_parts(multiply, len(stored))
    return products


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
