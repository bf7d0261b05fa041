"""deduplicate(): clusters of rows that name the same thing, with a canonical value each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Unpack, overload

import numpy as np

from pearljoin._comparison import Candidates
from pearljoin._decision.thresholds import PrecisionTarget
from pearljoin._errors import InputError
from pearljoin._kinds.protocol import Kind
from pearljoin._labelled_threshold import LabelledThreshold
from pearljoin._match_log import keys_text, share_text
from pearljoin._matcher import Matcher
from pearljoin._options import DeduplicateArguments, EncoderLike, ThresholdLike
from pearljoin._progress import LOG, stage, work
from pearljoin._records.missing_keys import NULL
from pearljoin._records.records import Records
from pearljoin._result import MatchResult
from pearljoin._tables.output import with_columns
from pearljoin._tables.read_table import ONLY, as_table
from pearljoin._tables.unequal_values import warn_of_case_within
from pearljoin._typing import (
    ColumnLike,
    Columns,
    Device,
    Frame,
    FrameOut,
    IntVector,
    PlainColumnLike,
    TableLike,
    Weights,
)

__all__ = ["deduplicate"]

AUTO = 0.75
"""Threshold for ``"auto"``."""


@overload
def deduplicate(table: Frame, **options: Unpack[DeduplicateArguments]) -> Frame: ...
@overload
def deduplicate(
    table: ColumnLike[FrameOut], **options: Unpack[DeduplicateArguments]
) -> FrameOut: ...
@overload
def deduplicate(table: PlainColumnLike, **options: Unpack[DeduplicateArguments]) -> Any: ...
def deduplicate(
    table: TableLike,
    *,
    on: Columns | None = None,
    by: Columns | None = None,
    kinds: Mapping[Any, Kind] | None = None,
    geo: tuple[Any, Any] | None = None,
    phone_region: str | None = None,
    threshold: ThresholdLike = "auto",
    weights: Weights | None = None,
    encoder: EncoderLike = "default",
    cluster: str = "cluster",
    canonical: str = "canonical",
    nulls_equal: bool = False,
    device: Device = "auto",
    batch_size: int | None = None,
    verbose: bool | None = None,
) -> Any:
    """Cluster the rows of one table that name the same thing.

    The most frequent value becomes the canonical value of the first cluster; of equally frequent
    values, the one that appears first. Its cluster gets every value that is in no cluster yet and
    scores at least the threshold against it. Then the next most frequent value follows. So every
    member of a cluster matches its canonical value directly, and not through a chain of others.

    Parameters
    ----------
    table
        pandas DataFrame, polars DataFrame or LazyFrame, pyarrow Table, or a single column.
    on
        Key column or columns; default: the only text column.
    by
        Columns that must be equal within a cluster. Values that differ in their case alone are
        counted in a warning.
    threshold
        Lowest score of a match, in [0, 1]. ``"auto"`` is 0.75: rules that estimate a precision need
        a reference without duplicates.
    kinds, geo, phone_region, weights, encoder, nulls_equal, device, batch_size, verbose
        As in `fuzzy_join`.
    cluster, canonical
        Names of the added columns. With several key columns the canonical values are
        columns ``<canonical>_<key>``.

    Returns
    -------
    table
        The table, of the same kind and in the same order, with two more columns: `cluster` (int64,
        numbered from 0 by first appearance) and `canonical`. A row with a null key is a cluster of
        its own.

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
    for argument, column in (("cluster", cluster), ("canonical", canonical)):
        if not isinstance(column, str):
            raise InputError(f"{argument}= must be a column name. Got {column!r}.")
    if cluster == canonical:
        raise InputError(f"cluster= and canonical= must differ. Got {cluster!r} for both.")
    source = as_table(table, ONLY)
    matcher = Matcher(
        on=on,
        by=by,
        kinds=kinds,
        geo=geo,
        phone_region=phone_region,
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
            "A precision cannot be estimated within one table. Got a "
            f"{type(threshold).__name__}. Hint: give a number, or 'auto' for 0.75."
        )
    with work(verbose):
        result = matcher._fit(source, scored=False)._match(source)
        comparison, names = result.comparison, result.keys.left
        warn_of_case_within(comparison.left, result.keys.left_by)
        pairs = comparison.candidates_above(result.threshold)
        with stage("decision"):
            centre = _canonical_records(comparison.left, pairs)
            clusters, chosen = _number_rows(comparison.left, centre)
    _log(result, clusters)
    added: dict[str, Any] = {cluster: clusters}
    for name in names:
        called = canonical if len(names) == 1 else f"{canonical}_{name}"
        added[called] = (name, chosen)
    return with_columns(source, added)


def _log(result: MatchResult, clusters: IntVector) -> None:
    """Log what was clustered, at INFO."""
    n_clustered = int((np.bincount(clusters)[clusters] > 1).sum())
    LOG.info(
        "deduplicated on %s: threshold %.3f, %s",
        keys_text(result.keys, result.comparison),
        result.threshold,
        share_text(n_clustered, len(clusters), "rows in a cluster with others"),
    )


def _canonical_records(records: Records, pairs: Candidates) -> IntVector:
    """Canonical record of each record: int64 of shape (n_records,)."""
    n_records = records.n_records
    rows = records.of_row[records.of_row != NULL]
    frequency = np.bincount(rows, minlength=n_records)
    start = np.searchsorted(pairs.left, np.arange(n_records), side="left")
    end = np.searchsorted(pairs.left, np.arange(n_records), side="right")
    centre = np.full(n_records, NULL, dtype=np.int64)
    # The sort is stable, so of equally frequent records the first to appear comes first.
    for record in np.argsort(-frequency, kind="stable").tolist():
        if centre[record] == NULL:
            alike = pairs.right[start[record] : end[record]]
            centre[alike[centre[alike] == NULL]] = record
            centre[record] = record
    return centre


def _number_rows(records: Records, centre: IntVector) -> tuple[IntVector, IntVector]:
    """Cluster number of each row, by first appearance, and the row of its canonical value."""
    rows = np.arange(records.n_rows)
    has_record = records.of_row != NULL
    chosen = rows.copy()
    chosen[has_record] = records.first_row[centre[records.of_row[has_record]]]
    _, first, inverse = np.unique(chosen, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first, kind="stable")] = np.arange(len(first))
    return rank[inverse.reshape(-1)], chosen
