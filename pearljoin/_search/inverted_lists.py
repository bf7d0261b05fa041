"""The lists of an inverted file: filled with rows in codes, copied, and put back."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pearljoin._search import dense
from pearljoin._search.product_codes import on_axes
from pearljoin._search.rounded_vectors import DenseVectors
from pearljoin._search.search_plan import SearchPlan
from pearljoin._typing import IntVector

__all__ = ["InvertedLists", "check_lists", "copy_lists", "fill_lists", "restore_lists"]

SCAN_BY_LIST = 13
"""How faiss scans, of its ways: list by list for all queries, keeping a reservoir of rows."""

ADDED_AT_ONCE = 65_536
"""Rows entered at once: bounds the memory."""


class InvertedLists(NamedTuple):
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


def fill_lists(reference: DenseVectors, plan: SearchPlan) -> Any:
    """Enter every row, in codes, into the list of the centroid that is nearest on the axes.

    Parameters
    ----------
    reference
        float32 of shape (n_rows, dim), unit rows. They may be rounded.
    plan
        Centroids, axes and codebooks.

    Returns
    -------
    file
        The index of faiss.
    """
    file = _empty_file(plan)
    _enter(file, reference, 0, plan)
    return file


def restore_lists(lists: InvertedLists, reference: DenseVectors, plan: SearchPlan) -> Any:
    """Put the first rows of a reference back into lists, and enter its others.

    Raises as `check_lists` does.
    """
    import faiss

    file = _empty_file(plan)
    n_bytes = _check(lists, file)
    rows = np.split(np.ascontiguousarray(lists.rows), np.cumsum(lists.sizes)[:-1])
    codes = np.split(np.ascontiguousarray(lists.codes), np.cumsum(n_bytes)[:-1])
    entered = faiss.downcast_InvertedLists(file.invlists)
    for at in np.flatnonzero(lists.sizes).tolist():
        entered.add_entries(at, len(rows[at]), faiss.swig_ptr(rows[at]), faiss.swig_ptr(codes[at]))
    file.ntotal = len(lists.rows)
    _enter(file, reference, len(lists.rows), plan)
    return file


def check_lists(lists: InvertedLists, plan: SearchPlan) -> None:
    """Raise ValueError unless there are as many lists, rows and codes as a plan asks for."""
    _check(lists, _empty_file(plan))


def copy_lists(file: Any) -> InvertedLists:
    """Copy what an index of faiss has in its lists."""
    import faiss

    entered = faiss.downcast_InvertedLists(file.invlists)
    sizes = np.array([entered.list_size(at) for at in range(entered.nlist)], dtype=np.int64)
    n_bytes = _bytes_of(sizes, entered)
    rows, codes = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.uint8)]
    for at in np.flatnonzero(sizes).tolist():
        rows.append(faiss.rev_swig_ptr(entered.get_ids(at), int(sizes[at])).copy())
        codes.append(faiss.rev_swig_ptr(entered.get_codes(at), int(n_bytes[at])).copy())
    return InvertedLists(sizes, np.concatenate(rows), np.concatenate(codes))


def _enter(file: Any, reference: DenseVectors, first: int, plan: SearchPlan) -> None:
    """Enter the rows of a reference from the first one on."""
    with dense.faiss_threads():
        for start in range(first, len(reference), ADDED_AT_ONCE):
            file.add(on_axes(reference[start : start + ADDED_AT_ONCE], plan.axes))


def _empty_file(plan: SearchPlan) -> Any:
    import faiss

    n_codes, n_axes, n_lists = len(plan.codebooks), plan.axes.shape[1], len(plan.centroids)
    coarse = faiss.IndexFlatIP(n_axes)
    coarse.add(on_axes(plan.centroids, plan.axes))
    file = faiss.IndexIVFPQFastScan(coarse, n_axes, n_lists, n_codes, 4, faiss.METRIC_INNER_PRODUCT)
    file.by_residual = False
    faiss.copy_array_to_vector(plan.codebooks.reshape(-1), file.pq.centroids)
    file.is_trained = True
    # One way of searching, for one query and for many.
    file.implem = SCAN_BY_LIST
    return file


def _check(lists: InvertedLists, file: Any) -> IntVector:
    """Return the bytes of each list's codes; raises as `check_lists` does."""
    import faiss

    entered = faiss.downcast_InvertedLists(file.invlists)
    n_rows = len(lists.rows)
    # faiss reads what it is told to. Without this bound a sum could be beyond what 64 bits hold.
    if (
        len(lists.sizes) != entered.nlist
        or not ((lists.sizes >= 0) & (lists.sizes <= n_rows)).all()
    ):
        raise ValueError(f"it has {len(lists.sizes)} lists of {n_rows} rows, not {entered.nlist}")
    n_bytes = _bytes_of(lists.sizes, entered)
    found, wanted = (n_rows, len(lists.codes)), (int(lists.sizes.sum()), int(n_bytes.sum()))
    if found != wanted:
        raise ValueError(f"its lists have {found} rows and bytes of codes, not {wanted}")
    return n_bytes


def _bytes_of(sizes: IntVector, entered: Any) -> IntVector:
    """Bytes of the codes of lists of some sizes: whole blocks."""
    return np.asarray(-(-sizes // entered.n_per_block) * entered.block_size, dtype=np.int64)
