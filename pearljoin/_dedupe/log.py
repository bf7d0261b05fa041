"""The log line and the `repr` of a deduplication."""

from __future__ import annotations

import numpy as np

from pearljoin._clusters.similar_pairs import SimilarPairs
from pearljoin._clusters.table_pairs import TablePairs
from pearljoin._match_log import share_text
from pearljoin._progress import LOG
from pearljoin._tables.keys import Keys, field_names
from pearljoin._typing import IntVector

__all__ = ["columns_text", "log_clusters", "result_text"]


def log_clusters(
    keys: Keys,
    comparison: TablePairs | SimilarPairs,
    threshold: float,
    labels: IntVector,
) -> None:
    """Log the columns, threshold and clusters at INFO."""
    n_clustered = int((np.bincount(labels)[labels] > 1).sum()) if len(labels) else 0
    LOG.info(
        "deduplicated on %s: threshold %.3f, %s",
        columns_text(keys, comparison),
        threshold,
        share_text(n_clustered, len(labels), "rows in a cluster with others"),
    )


def result_text(
    keys: Keys,
    comparison: TablePairs | SimilarPairs,
    threshold: float | None,
    labels: IntVector | None,
) -> str:
    """Write a result in one line; threshold and labels are None where not computed yet."""
    lowest = "" if threshold is None else f"; threshold {threshold:.4g}"
    found = "not yet clustered"
    if labels is not None:
        n_clusters = int(labels.max(initial=-1)) + 1
        found = f"{n_clusters:,} cluster{'' if n_clusters == 1 else 's'}"
    rows = f"{comparison.records.n_rows:,} rows on {columns_text(keys, comparison)}"
    return f"<DedupeResult: {rows}{lowest}, {found}>"


def columns_text(keys: Keys, comparison: TablePairs | SimilarPairs) -> str:
    """Name the columns that were compared, with the kinds of the key columns."""
    fields = comparison.records.fields
    names = field_names(keys.left, fields)
    listed = [f"{name} ({field.shown_kind})" for name, field in zip(names, fields, strict=True)]
    text = ", ".join(listed) + (", guessed" if keys.guessed else "")
    for what, some in (("by", keys.left_by), ("veto", keys.left_veto)):
        text += f"; {what} {', '.join(map(str, some))}" if some else ""
    return text
