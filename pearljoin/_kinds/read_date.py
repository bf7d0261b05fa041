"""Dates and times as they are written: numbers in any order, ISO 8601, and words."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable
from contextlib import suppress
from typing import NamedTuple

from pearljoin._kinds.month_names import read_named_month
from pearljoin._kinds.periods import read_period

__all__ = [
    "FIRST_YEAR",
    "LAST_YEAR",
    "NO_TIME",
    "OF_DECADE",
    "Date",
    "day_stands_first",
    "read_date",
]

NO_TIME = -1
"""Seconds of a date without a time of day."""

OF_DECADE = -1
"""Month of a decade, whose year is its first."""

FIRST_YEAR, LAST_YEAR = 1000, 2999
"""Years that four digits alone may be."""

_TIME = r"(?:[T ,]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s*([AaPp])?\.?[Mm]?\.?)?"
_YEAR_FIRST = re.compile(rf"(\d{{4}})[-/.](\d{{1,2}})(?:[-/.](\d{{1,2}}))?{_TIME}")
_YEAR_LAST = re.compile(
    rf"(\d{{1,2}})\s?([-/. ])\s?(\d{{1,2}})\s?\2\s?(\d{{4}}|['’]?\d{{2}}){_TIME}"
)
_MONTH_YEAR = re.compile(r"(\d{1,2})[-/.](\d{4})")
_SHORT_YEAR = re.compile(r"['’](\d{2})")
_DIGITS = re.compile(r"(\d{4})(?:(\d{2})(\d{2}))?")
_WORDS = re.compile(r"(?=.*\d)(?=.*[^\W\d_]{3}).{6,60}", re.DOTALL)
_FOUR_DIGITS = re.compile(r"(?<!\d)\d{4}(?!\d)")

# Two dates that differ in every part: a part that follows them does not stand in the text.
_DEFAULTS = (dt.datetime(2001, 1, 1), dt.datetime(2002, 2, 2))


class Date(NamedTuple):
    """A date, as far as it is known.

    Attributes
    ----------
    year
        The year, or its last two digits where `short`.
    month, day
        0 where unknown; `OF_DECADE` for the month of a decade.
    seconds
        Of the time of day; `NO_TIME` without one, and at midnight.
    short
        Whether the year was written with two digits.
    """

    year: int
    month: int = 0
    day: int = 0
    seconds: int = NO_TIME
    short: bool = False


def read_date(text: str, *, day_first: bool | None = None) -> Date | None:
    """Read a date.

    Parameters
    ----------
    text
        ISO 8601, digits with separators, or words as python-dateutil reads them ("3 March 1985"),
        and with months of other languages ("3 mars 1985"). A date in ISO 8601 with a time zone is
        that of UTC. A quarter is its first month, and a week its Monday (`periods.read_period`).
    day_first
        Whether the day stands before the month in "03/04/1985". Where that is None, it does if
        points separate them. Of "13/04/1985" there is no doubt.

    Returns
    -------
    date
        The date; None for other text, for a day that does not exist, and without a year.

    Examples
    --------
    >>> read_date("03/04/1985")
    Date(year=1985, month=3, day=4, seconds=-1, short=False)
    >>> read_date("3.4.85")
    Date(year=85, month=4, day=3, seconds=-1, short=True)
    >>> read_date("'85")
    Date(year=85, month=0, day=0, seconds=-1, short=True)
    >>> read_date("March 1985"), read_date("1985-02-30")
    (Date(year=1985, month=3, day=0, seconds=-1, short=False), None)
    """
    found = _YEAR_FIRST.fullmatch(text)
    if found:
        year, month, day = (int(part or 0) for part in found.groups()[:3])
        return _checked(year, month, day, found.groups()[3:])
    found = _YEAR_LAST.fullmatch(text)
    if found:
        return _year_last(found, day_first)
    found = _DIGITS.fullmatch(text)
    if found:
        year, month, day = (int(part or 0) for part in found.groups())
        return _checked(year, month, day) if FIRST_YEAR <= year <= LAST_YEAR else None
    found = _SHORT_YEAR.fullmatch(text)
    if found:
        return Date(int(found[1]), short=True)
    found = _MONTH_YEAR.fullmatch(text)
    if found:
        return _checked(int(found[2]), int(found[1]), 0)
    period = read_period(text)
    if period is not None:
        return _checked(*period[0], short=period[1])
    named = read_named_month(text)
    if named is not None:
        return _checked(*named)
    return _read_iso(text) or (_read_words(text) if _WORDS.fullmatch(text) else None)


def day_stands_first(texts: Iterable[str]) -> bool | None:
    """Tell whether the day stands before the month in dates such as "03/04/1985".

    Parameters
    ----------
    texts
        Dates as written.

    Returns
    -------
    day_first
        What the days above 12 say; None where there is none, and where they contradict each other.

    Examples
    --------
    >>> day_stands_first(["03/04/1985", "13/04/1985"])
    True
    """
    found = [match for text in texts if (match := _YEAR_LAST.fullmatch(text.strip()))]
    firsts = sum(int(match[1]) > 12 for match in found)
    seconds = sum(int(match[3]) > 12 for match in found)
    # One slip among many does not turn the order of a column.
    if max(firsts, seconds) < 10 * min(firsts, seconds) or firsts == seconds:
        return None
    return firsts > seconds


def _year_last(found: re.Match[str], day_first: bool | None) -> Date | None:
    first, second = int(found[1]), int(found[3])
    year = found[4].lstrip("'’")
    if day_first is None:
        day_first = found[2] == "."
    if (second > 12) != (first > 12):
        day_first = first > 12
    month, day = (second, first) if day_first else (first, second)
    return _checked(int(year), month, day, found.groups()[4:], short=len(year) == 2)


def _checked(
    year: int, month: int, day: int, time: tuple[str | None, ...] = (), *, short: bool = False
) -> Date | None:
    """Make a date, if there is such a day; "00" stands for an unknown month or day."""
    if not year and not short:
        return None
    if not month:
        return Date(year, short=short) if not day else None
    # 29 February is a day of some year of two digits.
    full = 2000 if short and (month, day) == (2, 29) and year % 4 == 0 else 1900 + year
    try:
        dt.date(full if short else year, month, day or 1)
    except ValueError:
        return None
    if not day:
        return Date(year, month, short=short)
    hour, minute, second = (int(part or 0) for part in time[:3]) if time else (0, 0, 0)
    half = (time[3] or "").lower() if time else ""
    if half:
        hour = hour % 12 + 12 * (half == "p")
    if hour > 23 or minute > 59 or second > 59:
        return None
    return Date(year, month, day, (hour * 60 + minute) * 60 + second or NO_TIME, short)


def _read_iso(text: str) -> Date | None:
    """Read ISO 8601 with a time zone, and its rarer forms."""
    try:
        return _of_datetime(dt.datetime.fromisoformat(text))
    except ValueError:
        return None


def _read_words(text: str) -> Date | None:
    from dateutil import parser

    try:
        one, other = (parser.parse(text, default=day, ignoretz=True) for day in _DEFAULTS)
    except (ValueError, OverflowError, TypeError):
        return None
    if one.year != other.year:
        return None
    short = not _FOUR_DIGITS.search(text)
    year = one.year % 100 if short else one.year
    if one.month != other.month:
        return Date(year, short=short)
    if one.day != other.day:
        return Date(year, one.month, short=short)
    return _of_datetime(one)._replace(year=year, short=short)


def _of_datetime(moment: dt.datetime) -> Date:
    if moment.tzinfo is not None:
        with suppress(OverflowError):  # the last day of year 9999, which often stands for "never"
            moment = moment.astimezone(dt.UTC)
    seconds = (moment.hour * 60 + moment.minute) * 60 + moment.second
    return Date(moment.year, moment.month, moment.day, seconds or NO_TIME)
