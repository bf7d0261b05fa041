"""Comparison of dates and times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from pearljoin._kinds.cells import cell_texts
from pearljoin._kinds.date_parts import date_of_parts
from pearljoin._kinds.marked_date import read_date_or_year
from pearljoin._kinds.protocol import (
    MISSING,
    Comparer,
    Kind,
    Levels,
    Parsed,
    Values,
    Within,
    read_each,
    text_array,
)
from pearljoin._kinds.read_date import NO_TIME, OF_DECADE, Date
from pearljoin._kinds.years import USUAL
from pearljoin._typing import BoolVector, IntVector

__all__ = ["BirthDateComparer", "DateComparer", "EventDateComparer", "ParsedDates"]

UNKNOWN = Date(0)
"""Stands where a date is null."""

DAYS = np.array([36525, 3653, 366, 31, 7])
"""Days between two dates at which a level ends, from the first level on: a century, ten years, a
year, a month, a week."""

BY_DAYS = ("different", "within ten years", "within a year", "within a month", "within a week")
"""The levels that distances in days reach."""

SHORT = 0.9
"""How near to the next level one day, month or year is whose year has two digits on either side."""

_POWERS = 10 ** np.arange(7, -1, -1)


@dataclass(frozen=True, eq=False)
class ParsedDates(Parsed):
    """Dates by their parts.

    Attributes
    ----------
    parts
        int64 of shape (n_values, 3): year, month, day; 0 where unknown, and for the year '00. The
        month of a decade is `OF_DECADE`.
    seconds
        int64 of shape (n_values,): of the time of day; `NO_TIME` without one.
    short
        bool of shape (n_values,): whether the year has two digits only.
    """

    parts: NDArray[np.int64]
    seconds: IntVector
    short: BoolVector

    @property
    def are_mostly_days(self) -> bool:
        """Whether most name a day, and not only a year or a month."""
        return bool(2 * np.count_nonzero(self.parts[:, 2]) > np.count_nonzero(self.parts[:, 0]))

    @property
    def are_days(self) -> bool:
        """Whether all are whole days: nothing is unknown, and no time of day is given."""
        return bool((self.parts > 0).all() and (self.seconds == NO_TIME).all())


class DateComparer(Comparer[ParsedDates]):
    """Compares dates by their distance in days, and by slips of writing.

    The distances and "one digit off" (an edit of the digits, also two neighbours exchanged) are
    those of Splink's DateOfBirthComparison; "within a week" is for dates of events. "Day and month
    exchanged" counts as a slip. "Agree as far as known" is for a year alone, a decade, and a month
    without its day; one date is the same though its year has two digits, if the other side's is the
    one that these usually stand for: 1885 is none of '85, and agrees as far as known. A time of day
    counts where both sides have one.

    Parameters
    ----------
    day_first
        Whether the day stands before the month in numbers (`pearljoin._kinds.read_date`). It serves
        `read` alone, so the two sides may be read in different orders.
    """

    kind: ClassVar[Kind] = "date"
    levels: ClassVar[tuple[str, ...]] = (
        "different",
        "within ten years",
        "within a year",
        "within a month",
        "within a week",
        "agree as far as known",
        "one slip",
        "same date",
        "equal",
    )

    def __init__(self, day_first: bool | None = None) -> None:
        self.day_first = day_first

    def read(self, values: Values) -> ParsedDates:
        """Read dates; text that is none, and days that do not exist, are unparsable.

        Numbers are read as their digits are: 1985 as a year, 19850403 as a day. Marks around a date
        do not count, nor do words around a year. A tuple holds year and month, and day.

        Examples
        --------
        >>> DateComparer().read(["1985-04-03", "04/03/1985", 1985, "soon"]).canonical
        array(['1985-04-03', '1985-04-03', '1985', None], dtype=object)
        >>> DateComparer().read([(1985, 4, 3), ("1985", None, "3")]).canonical
        array(['1985-04-03', '1985'], dtype=object)
        """
        listed = values.tolist() if isinstance(values, np.ndarray) else list(values)
        if not any(isinstance(value, tuple) for value in listed):
            read = partial(read_date_or_year, day_first=self.day_first)
            return _parsed(*read_each(cell_texts(values), read))
        found = [date_of_parts(value) for value in listed]
        return _parsed(found, found.count(None))

    def _compare_unequal(
        self, left: ParsedDates, right: ParsedDates, left_at: IntVector, right_at: IntVector
    ) -> tuple[Levels, Within]:
        one, other = left.parts[left_at].copy(), right.parts[right_at].copy()
        short = left.short[left_at] | right.short[right_at]
        _to_one_century(one, other, left.short[left_at], right.short[right_at])
        _to_one_year(one, other)
        known = (one > 0) & (other > 0)
        agree = ((one == other) | ~known).all(axis=1)
        whole = known.all(axis=1)
        is_usual = (one[:, 0] >= USUAL.start) & (one[:, 0] < USUAL.stop)
        is_open = left.short[left_at] != right.short[right_at]
        # Of two days, months or years that are the same, or look so where one has a short year.
        alike = agree & (np.sign(one) == np.sign(other)).all(axis=1) & (is_usual | ~is_open)
        swapped = (one[:, 1] == other[:, 2]) & (one[:, 2] == other[:, 1])
        slip = (
            whole & ~agree & (_one_digit_off(one, other) | (swapped & (one[:, 0] == other[:, 0])))
        )
        apart = np.abs(_days(one, known) - _days(other, known))
        place = self.levels.index
        by_days = np.searchsorted(-DAYS[1:], -np.maximum(apart, 1), side="right")
        ends = np.log1p(np.append(DAYS, 0))
        within = (ends[by_days] - np.log1p(apart)) / (ends[by_days] - ends[by_days + 1])
        level = np.array([place(name) for name in BY_DAYS])[by_days]
        level[slip] = np.maximum(level[slip], place("one slip"))
        level[agree] = place("agree as far as known")
        level[alike] = place("same date")
        # What is closer in time, or known in more parts, is nearer.
        within[agree] = known[agree].mean(axis=1) - short[agree] / 10
        seconds = left.seconds[left_at], right.seconds[right_at]
        both = (seconds[0] != NO_TIME) & (seconds[1] != NO_TIME)
        within[alike] = 1 - (np.abs(seconds[0] - seconds[1]) / 86_400 * both)[alike]
        within[alike & short] = SHORT * within[alike & short]
        slip &= level == place("one slip")
        within[slip] = 1 - np.log1p(np.minimum(apart, DAYS[0]))[slip] / ends[0]
        # A year alone and a day without its year share nothing.
        level[~known.any(axis=1)] = MISSING
        return level.astype(np.int8), within


class BirthDateComparer(DateComparer):
    """Compares dates of birth, which are seldom wrong and never change."""

    @property
    def prior_kind(self) -> str:
        """Dates of birth have match weights of their own."""
        return "birth_date"


class EventDateComparer(DateComparer):
    """Compares dates of events in two tables, which may differ by some days.

    What is paid or delivered is booked later. Days of one week mostly differ in one digit, so a
    slip is of days further apart, and ranks below them. In one table, other days are other events.
    """

    levels: ClassVar[tuple[str, ...]] = (
        "different",
        "within ten years",
        "within a year",
        "within a month",
        "one slip",
        "within a week",
        "agree as far as known",
        "same date",
        "equal",
    )

    @property
    def prior_kind(self) -> str:
        """Dates of events have match weights of their own, as they have a scale."""
        return "event_date"


def _parsed(found: Sequence[Date | None], n_unparsable: int) -> ParsedDates:
    """Put dates into arrays; None for what is null or cannot be read."""
    dates = [date or UNKNOWN for date in found]
    return ParsedDates(
        text_array(date and _write(date) for date in found),
        n_unparsable,
        np.array([date[:3] for date in dates], dtype=np.int64).reshape(-1, 3),
        np.array([date.seconds for date in dates], dtype=np.int64),
        np.array([date.short for date in dates], dtype=bool),
    )


def _write(date: Date) -> str:
    if date.month == OF_DECADE:
        return f"{date.year}s"
    year = f"'{date.year:02d}" if date.short else f"{date.year:04d}"
    text = "-".join([year, *(f"{part:02d}" for part in date[1:3] if part)])
    if date.seconds == NO_TIME:
        return text
    minutes, second = divmod(date.seconds, 60)
    return f"{text} {minutes // 60:02d}:{minutes % 60:02d}:{second:02d}"


def _to_one_century(
    one: NDArray[np.int64],
    other: NDArray[np.int64],
    one_short: BoolVector,
    other_short: BoolVector,
) -> None:
    """Give years of two digits the century of the other side's; none where both are short."""
    for short, long, is_short, both in (
        (one, other, one_short, other_short),
        (other, one, other_short, one_short),
    ):
        at = np.flatnonzero(is_short & ~both)
        years = long[at, 0] - long[at, 0] % 100 + short[at, 0]
        # The nearest year that ends so: '99 is a year from 2000, not 99.
        years += 100 * ((long[at, 0] - years > 50).astype(np.int64) - (years - long[at, 0] > 50))
        short[at, 0] = years
    at = np.flatnonzero(one_short & other_short)
    apart = other[at, 0] - one[at, 0]
    one[at, 0] += 2000 + 100 * (apart > 50)
    other[at, 0] += 2000 + 100 * (apart < -50)


