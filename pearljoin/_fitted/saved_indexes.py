"""The search indexes of a reference as content and arrays of a saved matcher, and back.

To build those of half a million texts takes ten seconds, to read them half a second.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pearljoin._fitted.saved_arrays import Arrays, take_sparse, take_whole
from pearljoin._search.dense import faiss_version
from pearljoin._search.inverted_lists import InvertedLists, check_lists
from pearljoin._search.known_indexes import KnownIndexes
from pearljoin._search.product_codes import as_they_are
from pearljoin._search.search_plan import SearchPlan
from pearljoin._search.tfidf import N_COLUMNS, Postings
from pearljoin._search.vectors import to_arrays

__all__ = ["check_indexes", "read_indexes", "write_indexes"]

LEARNED = "centroids", "axes", "codebooks"
"""Arrays of a plan."""


def write_indexes(indexes: KnownIndexes) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Return indexes as content and arrays by name; nothing of those that are built at once."""
    plan, lists, postings = indexes
    if plan is None:
        return {}, {}
    described = asdict(plan)
    arrays: dict[str, NDArray[Any]] = {name: described.pop(name) for name in LEARNED}
    content: dict[str, Any] = {"search": described}
    if lists is not None:
        content["faiss_version"] = faiss_version()
        arrays |= {f"lists_{name}": array for name, array in lists._asdict().items()}
    if postings is not None:
        arrays |= {"postings_columns": postings.columns, "postings_frequency": postings.frequency}
        arrays |= to_arrays(postings.vectors, "postings")
    return content, arrays


def read_indexes(content: Mapping[str, Any], arrays: Arrays, *, same_forms: bool) -> KnownIndexes:
    """Read what `write_indexes` wrote; raises ValueError where it is something else.

    Parameters
    ----------
    content, arrays
        The content and the arrays of the saved matcher.
    same_forms
        Whether texts are normalised and counted as they were.
    """
    if "search" not in content:
        return KnownIndexes()
    lists = postings = None
    # Another version may lay out its lists otherwise.
    if "lists_codes" in arrays and content.get("faiss_version") == faiss_version():
        codes = arrays["lists_codes"]
        if codes.dtype != np.uint8 or codes.ndim != 1:
            raise ValueError("the codes of its lists are not readable")
        lists = InvertedLists(
            take_whole(arrays, "lists_sizes", (None,)),
            take_whole(arrays, "lists_rows", (None,)),
            codes,
        )
    if "postings_columns" in arrays and same_forms:
        # Those of several key columns of text lie side by side.
        most = N_COLUMNS * len(content["texts"]) - 1
        columns = take_whole(arrays, "postings_columns", (None,), most=most)
        frequency = take_whole(arrays, "postings_frequency", columns.shape)
        if (np.diff(columns) <= 0).any():
            raise ValueError("the columns of its spelling are not in order")
        vectors = take_sparse(arrays, "postings", (len(columns), None))
        postings = Postings(columns, frequency, vectors)
    return KnownIndexes(_read_plan(content["search"], arrays), lists, postings)


def check_indexes(indexes: KnownIndexes, n_records: int) -> None:
    """Raise ValueError unless indexes are of so many records."""
    plan, lists, postings = indexes
    if lists is not None and plan is not None:
        check_lists(lists, plan)
        if not np.array_equal(np.sort(lists.rows), np.arange(n_records)):
            raise ValueError(f"its lists do not hold its {n_records} records")
    if postings is not None and postings.vectors.shape[1] != n_records:
        raise ValueError(f"its spelling is not that of {n_records} records")


def _read_plan(described: Mapping[str, Any], arrays: Arrays) -> SearchPlan:
    """Read how a large reference is searched."""
    centroids, codebooks = arrays["centroids"], arrays["codebooks"]
    plan = SearchPlan(
        centroids,
        # Earlier versions coded vectors as they are.
        arrays["axes"] if "axes" in arrays else as_they_are(centroids.shape[-1], len(codebooks)),
        codebooks,
        int(described["n_probes"]),
        int(described["width"]),
        float(described["recall"]),
    )
    plan.check()
    return plan
