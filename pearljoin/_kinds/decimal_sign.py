"""Whether a column writes decimals behind a comma or behind a point."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from math import inf, log10
from statistics import median

from pearljoin._kinds.read_quantity import read_quantity
from pearljoin._kinds.units import Unit

__all__ = ["decimal_sign", "sign_by_size"]

_LAST = re.compile(r"(\d*)([.,])(\d+)\D*$")
"""The last of the signs in a number, and the digits before and behind it."""

_GROUP = re.compile(r"\D*?([1-9]\d{0,2})([.,])\d{3}(?:[^\d.,]\D*)?")
"""A number whose one sign stands before three digits, and so may separate thousands."""

_THREE_DIGITS = re.compile(r"\D*[1-9]\d\d\D*")
_FOUR_DIGITS = re.compile(r"\d{4}")

OTHER = {",": ".", ".": ","}

OFTEN = 10
"""How many times more of one sign than of the other there are, as of slips."""

SHARE = 20
"""Numbers of one sign and three digits behind it, which may be read in two ways, for each that
shows the sign of decimals, at most: of decimals without zeros at their end one in ten has fewer."""

NEAR = 0.7
"""Decades by which a column's median is off from the reference's, at most, where its sign is told
by that; with the other sign it is off by two decades or more."""

ALL = 0.9
"""Share of the numbers that may be read in two ways, at least, where size tells."""

SEVERAL = 3
"""Numbers that show a sign where one could be a slip that turns others."""


def decimal_sign(texts: Iterable[str], usual: str | None = None) -> str | None:
    """Tell which sign stands before decimals in a column.

    Of two signs it is the last, and one that stands there twice it is not. One alone is the sign as
    well with other than three digits behind it, and with a zero or more than three digits before
    it. Where whole numbers below a thousand have no sign, and all others have one before three
    digits, that one separates thousands.

    Parameters
    ----------
    texts
        Numbers as written; other text does not count.
    usual
        How the other side writes them, where that is known; to depart from it takes several
        numbers that show it.

    Returns
    -------
    sign
        A comma or a point; `usual` where none is seen, and where both are.

    Examples
    --------
    >>> decimal_sign(["1.299 €", "12,50 €"]), decimal_sign(["1,299"])
    (',', None)
    >>> decimal_sign(["850,787", "731,020", "12,50"])
    """
    counts = Counter[str]()
    unclear = Counter[str]()
    units: set[Unit] = set()
    n_hundreds, is_grouped = 0, True
    for text in texts:
        quantity = read_quantity(text)
        if quantity is None:
            continue
        units.add(quantity.unit)
        found = _LAST.search(text)
        if found is None:
            n_hundreds += _THREE_DIGITS.fullmatch(text) is not None
            is_grouped &= _FOUR_DIGITS.search(text) is None
            continue
        before, sign, behind = found.groups()
        earlier = text[: found.start()]
        if OTHER[sign] in earlier:
            counts[sign] += 1
        elif sign in earlier:
            counts[OTHER[sign]] += len(behind) == 3
        elif len(behind) != 3 or len(before) > 3 or before[:1] in ("", "0"):
            counts[sign] += 1
        else:
            unclear[sign] += 1
    most = max(OTHER, key=lambda sign: counts[sign])
    # Of few numbers, those that show the sign are as good as several.
    is_shown = usual != OTHER[most] and 2 * counts[most] > unclear[most]
    if (
        counts[most] > OFTEN * counts[OTHER[most]]
        and (is_shown or counts[most] >= SEVERAL)
        and SHARE * counts[most] >= unclear.total()
    ):
        return most
    if is_grouped and len(units) == 1 and len(unclear) == 1 and n_hundreds >= SEVERAL:
        [(group, n_groups)] = unclear.items()
        if n_groups >= SEVERAL and not counts[group]:
            return OTHER[group]
    return usual


def sign_by_size(texts: Iterable[str], size: float) -> str | None:
    """Tell which sign stands before decimals by how large numbers of the reference are.

    In *187.309 km* and *92.114 km* the point may stand before decimals or between thousands;
    beside 187,000 and 92,000 it does the latter.

    Parameters
    ----------
    texts
        Numbers as written; other text does not count.
    size
        Median of the reference's numbers, regardless of their signs.

    Returns
    -------
    sign
        A comma or a point; None where most numbers may be read in one way only, or where neither
        reading is near the reference.

    Examples
    --------
    >>> mileage = ["187.309 km", "92.114 km", "45.020 km"]
    >>> sign_by_size(mileage, 90_000.0), sign_by_size(mileage, 90.0), sign_by_size(mileage, 5.0)
    (',', '.', None)
    """
    read = [text for text in texts if read_quantity(text) is not None]
    unclear = [(found[2], text) for text in read if (found := _GROUP.fullmatch(text))]
    signs = {sign for sign, _ in unclear}
    if len(unclear) < max(SEVERAL, ALL * len(read)) or len(signs) != 1 or size <= 0:
        return None
    off = {}
    for decimal in OTHER:
        quantities = [read_quantity(text, decimal=decimal) for _, text in unclear]
        numbers = [abs(quantity.number) for quantity in quantities if quantity is not None]
        middle = median(numbers) if numbers else 0.0
        off[decimal] = abs(log10(middle / size)) if middle > 0 else inf
    nearest = min(off, key=lambda sign: off[sign])
    return nearest if off[nearest] <= NEAR and off[OTHER[nearest]] >= 2 else None
