"""Times of day as columns write them: "09:45", "0945", "9.45" and "9:45 am"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pearljoin._kinds.fillers import is_filler
from pearljoin._typing import BoolVector

__all__ = [
    "NO_DAY_TIMES",
    "DayTimes",
    "are_clocks",
    "are_padded_times",
    "are_times",
    "learn_day_times",
]

Form: TypeAlias = Literal["", "minutes", "clock", "digits", "point"]

CLEAR = 0.95
"""Share of a column's values that are times of day: all but slips."""

AFTERNOON = 0.2
"""Share of times after noon from which a column holds times of day, and no durations."""

FEWEST = 8
"""Distinct numbers from which one may tell that they are times of day: of other numbers, two in
five have more than 59 as their last two digits."""

FEWEST_MINUTES = 3
"""Distinct minutes of times of day, at least: round numbers end in 00 and 50."""

_COLON = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")
_HALF = re.compile(r"(?:0?[1-9]|1[0-2])(?:[:.]?[0-5]\d)?\s?([ap])\.?m\.?", re.IGNORECASE)
_OF_DAY = re.compile(r".*\d\s?(?:[ap]\.?m\.?|uhr)", re.IGNORECASE)
_DIGITS = re.compile(r"(|\d|[01]\d|2[0-3])([0-5]?\d)")
_POINT = re.compile(r"([01]?\d|2[0-3])\.([0-5]\d)")
_PADDED = re.compile(r"([01]\d|2[0-3])([0-5]\d)")


@dataclass(frozen=True)
class DayTimes:
    """How a side writes times of day, beside the reference.

    Attributes
    ----------
    form
        What the reference's numbers are: ``"minutes"`` since midnight; ``"clock"`` where these may
        be durations as well; and numbers that may be times of day, as in 945 (``"digits"``) and
        9.45 (``"point"``).
    bare
        Whether this side's numbers without a colon are times of day, and become minutes.
    clock
        Whether this side's times of day become numbers such as the reference has.
    """

    form: Form = ""
    bare: bool = False
    clock: bool = False

    def convert(
        self, numbers: NDArray[np.float64], texts: Sequence[str | None], is_clock: BoolVector
    ) -> tuple[NDArray[np.float64], BoolVector]:
        """Convert numbers, and mark those that are as on a clock then.

        Parameters
        ----------
        numbers, texts, is_clock
            float64, text and bool of shape (n_values,): numbers without units, as they are written,
            and which are as on a clock. The text of a number by its type is "".
        """
        if not (self.clock or self.bare):
            return numbers, is_clock
        numbers, is_clock = numbers.copy(), is_clock.copy()
        unclear = np.isfinite(numbers) & ~is_clock & self.bare
        for at in np.flatnonzero(unclear).tolist():
            text = texts[at] or f"{numbers[at]:.15g}"
            found = _DIGITS.fullmatch(text) or _POINT.fullmatch(text)
            if found is not None:
                numbers[at] = 60 * int(found[1] or 0) + int(found[2])
                is_clock[at] = True
        if not self.clock:
            return numbers, is_clock
        hours, minutes = np.divmod(numbers[is_clock], 60)
        digits = 100 * hours + minutes
        numbers[is_clock] = digits if self.form == "digits" else digits / 100
        return numbers, np.zeros_like(is_clock)


NO_DAY_TIMES = DayTimes()


