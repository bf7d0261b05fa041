"""Whether a capital M behind a number stands for millions or for metres in a column."""

from __future__ import annotations

import re
from collections.abc import Iterable

__all__ = ["means_millions"]

_LENGTH = re.compile(r".*\d\s?(?:mm|cm|m|km|ft|in)")
_MULTIPLE = re.compile(
    r".*\d\s?(?:[KkB]|(?i:bn|mio|millions?|billions?|thousand))\.?"
    r"|[1-9]\d{0,2}(?:[ .,']?\d{3})+"
)


def means_millions(texts: Iterable[str], usual: bool = False) -> bool:
    """Tell whether "1.2M" is 1,200,000 in a column, by what else it holds.

    Other multiples ("850K", "3 bn") and bare numbers above a thousand say that it is, and lengths
    with other units that it is not.

    Parameters
    ----------
    texts
        Numbers as written.
    usual
        What it is where nothing tells.

    Examples
    --------
    >>> means_millions(["1.2M", "850K"]), means_millions(["5M", "50 cm"]), means_millions(["5M"])
    (True, False, False)
    """
    is_told = usual
    for text in texts:
        if _LENGTH.fullmatch(text):
            return False
        is_told |= _MULTIPLE.fullmatch(text) is not None
    return is_told
