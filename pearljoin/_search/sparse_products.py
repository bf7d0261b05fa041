"""The largest products of sparse rows, ties by the smaller row."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from pearljoin._parallel import openmp_threads
from pearljoin._ragged import bounds_of, places_of, row_of_each
from pearljoin._typing import IntVector

__all__ = ["MANY_QUERIES", "largest_products", "products_above"]

Products: TypeAlias = "NDArray[np.floating[Any]]"

MANY_QUERIES = 64
"""Queries from which threads are worth their start."""

MORE_AT_A_TIE = 8
"""How many times as many products are asked for where the last ones tie."""


def largest_products(
    queries: csr_matrix, turned: csr_matrix, k: int
) -> tuple[IntVector, IntVector, Products]:
    """Find each query's `k` rows of greatest inner product above 0.

    Parameters
    ----------
    queries, turned
        Sparse float32 or float64 of shape (n_queries, n_columns) and (n_columns, n_rows).
    k
        Rows a query.

    Returns
    -------
    query, row, product
        Aligned arrays of shape (n_found,), by query and then best first, ties by the smaller row;
        `product` of the type of the matrices, in which two tie or do not.

    Examples
    --------
    >>> rows = csr_matrix(np.array([[1], [2], [1], [1]], dtype=np.float32))
    >>> largest_products(rows[:1], csr_matrix(rows.T), 2)[1]
    array([1, 0])
    """
    n_rows = turned.shape[1]
    asked, parts = np.arange(queries.shape[0]), []
    # One more than is asked for tells whether others tie with the k-th.
    top = min(k + 1, n_rows)
    while True:
        query, row, product = products_above(queries, turned, 0.0, top)
        sizes = np.bincount(query, minlength=len(asked))
        starts = bounds_of(sizes)[:-1]
        is_open = (sizes == top) & (k < top < n_rows)
        last = starts[is_open] + top - 1
        is_open[is_open] = product[last] == product[last - top + k]
        kept = np.arange(len(query)) < (starts + np.where(is_open, 0, k))[query]
        parts.append((asked[query[kept]], row[kept], product[kept]))
        if not is_open.any():
            break
        queries, asked, top = queries[is_open], asked[is_open], min(MORE_AT_A_TIE * top, n_rows)
    query, row, product = (np.concatenate(part) for part in zip(*parts, strict=True))
    order = np.argsort(query, kind="stable")
    return query[order], row[order], product[order]


def products_above(
    queries: csr_matrix, turned: csr_matrix, threshold: float, top: int
) -> tuple[IntVector, IntVector, Products]:
    """Find each query's `top` products that are greater than `threshold`.

    Which of several that tie at the last place are found is not defined.

    Parameters
    ----------
    queries, turned
        As of `largest_products`.
    threshold, top
        What a product exceeds, and how many are found for a query at most.

    Returns
    -------
    query, row, product
        As of `largest_products`.
    """
    found = _matrix_of_largest(queries, turned, threshold, max(1, min(top, turned.shape[1])))
    query, row, product = row_of_each(found.indptr), found.indices.astype(np.int64), found.data
    # Few products tie, so those alone are put in order.
    ties = (product[1:] == product[:-1]) & (query[1:] == query[:-1])
    tied = places_of(np.append(ties, False) | np.append(False, ties))
    row[tied] = row[tied][np.lexsort((row[tied], -product[tied], query[tied]))]
    return query, row, product


def _matrix_of_largest(
    queries: csr_matrix, turned: csr_matrix, threshold: float, top: int
) -> csr_matrix:
    """Products of each query, the largest first: sparse, of shape (n_queries, n_rows)."""
    # The library's usual functions copy the columns of both matrices, of a reference of half a
    # million names 72 MiB and a tenth of a second for each lookup.
    from sparse_dot_topn import _has_openmp_support
    from sparse_dot_topn.unchecked import sp_matmul_topn, sp_matmul_topn_mt

    one, other = _of_32_bits(queries), _of_32_bits(turned)
    if not one.nnz or not other.nnz:
        return csr_matrix((queries.shape[0], turned.shape[1]), dtype=queries.dtype)
    threads = openmp_threads() if queries.shape[0] >= MANY_QUERIES else 1
    if threads > 1 and _has_openmp_support:
        found = sp_matmul_topn_mt(
            one, other, top, sort=True, threshold=threshold, n_threads=threads
        )
    else:
        found = sp_matmul_topn(one, other, top, sort=True, threshold=threshold, density=1.0)
    return csr_matrix(found)


def _of_32_bits(matrix: csr_matrix) -> csr_matrix:
    """The same matrix with its places in 32 bits; itself where they are."""
    if matrix.indices.dtype == matrix.indptr.dtype == np.int32:
        return matrix
    known = csr_matrix(matrix.shape, dtype=matrix.dtype)
    known.data = matrix.data
    known.indices, known.indptr = matrix.indices.astype(np.int32), matrix.indptr.astype(np.int32)
    return known
