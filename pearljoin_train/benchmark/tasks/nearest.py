"""The nearest reference vector of each query: exactly, and by the paper's compressed index."""

from __future__ import annotations

import importlib.util

import numpy as np

from pearljoin._typing import FloatMatrix, IntVector

__all__ = ["faiss_is_installed", "nearest_exact", "nearest_ivfpq", "subspaces"]

BLOCK_CELLS = 16_000_000
"""Similarities held at a time: 64 MB."""


def nearest_exact(queries: FloatMatrix, reference: FloatMatrix) -> IntVector:
    """Return the position of each query's most similar reference row.

    Parameters
    ----------
    queries, reference
        float32 of shape (n_queries, dim) and (n_reference, dim), unit rows.

    Returns
    -------
    positions
        int64 of shape (n_queries,). Of equal reference rows the first is named.

    Examples
    --------
    >>> rows = np.eye(3, dtype=np.float32)[[0, 2, 1, 2]]
    >>> nearest_exact(rows[[3, 2]], rows).tolist()
    [1, 2]
    """
    positions = np.empty(len(queries), dtype=np.int64)
    step = max(1, BLOCK_CELLS // max(1, len(reference)))
    transposed = np.ascontiguousarray(reference.T)
    for start in range(0, len(queries), step):
        block = queries[start : start + step] @ transposed
        positions[start : start + step] = block.argmax(axis=1)
    return _first_of_equals(reference)[positions]


def _first_of_equals(vectors: FloatMatrix) -> IntVector:
    """Return, for each row, the position of the first row equal to it.

    Equal rows may score a bit apart in a matrix product, by where they stand in it, so that
    taking the first maximum alone would not settle a tie.
    """
    generator = np.random.default_rng(0)
    odd = generator.integers(2**63, size=vectors.shape[1], dtype=np.uint64) * 2 + 1
    keys = np.empty(len(vectors), dtype=np.uint64)
    bits = np.ascontiguousarray(vectors + 0.0).view(np.uint32)  # + 0.0: no negative zeros
    for start in range(0, len(vectors), 65536):
        block = bits[start : start + 65536].astype(np.uint64)
        keys[start : start + 65536] = (block * odd).sum(axis=1, dtype=np.uint64)
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    return first[inverse].astype(np.int64)


def faiss_is_installed() -> bool:
    """Tell whether the compressed index can be built here."""
    return importlib.util.find_spec("faiss") is not None


def subspaces(dim: int, wanted: int = 24) -> int:
    """Return the divisor of `dim` nearest to `wanted`, the larger of two as near.

    Examples
    --------
    >>> subspaces(384), subspaces(100), subspaces(300)
    (24, 25, 25)
    """
    divisors = (m for m in range(1, dim + 1) if dim % m == 0)
    return min(divisors, key=lambda m: (abs(m - wanted), -m))


def nearest_ivfpq(
    queries: FloatMatrix, reference: FloatMatrix, *, lists: int = 100, bits: int = 8
) -> IntVector:
    """Return the nearest rows as the paper's index finds them.

    Parameters
    ----------
    queries, reference
        float32 of shape (n_queries, dim) and (n_reference, dim), unit rows.
    lists
        Number of inverted lists, of which one is searched.
    bits
        Bits a subspace; there are as many subspaces as the divisor of dim nearest to 24.

    Returns
    -------
    positions
        int64 of shape (n_queries,); -1 where the searched list is empty.

    Notes
    -----
    faiss' ``IndexIVFPQ`` over L2 distance, trained on the reference itself, as in the published
    evaluation. On unit vectors that distance orders as cosine does.
    """
    import faiss

    dim = reference.shape[1]
    index = faiss.IndexIVFPQ(faiss.IndexFlatL2(dim), dim, lists, subspaces(dim), bits)
    reference = np.ascontiguousarray(reference)
    index.train(reference)
    index.add(reference)
    _, positions = index.search(np.ascontiguousarray(queries), 1)
    return positions[:, 0].astype(np.int64)
