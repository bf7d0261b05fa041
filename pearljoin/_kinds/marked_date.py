"""Dates and years with marks around them, as bibliographies write them: "(1991)", "c1991"."""

from __future__ import annotations

import re

from pearljoin._kinds.read_date import OF_DECADE, Date, read_date

__all__ = [
    "EARLIEST",
    "LATEST",
    "is_marked_year",
    "read_date_or_year",
    "read_marked_date",
    "read_year_among_words",
]

EARLIEST, LATEST = 1400, 2099
"""Years that are read with marks: of printed books, and none far off."""

LONGEST_SPAN = 20
"""Years of "1994-95" at most: of two that are farther apart, neither is the date of a thing."""

MARKS = "()[]<>.,;:? "

_ABOUT = r"(?:(?:ca?|circa|p|um|vers|about|copyright|published)[\s.]*|[©℗~]\s*|\(c\)\s*)"
_YEAR = re.compile(rf"{_ABOUT}?(\d{{4}})(?:[a-z]|\s?[-/–—]\s?(\d{{4}}|\d{{2}})?)?", re.IGNORECASE)
_DECADE = re.compile(r"(?:the\s)?(\d{3}0)['’]?s", re.IGNORECASE)
_SEASON = re.compile(r"(\d{2})\s?[-/–]\s?(\d{2})")
_MONTHS = re.compile(r"([^\W\d_]{3,9})\.?\s?[-/–—&]\s?[^\W\d_]{3,9}\.?,?\s+(\d{4})")
_TELLING = re.compile(
    r"[(\[].*[)\]][.,;:]*|(?:[©℗]|\(c\)|c\.|ca\.|ca\s|circa).*|[^\W\d_]{3,9}\b.*\d{4}.{0,2}"
    r"|\d{3}0['’]?s",
    re.IGNORECASE,
)

_AMONG_WORDS = re.compile(
    r"\D*(?<![^\W_])(\d{4})(?![^\W_])(?!\s*(?:b\.?\s?c|v\.?\s?chr|av\.?\s?j))\D*", re.IGNORECASE
)
"""A year, and none before Christ."""


def read_marked_date(text: str, *, day_first: bool | None = None) -> Date | None:
    """Read a date that may have marks around it.

    These are brackets, points and commas, a sign of copyright, "ca.", the letter that tells works
    of one year apart, and the end of a span of years or of months, of which the first counts; also
    of "18/19", a season. "1730s" is a decade.

    Parameters
    ----------
    text, day_first
        As for `read_date`.

    Returns
    -------
    date
        The date; None for other text.

    Examples
    --------
    >>> [read_marked_date(text).year for text in ("(1991).", "c1991", "1991a", "1991-92")]
    [1991, 1991, 1991, 1991]
    >>> read_marked_date("(June 1991)")[:2], read_marked_date("June/July 1991")[:2]
    ((1991, 6), (1991, 6))
    >>> read_marked_date("18/19")[:2], read_marked_date("1730s").month == OF_DECADE
    ((18, 0), True)
    >>> read_marked_date("1234a")
    """
    found = read_date(text, day_first=day_first)
    if found is not None:
        return found
    bare = text.strip(MARKS)
    decade = _DECADE.fullmatch(bare)
    if decade is not None:
        first = int(decade[1])
        return Date(first, OF_DECADE) if EARLIEST <= first <= LATEST else None
    season = _SEASON.fullmatch(bare)
    if season is not None:
        begin, end = map(int, season.groups())
        return Date(begin, short=True) if end == (begin + 1) % 100 else None
    year = _YEAR.fullmatch(bare)
    if year is not None:
        first, last = int(year[1]), year[2]
        # "1999-00" ends in the next century.
        is_span = not last or 0 < (int(last) - first) % 10 ** len(last) <= LONGEST_SPAN
        return Date(first) if EARLIEST <= first <= LATEST and is_span else None
    months = _MONTHS.fullmatch(bare)
    if months is not None:
        return read_date(f"{months[1]} {months[2]}")
    return None if bare == text else read_date(bare, day_first=day_first)


def read_year_among_words(text: str) -> Date | None:
    """Read a year that stands among words or signs, and no other number with it.

    That "Penguin 1991" is a year, what else its column holds must say.

    Examples
    --------
    >>> [date and date.year for date in map(read_year_among_words, ("Penguin 1991", "-1991"))]
    [1991, 1991]
    >>> read_year_among_words("No. 3, 1991"), read_year_among_words("Boeing 747")
    (None, None)
    """
    found = _AMONG_WORDS.fullmatch(text)
    year = int(found[1]) if found else 0
    return Date(year) if EARLIEST <= year <= LATEST else None


def read_date_or_year(text: str, *, day_first: bool | None = None) -> Date | None:
    """Read a date as `read_marked_date` does, or else a year among words."""
    return read_marked_date(text, day_first=day_first) or read_year_among_words(text)


def is_marked_year(text: str) -> bool:
    """Tell whether what stands around a year says that it is one, whatever its column's name.

    Brackets, "ca." and months do. A point, a comma and a letter may stand beside any number.

    Examples
    --------
    >>> [is_marked_year(text) for text in ("(1991)", "ca. 1991", "Sep. 1991,", "1991", "1991a")]
    [True, True, True, False, False]
    """
    return _TELLING.fullmatch(text) is not None
