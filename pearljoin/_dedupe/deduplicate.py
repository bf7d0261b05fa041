"""deduplicate(): clusters of rows of one entity, with canonical values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Unpack, overload

from pearljoin._dedupe.cluster_columns import check_names
from pearljoin._dedupe.find import find_duplicates
from pearljoin._dedupe.options import FindArguments
from pearljoin._kinds.protocol import Kind
from pearljoin._options import DeduplicateArguments, EncoderLike, ThresholdLike
from pearljoin._tables.argument_hints import OF_FINDING, with_hints
from pearljoin._tables.output import check_free
from pearljoin._tables.read_table import names_of
from pearljoin._typing import (
    ColumnLike,
    Columns,
    Device,
    Frame,
    FrameOut,
    PlainColumnLike,
    TableLike,
    Weights,
)

__all__ = ["deduplicate"]

OF_SHORT_FORM = {
    **OF_FINDING,
    **{name: f"find_duplicates() takes {name}=." for name in FindArguments.__annotations__},
}
"""What to use for arguments that `deduplicate` does not take."""


@overload
def deduplicate(table: Frame, **options: Unpack[DeduplicateArguments]) -> Frame: ...
@overload
def deduplicate(
    table: ColumnLike[FrameOut], **options: Unpack[DeduplicateArguments]
) -> FrameOut: ...
@overload
def deduplicate(table: PlainColumnLike, **options: Unpack[DeduplicateArguments]) -> Any: ...
@with_hints(OF_SHORT_FORM, 1, "find_duplicates([left, right]) takes several tables.")
def deduplicate(
    table: TableLike,
    *,
    on: Columns | None = None,
    by: Columns | None = None,
    veto: Columns | None = None,
    kinds: Mapping[Any, Kind] | None = None,
    geo: tuple[Any, Any] | None = None,
    phone_region: str | None = None,
    threshold: ThresholdLike = "auto",
    precision: float = 0.9,
    weights: Weights | None = None,
    encoder: EncoderLike = "auto",
    cluster: str = "cluster",
    canonical: str = "canonical",
    nulls_equal: bool = False,
    device: Device = "auto",
    batch_size: int | None = None,
    verbose: bool | None = None,
) -> Any:
    """Cluster the rows of one table that name the same entity.

    The short form of `find_duplicates`, which keeps scores, pairs and explanations, and takes more
    constraints. The most frequent key of a cluster is its canonical value; of equally frequent
    ones, the one that appears first.

    Parameters
    ----------
    table
        pandas DataFrame, polars DataFrame or LazyFrame, pyarrow Table, or a single column.
    on
        Key column or columns; default: all but those without values, row numbers, remarks and
        times of changes by their names, and codes or whole numbers that are all distinct where the
        others tell most rows apart. The log names what is left out. A name such as
        ``"first_name + last_name"`` is that of several columns, which are read as one text.
    by
        Columns that must be equal within a cluster. Values that differ in their case alone are
        counted in a warning.
    veto
        Columns of which a cluster has at most one value, nulls apart.
    threshold
        As in `find_duplicates`: the lowest mean probability, in [0, 1], at which two clusters
        merge; where scores are similarities, the lowest similarity to the canonical value.
        ``"auto"`` aims at `precision` and is at least 0.5; for similarities it is 0.75.
    precision
        The share of compared pairs that should be right, in [0, 1], for ``threshold="auto"``.
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
    check_names(cluster, canonical)
    keys = on if isinstance(on, list | tuple) and len(on) > 1 else []
    added = [f"{canonical}_{name}" for name in keys] or [canonical]
    check_free([cluster, *added], names_of(table))
    result = find_duplicates(
        table,
        on=on,
        by=by,
        veto=veto,
        kinds=kinds,
        geo=geo,
        phone_region=phone_region,
        threshold=threshold,
        precision=precision,
        weights=weights,
        encoder=encoder,
        nulls_equal=nulls_equal,
        device=device,
        batch_size=batch_size,
        verbose=verbose,
    )
    return result.table(cluster, canonical)
