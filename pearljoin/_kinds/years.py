"""Columns of years, recognised by those of months and of days that stand beside them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from pearljoin._kinds.cells import cell_texts

__all__ = ["CLEAR", "DAYS", "FEWEST", "MONTHS", "USUAL", "YEARS", "recognise_years"]

CELLS_A_YEAR = 5
"""Cells for each distinct year, on average, from which years are recognised by what stands beside
them. What agreement in a year is worth is learned from many rows: among few ones it would be taken
for that of a whole date."""

CLEAR = 0.9
"""Share of the values of a column that are clearly of one kind: all but slips."""

YEARS, MONTHS, DAYS = range(1850, 2040), range(1, 13), range(1, 32)
FEWEST = {YEARS: 3, MONTHS: 10, DAYS: 24}
"""Distinct years, months and days, at least, of columns that are recognised by them."""

USUAL = range(1946, 2046)
"""Years that two digits stand for where nothing else tells: from eighty years before 2025 on."""

_SHORT_NUMBER = re.compile(r"[0-9]{1,4}")


def recognise_years(columns: Sequence[Counter[Any]]) -> list[int]:
    """Find columns of years, by those of months and of days that stand among the same columns.

    A rent may lie between 1850 and 2039 as well, and its name need not tell; beside a month and a
    day it is a year.

    Parameters
    ----------
    columns
        Cells of each column, counted by their value: of columns of numbers whose names do not say
        what they hold, or of text.

    Returns
    -------
    years
        Positions of the columns of years; none without months and days.

    Examples
    --------
    >>> days = Counter(range(1, 29))
    >>> months = Counter(1 + day % 12 for day in days)
    >>> years = Counter(1970 + day % 5 for day in days)
    >>> recognise_years([years, months, days]), recognise_years([years, days])
    ([0], [])
    """
    counts = [_whole_numbers(cells) for cells in columns]
    of_part = {
        part: [at for at, some in enumerate(counts) if _are_in(some, part)] for part in FEWEST
    }
    has_both = of_part[MONTHS] and set(of_part[DAYS]) - set(of_part[MONTHS])
    years = of_part[YEARS] if has_both else []
    return [at for at in years if counts[at].total() >= CELLS_A_YEAR * len(counts[at])]


def _whole_numbers(counted: Counter[Any]) -> Counter[int | None]:
    """Count the whole numbers of a column; None stands for other cells."""
    found: Counter[int | None] = Counter()
    for text, count in zip(cell_texts(list(counted)), counted.values(), strict=True):
        if text is not None:
            found[int(text) if _SHORT_NUMBER.fullmatch(text) else None] += count
    return found


def _are_in(counts: Counter[int | None], part: range) -> bool:
    """Whether nearly all numbers lie in a range, and many of it occur."""
    inside = {number: count for number, count in counts.items() if number in part}
    return len(inside) >= FEWEST[part] and sum(inside.values()) >= CLEAR * counts.total()
