"""Codes of a left table beside whole numbers of a reference, which then are no amounts."""

from __future__ import annotations

import re
from collections.abc import Hashable

from pearljoin._kinds.cells import cell_texts
from pearljoin._kinds.column_names import hints
from pearljoin._kinds.read_quantity import read_quantity
from pearljoin._kinds.recognise import recognise
from pearljoin._kinds.recognise_form import are_mostly
from pearljoin._kinds.years import CLEAR
from pearljoin._tables.cells import WHOLE_NUMBER
from pearljoin._tables.columns import Cells, present_cells

__all__ = ["are_codes_beside_numbers"]

_NUMBERED = re.compile(r"\d+|[^\W\d_]*[\W_]{1,3}\d{3,}|[^\W\d_]+\d{3,}")
"""A number, with zeros or a label before it; codes of fewer digits are not met by their number."""

_LONG = re.compile(r"[^\W\d_]+[\W_]{0,3}\d{6,}")
"""A number of so many digits that a label before it is none of an amount: not *ELO 1500*."""


def are_codes_beside_numbers(left: Cells, right: Cells, names: tuple[Hashable, Hashable]) -> bool:
    """Tell whether a left column holds codes such as "IMO 9811000", and a right one 9811000.

    By themselves, the whole numbers are amounts. Texts that are no more than these stay amounts.

    Parameters
    ----------
    left, right
        The columns, the left one of text.
    names
        Their names, either of which may say that they are numbers.
    """
    if any("number" in hints(name) for name in names):
        return False
    texts = _texts(left)
    if all(map(WHOLE_NUMBER.fullmatch, texts)):
        return False
    return _are_codes(texts, names[0]) and all(map(WHOLE_NUMBER.fullmatch, _texts(right)))


def _are_codes(texts: list[str], name: Hashable) -> bool:
    """Tell whether most texts are numbers with something before them that makes codes of them."""
    kind = recognise(texts, name)
    if kind == "code":
        return are_mostly(texts, _NUMBERED.fullmatch, CLEAR)
    return kind == "name" and are_mostly(
        texts, lambda text: _LONG.fullmatch(text) and read_quantity(text) is None, CLEAR
    )


def _texts(cells: Cells) -> list[str]:
    """Distinct values as written."""
    written = cell_texts(list(present_cells(cells)))
    return sorted({text for text in written if text is not None})
