"""Whether a column writes decimals behind a comma or behind a point."""

from __future__ import annotations

import re
from collections.abc import Iterable

__all__ = ["decimal_sign"]

_LAST = re.compile(r"([.,])(\d+)\D*$")
"""The last of the signs in a number, and the digits behind it."""

OFTEN = 10
"""How many times more of one sign than of the other there are, as of slips."""


def decimal_sign(texts: Iterable[str]) -> str | None:
    """Tell which sign stands before decimals in a column.

    Of two signs it is the last, and one that stands there twice it is not. One alone with other
    than three digits behind it is the sign as well.

    Parameters
    ----------
    texts
        Numbers as written.

    Returns
    -------
    sign
        A comma or a point; None where none is seen, and where both are.

    Examples
    --------
    >>> decimal_sign(["1.299 €", "12,50 €"]), decimal_sign(["1,299"])
    (',', None)
    """
    counts = {",": 0, ".": 0}
    other = {",": ".", ".": ","}
    for text in texts:
        found = _LAST.search(text)
        if found is None:
            continue
        sign, digits = found.groups()
        before = text[: found.start()]
        if other[sign] in before:
            counts[sign] += 1
        elif sign in before:
            counts[other[sign]] += 1
        elif len(digits) != 3:
            counts[sign] += 1
    most = max(counts, key=lambda sign: counts[sign])
    return most if counts[most] > OFTEN * counts[other[most]] else None
