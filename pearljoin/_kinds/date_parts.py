"""Dates in several columns: one of years, one of months, and one of days."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from pearljoin._kinds.cells import cell_text, cell_texts
from pearljoin._kinds.column_names import DatePart, date_part
from pearljoin._kinds.marked_date import read_date_or_year
from pearljoin._kinds.month_names import ENGLISH, SHORTEST, read_named_month
from pearljoin._kinds.read_date import FIRST_YEAR, LAST_YEAR, Date
from pearljoin._kinds.years import CLEAR, DAYS, MONTHS

__all__ = ["date_of_parts", "recognise_dates"]

PARTS: tuple[DatePart, ...] = ("year", "month", "day")

RANGES: Mapping[DatePart, tuple[range, ...]] = {
    "year": (range(100), range(FIRST_YEAR, LAST_YEAR + 1)),
    "month": (MONTHS,),
    "day": (DAYS,),
}
"""Numbers that a part may be; years of two digits, too."""

_SHORT_NUMBER = re.compile(r"([0-9]{1,4})(?:\.|st|nd|rd|th)?")
_NOTHING = frozenset({"0", "00"})
"""How an unknown month or day may be written."""


def recognise_dates(columns: Mapping[Hashable, Counter[Any]]) -> list[tuple[Hashable, ...]]:
    """Find columns that hold a date together, by their names and values.

    Parameters
    ----------
    columns
        Cells of each column, counted by their value, by its name.

    Returns
    -------
    dates
        Names of the columns of year and month, and of day where there is one.

    Examples
    --------
    >>> columns = {"birth_year": [1985], "birth_month": [4], "birth_day": [3], "year": [2001]}
    >>> recognise_dates({name: Counter(values) for name, values in columns.items()})
    [('birth_year', 'birth_month', 'birth_day')]
    """
    found: dict[tuple[str, ...], dict[DatePart, Hashable]] = {}
    for name, cells in columns.items():
        part = date_part(name)
        if part is not None and _are(cells, part[0]):
            found.setdefault(part[1], {}).setdefault(part[0], name)
    return [
        tuple(of[part] for part in PARTS if part in of)
        for of in found.values()
        if of.keys() >= {"year", "month"}
    ]


def date_of_parts(cells: Sequence[Any]) -> Date | None:
    """Read a date from cells of year, month and day; what cannot be read is unknown.

    A day that its month does not have is kept: it is a slip of the day or of the month. The year is
    0 where it is unknown.

    Parameters
    ----------
    cells
        Of year and month, and of day where that has a column.

    Returns
    -------
    date
        The date; None without year and month.

    Examples
    --------
    >>> date_of_parts([1985, "April", 3]), date_of_parts(["1985", None, 3])
    (Date(year=1985, month=4, day=3, seconds=-1, short=False), Date(year=1985, month=0, day=0, ...
    """
    texts = [cell_text(cell) for cell in cells]
    read = [
        None if text is None else _read(text, part)
        for text, part in zip(texts, PARTS, strict=False)
    ]
    year, month, day = (*read, None)[:3]
    if year is None and month is None:
        return None
    short = year is not None and year < FIRST_YEAR
    return Date(year or 0, month or 0, (day or 0) if month else 0, short=short)


def _are(cells: Counter[Any], part: DatePart) -> bool:
    """Tell whether nearly all cells hold a part of a date."""
    texts = cell_texts(list(cells))
    known = [
        (text, count)
        for text, count in zip(texts, cells.values(), strict=True)
        if text and not (part != "year" and text in _NOTHING)
    ]
    fitting = sum(count for text, count in known if _read(text, part) is not None)
    return bool(known) and fitting >= CLEAR * sum(count for _, count in known)


def _read(text: str, part: DatePart) -> int | None:
    """Read a part of a date; None for another text."""
    found = _SHORT_NUMBER.fullmatch(text)
    if found is not None:
        number = int(found[1])
        return number if any(number in some for some in RANGES[part]) else None
    if part == "month":
        return _read_month(text.rstrip(".").lower())
    if part == "day":
        return None
    date = read_date_or_year(text)
    return None if date is None or date.short else date.year


def _read_month(name: str) -> int | None:
    """Read the name of a month, whole or cut short."""
    found = [number for number, month in enumerate(ENGLISH, start=1) if month.startswith(name)]
    if len(name) >= SHORTEST and found:
        return found[0]
    named = read_named_month(f"1 {name} 2000")  # of other languages
    return None if named is None else named[1]
