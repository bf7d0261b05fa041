"""The columns that a table gets: cluster and canonical values."""

from __future__ import annotations

from typing import Any

import numpy as np

from pearljoin._errors import InputError
from pearljoin._ragged import run_starts
from pearljoin._records.missing_keys import NULL
from pearljoin._records.records import Records
from pearljoin._tables.keys import Keys
from pearljoin._tables.output import with_columns
from pearljoin._tables.read_table import Table
from pearljoin._typing import IntVector

__all__ = ["check_names", "with_clusters"]


def check_names(cluster: str, *canonical: str) -> None:
    """Refuse names of columns that cannot be used.

    Raises
    ------
    InputError
        If one is no text, or both are the same.
    """
    for argument, column in (("cluster", cluster), *(("canonical", name) for name in canonical)):
        if not isinstance(column, str):
            raise InputError(f"{argument}= must be a column name. Got {column!r}.")
    if cluster in canonical:
        raise InputError(f"cluster= and canonical= must differ. Got {cluster!r} for both.")


def with_clusters(
    table: Table,
    keys: Keys,
    records: Records,
    labels: IntVector,
    cluster: str,
    canonical: str | None,
) -> Any:
    """Return a table with the cluster of each row, and its canonical values where asked for.

    Parameters
    ----------
    table, keys, records
        The table, its key columns and its records.
    labels
        int64 of shape (n_rows,): the cluster of each row.
    cluster, canonical
        Names of the columns.
    """
    added: dict[str, Any] = {cluster: labels}
    if canonical is not None:
        rows = _canonical_rows(records, labels)
        for name in keys.left:
            called = canonical if len(keys.left) == 1 else f"{canonical}_{name}"
            added[called] = (name, rows)
    return with_columns(table, added)


def _canonical_rows(records: Records, clusters: IntVector) -> IntVector:
    """For each row, the first row with its cluster's most frequent key: int64."""
    rows = np.arange(records.n_rows)
    sizes = np.append(records.sizes, 0)[records.of_row]
    first_row = np.where(
        records.of_row == NULL, rows, np.append(records.first_row, 0)[records.of_row]
    )
    order = np.lexsort((first_row, -sizes, clusters))
    ordered = clusters[order]
    starts = run_starts(ordered)
    return first_row[order[starts]][clusters] if len(rows) else rows
