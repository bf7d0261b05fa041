"""Nearest neighbours in a large reference: exact where that is fast, else by an inverted file.

An inverted file keeps the reference in lists around centroids, and looks into the few lists that
are nearest to a query. There rows are compared by product codes of 4 bits (Jégou et al. 2011; André
et al. 2017), and the best of them by their own vectors. How many lists, and how many rows are the
best, is chosen once, from the recall of the exact neighbours of sampled rows, so that what a query
finds depends on it and the reference alone.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

import numpy as np

from pearljoin._errors import ModelError
from pearljoin._progress import LOG
from pearljoin._search import dense, vectors
from pearljoin._search.inverted_lists import (
    InvertedLists,
    copy_lists,
    fill_lists,
    restore_lists,
)
from pearljoin._search.product_codes import (
    codebooks_of,
    on_axes,
    principal_axes,
    whole,
)
from pearljoin._search.rounded_vectors import DenseVectors, KeptVectors
from pearljoin._search.search_plan import SearchPlan
from pearljoin._typing import FloatMatrix, IntVector

__all__ = [
    "EXACT_ROWS",
    "RECALL",
    "ExactIndex",
    "InvertedFile",
    "VectorIndex",
    "build_index",
    "centroids_of",
    "nearest_lists",
]

EXACT_ROWS = 50_000
"""Rows of a reference up to which every row is compared with every query."""

RECALL = 0.95
"""Share of the exact neighbours that an inverted file is to find, on average."""

LISTS = 0.5
"""Lists, as a multiple of the root of the number of rows."""

WIDTHS = (4, 8, 12, 16, 24, 32, 48, 64)
"""Rows that are compared by their own vectors, as multiples of the neighbours wanted: the least
that reaches the recall."""

QUERIES_AT_ONCE = 4_096
"""Queries whose lists are chosen at once: bounds the memory."""

ROWS_A_LIST = 30
"""Rows, for each list, that the centroids are learned from."""

ITERATIONS = 6
"""Iterations of k-means; more move hardly a row."""

SAMPLED, NEIGHBOURS = 512, 8
"""Rows that the recall is measured on, and how many neighbours of each: as many as a
record asks of a reference so large."""


class VectorIndex(Protocol):
    """A reference of unit vectors, ready for a search of nearest rows."""

    @property
    def plan(self) -> SearchPlan | None:
        """How it is searched; None: exactly."""
        ...

    @property
    def lists(self) -> InvertedLists | None:
        """The rows in the lists of that plan; None without one."""
        ...

    def nearest(
        self, queries: KeptVectors, k: int, *, device: str = "cpu"
    ) -> tuple[IntVector, FloatMatrix]:
        """Find each query's `k` nearest rows; returns as `pearljoin._search.dense.nearest`."""
        ...


def build_index(
    reference: KeptVectors, *, plan: SearchPlan | None = None, lists: InvertedLists | None = None
) -> VectorIndex:
    """Choose how a reference is searched, by its size alone, and prepare it.

    Parameters
    ----------
    reference
        float32 of shape (n_rows, dim); rows of unit length, or zero. They may be rounded.
    plan
        How an earlier reference was searched, to which rows were added or of which rows were
        removed: it is kept.
    lists
        The rows in the lists of that plan, where they were entered before: all, or the first ones.
    """
    is_small = plan is None and reference.shape[0] <= EXACT_ROWS
    if not is_small and vectors.is_dense(reference):
        return InvertedFile(reference, plan=plan, lists=lists)
    return ExactIndex(reference)


class ExactIndex:
    """Compares every query with every row.

    Parameters
    ----------
    reference
        As of `build_index`.
    """

    plan: SearchPlan | None = None
    lists: InvertedLists | None = None

    def __init__(self, reference: KeptVectors) -> None:
        self._reference = reference

    def nearest(
        self, queries: KeptVectors, k: int, *, device: str = "cpu"
    ) -> tuple[IntVector, FloatMatrix]:
        """Find each query's `k` nearest rows, exactly."""
        return vectors.nearest(queries, self._reference, k, device=device)


