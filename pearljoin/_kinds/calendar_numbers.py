"""Whole numbers that are years or days of the calendar, such as 1999 and 19990131."""

from __future__ import annotations

import re

from pearljoin._kinds.cells import cell_texts
from pearljoin._kinds.protocol import Values
from pearljoin._kinds.read_date import Date, read_date
from pearljoin._kinds.years import CLEAR

__all__ = ["are_calendar_numbers", "day_of_number"]

WRITTEN = range(1000, 2200)
"""Years that a number is read as."""

_CALENDAR_NUMBER = re.compile(r"[0-9]{4}(?:[0-9]{4})?")


def are_calendar_numbers(values: Values) -> bool:
    """Tell whether nearly all values are years, or days written as year, month and day.

    Parameters
    ----------
    values
        Distinct numbers, or their texts; None and NaN are left out.

    Examples
    --------
    >>> are_calendar_numbers([1999, 2001.0]), are_calendar_numbers([19990131, 19990230])
    (True, False)
    """
    texts = [text for text in cell_texts(values) if text is not None]
    known = sum(_calendar_date(text) is not None for text in texts)
    return bool(texts) and known >= CLEAR * len(texts)


def day_of_number(text: str) -> str | None:
    """Write a day of eight digits as ISO 8601 has it; None for another text.

    Examples
    --------
    >>> day_of_number("19990131"), day_of_number("1999")
    ('1999-01-31', None)
    """
    date = _calendar_date(text)
    return f"{date.year:04}-{date.month:02}-{date.day:02}" if date and date.day else None


def _calendar_date(text: str) -> Date | None:
    """The year or day that a number is, if it is one."""
    date = read_date(text) if _CALENDAR_NUMBER.fullmatch(text) else None
    return date if date is not None and date.year in WRITTEN else None
