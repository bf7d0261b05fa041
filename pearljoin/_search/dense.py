"""Nearest neighbours of dense unit vectors by cosine, through faiss or on a GPU."""

from __future__ import annotations

import numpy as np

from pearljoin._parallel import in_parts
from pearljoin._typing import FloatMatrix, FloatVector, IntVector

__all__ = ["TIE_MARGIN", "above", "gpu_by_faiss", "nearest", "pair_cosines", "rounded"]

TIE_MARGIN = 8
"""Neighbours fetched beyond `k`, so that ties at the edge still go to the first row."""

RESOLUTION = 5
"""Decimals of a cosine. Two encodings of one phrase may differ by float32 rounding (1e-7)."""

ROUNDING = 1e-6
"""Largest rounding error of a cosine."""

BLOCK_CELLS = 20_000_000
"""Cosines held at once by `above`."""


def nearest(
    queries: FloatMatrix, reference: FloatMatrix, k: int, *, device: str = "cpu"
) -> tuple[IntVector, FloatMatrix]:
    """Find each query's `k` nearest reference rows, exactly.

    Parameters
    ----------
    queries, reference
        float32 of shape (n_queries, dim) and (n_rows, dim); rows of unit length, or zero.
    k
        Neighbours a query, at most n_rows are returned.
    device
        ``"cpu"``, or ``"cuda"`` or a torch device name for a search on a GPU.

    Returns
    -------
    rows
        int64 of shape (n_queries, min(k, n_rows)): best first, ties by the smaller row.
    cosines
        float32 of the same shape, in [-1, 1].
    """
    k = min(k, len(reference))
    if k == 0 or len(queries) == 0:
        empty = (len(queries), k)
        return np.zeros(empty, dtype=np.int64), np.zeros(empty, dtype=np.float32)
    wide = min(k + TIE_MARGIN, len(reference))
    cosines, rows = _search(queries, reference, wide, device)
    order = np.lexsort((rows, -cosines), axis=1)
    rows, cosines = np.take_along_axis(rows, order, 1), np.take_along_axis(cosines, order, 1)
    if k < wide:
        # A product depends in its last bit on the other queries of a search. Where that could
        # change which rows are the nearest, it is computed anew for the query alone.
        close = cosines[:, k - 1] - cosines[:, k] < 2 * ROUNDING
        for query in np.flatnonzero(close).tolist():
            rows[query], cosines[query] = _nearest_to_one(queries[query], reference, rows[query], k)
    rows, cosines = rows[:, :k], rounded(cosines[:, :k])
    order = np.lexsort((rows, -cosines), axis=1)
    return np.take_along_axis(rows, order, 1), np.take_along_axis(cosines, order, 1)


def _nearest_to_one(
    query: FloatVector, reference: FloatMatrix, rows: IntVector, k: int
) -> tuple[IntVector, FloatVector]:
    """Order the rows that a search found by exact cosines; all rows where more could be as near."""
    exact = np.einsum("ij,j->i", reference[rows], query)
    order = np.lexsort((rows, -exact))
    if exact[order[k - 1]] - exact[order[-1]] < 2 * ROUNDING:
        every = np.einsum("ij,j->i", reference, query)
        order = np.argsort(-every, kind="stable")[: len(rows)]
        return order, every[order]
    return rows[order], exact[order]


def rounded(cosines: FloatMatrix) -> FloatMatrix:
    """Round cosines to `RESOLUTION` decimals, within [-1, 1]."""
    return np.asarray(np.round(np.clip(cosines, -1, 1), RESOLUTION), dtype=np.float32)


def gpu_by_faiss() -> bool:
    """Whether the installed faiss is built for GPUs and sees one."""
    import faiss

    return bool(faiss.get_num_gpus() > 0)


def above(
    queries: FloatMatrix, reference: FloatMatrix, threshold: float
) -> tuple[IntVector, IntVector]:
    """Find every pair whose cosine is at least `threshold`.

    Returns
    -------
    query, row
        Aligned int64 arrays of shape (n_found,), ordered by query and row.
    """
    block = max(1, BLOCK_CELLS // max(1, len(reference)))
    found = [
        np.argwhere(queries[start : start + block] @ reference.T >= threshold)
        + np.array([[start, 0]])
        for start in range(0, len(queries), block)
    ]
    pairs = np.concatenate(found) if found else np.zeros((0, 2), dtype=np.int64)
    return pairs[:, 0], pairs[:, 1]


def pair_cosines(
    left: FloatMatrix, right: FloatMatrix, left_rows: IntVector, right_rows: IntVector
) -> FloatVector:
    """Cosines of given pairs of rows: float32 of shape (n_pairs,), in [-1, 1]."""
    cosines = np.empty(len(left_rows), dtype=np.float32)

    def multiply(part: slice) -> None:
        cosines[part] = np.einsum("ij,ij->i", left[left_rows[part]], right[right_rows[part]])

    in_parts(multiply, len(left_rows))
    return np.clip(cosines, -1, 1)


def _search(
    queries: FloatMatrix, reference: FloatMatrix, k: int, device: str
) -> tuple[FloatMatrix, IntVector]:
    """Find the greatest inner products, in the library's own order of ties."""
    import faiss

    arguments = np.ascontiguousarray(queries), np.ascontiguousarray(reference), k
    metric = faiss.METRIC_INNER_PRODUCT
    if device == "cpu":
        cosines, rows = faiss.knn(*arguments, metric=metric)
    elif gpu_by_faiss():
        cosines, rows = faiss.knn_gpu(faiss.StandardGpuResources(), *arguments, metric=metric)
    else:
        from pearljoin._search.dense_torch import search

        cosines, rows = search(*arguments, device)
    return cosines, rows.astype(np.int64)