class InvertedFile:
    """Compares every query with the rows of the lists nearest to it.

    Parameters
    ----------
    reference
        float32 of shape (n_rows, dim), n_rows at least 64. They may be rounded.
    recall
        Share of the exact neighbours to be found, in (0, 1].
    plan
        As of an earlier reference; None: learned from this one.
    lists
        As of `build_index`.
    """

    def __init__(
        self,
        reference: DenseVectors,
        *,
        recall: float = RECALL,
        plan: SearchPlan | None = None,
        lists: InvertedLists | None = None,
    ) -> None:
        self._reference = reference
        if plan is not None:
            if plan.centroids.shape[1] != reference.shape[1]:
                raise ModelError(
                    "The lists of the search are not those of this reference. Got vectors of "
                    f"{reference.shape[1]} columns, and lists of {plan.centroids.shape[1]}. "
                    "Hint: fit the matcher again."
                )
            self.plan = plan
            if lists is None:
                self._file = fill_lists(reference, plan)
            else:
                self._file = restore_lists(lists, reference, plan)
            return
        n_lists = int(LISTS * np.sqrt(len(reference)))
        axes = principal_axes(reference)
        learned = centroids_of(reference, n_lists), axes, codebooks_of(reference, axes)
        untried = SearchPlan(*learned, 1, WIDTHS[0], 0.0)
        self._file = fill_lists(reference, untried)
        self.plan = self._learn(untried, recall)
        LOG.info(
            "%s reference vectors are searched by %s lists, %s of them a query: of the exact "
            "neighbours of sampled rows, %.1f %% are found",
            f"{len(reference):,}",
            f"{n_lists:,}",
            f"{self.plan.n_probes:,}",
            100 * self.plan.recall,
        )

    @property
    def lists(self) -> InvertedLists:
        """The rows in their lists, as of `build_index`."""
        return copy_lists(self._file)

    def nearest(
        self, queries: KeptVectors, k: int, *, device: str = "cpu"
    ) -> tuple[IntVector, FloatMatrix]:
        """Find each query's `k` nearest rows, nearly all of them.

        Parameters
        ----------
        queries
            float32 of shape (n_queries, dim).
        k
            Neighbours a query.
        device
            ``"cpu"``; on another the search is exact.

        Returns
        -------
        rows
            int64 of shape (n_queries, min(k, n_rows)): best first, ties by the smaller row.
        cosines
            float32 of the same shape, in [-1, 1].
        """
        if device != "cpu":
            return vectors.nearest(queries, self._reference, k, device=device)
        k, n_queries = min(k, len(self._reference)), queries.shape[0]
        rows = np.zeros((n_queries, k), dtype=np.int64)
        cosines = np.zeros((n_queries, k), dtype=np.float32)
        for start in range(0, n_queries if k else 0, QUERIES_AT_ONCE):
            part = slice(start, start + QUERIES_AT_ONCE)
            rows[part], cosines[part] = self._nearest(np.asarray(queries[part]), k, self.plan)
        return rows, cosines

    def _nearest(
        self, queries: FloatMatrix, k: int, plan: SearchPlan
    ) -> tuple[IntVector, FloatMatrix]:
        # The width was measured on so many neighbours, and fewer need no fewer rows.
        if plan.n_probes >= len(plan.centroids):
            return dense.nearest(queries, self._reference, k)
        wide = min(plan.width * max(k, NEIGHBOURS) + dense.TIE_MARGIN, len(self._reference))
        lists = nearest_lists(queries, plan.centroids, plan.n_probes)
        self._file.nprobe = lists.shape[1]
        with dense.faiss_threads():
            # Codes are of rows, not of what they differ by from centroids, which play no part.
            _, rows = self._file.search_preassigned(
                on_axes(queries, plan.axes), wide, lists, np.zeros(lists.shape, dtype=np.float32)
            )
        return self._ranked(queries, rows, k)

    def _ranked(
        self, queries: FloatMatrix, rows: IntVector, k: int
    ) -> tuple[IntVector, FloatMatrix]:
        """Rank the rows that were found by their own vectors; queries with too few, exactly."""
        pairs = np.repeat(np.arange(len(rows)), rows.shape[1]), np.maximum(rows, 0).reshape(-1)
        exact = dense.pair_cosines(queries, self._reference, *pairs).reshape(rows.shape)
        # One whole number for each, the best first and ties by their row: many times as fast to
        # order as two arrays. Rows that were not found come last.
        n_rows, top = len(self._reference), 10**dense.RESOLUTION
        steps = np.where(rows >= 0, top - np.rint(exact * top), 3 * top).astype(np.int64)
        best = np.partition(steps * n_rows + np.maximum(rows, 0), k - 1, axis=1)[:, :k]
        best.sort(axis=1)
        steps, rows = np.divmod(best, n_rows)
        cosines = dense.rounded(((top - steps) / top).astype(np.float32))
        few = np.flatnonzero((steps > 2 * top).any(axis=1))
        if len(few):
            rows[few], cosines[few] = dense.nearest(queries[few], self._reference, k)
        return rows, cosines

    def _learn(self, plan: SearchPlan, wanted: float) -> SearchPlan:
        """Find the fewest lists, and then the fewest rows in them, that reach a recall."""
        n_rows, n_lists = len(self._reference), len(plan.centroids)
        sampled = np.unique(np.linspace(0, n_rows - 1, SAMPLED).astype(np.int64))
        queries = self._reference[sampled]
        # A sampled row's nearest is itself, which any search finds.
        exact = dense.nearest(queries, self._reference, NEIGHBOURS + 1)[0]
        order = np.argsort(-(queries @ plan.centroids.T), axis=1, kind="stable")
        lists = (self._reference[exact[:, 1:]] @ plan.centroids.T).argmax(axis=2)
        needed = np.take_along_axis(np.argsort(order, axis=1), lists, axis=1)
        # Codes miss half as many as lists do: a scan takes longer than the rows that it finds.
        share = (1 + 2 * wanted) / 3
        n_probes = int(np.quantile(needed, share, method="higher")) + 1
        while n_probes < n_lists:
            for width in WIDTHS:
                plan = replace(plan, n_probes=n_probes, width=width)
                near = self._nearest(queries, NEIGHBOURS + 1, plan)[0]
                hits = sum(
                    len(np.intersect1d(one, other)) - 1
                    for one, other in zip(near, exact, strict=True)
                )
                recall = hits / (NEIGHBOURS * len(sampled))
                if recall >= wanted:
                    return replace(plan, recall=recall)
            n_probes = min(2 * n_probes, n_lists)
        # Codes are too coarse for it: in all lists, rows are compared by their own vectors.
        return replace(plan, n_probes=n_lists, recall=1.0)


def nearest_lists(queries: FloatMatrix, centroids: FloatMatrix, n_probes: int) -> IntVector:
    """Choose each query's lists: int64 of shape (n_queries, n_probes), ascending.

    By whole numbers, so that they do not depend on the queries beside a query.
    """
    products = whole(queries) @ whole(centroids).T
    chosen = np.argpartition(-products, n_probes - 1, axis=1)[:, :n_probes]
    return np.sort(chosen, axis=1).astype(np.int64)


def centroids_of(reference: DenseVectors, n_lists: int) -> FloatMatrix:
    """Return the centroids of k-means on some rows: float32 of shape (n_lists, dim), unit rows."""
    import faiss

    step = max(1, len(reference) // (ROWS_A_LIST * n_lists))
    kmeans = faiss.Kmeans(
        reference.shape[1],
        n_lists,
        niter=ITERATIONS,
        spherical=True,
        seed=0,
        # It warns on standard error below 39.
        min_points_per_centroid=1,
    )
    with dense.faiss_threads():
        kmeans.train(np.ascontiguousarray(reference[::step]))
    return np.asarray(kmeans.centroids, dtype=np.float32)
