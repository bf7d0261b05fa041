"""Nearest neighbours in a large reference: exact where that is fast, else by an inverted file.

An inverted file (Jégou et al. 2011) keeps the reference in lists around centroids, and looks into
the few lists that are nearest to a query. How many is chosen once, from the recall of the exact
neighbours of sampled rows, so that what a query finds depends on it and the reference alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from pearljoin._errors import ModelError
from pearljoin._progress import LOG
from pearljoin._search import dense, vectors
from pearljoin._typing import FloatMatrix, IntVector, Vectors

__all__ = [
    "EXACT_ROWS",
    "RECALL",
    "ExactIndex",
    "InvertedFile",
    "SearchPlan",
    "VectorIndex",
    "build_index",
]

EXACT_ROWS = 100_000
"""Rows of a reference up to which every row is compared with every query."""

RECALL = 0.99
"""Share of the exact neighbours that an inverted file is to find, on average."""

LISTS = 3.0
"""Lists, as a multiple of the root of the number of rows."""

ROWS_A_LIST = 30
"""Rows, for each list, that the centroids are learned from."""

ITERATIONS = 6
"""Iterations of k-means; more move hardly a row."""

SAMPLED, NEIGHBOURS = 256, 20
"""Rows that the recall is measured on, and how many neighbours of each."""

ADDED_AT_ONCE = 65_536
"""Rows entered at once: bounds the memory."""


class VectorIndex(Protocol):
    """A reference of unit vectors, ready for a search of nearest rows."""

    @property
    def plan(self) -> SearchPlan | None:
        """How it is searched; None: exactly."""
        ...

    def nearest(
        self, queries: Vectors, k: int, *, device: str = "cpu"
    ) -> tuple[IntVector, FloatMatrix]:
        """Find each query's `k` nearest rows; returns as `pearljoin._search.dense.nearest`."""
        ...


def build_index(
    reference: Vectors, *, recall: float = RECALL, plan: SearchPlan | None = None
) -> VectorIndex:
    """Choose how a reference is searched, by its size alone, and prepare it.

    Parameters
    ----------
    reference
        float32 of shape (n_rows, dim); rows of unit length, or zero.
    recall
        Share of the exact neighbours to be found, in (0, 1]; at 1 the search is exact.
    plan
        How an earlier reference was searched, to which rows were added or of which rows were
        removed: it is kept.
    """
    if vectors.is_sparse(reference) or recall >= 1:
        return ExactIndex(reference)
    if plan is None and reference.shape[0] <= EXACT_ROWS:
        return ExactIndex(reference)
    return InvertedFile(np.asarray(reference), recall=recall, plan=plan)


class ExactIndex:
    """Compares every query with every row.

    Parameters
    ----------
    reference
        As of `build_index`.
    """

    plan: SearchPlan | None = None

    def __init__(self, reference: Vectors) -> None:
        self._reference = reference

    def nearest(
        self, queries: Vectors, k: int, *, device: str = "cpu"
    ) -> tuple[IntVector, FloatMatrix]:
        """Find each query's `k` nearest rows, exactly."""
        return vectors.nearest(queries, self._reference, k, device=device)


@dataclass(frozen=True)
class SearchPlan:
    """How an inverted file is searched: learned once, and kept when rows come and go.

    Attributes
    ----------
    centroids
        float32 of shape (n_lists, dim), unit rows: the middles of the lists.
    n_probes
        Lists that are looked into for a query.
    recall
        Share of the exact neighbours of sampled rows that is found, in [0, 1].
    """

    centroids: FloatMatrix
    n_probes: int
    recall: float


