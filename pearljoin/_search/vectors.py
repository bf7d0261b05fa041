"""Unit vectors, dense or sparse: nearest rows, cosines, and how they are put together and stored.

Dense vectors are searched by `pearljoin._search.dense`. Sparse ones are those of a vectoriser with
too many columns to be made dense; the functions here give for them what dense vectors of the same
numbers would give, without ever holding such a matrix.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, hstack, issparse, vstack

from pearljoin._search import dense, tfidf
from pearljoin._search.pair_products import pair_products
from pearljoin._search.rounded_vectors import DenseVectors, KeptVectors, RoundedVectors
from pearljoin._typing import FloatMatrix, FloatVector, IntVector, Vectors

__all__ = [
    "above",
    "as_floats",
    "from_arrays",
    "is_dense",
    "is_sparse",
    "joined_rows",
    "mean_row",
    "merge_rows",
    "nearest",
    "nearly_equal",
    "pair_cosines",
    "products",
    "products_with",
    "round_dense",
    "squared_lengths",
    "stack_columns",
    "to_arrays",
]

BLOCK_CELLS = 20_000_000
"""Cosines held at once where a block of them is dense."""

WINDOW = 8
"""First reference rows looked at for cosines of zero, as a multiple of the neighbours wanted."""


def is_sparse(vectors: KeptVectors) -> TypeGuard[csr_matrix]:
    """Whether vectors are a sparse matrix."""
    return bool(issparse(vectors))


def is_dense(vectors: KeptVectors) -> TypeGuard[DenseVectors]:
    """Whether vectors are an array, rounded or not."""
    return isinstance(vectors, np.ndarray | RoundedVectors)


def nearest(
    queries: KeptVectors, reference: KeptVectors, k: int, *, device: str = "cpu"
) -> tuple[IntVector, FloatMatrix]:
    """Find each query's `k` nearest reference rows, exactly.

    Parameters
    ----------
    queries, reference
        float32 of shape (n_queries, dim) and (n_rows, dim); rows of unit length, or zero.
    k
        Neighbours a query, at most n_rows are returned.
    device
        Where dense vectors are searched, as `pearljoin._search.dense.nearest` takes it. Sparse ones
        are searched on the CPU.

    Returns
    -------
    rows
        int64 of shape (n_queries, min(k, n_rows)): best first, ties by the smaller row.
    cosines
        float32 of the same shape, in [-1, 1].
    """
    if is_dense(queries) and is_dense(reference):
        return dense.nearest(as_floats(queries), reference, k, device=device)
    return _sparse_nearest(csr_matrix(queries), csr_matrix(reference), k)


def above(
    queries: KeptVectors, reference: KeptVectors, threshold: float, most: int | None = None
) -> tuple[IntVector, IntVector]:
    """Find every pair whose cosine is at least `threshold`, as `pearljoin._search.dense.above`."""
    if is_dense(queries) and is_dense(reference):
        return dense.above(as_floats(queries), reference, threshold, most)
    left, right = csr_matrix(queries), csr_matrix(reference)
    if threshold > 0:
        query, row, _ = tfidf.above(left, right, threshold, most)
    else:
        # Cosines of zero may reach it, so by dense blocks.
        query, row = dense.above_in(_tables(left, right), threshold, most)
    order = np.lexsort((row, query))
    return query[order], row[order]


def pair_cosines(
    left: KeptVectors, right: KeptVectors, left_rows: IntVector, right_rows: IntVector
) -> FloatVector:
    """Cosines of given pairs of rows: float32 of shape (n_pairs,), in [-1, 1]."""
    if is_dense(left) and is_dense(right):
        return dense.pair_cosines(left, right, left_rows, right_rows)
    found = pair_products(csr_matrix(left), csr_matrix(right), left_rows, right_rows)
    return np.clip(found, -1, 1)


def products(left: Vectors, right: Vectors) -> FloatMatrix:
    """Inner products of all rows with all: dense float32 of shape (n_left, n_right)."""
    found = left @ right.T
    return np.asarray(found.toarray() if issparse(found) else found, dtype=np.float32)


def mean_row(vectors: KeptVectors) -> NDArray[np.float64]:
    """Mean of the rows: float64 of shape (dim,)."""
    if isinstance(vectors, RoundedVectors):
        return vectors.mean()
    return np.asarray(vectors.mean(axis=0, dtype=np.float64)).reshape(-1)


def products_with(vectors: Vectors, row: FloatVector) -> FloatVector:
    """Inner product of each row with one and the same, whatever other rows there are.

    float32 of shape (n_rows,).
    """
    if isinstance(vectors, np.ndarray):
        return np.asarray(np.einsum("ij,j->i", vectors, row), dtype=np.float32)
    return np.asarray(vectors @ row, dtype=np.float32)


def squared_lengths(vectors: Vectors) -> FloatVector:
    """Inner product of each row with itself: float32 of shape (n_rows,)."""
    if isinstance(vectors, np.ndarray):
        return np.asarray(np.einsum("ij,ij->i", vectors, vectors), dtype=np.float32)
    return np.asarray(vectors.multiply(vectors).sum(axis=1), dtype=np.float32).reshape(-1)


def stack_columns(blocks: Sequence[KeptVectors]) -> KeptVectors:
    """Join matrices of the same rows along their columns."""
    if len(blocks) == 1:
        return blocks[0]
    if any(map(is_sparse, blocks)):
        return csr_matrix(hstack([csr_matrix(block) for block in blocks]))
    return np.hstack([np.asarray(block) for block in blocks])


def merge_rows(
    n_rows: int, dim: int, parts: Sequence[tuple[IntVector, KeptVectors]]
) -> KeptVectors:
    """Put the rows of several matrices in their places in one.

    Parameters
    ----------
    n_rows, dim
        Shape of the result.
    parts
        Places, int64 of shape (n,), and vectors of shape (n, dim), all of which are kept in one
        way; every place in one part.
    """
    rounded = [
        (places, vectors.steps) for places, vectors in parts if isinstance(vectors, RoundedVectors)
    ]
    if rounded:
        steps = np.zeros((n_rows, dim), dtype=np.int16)
        for places, some in rounded:
            steps[places] = some
        return RoundedVectors(steps)
    if any(is_sparse(vectors) for _, vectors in parts):
        order = np.argsort(np.concatenate([places for places, _ in parts]), kind="stable")
        return csr_matrix(vstack([csr_matrix(vectors) for _, vectors in parts]))[order]
    merged = np.zeros((n_rows, dim), dtype=np.float32)
    for places, vectors in parts:
        merged[places] = np.asarray(vectors)
    return merged


def joined_rows(parts: Sequence[KeptVectors]) -> KeptVectors:
    """Join vectors one under the other, all of which are kept in one way."""
    if len(parts) == 1:
        return parts[0]
    rounded = [part.steps for part in parts if isinstance(part, RoundedVectors)]
    if rounded:
        return RoundedVectors(np.concatenate(rounded))
    if any(map(is_sparse, parts)):
        return csr_matrix(vstack([csr_matrix(part) for part in parts]))
    return np.concatenate([np.asarray(part) for part in parts])


def round_dense(vectors: KeptVectors) -> KeptVectors:
    """Round dense vectors; sparse ones stay as they are."""
    return RoundedVectors.of(vectors) if isinstance(vectors, np.ndarray) else vectors


def as_floats(vectors: DenseVectors) -> FloatMatrix:
    """Dense vectors as an array of float32."""
    return vectors[:] if isinstance(vectors, RoundedVectors) else vectors


def nearly_equal(one: KeptVectors, other: KeptVectors, *, atol: float) -> bool:
    """Whether two matrices have one shape and no numbers further apart than `atol`."""
    if one.shape != other.shape:
        return False
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return np.allclose(one, other, atol=atol)
    return bool(abs(csr_matrix(one) - csr_matrix(other)).max() <= atol)


def to_arrays(vectors: KeptVectors, name: str) -> dict[str, NDArray[Any]]:
    """Take vectors apart into arrays that a file can hold, by name."""
    if isinstance(vectors, RoundedVectors):
        return {name: vectors.steps}
    if not is_sparse(vectors):
        return {name: np.asarray(vectors)}
    return {
        f"{name}_data": vectors.data,
        f"{name}_indices": vectors.indices,
        f"{name}_indptr": vectors.indptr,
        f"{name}_shape": np.array(vectors.shape, dtype=np.int64),
    }


def from_arrays(arrays: Mapping[str, NDArray[Any]], name: str) -> KeptVectors:
    """Put vectors together again.

    Raises
    ------
    KeyError
        If an array is missing.
    ValueError
        If the arrays do not make a matrix.
    """
    if name in arrays:
        found = arrays[name]
        return RoundedVectors(found) if found.dtype == np.int16 else found
    data, indices, indptr, shape = (
        arrays[f"{name}_{part}"] for part in ("data", "indices", "indptr", "shape")
    )
    vectors = csr_matrix((data, indices, indptr), shape=tuple(shape.tolist()))
    vectors.check_format(full_check=True)
    return vectors


def _sparse_nearest(
    queries: csr_matrix, reference: csr_matrix, k: int
) -> tuple[IntVector, FloatMatrix]:
    n_queries, n_rows = queries.shape[0], reference.shape[0]
    k = min(k, n_rows)
    if k == 0 or n_queries == 0:
        empty = (n_queries, k)
        return np.zeros(empty, dtype=np.int64), np.zeros(empty, dtype=np.float32)
    wide = min(k + dense.TIE_MARGIN, n_rows)
    query, row, product = tfidf.nearest(queries, reference, wide, prune=False)
    listed = np.bincount(query, minlength=n_queries)
    place = np.arange(len(query)) - np.repeat(np.cumsum(listed) - listed, listed)
    rows = np.full((n_queries, wide), n_rows, dtype=np.int64)
    cosines = np.zeros((n_queries, wide), dtype=np.float32)
    rows[query, place], cosines[query, place] = row, dense.rounded(product)
    order = np.lexsort((rows, -cosines), axis=1)
    rows, cosines = np.take_along_axis(rows, order, 1), np.take_along_axis(cosines, order, 1)
    # All positive cosines are listed unless the list is full; rows of cosine zero come behind.
    few = np.flatnonzero((listed < wide) & (cosines[:, k - 1] <= 0))
    filled = _fill_with_zeros(queries[few], reference, rows[few], cosines[few], k)
    rows[few] = filled
    full = listed == wide
    tied = full & (wide < n_rows) & (cosines[:, -1] == cosines[:, k - 1])
    negative = np.zeros(n_queries, dtype=bool)
    negative[few] = (filled[:, :k] == n_rows).any(axis=1)
    again = np.flatnonzero(tied | negative)
    for start, table in _tables(queries[again], reference):
        every = dense.rounded(table)
        best = np.argsort(-every, axis=1, kind="stable")[:, :k]
        some = again[start : start + len(table)]
        rows[some, :k], cosines[some, :k] = best, np.take_along_axis(every, best, 1)
    return rows[:, :k], cosines[:, :k]


def _fill_with_zeros(
    queries: csr_matrix, reference: csr_matrix, rows: IntVector, cosines: FloatMatrix, k: int
) -> IntVector:
    """Put the first rows of cosine zero behind the positive ones; n_rows where none is near."""
    n_rows = reference.shape[0]
    window = reference[: min(n_rows, WINDOW * rows.shape[1])]
    filled = np.where(cosines > 0, rows, n_rows)
    for start, table in _tables(queries, window):
        zero = dense.rounded(table) == 0
        some = slice(start, start + len(table))
        n_positive = (cosines[some] > 0).sum(axis=1)
        at, row = np.nonzero(zero)
        count = np.cumsum(zero, axis=1)[at, row] - 1
        place = n_positive[at] + count
        fits = place < k
        filled[start + at[fits], place[fits]] = row[fits]
    return filled


def _tables(queries: csr_matrix, reference: csr_matrix) -> Iterator[tuple[int, FloatMatrix]]:
    """Yield dense blocks of inner products, each with the number of its first query."""
    block = max(1, BLOCK_CELLS // max(1, reference.shape[0]))
    for start in range(0, queries.shape[0], block):
        yield start, products(queries[start : start + block], reference)
