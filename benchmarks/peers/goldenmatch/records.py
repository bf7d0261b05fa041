"""GoldenMatch in zero-config mode: `match_df` and `dedupe_df` with no argument but the tables.

The tables hold the set's columns as text. It configures itself from their content. Its scores
are not described as probabilities, so no best candidates are returned. What it matches is taken
as it is: `match_df` has no one-to-one rule of its own.
"""

from __future__ import annotations

from typing import Any

import goldenmatch as gm
import pyarrow as pa

PACKAGES = ("goldenmatch", "goldenmatch-native")
Table = dict[str, list[str | None]]


def link(left: Table, right: Table, request: dict[str, Any]) -> dict[str, Any]:
    """Match the left table against the right one as reference."""
    result = gm.match_df(_table(left), _table(right))
    if result.matched is None:
        return {"": {"pairs": []}}
    n_left = len(next(iter(left.values())))
    rows = result.matched.to_pylist()
    pairs = [[row["__target_row_id__"], row["__ref_row_id__"] - n_left] for row in rows]
    return {"": {"pairs": pairs}}


def dedupe(table: Table, request: dict[str, Any]) -> dict[str, Any]:
    """Deduplicate one table."""
    result = gm.dedupe_df(_table(table))
    n_rows = len(next(iter(table.values())))
    # A row that it puts in no cluster is one of its own.
    clusters: list[str] = [f"row {row}" for row in range(n_rows)]
    for label, cluster in result.clusters.items():
        for row in cluster["members"]:
            clusters[row] = str(label)
    return {"": {"clusters": clusters}}


def _table(columns: Table) -> pa.Table:
    return pa.table({name: pa.array(values, pa.string()) for name, values in columns.items()})
