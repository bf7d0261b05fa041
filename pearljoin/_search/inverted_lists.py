"""The lists of an inverted file: rows in codes, entered, taken out and put back."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pearljoin._search import dense
from pearljoin._search.product_codes import on_axes
from pearljoin._search.rounded_vectors import DenseVectors
from pearljoin._typing import FloatMatrix, IntVector

__all__ = ["ListedRows", "check_listed", "entered_file", "listed_file", "listed_rows"]

SCAN_BY_LIST = 13
"""How faiss scans, of its ways: list by list for all queries, keeping a reservoir of rows."""

ADDED_AT_ONCE = 65_536
"""Rows entered at once: bounds the memory."""


class ListedRows(NamedTuple):
    """The rows of a reference by list, in codes.

    Attributes
    ----------
    sizes
        int64 of shape (n_lists,): rows of each list.
    rows
        int64 of shape (n_rows,): their numbers, list by list.
    codes
        uint8 of shape (n_bytes,): their codes, likewise, in blocks as faiss scans them.
    """

    sizes: IntVector
    rows: IntVector
    codes: NDArray[np.uint8]


def entered_file(
    reference: DenseVectors, centroids: FloatMatrix, axes: FloatMatrix, codebooks: FloatMatrix
) -> Any:
    """Enter every row, in codes, into the list of the centroid that is nearest on the axes.

    Parameters
    ----------
    reference
        float32 of shape (n_rows, dim), unit rows. They may be rounded.
    centroids, axes, codebooks
        As of `pearljoin._search.approximate.SearchPlan`.
    """
    file = _empty_file(centroids, axes, codebooks)
    with dense.faiss_threads():
        for start in range(0, len(reference), ADDED_AT_ONCE):
            file.add(on_axes(reference[start : start + ADDED_AT_ONCE], axes))
    return file


def listed_file(
    listed: ListedRows, centroids: FloatMatrix, axes: FloatMatrix, codebooks: FloatMatrix
) -> Any:
    """Put rows back into lists, as `listed_rows` took them out; raises as `check_listed` does."""
    import faiss

    n_bytes = check_listed(listed, centroids, axes, codebooks)
    file = _empty_file(centroids, axes, codebooks)
    lists = faiss.downcast_InvertedLists(file.invlists)
    rows = np.split(np.ascontiguousarray(listed.rows), np.cumsum(listed.sizes)[:-1])
    codes = np.split(np.ascontiguousarray(listed.codes), np.cumsum(n_bytes)[:-1])
    for at in np.flatnonzero(listed.sizes).tolist():
        entry = faiss.swig_ptr(rows[at]), faiss.swig_ptr(codes[at])
        lists.add_entries(at, len(rows[at]), *entry)
    file.ntotal = len(listed.rows)
    return file


def check_listed(
    listed: ListedRows, centroids: FloatMatrix, axes: FloatMatrix, codebooks: FloatMatrix
) -> IntVector:
    """Return the bytes of each list's codes: int64 of shape (n_lists,).

    Raises
    ------
    ValueError
        If there are not as many lists, rows and codes as there should be.
    """
    import faiss

    file = _empty_file(centroids, axes, codebooks)
    lists = faiss.downcast_InvertedLists(file.invlists)
    n_bytes = _bytes_of(listed.sizes, lists)
    found = len(listed.sizes), len(listed.rows), len(listed.codes)
    wanted = lists.nlist, int(listed.sizes.sum()), int(n_bytes.sum())
    if found != wanted:
        raise ValueError(f"it has {found} lists, rows and bytes of codes, not {wanted}")
    return n_bytes


def listed_rows(file: Any) -> ListedRows:
    """Take out what is entered in a file; it stays as it is."""
    import faiss

    lists = faiss.downcast_InvertedLists(file.invlists)
    sizes = np.array([lists.list_size(at) for at in range(lists.nlist)], dtype=np.int64)
    rows = [np.zeros(0, dtype=np.int64)]
    codes = [np.zeros(0, dtype=np.uint8)]
    n_bytes = _bytes_of(sizes, lists)
    for at in np.flatnonzero(sizes).tolist():
        # Copied, for the memory is that of the file.
        rows.append(faiss.rev_swig_ptr(lists.get_ids(at), int(sizes[at])).copy())
        codes.append(faiss.rev_swig_ptr(lists.get_codes(at), int(n_bytes[at])).copy())
    return ListedRows(sizes, np.concatenate(rows), np.concatenate(codes))


def _empty_file(centroids: FloatMatrix, axes: FloatMatrix, codebooks: FloatMatrix) -> Any:
    import faiss

    n_codes, n_axes, n_lists = len(codebooks), axes.shape[1], len(centroids)
    coarse = faiss.IndexFlatIP(n_axes)
    coarse.add(on_axes(centroids, axes))
    file = faiss.IndexIVFPQFastScan(coarse, n_axes, n_lists, n_codes, 4, faiss.METRIC_INNER_PRODUCT)
    file.by_residual = False
    faiss.copy_array_to_vector(codebooks.reshape(-1), file.pq.centroids)
    file.is_trained = True
    # One way of searching, for one query and for many.
    file.implem = SCAN_BY_LIST
    return file


def _bytes_of(sizes: IntVector, lists: Any) -> IntVector:
    """Bytes of the codes of lists of some sizes: whole blocks."""
    return np.asarray(-(-sizes // lists.n_per_block) * lists.block_size, dtype=np.int64)