class InvertedFile:
    """Compares every query with the rows of the lists nearest to it.

    Rows are compared in 8 bits first; the best of them by their own vectors.

    Parameters
    ----------
    reference
        float32 of shape (n_rows, dim), n_rows at least 64.
    recall
        Share of the exact neighbours to be found, in (0, 1].
    plan
        As of an earlier reference; None: learned from this one.
    """

    def __init__(
        self, reference: FloatMatrix, *, recall: float = RECALL, plan: SearchPlan | None = None
    ) -> None:
        self._reference = reference
        if plan is not None:
            if plan.centroids.shape[1] != reference.shape[1]:
                raise ModelError(
                    "The lists of the search are not those of this reference. Got vectors of "
                    f"{reference.shape[1]} columns, and lists of {plan.centroids.shape[1]}. "
                    "Hint: fit the matcher again."
                )
            self._file = _inverted_file(reference, plan.centroids)
            self.plan = plan
            return
        centroids = _centroids(reference, int(LISTS * np.sqrt(len(reference))))
        self._file = _inverted_file(reference, centroids)
        self.plan = self._learn(centroids, recall)
        LOG.info(
            "%s reference vectors are searched by %s lists, %s of them a query: of the exact "
            "neighbours of sampled rows, %.1f %% are found",
            f"{len(reference):,}",
            f"{len(centroids):,}",
            f"{self.plan.n_probes:,}",
            100 * self.plan.recall,
        )

    def nearest(
        self, queries: Vectors, k: int, *, device: str = "cpu"
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
        given = np.asarray(queries)
        if device != "cpu":
            return dense.nearest(given, self._reference, k, device=device)
        return self._nearest(given, k, self.plan)

    def _nearest(
        self, queries: FloatMatrix, k: int, plan: SearchPlan
    ) -> tuple[IntVector, FloatMatrix]:
        k = min(k, len(self._reference))
        wide = min(2 * k + dense.TIE_MARGIN, len(self._reference))
        rows = np.full((len(queries), wide), -1, dtype=np.int64)
        if k and len(queries):
            # By rounded cosines, so that the lists do not depend on the queries beside a query.
            lists, cosines = dense.nearest(queries, plan.centroids, plan.n_probes)
            self._file.nprobe = lists.shape[1]
            with dense.faiss_threads():
                _, rows = self._file.search_preassigned(
                    np.ascontiguousarray(queries), wide, lists, cosines
                )
        return self._ranked(queries, rows, k)

    def _ranked(
        self, queries: FloatMatrix, rows: IntVector, k: int
    ) -> tuple[IntVector, FloatMatrix]:
        """Rank the rows that were found by their own vectors; queries with too few, exactly."""
        found = rows >= 0
        pairs = np.repeat(np.arange(len(rows)), rows.shape[1]), np.maximum(rows, 0).reshape(-1)
        exact = dense.pair_cosines(queries, self._reference, *pairs).reshape(rows.shape)
        cosines = np.where(found, dense.rounded(exact), -2).astype(np.float32)
        order = np.lexsort((rows, -cosines), axis=1)[:, :k]
        rows, cosines = np.take_along_axis(rows, order, 1), np.take_along_axis(cosines, order, 1)
        few = np.flatnonzero((rows < 0).any(axis=1))
        if len(few):
            rows[few], cosines[few] = dense.nearest(queries[few], self._reference, k)
        return rows, cosines

    def _learn(self, centroids: FloatMatrix, wanted: float) -> SearchPlan:
        """Find the fewest lists, of powers of two, that reach a recall."""
        n_rows, n_lists = len(self._reference), len(centroids)
        sampled = np.unique(np.linspace(0, n_rows - 1, SAMPLED).astype(np.int64))
        queries = self._reference[sampled]
        # A sampled row's nearest is itself, which any search finds.
        exact = dense.nearest(queries, self._reference, NEIGHBOURS + 1)[0]
        n_probes = min(4, n_lists)
        while True:
            plan = SearchPlan(centroids, n_probes, 1.0)
            near = self._nearest(queries, NEIGHBOURS + 1, plan)[0]
            hits = sum(
                len(np.intersect1d(one, other)) - 1 for one, other in zip(near, exact, strict=True)
            )
            recall = hits / (NEIGHBOURS * len(sampled))
            if recall >= wanted or n_probes == n_lists:
                return replace(plan, recall=recall)
            n_probes = min(2 * n_probes, n_lists)


def _centroids(reference: FloatMatrix, n_lists: int) -> FloatMatrix:
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


def _inverted_file(reference: FloatMatrix, centroids: FloatMatrix) -> Any:
    """Enter every row, in 8 bits, into the list of its nearest centroid."""
    import faiss

    dim = reference.shape[1]
    coarse = faiss.IndexFlatIP(dim)
    coarse.add(centroids)
    file = faiss.IndexIVFScalarQuantizer(
        coarse, dim, len(centroids), faiss.ScalarQuantizer.QT_8bit, faiss.METRIC_INNER_PRODUCT
    )
    file.by_residual = False
    with dense.faiss_threads():
        file.train(np.ascontiguousarray(reference[:: max(1, len(reference) // ADDED_AT_ONCE)]))
        for start in range(0, len(reference), ADDED_AT_ONCE):
            file.add(np.ascontiguousarray(reference[start : start + ADDED_AT_ONCE]))
    return file
