"""Columns of which some texts are read as others: in Latin letters, or as what they stand for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from pearljoin._tables.cells import compared_value
from pearljoin._tables.columns import Cells
from pearljoin._tables.read_table import PlainColumn
from pearljoin._text.normalise import mend, normalise

__all__ = ["Glossary", "rewritten_column", "translated_column", "translation"]

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
    told = _by_normal_text(glossary)
    read_as = {}
    for cell in {cell for cell in column.to_list() if isinstance(cell, str | int)}:
        text = compared_value(cell, "text", column.name)
        if isinstance(text, str) and (right := told.get(normalise(mend(text)))) is not None:
            read_as[cell] = right
    return rewritten_column(column, read_as)


def translation(text: str, glossary: Mapping[str, str]) -> str | None:
    """Return what a text is read as; None where it is read as it is."""
    return _by_normal_text(tuple(glossary.items())).get(normalise(mend(text)))


def _by_normal_text(glossary: Glossary) -> dict[str, str]:
    return {normalise(mend(text)): right for text, right in glossary}
