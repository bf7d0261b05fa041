"""Months with years of two digits, quarters and weeks: "Jul-14", "Q3/16", "KW 12/2020"."""

from __future__ import annotations

import datetime as dt
import re

from pearljoin._kinds.month_names import month_of_name

__all__ = ["read_period"]

_MONTH = re.compile(r"([^\W\d_]{3,10})\.?(?:\s?[-/–]\s?['’]?|\s?['’])(\d{2})")
_QUARTER = re.compile(
    r"(?:q\s?([1-4])\s?(?:[-/ ]\s?['’]?|['’])|([1-4])\s?q\s?[-/]?['’]?)(\d{4}|\d{2})", re.IGNORECASE
)
_YEAR_AND_QUARTER = re.compile(r"(\d{4})\s?[-/.]?\s?q\s?([1-4])", re.IGNORECASE)
_WEEK = re.compile(r"(?:kw|cw|wk|week|w)\.?\s?(\d{1,2})\s?[-/ ]\s?(\d{4})", re.IGNORECASE)
_YEAR_AND_WEEK = re.compile(
    r"(\d{4})(?:\s?[-/ ]\s?(?:kw|cw|wk|week|w)\.?\s?(\d{1,2})|w(\d{2}))", re.IGNORECASE
)


def read_period(text: str) -> tuple[tuple[int, int, int], bool] | None:
    """Read year, month and day on which a month, a quarter or a week begins; None for other text.

    "Jul-14" is a month: a day without its year is no date.

    Returns
    -------
    date, is_short
        Year, month, and day, which is 0 but of a week; and whether the year has two digits only.

    Examples
    --------
    >>> read_period("Jul-14"), read_period("Q3 2016")
    (((14, 7, 0), True), ((2016, 7, 0), False))
    >>> read_period("KW 12/2020"), read_period("12/2020")
    (((2020, 3, 16), False), None)
    """
    found = _MONTH.fullmatch(text)
    if found is not None:
        month = month_of_name(found[1])
        return None if month is None else ((int(found[2]), month, 0), True)
    found = _QUARTER.fullmatch(text)
    if found is not None:
        month = 3 * int(found[1] or found[2]) - 2
        return (int(found[3]), month, 0), len(found[3]) == 2
    found = _YEAR_AND_QUARTER.fullmatch(text)
    if found is not None:
        return (int(found[1]), 3 * int(found[2]) - 2, 0), False
    found = _WEEK.fullmatch(text)
    week, year = found.groups() if found is not None else ("", "")
    if found is None:
        found = _YEAR_AND_WEEK.fullmatch(text)
        year, week = (found[1], found[2] or found[3]) if found is not None else ("", "")
    if found is None:
        return None
    try:
        monday = dt.date.fromisocalendar(int(year), int(week), 1)
    except ValueError:
        return None
    return (monday.year, monday.month, monday.day), False