def _to_one_year(one: NDArray[np.int64], other: NDArray[np.int64]) -> None:
    """Give years of a decade the one that the other side knows."""
    of_decade = (one[:, 1] == OF_DECADE) | (other[:, 1] == OF_DECADE)
    at = np.flatnonzero(of_decade & (one[:, 0] // 10 == other[:, 0] // 10))
    one[at, 0] = other[at, 0]


def _days(parts: NDArray[np.int64], known: BoolVector) -> IntVector:
    """Days since 1970, by the parts that both sides know."""
    year = np.where(known[:, 0], parts[:, 0], 1970)
    month, day = (np.where(known[:, at], parts[:, at], 1) for at in (1, 2))
    months = (year - 1970) * 12 + month - 1
    return months.astype("datetime64[M]").astype("datetime64[D]").astype(np.int64) + day - 1


def _one_digit_off(one: NDArray[np.int64], other: NDArray[np.int64]) -> BoolVector:
    """Mark pairs whose digits differ by one, or by two neighbours exchanged."""
    weights = np.array([10_000, 100, 1])
    left, right = ((parts @ weights)[:, None] // _POWERS % 10 for parts in (one, other))
    differs = left != right
    count = differs.sum(axis=1)
    first = differs.argmax(axis=1)
    after = np.minimum(first + 1, 7)
    row = np.arange(len(one))
    exchanged = (left[row, first] == right[row, after]) & (left[row, after] == right[row, first])
    return np.asarray((count == 1) | ((count == 2) & exchanged), dtype=bool)
