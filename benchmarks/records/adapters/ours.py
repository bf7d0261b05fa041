"""pearljoin with its defaults, called as a user calls it, on columns of text as they are.

Linkage: `pearljoin.match` over all columns, with the constraint that the set has. The best
candidate of each left row is the one that it returns without a threshold under many_to_one, its
score a probability. Deduplication: `pearljoin.deduplicate`, whose scores are probabilities.
"""

from __future__ import annotations

from typing import Any

import pandas as pd

import pearljoin as pj

PACKAGES = ("numpy", "onnxruntime", "pandas", "scikit-learn")


def link(
    left: dict[str, list[str | None]], right: dict[str, list[str | None]], request: dict[str, Any]
) -> dict[str, Any]:
    """Match two tables."""
    on = list(left)
    result = pj.match(
        _frame(left), _frame(right), on=on, constraint=request["constraint"], verbose=False
    )
    found = result.matches()
    best = result.matches(threshold=0.0, constraint="many_to_one")
    return {
        "": {
            "pairs": list(zip(found.left.tolist(), found.right.tolist(), strict=True)),
            "best": list(
                zip(best.left.tolist(), best.right.tolist(), best.score.tolist(), strict=True)
            ),
        }
    }


def dedupe(table: dict[str, list[str | None]], request: dict[str, Any]) -> dict[str, Any]:
    """Deduplicate one table."""
    clustered = pj.deduplicate(_frame(table), on=list(table), verbose=False)
    return {"": {"clusters": clustered["cluster"].tolist()}}


def _frame(columns: dict[str, list[str | None]]) -> pd.DataFrame:
    return pd.DataFrame(columns, dtype=object)
