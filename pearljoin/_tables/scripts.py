"""Columns of names in two scripts: those that are not in Latin letters are read in these.

Where all is of one script, nothing is changed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from pearljoin._tables.cells import ColumnKind
from pearljoin._tables.columns import Cells, column_kind, present_cells
from pearljoin._tables.rewritten import rewritten_column
from pearljoin._text.romanise import is_latin, is_romanised, romanise

__all__ = ["ROMANISED", "differ_in_script", "is_read_in_latin", "romanised_column"]

ROMANISED: frozenset[ColumnKind] = frozenset(
    {"text", "parsed_address", "parsed_category", "parsed_list", "parsed_person"}
)
"""Kinds of columns whose texts may be written in Latin letters."""

MINORITY = 0.25
"""Share of each script from which one table, compared among itself, is of two."""


class Scripts(NamedTuple):
    """Distinct texts of a column by script.

    Attributes
    ----------
    latin, romanised
        Of Latin letters, and of those that are written in Latin ones.
    n_texts
        Of any letters, or none.
    """

    latin: int
    romanised: int
    n_texts: int


def is_read_in_latin(column: Cells, *, one_table: bool) -> bool:
    """Tell whether texts beside those of a reference are romanised, by the reference alone.

    They are beside one of Latin letters, of which romanising changes nothing; and where rows of one
    table are compared among themselves that are of both scripts.

    Parameters
    ----------
    column
        A key column of the reference.
    one_table
        Whether its rows are compared among themselves.
    """
    if column_kind(column) != "text":
        return False
    found = _scripts_of(column)
    if not found.romanised:
        return 2 * found.latin > found.n_texts
    fewest = min(found.latin, found.romanised)
    return one_table and fewest >= MINORITY * (found.latin + found.romanised)


def differ_in_script(left: Cells, right: Cells) -> bool:
    """Tell whether one column is mostly of Latin letters, and the other of romanised ones."""
    if not column_kind(left) == column_kind(right) == "text":
        return False
    here, there = _scripts_of(left), _scripts_of(right)
    return any(
        2 * one.latin > one.n_texts and 2 * other.romanised > other.n_texts
        for one, other in ((here, there), (there, here))
    )


def romanised_column(column: Cells) -> Cells:
    """Write the texts of a column in Latin letters; itself where all are in such.

    Parameters
    ----------
    column
        The column.
    """
    texts = _texts(column.to_list())
    latin = {text: found for text in texts if (found := romanise(text)) != text}
    return rewritten_column(column, latin)


def _scripts_of(column: Cells) -> Scripts:
    texts = _texts(present_cells(column))
    romanised = sum(map(is_romanised, texts))
    return Scripts(sum(map(is_latin, texts)), romanised, len(texts))


def _texts(cells: Iterable[object]) -> set[str]:
    return {cell for cell in cells if isinstance(cell, str)}
