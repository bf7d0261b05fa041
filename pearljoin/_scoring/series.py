"""Series: rows that return at even steps, such as a payment of each month.

The payments of one subscription agree in payee and amount, and their dates in the year and the day,
so that a month looks like a slip of writing. But one thing that is written several times has mostly
one date. Where rows that agree in all else have four dates or more, at even steps, the step says
how far apart two of them are different things.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from pearljoin._kinds.date import ParsedDates
from pearljoin._ragged import run_starts
from pearljoin._records.encoded import EncodedRecords
from pearljoin._records.missing_keys import NULL
from pearljoin._records.parsed_values import ParsedValues
from pearljoin._typing import BoolVector, FloatVector, IntVector

__all__ = ["apart_by_step", "days_of", "holds_days", "learn_step"]

Days: TypeAlias = NDArray[np.float64]

AGREE = 0.9
"""How far all other columns agree in pairs of a series, at least."""

SAME = 0.7
"""Likewise, in pairs that a step keeps apart."""

APART = -5.0
"""Highest log odds of pairs that a step keeps apart."""

FEWEST_DATES, MANY_DATES = 4, 8
"""Dates of a series, at least; and of one that is alone in its table."""

SHORTEST = 5.0
"""Shortest step, in days: dates that lie nearer are slips of each other."""

EVEN, EVEN_SHARE = 0.15, 0.8
"""How far the time between two dates may be off from whole steps, as a part of one; and share of
the times that are not."""

SERIES_SHARE = 0.25
"""Share of the groups of as many rows that are series, at least."""


def holds_days(side: EncodedRecords, at: int) -> bool:
    """Whether a key column holds dates, most of which name a day."""
    values = side.values[at]
    parsed = values.parsed if isinstance(values, ParsedValues) else None
    return isinstance(parsed, ParsedDates) and parsed.are_mostly_days


def days_of(side: EncodedRecords, at: int, records: IntVector | None = None) -> Days:
    """Day of some records in a key column of dates.

    Parameters
    ----------
    side
        The records.
    at
        Place of the column.
    records
        int64 of shape (n,). Default: all.

    Returns
    -------
    days
        float64 of shape (n,), from 1970 on; NaN where unknown.
    """
    values = side.values[at]
    assert isinstance(values, ParsedValues)
    assert isinstance(values.parsed, ParsedDates)
    parts = values.parsed.parts
    months = ((parts[:, 0] - 1970) * 12 + parts[:, 1] - 1).astype("datetime64[M]")
    days = months.astype("datetime64[D]").astype(np.float64) + parts[:, 2] - 1
    days = np.append(np.where((parts > 0).all(axis=1), days, np.nan), np.nan)
    codes = side.codes[at] if records is None else side.codes[at][records]
    return np.asarray(days[np.where(codes == NULL, len(parts), codes)])


def learn_step(
    days: Days, others: NDArray[np.float64], first: IntVector, second: IntVector
) -> float | None:
    """Learn the shortest step of the series in a column.

    Parameters
    ----------
    days
        float64 of shape (n_records,): as of `days_of`.
    others
        float64 of shape (n_pairs,), in [0, 1]: how far all other columns agree in pairs of records.
    first, second
        int64 of shape (n_pairs,): these records.

    Returns
    -------
    step
        In days; None where there are no series.
    """
    agree = (others >= AGREE) & ~np.isnan(days[first]) & ~np.isnan(days[second])
    shape = len(days), len(days)
    pairs = csr_matrix((np.ones(agree.sum()), (first[agree], second[agree])), shape=shape)
    group = connected_components(pairs, directed=False)[1]
    order = np.lexsort((days, group))
    starts = run_starts(group[order])
    groups = np.split(days[order], starts[1:])
    series = sorted(filter(None, map(_series, groups)))
    # Among many rows on any days, a few lie evenly by chance.
    n_many = sum(np.count_nonzero(~np.isnan(each)) >= FEWEST_DATES for each in groups)
    if len(series) < SERIES_SHARE * n_many:
        return None
    steps = [
        step
        for step, n_dates in series
        if n_dates >= MANY_DATES or sum(abs(other - step) <= EVEN * step for other, _ in series) > 1
    ]
    return min(steps, default=None)


def _series(days: Days) -> tuple[float, int] | None:
    """Return the step of ascending days, and how many there are; None if they are no series."""
    apart = np.diff(days)
    steps = apart[apart >= SHORTEST]
    if len(steps) + 1 < FEWEST_DATES:
        return None
    step = float(np.median(steps))
    # Days that are near each other are of one thing, or slips of it.
    kept = days[np.append(True, apart >= step / 2)]
    times = np.diff(kept) / step
    even = (np.abs(times - np.rint(times)) <= EVEN).mean() if len(times) else 0.0
    return (step, len(kept)) if len(kept) >= FEWEST_DATES and even >= EVEN_SHARE else None


def apart_by_step(
    log_odds: FloatVector,
    apart: NDArray[np.float64],
    others: NDArray[np.float64],
    step: float,
) -> FloatVector:
    """Lower the log odds of pairs that lie half a step or more apart, and agree otherwise.

    Parameters
    ----------
    log_odds
        float32 of shape (n_pairs,).
    apart
        float64 of shape (n_pairs,): days between the two, or NaN.
    others
        As of `learn_step`.
    step
        The step.
    """
    are_apart: BoolVector = (apart >= step / 2) & (others >= SAME)
    return np.where(are_apart, np.minimum(log_odds, np.float32(APART)), log_odds)
