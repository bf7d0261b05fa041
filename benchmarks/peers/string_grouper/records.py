"""string_grouper of all columns as one text: it compares single strings by tf-idf of 3-grams.

Linkage: `match_strings(left, right)` with its defaults: every pair of a similarity of at least
0.8. Where rows match one to one or many to one, `max_n_matches=1`, its nearest way to say so.
Deduplication: `group_similar_strings` with its defaults.
"""

from __future__ import annotations

from typing import Any

import pandas as pd
from string_grouper import group_similar_strings, match_strings

PACKAGES = ("string_grouper", "pandas", "scikit-learn")
Table = dict[str, list[str | None]]


def link(left: Table, right: Table, request: dict[str, Any]) -> dict[str, Any]:
    """Match each left text with the right ones."""
    options = {} if request["constraint"] == "many_to_many" else {"max_n_matches": 1}
    # It looks the strings of its second argument's rows up for each of the first.
    found = match_strings(_texts(left), _texts(right), **options)
    pairs = zip(found["left_index"].tolist(), found["right_index"].tolist(), strict=True)
    return {"": {"pairs": [list(pair) for pair in pairs]}}


def dedupe(table: Table, request: dict[str, Any]) -> dict[str, Any]:
    """Group the texts of one table."""
    groups = group_similar_strings(_texts(table))
    column = next(name for name in groups.columns if name.startswith("group_rep_index"))
    return {"": {"clusters": groups[column].tolist()}}


def _texts(table: Table) -> pd.Series:
    rows = zip(*table.values(), strict=True)
    return pd.Series([" ".join(value for value in row if value) for row in rows])
