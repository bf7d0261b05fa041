"""Rows of pairs for the scripts of a report: how many fit, and what their labels are kept under."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np

from pearljoin._report.content import cleaned
from pearljoin._tables.cell_texts import NO_VALUE, cell_texts
from pearljoin._tables.read_table import Table
from pearljoin._typing import IntVector

__all__ = ["fitting", "label_store", "row_texts", "table_sample"]

SAMPLED = 1_000
"""Rows of a table that tell it from others."""


def row_texts(table: Table, names: Sequence[Hashable], rows: IntVector) -> list[str]:
    """Write the key values of rows, as a report shows them."""
    return [cleaned(text) for text in cell_texts(table, names, rows, NO_VALUE)]


def fitting(rows: list[list[Any]], most_bytes: int) -> list[list[Any]]:
    """Return the first rows, as many as stay below a number of bytes."""
    sizes = np.cumsum([_size(row) for row in rows], dtype=np.int64)
    return rows[: int(np.searchsorted(sizes, most_bytes, side="right"))]


def table_sample(n_rows: int, texts: Callable[[IntVector], list[str]]) -> list[Any]:
    """Return what tells a table from others: its number of rows, and the texts of some."""
    rows = np.unique(np.linspace(0, max(0, n_rows - 1), SAMPLED).astype(np.int64))[:n_rows]
    return [n_rows, texts(rows)]


def label_store(samples: Sequence[Any]) -> str:
    """Name the place where labels are kept: that of these tables, whatever the threshold."""
    return hashlib.sha256(json.dumps(samples).encode()).hexdigest()[:16]


def _size(row: Sequence[Any]) -> int:
    """Bytes of a row in the report, where JSON writes < > & ' with six characters."""
    text = json.dumps(row, ensure_ascii=False)
    return len(text.encode()) + 5 * sum(map(text.count, "<>&'"))
