"""Comparison of postal codes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from pearljoin._kinds.cells import cell_texts
from pearljoin._kinds.code import compact
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
from pearljoin._kinds.spelling import common_beginning, edits, is_affix, lengths, same
from pearljoin._typing import IntVector

__all__ = ["ParsedPostcodes", "PostcodeComparer", "is_lettered_postcode", "read_postcode"]

LONGEST = 10
"""Characters of a postal code, the longest of which are Iranian."""

SHORTEST_PART = 3
"""Characters of a postal code that may be a part of another."""

SHORTEST_SLIP = 4
"""Characters of a postal code that may be a slip of another."""

_COUNTRY = re.compile(r"^(?:[A-Za-z]{1,3}\s*-\s*(?=\d)|[A-Za-z]{1,2}\s+(?=\d{4}))")
"""As in "D-10115" and "DE 10115". Those of Malta begin with three letters: "VLT 1117"."""

_BRITISH = re.compile(r"([A-Z]{1,2})(\d[A-Z\d]?)(\d)[A-Z]{2}")
"""Area, rest of the district, sector and unit: https://en.wikipedia.org/wiki/Postcodes_in_the_United_Kingdom"""

_CANADIAN = re.compile(r"([A-Z])(\d[A-Z])(\d)[A-Z]\d")


def is_lettered_postcode(text: str) -> bool:
    """Tell whether a text is a postal code by its form alone: a British or Canadian one.

    Examples
    --------
    >>> [is_lettered_postcode(text) for text in ("sw1a 1aa", "K1A 0B1", "90210")]
    [True, True, False]
    """
    code = compact(text) or ""
    return len(text) <= len(code) + 1 and bool(
        _BRITISH.fullmatch(code) or _CANADIAN.fullmatch(code)
    )


@dataclass(frozen=True, eq=False)
class ParsedPostcodes(Parsed):
    """Postal codes without separators, and the regions that they name.

    Attributes
    ----------
    regions
        str of shape (n_values, 3), as objects: area, district and sector of each.
    bare
        str of shape (n_values,): each code without leading zeros.
    """

    regions: NDArray[np.object_]
    bare: Texts


class PostcodeComparer(Comparer[ParsedPostcodes]):
    """Compares postal codes by the regions that they share.

    Area, district and sector are those of British postcodes, as in Splink's PostcodeComparison. Of
    other codes they are beginnings: of five digits two, three (a sectional centre in the USA) and
    four. ZIP+4 codes have their first five digits as sector. A code that begins or ends with the
    other is a part of it: an outward code, a ZIP code beside ZIP+4, one without leading zeros.
    """

    kind: ClassVar[Kind] = "postcode"
    levels: ClassVar[tuple[str, ...]] = (
        "different",
        "same area",
        "same district",
        "same sector",
        "one character off",
        "part",
        "equal",
    )

    def read(self, values: Values) -> ParsedPostcodes:
        """Read postal codes; text without a digit, or too long for one, is unparsable.

        Examples
        --------
        >>> PostcodeComparer().read(["sw1a 1aa", "D-10115", "none"]).canonical
        array(['SW1A1AA', '10115', None], dtype=object)
        """
        found, n_unparsable = read_each(cell_texts(values), read_postcode)
        regions = np.full((len(found), 3), "", dtype=object)
        for at, code in enumerate(found):
            if code:
                regions[at] = _regions(code)
        bare = text_array((code or "").lstrip("0") for code in found)
        return ParsedPostcodes(text_array(found), n_unparsable, regions, bare)

    def _compare_unequal(
        self,
        left: ParsedPostcodes,
        right: ParsedPostcodes,
        left_at: IntVector,
        right_at: IntVector,
    ) -> tuple[Levels, Within]:
        codes = left.canonical[left_at], right.canonical[right_at]
        shared = (left.regions[left_at] == right.regions[right_at]).astype(bool)
        is_part = is_affix(*codes, SHORTEST_PART)
        is_part |= same(left.bare[left_at], right.bare[right_at])
        shorter, longer = lengths(*codes)
        slip = (edits(*codes) == 1) & (shorter >= SHORTEST_SLIP)
        level = np.select(
            # A last character that differs is a neighbour more often than a slip.
            [is_part, shared[:, 2], slip, shared[:, 1], shared[:, 0]],
            [5, 3, 4, 2, 1],
            0,
        )
        return level.astype(np.int8), common_beginning(*codes) / longer


def read_postcode(text: str) -> str | None:
    code = compact(_COUNTRY.sub("", text))
    if code is None or len(code) > LONGEST or not any(map(str.isdigit, code)):
        return None
    return code


def _regions(code: str) -> tuple[str, str, str]:
    """Area, district and sector of a postal code without separators."""
    lettered = _BRITISH.fullmatch(code) or _CANADIAN.fullmatch(code)
    if lettered:
        area, district, sector = lettered.groups()
        # The blank keeps the sector of "B1 1AA" apart from that of "B11 1AA".
        return area, f"{area}{district}", f"{area}{district} {sector}"
    length = len(code)
    if length == 9 and code.isdigit():
        return code[:2], code[:3], code[:5]
    return code[: -(-length // 3)], code[: max(1, length - 2)], code[: max(1, length - 1)]
