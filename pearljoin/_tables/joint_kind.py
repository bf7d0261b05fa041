"""How a left and a right column compare that are of one type, or of two."""

from __future__ import annotations

from collections.abc import Callable

from pearljoin._tables.booleans import is_boolean, is_known
from pearljoin._tables.cells import ColumnKind
from pearljoin._tables.columns import Cells, column_kind, common_kind, present_cells
from pearljoin._tables.days_beside_numbers import kind_beside_days

__all__ = ["has_digit", "joint_kind", "may_be_compared"]


def may_be_compared(left: Cells, right: Cells) -> bool:
    """Tell whether a left and a right column have something to compare."""
    kinds = column_kind(left), column_kind(right)
    if kind_beside_days(left, right, kinds, given=None, alone=False) is not None:
        return True
    return joint_kind(kinds, (left, right)) is not None


def joint_kind(
    kinds: tuple[ColumnKind, ColumnKind], columns: tuple[Cells, Cells]
) -> ColumnKind | None:
    """How two columns compare; None where they cannot."""
    is_texts = [kind in ("text", "code") for kind in kinds]
    if kinds[0] == kinds[1] or all(is_texts) or set(kinds) == {"number", "boolean"}:
        return common_kind(*kinds)
    if not any(is_texts):
        return None if _has_value(columns[0]) and _has_value(columns[1]) else "text"
    other = kinds[is_texts.index(False)]
    text, others = columns if is_texts[0] else columns[::-1]
    suits = is_boolean if other == "boolean" else has_digit
    if _has_value(text, is_known) and _has_value(others) and not _has_value(text, suits):
        return None
    if other == "number":
        return "number_text"
    return "date_text" if other == "date" else "text"


def _has_value(series: Cells, suits: Callable[[object], bool] = lambda cell: True) -> bool:
    """Tell whether a column has a value that suits."""
    return any(map(suits, present_cells(series)))


def has_digit(cell: object) -> bool:
    """Tell whether text may hold a number or a date."""
    return any(map(str.isdigit, str(cell)))
