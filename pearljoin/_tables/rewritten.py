"""Columns of which some texts are read as others: in Latin letters, or as what they stand for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from pearljoin._tables.cells import compared_value
from pearljoin._tables.columns import Cells
from pearljoin._tables.read_table import PlainColumn
from pearljoin._text.normalise import mend, normalise

__all__ = ["Glossary", "rewritten_column", "translated_column"]

Glossary: TypeAlias = tuple[tuple[str, str], ...]
"""Texts of a column, and those that they are read as."""


def rewritten_column(column: Cells, read_as: Mapping[Any, str]) -> Cells:
    """Read some cells of a column as other texts; the column itself where it has none of them.

    Parameters
    ----------
    column
        The column.
    read_as
        By cell, what it is read as.
    """
    if not read_as:
        return column
    changed = [
        read_as.get(cell, cell) if isinstance(cell, str | int) else cell
        for cell in column.to_list()
    ]
    return PlainColumn(column.name, changed)


def translated_column(column: Cells, glossary: Glossary) -> Cells:
    """Read cells as what they stand for; they are compared with the glossary as texts are.

    Parameters
    ----------
    column
        The column.
    glossary
        What is read as what.
    """
    told = {normalise(mend(text)): right for text, right in glossary}
    name, read_as = column.name, {}
    for cell in {cell for cell in column.to_list() if isinstance(cell, str | int)}:
        text = compared_value(cell, "text", name)
        right = told.get(normalise(mend(text))) if isinstance(text, str) else None
        if right is not None:
            read_as[cell] = right
    return rewritten_column(column, read_as)
