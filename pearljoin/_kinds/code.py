"""Comparison of codes: identifiers, article and model numbers."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pearljoin._kinds.cells import cell_texts
from pearljoin._kinds.protocol import (
    Comparer,
    Kind,
    Levels,
    Parsed,
    Texts,
    Values,
    Within,
    read_each,
    text_array,
)
from pearljoin._kinds.spelling import edits, is_affix, lengths, same
from pearljoin._text.normalise import cut_marks
from pearljoin._typing import IntVector

__all__ = ["CodeComparer", "ParsedCodes", "compact"]

SHORTEST = 4
"""Characters of a code that may be a slip of another: "A1" and "A2" just differ."""

SHORTEST_STEM = 3
"""Characters that two siblings share at least, and a code with its part."""

_SEPARATORS = re.compile(r"[\W_]+")
_LAST_LETTERS = re.compile(r"(.*\d)[^\W\d_]+")


def compact(text: str) -> str | None:
    """Write a code in capitals and without separators; None where nothing is left.

    Examples
    --------
    >>> compact("kdl-40 v2500")
    'KDL40V2500'
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKC", cut_marks(text))
    return _SEPARATORS.sub("", text).upper() or None


@dataclass(frozen=True, eq=False)
class ParsedCodes(Parsed):
    """Codes without separators.

    Attributes
    ----------
    stem
        str of shape (n_values,): each code without the letters after its last digit; "" for one
        that has none there, or too little before them.
    bare
        str of shape (n_values,): each code without leading zeros.
    """

    stem: Texts
    bare: Texts


class CodeComparer(Comparer[ParsedCodes]):
    """Compares identifiers and model numbers.

    Separators and case do not count. Two codes that differ in the letters after their last digit
    are siblings ("TZ5K", "TZ5S"): variants of one model rather than slips. One that begins or ends
    with the other is a part of it ("DE123456789" without its country; "00123" without its zeros).

    Splink has exact and Levenshtein levels for such columns.
    """

    kind: ClassVar[Kind] = "code"
    levels: ClassVar[tuple[str, ...]] = (
        "different",
        "sibling",
        "one character off",
        "part",
        "equal",
    )

    def read(self, values: Values) -> ParsedCodes:
        """Read codes; one without a letter or digit is unparsable.

        Examples
        --------
        >>> CodeComparer().read(["kdl-40v", "#1", "--"]).canonical
        array(['KDL40V', '1', None], dtype=object)
        """
        found, n_unparsable = read_each(cell_texts(values), compact)
        codes = [code or "" for code in found]
        stems = [_LAST_LETTERS.fullmatch(code) for code in codes]
        kept = [stem[1] if stem and len(stem[1]) >= SHORTEST_STEM else "" for stem in stems]
        bare = text_array(code.lstrip("0") for code in codes)
        return ParsedCodes(text_array(found), n_unparsable, text_array(kept), bare)

    def _compare_unequal(
        self, left: ParsedCodes, right: ParsedCodes, left_at: IntVector, right_at: IntVector
    ) -> tuple[Levels, Within]:
        codes = left.canonical[left_at], right.canonical[right_at]
        shorter, longer = lengths(*codes)
        changed = edits(*codes)
        is_sibling = same(left.stem[left_at], right.stem[right_at])
        is_part = is_affix(*codes, SHORTEST_STEM)
        is_part |= same(left.bare[left_at], right.bare[right_at])
        level = np.select(
            [is_part, is_sibling, (changed == 1) & (shorter >= SHORTEST)],
            [3, 1, 2],
            0,
        )
        return level.astype(np.int8), 1 - changed / longer
