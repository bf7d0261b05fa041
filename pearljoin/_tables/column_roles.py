"""What the columns of a table look like: names, codes, categories, and values that two share."""

from __future__ import annotations

import re
from collections.abc import Hashable
from typing import Literal, TypeAlias

from pearljoin._tables.column_likeness import are_measures
from pearljoin._tables.columns import Cells, present_cells

__all__ = ["FEWEST_CELLS", "LIKELY", "MOSTLY_DISTINCT", "Role", "role_of", "share_values"]

MOSTLY_DISTINCT = 0.8
"""Share of a column's filled cells, in [0, 1], that are distinct where it names things."""

FEWEST_CELLS = 10
"""Below so many filled cells, the share of distinct ones is no evidence."""

SHARED_VALUES = 0.2
"""Share of the distinct values of one column, in [0, 1], that the other has where both mean one."""

CODE = re.compile(r"(?=\S*\d)\S+( (?=\S*\d)\S+)*|[A-Z]{1,5}")
"""Words with a digit in each, such as "A-1201" or "2024-05-01 12:30", or a few capitals."""

Role: TypeAlias = Literal[
    "names", "identifiers", "measures", "distinct", "repeated", "category", "codes", "empty"
]
"""What a text column's values look like.

names        mostly distinct
identifiers  mostly distinct codes
measures     mostly distinct numbers, dates or sizes
distinct     all distinct, in too few rows to tell
repeated     some of them repeated, in too few rows to tell
category     few distinct values
codes        every value is a code, in too few rows to tell
empty        no values
"""

LIKELY: tuple[Role, ...] = ("names", "distinct", "repeated")
"""Roles of columns that may be keys by their values alone."""


def role_of(series: Cells, name: Hashable) -> Role:
    """Tell what the values of a text column look like; its name tells dates and sizes."""
    present = list(map(str, present_cells(series)))
    distinct = set(present)
    if not present:
        return "empty"
    is_codes = all(map(CODE.fullmatch, distinct))
    if len(present) < FEWEST_CELLS:
        if is_codes:
            return "codes"
        return "distinct" if len(distinct) == len(present) else "repeated"
    if len(distinct) < MOSTLY_DISTINCT * len(present):
        return "category"
    if is_codes:
        return "identifiers"
    return "measures" if are_measures(distinct, name) else "names"


def share_values(left: Cells, right: Cells) -> bool:
    """Tell whether two columns have values in common, but for case and spaces around them."""
    one, two = (
        {str(cell).strip().casefold() for cell in present_cells(series)} for series in (left, right)
    )
    return len(one & two) >= max(1, SHARED_VALUES * min(len(one), len(two)))
