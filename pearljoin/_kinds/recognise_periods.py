"""Tell months, quarters, weeks and seasons from codes that look like them: "MAR-10", "15/16"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pearljoin._kinds.marked_date import EARLIEST, LATEST
from pearljoin._kinds.periods import read_period
from pearljoin._kinds.protocol import Kind
from pearljoin._kinds.time_names import names_thing, says_period
from pearljoin._kinds.years import USUAL

__all__ = ["are_seasons", "may_be_periods"]

FEWEST_MONTHS, FEWEST_QUARTERS, FEWEST_WEEKS = 4, 3, 4
"""Distinct months, quarters of a year and weeks, at least, of a column whose name says nothing of
them: codes have few beginnings."""

_WEEK = re.compile(r"(?:k|c)?w.*|week.*|\d{4}\s?[-/ ]\s?(?:k|c)?w.*", re.IGNORECASE)
_BARE_WEEK = re.compile(r"w(?![ek]).*|\d{4}w.*", re.IGNORECASE)
"""A week that may be a width, or watts: "W9-2009", "2103W12"."""

_QUARTER = re.compile(r".*(?:q\s?[1-4]|[1-4]\s?q).*", re.IGNORECASE)
_NOT_BEGUN = range(28, USUAL.stop % 100)
"""Short years that lie ahead, as they are usually meant."""

_SHORT_SEASON = re.compile(r"[(\[]?(\d{2})\s?[-/–]\s?(\d{2})[)\]]?")


def may_be_periods(texts: Sequence[str], hinted: set[Kind], name: object) -> bool:
    """Tell whether what reads as a month with a short year, a quarter or a week may be one.

    "MAR-10" is a code where the column's name says so. Where this says nothing, several different
    ones must occur.

    Parameters
    ----------
    texts
        Distinct values.
    hinted, name
        Kinds at which the column's name hints, and the name.

    Examples
    --------
    >>> may_be_periods(["Mar-10", "Mar-11"], set(), "month")
    True
    >>> may_be_periods(["MAR-10", "MAR-11"], {"code"}, "sku")
    False
    """
    if names_thing(name):
        return False
    if says_period(name):
        return True
    return "number" not in hinted and _are_several(texts)


def are_seasons(texts: Sequence[str], *, is_named: bool) -> bool:
    """Tell whether texts such as "18/19" are seasons, or there are none; sizes are no years.

    Parameters
    ----------
    texts
        Distinct values.
    is_named
        Whether the column's name says that it holds years or seasons.

    Examples
    --------
    >>> are_seasons(["18/19", "99/00"], is_named=True), are_seasons(["15/16"], is_named=False)
    (True, False)
    >>> are_seasons(["15/16", "13/16"], is_named=True), are_seasons(["1999-00"], is_named=False)
    (False, True)
    """
    found = [match for text in texts if (match := _SHORT_SEASON.fullmatch(text.strip()))]
    follow = all(int(match[2]) == (int(match[1]) + 1) % 100 for match in found)
    # Sizes follow on each other as well: seasons of which none has begun are none.
    begun = any(int(match[1]) not in _NOT_BEGUN for match in found)
    return not found or (is_named and follow and begun)


def _are_several(texts: Sequence[str]) -> bool:
    """Tell whether enough different periods occur, and years in which things are dated."""
    months: set[int] = set()
    quarters: set[int] = set()
    weeks: set[tuple[int, int, int]] = set()
    for text in texts:
        found = read_period(text)
        if found is None:
            continue
        date, is_short = found
        if not is_short and not EARLIEST <= date[0] <= LATEST:
            return False
        if _WEEK.fullmatch(text):
            if _BARE_WEEK.fullmatch(text):
                return False
            weeks.add(date)
        elif _QUARTER.fullmatch(text):
            quarters.add(date[1])
        else:
            months.add(date[1])
    return all(
        not some or len(some) >= fewest
        for some, fewest in (
            (months, FEWEST_MONTHS),
            (quarters, FEWEST_QUARTERS),
            (weeks, FEWEST_WEEKS),
        )
    )
