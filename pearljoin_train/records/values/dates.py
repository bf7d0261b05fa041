"""Dates and years."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from random import Random

from pearljoin_train.records.values.slips import change_digit, misread, swap_digits
from pearljoin_train.records.values.style import Style

__all__ = ["DateStyle", "YearStyle", "draw_date"]

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip

FORMATS: tuple[Callable[[date], str], ...] = (
    date.isoformat,
    date.isoformat,
    date.isoformat,
    lambda day: f"{day.day:02d}/{day.month:02d}/{day.year}",
    lambda day: f"{day.day:02d}/{day.month:02d}/{day.year}",
    lambda day: f"{day.month:02d}/{day.day:02d}/{day.year}",
    lambda day: f"{day.month}/{day.day}/{day.year}",
    lambda day: f"{day.day:02d}.{day.month:02d}.{day.year}",
    lambda day: f"{day.day}.{day.month}.{day.year}",
    lambda day: f"{day.year}{day.month:02d}{day.day:02d}",
    lambda day: f"{day.day:02d}-{day.month:02d}-{day.year}",
    lambda day: f"{day.day} {MONTHS[day.month - 1]} {day.year}",
    lambda day: f"{MONTHS[day.month - 1]} {day.day}, {day.year}",
    lambda day: f"{day.day:02d}-{MONTHS[day.month - 1][:3]}-{day.year % 100:02d}",
    lambda day: f"{day.day} {MONTHS[day.month - 1][:3]} {day.year}",
    lambda day: f"{day.day:02d}/{day.month:02d}/{day.year % 100:02d}",
    lambda day: f"{day.isoformat()} 00:00:00",
    lambda day: f"{day.isoformat()}T00:00:00Z",
)
"""How tables write dates; ISO and day first are common."""


def draw_date(first: int, last: int, rng: Random) -> date:
    """Return a date between two years, both included."""
    return date(first, 1, 1) + timedelta(days=rng.randrange(365 * (last - first + 1)))


def swap_day_and_month(day: date, rng: Random) -> date:
    """Swap day and month where both are at most 12."""
    return day if day.day > 12 else day.replace(month=day.day, day=day.month)


def move_a_little(day: date, rng: Random) -> date:
    """Move by a few days, a month or a year, or a decade."""
    way = rng.random()
    if way < 0.4:
        return day + timedelta(days=rng.choice((-2, -1, 1, 2, 7, 10, -10)))
    if way < 0.6:
        return day.replace(day=min(day.day, 28), month=day.month % 12 + 1)
    years = rng.choice((-1, 1, 1, 10, -10))
    return day.replace(day=min(day.day, 28), year=day.year + years)


def keep_month(day: date, rng: Random) -> date:
    """Leave the first of the month, or of the year."""
    return day.replace(day=1) if rng.random() < 0.3 else day.replace(day=1, month=1)


def keep_year(text: str, rng: Random) -> str:
    """Leave a year of four digits alone."""
    year = "".join(letter if letter.isdigit() else " " for letter in text).split()
    full = [part for part in year if len(part) == 4]
    return full[0] if full else text


class DateStyle(Style[date]):
    """Dates in one format; some tables mix two."""

    slips = (swap_day_and_month, swap_day_and_month, move_a_little, keep_month)
    text_slips = (change_digit, change_digit, swap_digits, misread, keep_year)

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self._format = rng.choice(FORMATS)
        self._other = rng.choice(FORMATS)
        self._mixed = rng.choice((0.0, 0.0, 0.0, 0.1, 0.4))

    def write(self, value: date, rng: Random) -> str:
        """Write the date."""
        if self._mixed and rng.random() < self._mixed:
            return self._other(value)
        return self._format(value)


class YearStyle(Style[int]):
    """Years alone; some tables write them as numbers with a decimal, or as the first of January."""

    text_slips = (change_digit, swap_digits)
    WAYS = ("{year}",) * 8 + ("{year}.0", "{year}-01-01", "'{short:02d}", "({year})")

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self._way = rng.choice(self.WAYS)

    def write(self, value: int, rng: Random) -> str:
        """Write the year."""
        return self._way.format(year=value, short=value % 100)
