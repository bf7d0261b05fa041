"""skrub's `fuzzy_join` of several columns, and its `deduplicate` for one, with their defaults.

`fuzzy_join(left, right, on=columns)` accepts every match: each left row gets its nearest right
row. It takes no missing values, so those of text are empty strings, and a column of numbers alone
is read as numbers with its median for those that are missing. `deduplicate` takes one column of
strings, so sets of several columns are not offered; it returns the corrected spelling of each
string, and rows of equal spelling are a cluster.
"""

from __future__ import annotations

from typing import Any

import pandas as pd
from skrub import deduplicate, fuzzy_join

PACKAGES = ("skrub", "scikit-learn", "pandas")
Table = dict[str, list[str | None]]


def link(left: Table, right: Table, request: dict[str, Any]) -> dict[str, Any]:
    """Join each left row to its nearest right row."""
    both = _filled(left, right)
    own, other = both[: len(_rows(left))], both[len(_rows(left)) :].reset_index(drop=True)
    other["position"] = range(len(other))
    joined = fuzzy_join(own, other, on=list(left), suffix="_right", add_match_info=True)
    rows = zip(joined["position_right"], joined["skrub_Joiner_match_accepted"], strict=True)
    return {"": {"pairs": [[row, int(found)] for row, (found, taken) in enumerate(rows) if taken]}}


def dedupe(table: Table, request: dict[str, Any]) -> dict[str, Any]:
    """Deduplicate one column of strings."""
    if len(table) > 1:
        return {"": {"not_offered": "its deduplicate takes one column"}}
    (values,) = table.values()
    filled = [value for value in values if value]
    spelling = deduplicate(filled).to_dict()
    clusters = [spelling[value] if value else f"row {row}" for row, value in enumerate(values)]
    return {"": {"clusters": clusters}}


def _filled(left: Table, right: Table) -> pd.DataFrame:
    """Both tables, one after the other, without missing values."""
    both = pd.DataFrame({name: [*left[name], *right[name]] for name in left}, dtype=object)
    for name in both.columns:
        numbers = pd.to_numeric(both[name], errors="coerce")
        is_number = bool((numbers.notna() == both[name].notna()).all())
        both[name] = numbers.fillna(numbers.median()) if is_number else both[name].fillna("")
    return both


def _rows(table: Table) -> list[str | None]:
    return next(iter(table.values()))
