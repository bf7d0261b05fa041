"""Codes of a left table beside whole numbers of a reference, which then are no amounts."""

from __future__ import annotations

import re
from collections.abc import Hashable

from pearljoin._kinds.cells import cell_texts
from pearljoin._kinds.code_labels import cut_label
from pearljoin._kinds.column_names import hints, says_amount
from pearljoin._kinds.read_quantity import read_quantity
from pearljoin._kinds.recognise import recognise
from pearljoin._kinds.recognise_form import SOME, are_mostly
from pearljoin._kinds.years import CLEAR
from pearljoin._tables.cells import WHOLE_NUMBER
from pearljoin._tables.columns import Cells, present_cells

__all__ = ["are_codes_beside_numbers"]

_NUMBERED = re.compile(r"\d+|[^\W\d_]*[\W_]{1,3}\d{3,}|[^\W\d_]+\d{3,}")
"""A number, with zeros or a label before it; codes of fewer digits are not met by their number."""

_LONG = re.compile(r"[^\W\d_]+[\W_]{0,3}\d{6,}")
"""A number of so many digits that a label before it is none of an amount: not *ELO 1500*."""

_AFTER_A_WORD = re.compile(r"[^\W\d_]+\W{0,2}[\s.:=~]\W{0,2}\d+")
"""A number that may be an amount as well: *R 123456*, *pop. 123456*, not *AS64500*, *ID-100*."""

_ROUND = re.compile(r"\d+00")

WIDEST = 2
"""How many times the lowest identifier the highest is, without a tenth of them at either end: those
that an office gives run from one number, and amounts of six digits are spread over them."""


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
    if any(map(says_amount, names)):
        return False
    texts = _texts(left)
    if all(map(WHOLE_NUMBER.fullmatch, texts)) or not _are_codes(texts, names[0]):
        return False
    numbers = _texts(right)
    if not all(map(WHOLE_NUMBER.fullmatch, numbers)):
        return False
    say_code = any("code" in hints(name) for name in names)
    return say_code or not are_mostly(texts, _may_be_amount, CLEAR) or _are_identifiers(numbers)


def _are_codes(texts: list[str], name: Hashable) -> bool:
    """Tell whether most texts are numbers with something before them that makes codes of them."""
    kind = recognise(texts, name)
    if kind == "code":
        return are_mostly(texts, _NUMBERED.fullmatch, CLEAR)
    return kind == "name" and are_mostly(
        texts, lambda text: _LONG.fullmatch(text) and read_quantity(text) is None, CLEAR
    )


def _may_be_amount(text: str) -> bool:
    """Tell whether a word before a number is none that stands before codes alone."""
    return _AFTER_A_WORD.fullmatch(text) is not None and cut_label(text) == text


def _are_identifiers(numbers: list[str]) -> bool:
    """Tell whether numbers are of one size, and few are round: amounts differ in both.

    Only the reference is asked: how rows are read must not depend on those beside them.
    """
    ordered = sorted(map(int, numbers))
    tenth = len(ordered) // 10
    is_of_one_size = bool(ordered) and 0 < ordered[-tenth - 1] <= WIDEST * ordered[tenth]
    n_round = sum(_ROUND.fullmatch(number) is not None for number in numbers)
    return is_of_one_size and n_round < SOME * len(numbers)


def _texts(cells: Cells) -> list[str]:
    """Distinct values as written."""
    written = cell_texts(list(present_cells(cells)))
    return sorted({text for text in written if text is not None})
