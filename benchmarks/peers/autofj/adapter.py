"""AutoFJ (Li et al. 2021), in its small join-function space, as its README calls it."""

from __future__ import annotations

import pandas as pd
from autofj import AutoFJ


def answer(
    queries: list[str],
    reference: list[str],
    precision: float,
) -> tuple[list[list[float]] | None, list[list[float | None]]]:
    """Join by AutoFJ's own rule; it has no ranking and no score of a pair."""
    left = pd.DataFrame({"id": range(len(reference)), "title": reference})
    right = pd.DataFrame({"id": range(len(queries)), "title": queries})
    joined = AutoFJ(precision_target=precision, join_function_space="autofj_sm").join(
        left, right, id_column="id"
    )
    if joined.empty:  # the target cannot be reached: AutoFJ returns a table without rows
        return None, []
    return None, [
        [int(query), int(row), None]
        for query, row in zip(joined["id_r"], joined["id_l"], strict=True)
    ]
