"""deduplicate(): a column against itself, gathered into clusters with a canonical value each."""

from __future__ import annotations

from typing import Any

import numpy as np

from pearljoin._comparison import Candidates
from pearljoin._decision.thresholds import PrecisionTarget, Threshold
from pearljoin._errors import InputError
from pearljoin._labelled_threshold import LabelledThreshold
from pearljoin._matcher import Matcher
from pearljoin._records.records import NULL, Records
from pearljoin._tables.input import as_table
from pearljoin._tables.output import with_columns
from pearljoin._typing import IntVector

__all__ = ["deduplicate"]

AUTO = 0.75
"""Stricter than a lookup in a small table: every row is compared with every other."""


def deduplicate(
    table: Any,
    *,
    on: Any = None,
    by: Any = None,
    threshold: float | str | Threshold = "auto",
    weights: Any = None,
    encoder: Any = "default",
    cluster: str = "cluster",
    canonical: str = "canonical",
    nulls_equal: bool = False,
    device: str = "auto",
    batch_size: int | None = None,
    verbose: bool | None = None,
) -> Any:
    """Find the rows of one table that name the same thing.

    The most frequent value (the first to appear among equals) becomes the canonical value of its
    cluster, and takes in every value not yet taken that scores the threshold against it; then the
    next. So every member matches its canonical value itself: clusters do not drift along chains.

    Parameters
    ----------
    table
        pandas DataFrame, polars DataFrame or LazyFrame, pyarrow Table, or a single column.
    on
        Key column or columns; default: the only text column.
    by
        Columns that must be equal within a cluster.
    threshold
        The lowest score of a match, in [0, 1]. ``"auto"`` is 0.75: how close the table's rows lie
        to each other cannot tell what a match is where some of them *are* matches.
    weights, encoder, nulls_equal, device, batch_size, verbose
        As in `fuzzy_join`.
    cluster, canonical
        Names of the columns that are added. With several key columns the canonical values are
        columns ``<canonical>_<key>``.

    Returns
    -------
    table
        The table, in its own kind and order, with `cluster` (int64, numbered from 0 by first
        appearance) and `canonical`. A row with a null key is a cluster of its own.

    Raises
    ------
    InputError
        If an argument, or what the table holds, cannot be used as given.
    TableTypeError
        If the table is of a kind that is not read.

    Examples
    --------
    >>> import pandas as pd
    >>> import pearljoin as pj
    >>> df = pd.DataFrame({"name": ["Le Monde", "New York Times", "le monde", "Le Monde"]})
    >>> pj.deduplicate(df, on="name")["canonical"].tolist()
    ['Le Monde', 'New York Times', 'Le Monde', 'Le Monde']
    """
    if cluster == canonical:
        raise InputError(f"cluster= and canonical= must differ. Got {cluster!r} for both.")
    source = as_table(table, "left")
    matcher = Matcher(
        on=on,
        by=by,
        threshold=AUTO if threshold == "auto" else threshold,
        weights=weights,
        encoder=encoder,
        nulls_equal=nulls_equal,
        device=device,
        batch_size=batch_size,
        verbose=verbose,
    )
    if isinstance(threshold, PrecisionTarget | LabelledThreshold):
        raise InputError(
            "A precision cannot be judged within one table. Got a "
            f"{type(threshold).__name__}. Hint: give a number, or 'auto' for 0.75."
        )
    result = matcher._fit(source)._match(source, scored=False)
    comparison, names = result.comparison, result.keys.left
    centre = _centres(comparison.left, comparison.candidates_above(result.threshold))
    clusters, chosen = _number_rows(comparison.left, centre)
    added: dict[str, Any] = {cluster: clusters}
    for name in names:
        called = canonical if len(names) == 1 else f"{canonical}_{name}"
        added[called] = (name, chosen)
    return with_columns(source, added)


def _centres(records: Records, pairs: Candidates) -> IntVector:
    """Canonical record of each record: int64 of shape (n_records,)."""
    n_records = records.n_records
    rows = records.of_row[records.of_row != NULL]
    frequency = np.bincount(rows, minlength=n_records)
    start = np.searchsorted(pairs.left, np.arange(n_records), side="left")
    end = np.searchsorted(pairs.left, np.arange(n_records), side="right")
    centre = np.full(n_records, NULL, dtype=np.int64)
    # Stable: of equally frequent records the first to appear comes first.
    for record in np.argsort(-frequency, kind="stable").tolist():
        if centre[record] == NULL:
            alike = pairs.right[start[record] : end[record]]
            centre[alike[centre[alike] == NULL]] = record
            centre[record] = record
    return centre


def _number_rows(records: Records, centre: IntVector) -> tuple[IntVector, IntVector]:
    """Cluster number of each row, by first appearance, and the row of its canonical value."""
    rows = np.arange(records.n_rows)
    known = records.of_row != NULL
    chosen = rows.copy()
    chosen[known] = records.first_row[centre[records.of_row[known]]]
    _, first, inverse = np.unique(chosen, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first, kind="stable")] = np.arange(len(first))
    return rank[inverse.reshape(-1)], chosen
