"""Sizes in a text, written in one way: *3,5 × 25* is *3.5x25*, and *M6 X 20* is *M6x20*.

They are joined, not taken apart: codes such as *AX100X20* and words such as *4x4* stay as they are,
and a size is one word, which two texts share or do not.
"""

from __future__ import annotations

import re

from pearljoin._text.amounts import with_point

__all__ = ["level_sizes", "with_points_in_sizes"]

_SIGN = "[xX\u00d7\u2715\u0445\u0425*]"
"""What stands for *times*: the letter, signs, and the letter of Cyrillic that looks like it."""

_NUMBERS = re.compile(rf"\d(?<![\d.,]\d)\d*+(?:[.,]\d++)*+(?: ?{_SIGN} ?\d++(?:[.,]\d++)*+)+")
_COMMA = re.compile(r"(?<![\d.,])(?:\d{1,3}(?:,\d{3})+|\d{1,4},\d{1,3})(?![\d.,])")

_FACTOR = r"\d{1,6}(?:\.\d{1,3})?"
_UNIT = "mm2?|cm2?|dm|m|km|in|inch|inches|ft"
_SIZE = re.compile(
    rf"\d(?<![\d.]\d)\d{{0,5}}(?:\.\d{{1,3}})?(?: ?(?:{_UNIT}))?"
    rf"(?:(?: {_SIGN} |{_SIGN}){_FACTOR}(?: ?(?:{_UNIT})(?![^\W_]))?)+(?!\.?\d)"
)
"""Numbers with a sign between, and blanks on both of its sides or none: not *Windows 10 x64*.

What stands before them is asked for after the first digit: that is found twice as fast."""

_PART = re.compile(rf"({_FACTOR})(?: ?({_UNIT}))?")
_NOUGHTS = re.compile(r"\.00?$|(?<=\.[1-9])0$")
"""What a decimal does without. *1.000* may be a thousand, and stays."""


def with_points_in_sizes(text: str) -> str:
    """Write the numbers of sizes with a decimal point, and without the commas of thousands.

    Parameters
    ----------
    text
        A text with its punctuation.

    Examples
    --------
    >>> with_points_in_sizes("screw 3,5x25"), with_points_in_sizes("board 1,200 x 600")
    ('screw 3.5x25', 'board 1200 x 600')
    """
    if "," not in text:
        return text
    return _NUMBERS.sub(lambda size: _COMMA.sub(with_point, size[0]), text)


def level_sizes(text: str) -> str:
    """Write each size as one word, and its unit once, behind it.

    Parameters
    ----------
    text
        A text, the decimals of whose sizes have points.

    Examples
    --------
    >>> level_sizes("screw m4.0 x 40"), level_sizes("rug 80cm x 200cm")
    ('screw m4x40', 'rug 80x200 cm')
    """
    return _SIZE.sub(_level, text)


def _level(found: re.Match[str]) -> str:
    parts = _PART.findall(found[0])
    unit = parts[-1][1]
    if any(other not in ("", unit) for _, other in parts):
        return found[0]
    factors = "x".join(_NOUGHTS.sub("", number) for number, _ in parts)
    return f"{factors} {unit}" if unit else factors
