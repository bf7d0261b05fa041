"""Booleans beside columns that write them as text or numbers: yes and no, 1 and 0."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain

from pearljoin._kinds.fillers import is_filler
from pearljoin._kinds.protocol import Kind
from pearljoin._tables.cells import ColumnKind, boolean_of
from pearljoin._tables.columns import Cells, column_kind, present_cells

__all__ = [
    "are_booleans_written_otherwise",
    "is_boolean",
    "is_known",
    "is_no_boolean",
    "kind_beside_booleans",
]

TYPES: Mapping[ColumnKind, ColumnKind] = {
    "boolean": "boolean",
    "code": "text",
    "number": "number",
    "text": "text",
}
"""Kinds of columns by themselves that may hold booleans, short codes as text."""


def kind_beside_booleans(
    left: Cells,
    right: Cells,
    left_kind: ColumnKind,
    *,
    given: Kind | None,
    by_parts: bool,
) -> ColumnKind | None:
    """Tell how booleans compare with text or numbers that are booleans.

    Parameters
    ----------
    left, right
        The columns.
    left_kind
        Kind of the left column by itself.
    given
        The kind that the user named.
    by_parts
        Whether the right column compares by the parts of a kind.

    Returns
    -------
    kind
        None where this is no such pair of columns.
    """
    types = TYPES.get(left_kind), TYPES.get(column_kind(right))
    if None in types or types[0] == types[1] or given not in (None, "category"):
        return None
    if "text" not in types and not by_parts:
        return None  # as numbers, True is 1
    if types == ("boolean", "number"):
        suits = _all_booleans(right)  # of other numbers, 1 is one
    elif "boolean" in types:
        other = right if types[0] == "boolean" else left
        suits = any(map(is_boolean, present_cells(other)))  # some values may be slips
    else:
        text = left if types[0] == "text" else right
        are_digits = all(str(cell).strip().isdigit() for cell in present_cells(text))
        suits = not are_digits and _all_booleans(left) and _all_booleans(right)
    if not suits:
        return None
    return "parsed_boolean" if by_parts else "boolean_text"


def are_booleans_written_otherwise(left: Cells, right: Cells) -> bool:
    """Tell whether two columns hold booleans as text, one of them in several ways: "Y", "yes".

    Those of one way compare as they stand.
    """
    if column_kind(left) != "text" or column_kind(right) != "text":
        return False
    if not (_all_booleans(left) and _all_booleans(right)):
        return False
    cells = filter(is_boolean, chain(present_cells(left), present_cells(right)))
    ways = {str(cell).strip().casefold() for cell in cells}
    return len(ways) > len({boolean_of(way) for way in ways})


def _all_booleans(column: Cells) -> bool:
    return not any(map(is_no_boolean, present_cells(column)))


def is_known(cell: object) -> bool:
    """Tell whether a cell is more than a sign that a value is missing."""
    text = str(cell).strip()
    return any(map(str.isalnum, text)) and not is_filler(text)


def is_boolean(cell: object) -> bool:
    """Tell whether a cell is a boolean, or written out as one."""
    return boolean_of(cell) is not None


def is_no_boolean(cell: object) -> bool:
    """Tell whether a cell is a value other than a boolean."""
    return is_known(cell) and not is_boolean(cell)
