"""deduplicate(): clusters of rows that name the same thing, with a canonical value each."""

from __future__ import annotations

from typing import Any, Unpack, overload

import numpy as np

from pearljoin._dedupe.find import find_duplicates
from pearljoin._errors import InputError
from pearljoin._options import DeduplicateArguments, EncoderLike, ThresholdLike
from pearljoin._records.missing_keys import NULL
from pearljoin._records.records import Records
from pearljoin._tables.output import with_columns
from pearljoin._tables.read_table import ONLY, as_table
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

    The short form of `find_duplicates`, which keeps scores, pairs and explanations. The most
    frequent key of a cluster is its canonical value; of equally frequent ones, the one that appears
    first.

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
        As in `find_duplicates`: a probability in [0, 1] to which two clusters must be one thing;
        where scores are similarities, the lowest similarity to the canonical value. ``"auto"`` aims
        at a precision of 0.9 and is at least 0.5; for similarities it is 0.75.
    weights, encoder, nulls_equal, device, batch_size, verbose
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

    See Also
    --------
    find_duplicates : The same, keeping pairs and scores.

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
    result = find_duplicates(
        table,
        on=on,
        by=by,
        threshold=threshold,
        weights=weights,
        encoder=encoder,
        nulls_equal=nulls_equal,
        device=device,
        batch_size=batch_size,
        verbose=verbose,
    )
    clusters = result.clusters()
    chosen = _canonical_rows(result.comparison.records, clusters)
    added: dict[str, Any] = {cluster: clusters}
    for name in result.keys.left:
        called = canonical if len(result.keys.left) == 1 else f"{canonical}_{name}"
        added[called] = (name, chosen)
    return with_columns(source, added)


def _canonical_rows(records: Records, clusters: IntVector) -> IntVector:
    """For each row, the first row with its cluster's most frequent key: int64."""
    rows = np.arange(records.n_rows)
    sizes = np.append(records.sizes, 0)[records.of_row]
    first_row = np.where(
        records.of_row == NULL, rows, np.append(records.first_row, 0)[records.of_row]
    )
    order = np.lexsort((first_row, -sizes, clusters))
    ordered = clusters[order]
    starts = np.flatnonzero(np.diff(ordered, prepend=-1))
    return first_row[order[starts]][clusters] if len(rows) else rows
