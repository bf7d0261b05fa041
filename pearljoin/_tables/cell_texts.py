"""Key values of rows as texts to show."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from pearljoin._tables.cells import is_null, shown
from pearljoin._tables.read_table import Table
from pearljoin._typing import IntVector

__all__ = ["NO_VALUE", "cell_texts", "key_text"]

NO_VALUE = "–"
"""What is shown for a null beside other cells."""


def cell_texts(
    table: Table, names: Sequence[Hashable], rows: IntVector, null: str = ""
) -> list[str]:
    """Write the key values of rows; those of several columns are put together with " | ".

    Parameters
    ----------
    table
        The table.
    names
        Its columns to show.
    rows
        int64 of shape (n,): row positions.
    null
        What is written for a null.

    Returns
    -------
    texts
        Of length n.
    """
    wanted = rows.tolist()
    listed = [table.columns[name].cells(wanted) for name in names]
    return [
        " | ".join(null if is_null(cell) else shown(cell) for cell in cells)
        for cells in zip(*listed, strict=True)
    ]


def key_text(table: Table, names: Sequence[Hashable], row: int) -> str:
    """Write the key values of one row, as `cell_texts` does; "" for a null key of one column."""
    null = NO_VALUE if len(names) > 1 else ""
    return cell_texts(table, names, np.array([row]), null)[0]