def learn_day_times(texts: Iterable[str], reference: DayTimes | None = None) -> DayTimes:
    """Learn whether a column holds times of day, and how it writes them.

    "0945" is a time of day beside times as on a clock, and so are 945 and 9.45 where these go on
    after noon, as durations seldom do without reaching a day.

    Parameters
    ----------
    texts
        Distinct values as written.
    reference
        What was learned of the reference; None where this is the reference.

    Examples
    --------
    >>> times = learn_day_times(["09:45", "14:10", "21:15"])
    >>> times.form, learn_day_times(["0945", "1410"], times).bare
    ('minutes', True)
    >>> learn_day_times(["3:45", "4:10", "5:02"]).form
    'clock'
    """
    known = [text for text in texts if not is_filler(text)]
    halves = [found for text in known if (found := _HALF.fullmatch(text))]
    clocks = [found for text in known if (found := _COLON.fullmatch(text))]
    digits = [found for text in known if (found := _DIGITS.fullmatch(text))]
    points = [found for text in known if (found := _POINT.fullmatch(text))]
    n_clocks = len(halves) + len(clocks)
    if not known or n_clocks + len(digits) + len(points) < CLEAR * len(known):
        return NO_DAY_TIMES if reference is None else replace(reference, bare=False, clock=False)
    is_padded = any(len(found[0]) == 4 and found[0][0] == "0" for found in digits) and all(
        len(found[0]) == 4 for found in digits
    )
    may_be = not (digits and points) and _may_be_times([*digits, *points])
    if reference is not None:
        return _of_side(reference, n_clocks, is_padded and not points, may_be)
    n_late = sum(int(found[1]) >= 12 for found in clocks)
    n_late += sum(found[1] in "pP" for found in halves)
    if n_clocks and n_clocks >= CLEAR * len(known):
        return DayTimes("minutes" if n_late >= AFTERNOON * n_clocks or halves else "clock")
    if n_clocks:
        are_times = n_late >= AFTERNOON * n_clocks and (is_padded or may_be)
        return DayTimes("minutes", bare=True) if are_times else NO_DAY_TIMES
    if are_padded_times(known):
        return DayTimes("minutes", bare=True)
    return DayTimes("digits" if digits else "point") if may_be else NO_DAY_TIMES


def are_padded_times(texts: Sequence[str]) -> bool:
    """Tell whether texts are times of day such as "0945", and no other numbers of four digits.

    Examples
    --------
    >>> are_padded_times(["0600", "0615", "0930", "1145", "1310", "1400", "1820", "2105", "0005"])
    True
    >>> are_padded_times(["0600", "0612", "0930", "1145", "1310", "1400", "1820", "2172", "0005"])
    False
    """
    found = [match for text in texts if (match := _PADDED.fullmatch(text))]
    is_padded = any(match[0][0] == "0" for match in found)
    # Months and days, "0131", end with the twelfth hour.
    return is_padded and len(found) >= CLEAR * len(texts) and _may_be_times(found)


def are_times(texts: Sequence[str]) -> bool:
    """Tell whether texts are times of day as on a clock, with a colon or with "am" and "pm".

    Examples
    --------
    >>> are_times(["09:45", "9.45 pm"]), are_times(["0945"])
    (True, False)
    """
    n_times = sum(bool(_COLON.fullmatch(text) or _HALF.fullmatch(text)) for text in texts)
    return n_times >= CLEAR * len(texts)


def are_clocks(texts: Sequence[str | None]) -> BoolVector:
    """Mark numbers written as on a clock: bool of shape (n_texts,)."""
    return np.array(
        [text is not None and (":" in text or bool(_OF_DAY.fullmatch(text))) for text in texts],
        dtype=bool,
    )


def _of_side(reference: DayTimes, n_clocks: int, is_padded: bool, may_be: bool) -> DayTimes:
    """What a side's times become beside the reference's."""
    form = reference.form
    turns_padded = is_padded and form in ("clock", "point")
    return DayTimes(
        form,
        bare=turns_padded or (form == "minutes" and (is_padded or may_be)),
        clock=form in ("digits", "point") and (n_clocks > 0 or turns_padded),
    )


def _may_be_times(found: Sequence[re.Match[str]]) -> bool:
    """Tell whether numbers without a colon are times of day by how they spread."""
    hours = [int(match[1] or 0) for match in found]
    minutes = {int(match[2]) for match in found}
    n_distinct = len({match[0] for match in found})
    return (
        n_distinct >= FEWEST
        and len(minutes) >= FEWEST_MINUTES
        and max(hours) > 12
        and 2 * sum(map(bool, hours)) > len(hours)
    )
