"""Nearest neighbours of dense unit vectors by cosine, through faiss or on a GPU."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from pearljoin._parallel import in_parts, openmp_threads
from pearljoin._search.rounded_vectors import DenseVectors, RoundedVectors
from pearljoin._typing import FloatMatrix, FloatVector, IntVector

__all__ = [
    "TIE_MARGIN",
    "above",
    "above_in",
    "faiss_threads",
    "faiss_version",
    "gpu_by_faiss",
    "nearest",
    "pair_cosines",
    "rounded",
]

TIE_MARGIN = 8
"""Neighbours fetched beyond `k`, so that ties at the edge still go to the first row."""

RESOLUTION = 5
"""Decimals of a cosine. Two encodings of one phrase may differ by float32 rounding (1e-7)."""

ROUNDING = 1e-6
"""Largest rounding error of a cosine."""

FEW_QUERIES = 500
"""Queries below which products with the whole reference are faster than faiss, which compares so
few one by one."""

LOOKUPS, FEW_ROWS = 16, 20_000
"""Queries and reference rows up to which faiss is asked all the same, on one processor: a product
on all of them keeps the others busy for longer than it takes."""

BLOCK_CELLS = 20_000_000
"""Cosines held at once by `above`."""

ROUNDED_ROWS = 65_536
"""Rounded rows of a reference that are turned into float32 at a time, for an exact search."""

PAIRS_TURNED = 512
"""Pairs whose rounded rows are turned at a time: so few that these stay near the processor."""


def nearest(
    queries: FloatMatrix, reference: DenseVectors, k: int, *, device: str = "cpu"
) -> tuple[IntVector, FloatMatrix]:
    """Find each query's `k` nearest reference rows, exactly.

    Parameters
    ----------
    queries, reference
        float32 of shape (n_queries, dim) and (n_rows, dim); rows of unit length, or zero. The
        reference may be rounded.
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
    _, rows = _search(queries, reference, wide, device)
    # A product of a search depends in its last bit on the other queries, so it is computed anew.
    pairs = np.repeat(np.arange(len(queries)), wide), rows.reshape(-1)
    exact = pair_cosines(queries, reference, *pairs).reshape(rows.shape)
    cosines = rounded(exact)
    order = np.lexsort((rows, -cosines), axis=1)
    rows, cosines = np.take_along_axis(rows, order, 1), np.take_along_axis(cosines, order, 1)
    if wide < len(reference):
        # Earlier rows that were not fetched may tie with the last one that is kept.
        edge = rounded(exact.min(axis=1) + 2 * ROUNDING)
        tied = np.flatnonzero(edge >= cosines[:, k - 1])
        # Where many rows are equal, as spellings of a name are to an encoder, so are many queries.
        for alike in _equal_rows(queries, tied):
            every = rounded(_products(reference, queries[alike[0]]))
            best = np.argsort(-every, kind="stable")[:k]
            rows[alike, :k], cosines[alike, :k] = best, every[best]
    return rows[:, :k], cosines[:, :k]


def _equal_rows(vectors: FloatMatrix, among: IntVector) -> Iterable[IntVector]:
    """Return those of the given rows that are equal, group by group."""
    groups: dict[bytes, list[int]] = {}
    for row in among.tolist():
        groups.setdefault(vectors[row].tobytes(), []).append(row)
    return (np.array(rows, dtype=np.int64) for rows in groups.values())


def rounded(cosines: FloatMatrix) -> FloatMatrix:
    """Round cosines to `RESOLUTION` decimals, within [-1, 1]."""
    return np.asarray(np.round(np.clip(cosines, -1, 1), RESOLUTION), dtype=np.float32)


def gpu_by_faiss() -> bool:
    """Whether the installed faiss is built for GPUs and sees one."""
    import faiss

    return bool(faiss.get_num_gpus() > 0)


