"""Columns of which some texts are read as others: in Latin letters, or as what they stand for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from pearljoin._tables.columns import Cells
from pearljoin._tables.read_table import PlainColumn

__all__ = ["Glossary", "rewritten_column"]

Glossary: TypeAlias = tuple[tuple[str, str], ...]
"""Texts of a column, and those that they are read as."""


def rewritten_column(column: Cells, read_as: Mapping[str, str]) -> Cells:
    """Read some texts of a column as others; the column itself where it has none of them.

    Parameters
    ----------
    column
        The column.
    read_as
        By text, what it is read as.
    """
    cells = column.to_list()
    changed = [read_as.get(cell, cell) if isinstance(cell, str) else cell for cell in cells]
    return column if changed == cells else PlainColumn(column.name, changed)
