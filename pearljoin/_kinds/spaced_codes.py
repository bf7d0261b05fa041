"""Codes that are written in blocks, with blanks between: containers, plates, tax numbers, wagons.

*MSKU 746689-6*, *AB12 CDE* and *GB 123 4567 89* are capitals and digits, as are names with numbers
in capitals (*ROOM 12 B*, *ISO 9001*, *12 ELM ST*). What tells a column of codes is that its values
share few shapes, hold many digits or letters at random, and hardly repeat.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence

from pearljoin._kinds.column_words import meanings, name_words
from pearljoin._kinds.read_quantity import read_quantity
from pearljoin._kinds.years import CLEAR, YEARS

__all__ = ["are_spaced_codes"]

FEWEST, FEWEST_NAMED = 10, 3
"""Values whose shapes tell, at least; and where the column's name says that they are codes."""

MOST_SHAPES, MOST_NAMED = 3, 6
"""Shapes that nearly all codes of a column have; where it is named so, without the lengths."""

CELLS_A_CODE = 2
"""Cells for each distinct code, at most, where the name does not say that they are codes."""

SHORTEST = 5
"""Letters and digits of a code, at least."""

FEWEST_DIGITS = 4
"""Digits of a code, at least, where its letters may be a word; *XKD 907* is one among many."""

LONG_NUMBER, LONG_BARE = 6, 9
"""Digits behind letters that are the same in all codes, and of codes without letters, at least."""

_BLOCKS = re.compile(r"[A-Z\d]+(?:(?:[ /-]|\s-\s)[A-Z\d]+)*", re.ASCII)
_WORD = re.compile(r"[A-Z]{5}")
_SCORE = re.compile(r"[A-Z]+\s\d{1,3}\s?-\s?\d{1,3}\s[A-Z]+")
_SIZE = re.compile(r"\d\s?X\s?\w?\d")
_NUMBER_FIRST = re.compile(r"\d+(?:[ -][A-Z]+)+")
"""A number and words, as of a house, of a postal code or of a thing that is counted."""

_TWO_WORDS = re.compile(r"\b[A-Z]{3,4}\b.*\b[A-Z]{3,4}\b")
_MODEL = re.compile(r"\b(?=\d*[A-Z])(?:[A-Z]*\d){3}")
"""A block that is a code by itself, beside a maker: *LG 55UK6300*."""

_DIGITS = re.compile(r"\d+")
_LETTERS = re.compile(r"[A-Z]+")


def are_spaced_codes(texts: Sequence[str], name: object = "", *, n_cells: int = 0) -> bool:
    """Tell whether texts are codes, most of which are written in blocks.

    Parameters
    ----------
    texts
        Distinct values of a column.
    name
        The column's name, which lets in codes of more shapes and of fewer digits.
    n_cells
        How many cells they stand in; 0 for unknown.

    Examples
    --------
    >>> containers = [f"{owner} {n}-4" for n in range(100123, 100128) for owner in ("MSKU", "TCLU")]
    >>> are_spaced_codes(containers), are_spaced_codes(containers[:3], "container_no")
    (True, True)
    >>> are_spaced_codes([f"ROOM {n} B" for n in range(1, 30)])
    False
    """
    is_named = "blocks" in meanings(name_words(name))
    if len(texts) < (FEWEST_NAMED if is_named else FEWEST):
        return False
    codes = [text for text in texts if _may_be_code(text)]
    if len(codes) < CLEAR * len(texts) or 2 * sum(" " in code for code in codes) < len(codes):
        return False
    if _are_of_years(codes):
        return False
    if is_named:
        return _share_of_shapes(codes, _rough_shape, MOST_NAMED) >= CLEAR
    if n_cells > CELLS_A_CODE * len(texts):
        return False
    if any(map(_is_of_words, codes)):
        return False
    return _have_code_letters(codes) and _share_of_shapes(codes, _shape, MOST_SHAPES) >= CLEAR


def _may_be_code(text: str) -> bool:
    """Tell whether a text may be a code in blocks, and is no result, size or quantity."""
    if _BLOCKS.fullmatch(text) is None or _WORD.search(text) or not _DIGITS.search(text):
        return False
    n_digits = sum(map(str.isdigit, text))
    n_signs = n_digits + sum(map(str.isalpha, text))
    if n_signs < (LONG_BARE if n_digits == n_signs else SHORTEST):
        return False
    return not (_SCORE.fullmatch(text) or _SIZE.search(text) or read_quantity(text))


def _is_of_words(code: str) -> bool:
    """Tell whether a code may be words beside a number, or a maker beside a model."""
    return bool(
        _NUMBER_FIRST.fullmatch(code)
        or _TWO_WORDS.search(code)
        or (" " in code and _MODEL.search(code))
    )


def _are_of_years(codes: Sequence[str]) -> bool:
    """Tell whether the only numbers of most codes are years, as of events: *EXPO 2015*."""
    numbers = [_DIGITS.findall(code) for code in codes]
    n_years = sum(all(int(number) in YEARS for number in each) for each in numbers)
    return 2 * n_years > len(codes)


def _have_code_letters(codes: Sequence[str]) -> bool:
    """Tell whether the letters beside the numbers are those of codes, and no words or units."""
    letters = Counter(tuple(_LETTERS.findall(code)) for code in codes)
    n_digits = sorted(sum(map(str.isdigit, code)) for code in codes)
    # All but slips have as many.
    few = n_digits[int((1 - CLEAR) * len(codes))]
    if len(letters) == 1:
        return few >= LONG_NUMBER and not codes[0][-1].isalpha()
    if few >= FEWEST_DIGITS:
        return True
    return 2 * len(letters) >= len(codes) and _share_of_shapes(codes, _shape, 1) >= CLEAR


def _share_of_shapes(codes: Sequence[str], shape: Callable[[str], str], n_shapes: int) -> float:
    """Share of the codes that have one of the most frequent shapes."""
    shapes = Counter(map(shape, codes))
    return sum(many for _, many in shapes.most_common(n_shapes)) / len(codes)


def _shape(code: str) -> str:
    """A code with A for each letter and 9 for each digit: "AA99 AAA"."""
    return re.sub(r"\d", "9", re.sub(r"[A-Z]", "A", code))


def _rough_shape(code: str) -> str:
    """The same with one sign for each run of letters or digits: "A9 A"."""
    return re.sub(r"(A|9)\1+", r"\1", _shape(code))