def above(
    queries: FloatMatrix, reference: DenseVectors, threshold: float, most: int | None = None
) -> tuple[IntVector, IntVector]:
    """Find every pair whose cosine is at least `threshold`.

    Parameters
    ----------
    queries, reference
        As of `nearest`.
    threshold
        The lowest cosine.
    most
        Stop once more pairs than that are found; None: never.

    Returns
    -------
    query, row
        Aligned int64 arrays of shape (n_found,), ordered by query and row.
    """
    block = max(1, BLOCK_CELLS // max(1, len(reference)))
    starts = range(0, len(queries), block)
    tables = ((start, _table(queries[start : start + block], reference)) for start in starts)
    return above_in(tables, threshold, most)


def _table(queries: FloatMatrix, reference: DenseVectors) -> FloatMatrix:
    """Products of all queries with all rows."""
    if isinstance(reference, RoundedVectors):
        return np.hstack([queries @ rows.T for _, rows in reference.blocks(ROUNDED_ROWS)])
    return queries @ reference.T


def above_in(
    tables: Iterable[tuple[int, FloatMatrix]], threshold: float, most: int | None
) -> tuple[IntVector, IntVector]:
    """Find the pairs of `above` in blocks of cosines, each with the number of its first query."""
    found, n_found = [np.zeros((0, 2), dtype=np.int64)], 0
    for start, table in tables:
        near = np.argwhere(table >= threshold)
        found.append(near + np.array([[start, 0]]))
        n_found += len(near)
        if most is not None and n_found > most:
            break
    pairs = np.concatenate(found)
    return pairs[:, 0], pairs[:, 1]


def pair_cosines(
    left: DenseVectors, right: DenseVectors, left_rows: IntVector, right_rows: IntVector
) -> FloatVector:
    """Cosines of given pairs of rows: float32 of shape (n_pairs,), in [-1, 1]."""
    import faiss

    # Its stubs leave the function out.
    library: Any = faiss
    # It reads rows where they lie: four times as fast as products of rows that are taken out.
    cosines = np.empty(len(left_rows), dtype=np.float32)
    tables = [
        table
        if isinstance(table, RoundedVectors)
        else np.ascontiguousarray(table, dtype=np.float32)
        for table in (left, right)
    ]
    rows = [np.ascontiguousarray(given, dtype=np.int64) for given in (left_rows, right_rows)]
    is_rounded = any(isinstance(table, RoundedVectors) for table in tables)

    def multiply(part: slice) -> None:
        step = PAIRS_TURNED if is_rounded else max(1, part.stop - part.start)
        with faiss_threads(1):
            for start in range(part.start, part.stop, step):
                some = slice(start, min(start + step, part.stop))
                sides = [_lying(*each, some) for each in zip(tables, rows, strict=True)]
                arrays = *sides[0], *sides[1], cosines[some]
                library.pairwise_indexed_inner_product(
                    left.shape[1], some.stop - some.start, *map(library.swig_ptr, arrays)
                )

    in_parts(multiply, len(left_rows))
    return np.clip(cosines, -1, 1)


def _lying(table: DenseVectors, rows: IntVector, part: slice) -> tuple[FloatMatrix, IntVector]:
    """Float32 vectors, and where those of some rows lie in them."""
    if isinstance(table, RoundedVectors):
        return table[rows[part]], np.arange(part.stop - part.start)
    return table, rows[part]


def _products(table: DenseVectors, vector: FloatVector) -> FloatVector:
    """Products of all rows with one vector; of each row, the same in any company."""
    if isinstance(table, RoundedVectors):
        parts = [np.einsum("ij,j->i", rows, vector) for _, rows in table.blocks(ROUNDED_ROWS)]
        return np.concatenate(parts)
    return np.asarray(np.einsum("ij,j->i", table, vector))


def _search(
    queries: FloatMatrix, reference: DenseVectors, k: int, device: str
) -> tuple[FloatMatrix, IntVector]:
    """Find the greatest inner products; the order of ties is not defined."""
    if isinstance(reference, RoundedVectors):
        return _search_rounded(queries, reference, k, device)
    is_lookup = len(queries) <= LOOKUPS and len(reference) <= FEW_ROWS
    if device == "cpu" and len(queries) < FEW_QUERIES and not is_lookup:
        return _search_by_products(queries, reference, k)
    import faiss

    arguments = np.ascontiguousarray(queries), np.ascontiguousarray(reference), k
    metric = faiss.METRIC_INNER_PRODUCT
    if device == "cpu":
        with faiss_threads(len(queries)):
            cosines, rows = faiss.knn(*arguments, metric=metric)
    elif gpu_by_faiss():
        cosines, rows = faiss.knn_gpu(faiss.StandardGpuResources(), *arguments, metric=metric)
    else:
        from pearljoin._search.dense_torch import search

        cosines, rows = search(*arguments, device)
    return cosines, rows.astype(np.int64)


def _search_rounded(
    queries: FloatMatrix, reference: RoundedVectors, k: int, device: str
) -> tuple[FloatMatrix, IntVector]:
    """Search some rows after others, and keep the best."""
    cosines = np.zeros((len(queries), 0), dtype=np.float32)
    rows = np.zeros((len(queries), 0), dtype=np.int64)
    for start, block in reference.blocks(ROUNDED_ROWS):
        near, at = _search(queries, block, min(k, len(block)), device)
        cosines, rows = np.hstack([cosines, near]), np.hstack([rows, at + start])
        if rows.shape[1] > k:
            best = np.argpartition(-cosines, k - 1, axis=1)[:, :k]
            cosines, rows = np.take_along_axis(cosines, best, 1), np.take_along_axis(rows, best, 1)
    return cosines, rows


def _search_by_products(
    queries: FloatMatrix, reference: FloatMatrix, k: int
) -> tuple[FloatMatrix, IntVector]:
    cosines = np.empty((len(queries), k), dtype=np.float32)
    rows = np.empty((len(queries), k), dtype=np.int64)
    block = max(1, BLOCK_CELLS // len(reference))
    for start in range(0, len(queries), block):
        part = slice(start, start + block)
        products = queries[part] @ reference.T
        rows[part] = np.argpartition(-products, k - 1, axis=1)[:, :k]
        cosines[part] = np.take_along_axis(products, rows[part], axis=1)
    return cosines, rows


def faiss_version() -> str:
    """The version of faiss."""
    import faiss

    return str(faiss.__version__)


@contextmanager
def faiss_threads(most: int | None = None) -> Iterator[None]:
    """Let faiss use no more threads than it may, in this thread of ours.

    Parameters
    ----------
    most
        How many there is work for: idle ones wait busily, in the way of other lookups.
    """
    import faiss

    before = faiss.omp_get_max_threads()
    allowed = min(before, openmp_threads())
    faiss.omp_set_num_threads(allowed if most is None else min(allowed, most))
    try:
        yield
    finally:
        faiss.omp_set_num_threads(before)
