"""skrub's `fuzzy_join` with its defaults, which accept every match."""

from __future__ import annotations

import pandas as pd
from skrub import fuzzy_join


def answer(
    queries: list[str],
    reference: list[str],
    precision: float,
) -> tuple[list[list[float]] | None, list[list[float | None]]]:
    """Join each query to its nearest reference; skrub's distance, negated, is the score."""
    left = pd.DataFrame({"title": queries})
    right = pd.DataFrame({"title": reference, "position": range(len(reference))})
    joined = fuzzy_join(left, right, on="title", suffix="_right", add_match_info=True)
    rows = joined["position_right"].tolist()
    scores = (-joined["skrub_Joiner_distance"]).tolist()
    accepted = joined["skrub_Joiner_match_accepted"].tolist()
    best = [[int(row), float(score)] for row, score in zip(rows, scores, strict=True)]
    pairs: list[list[float | None]] = [
        [query, *best[query]] for query, taken in enumerate(accepted) if taken
    ]
    return best, pairs
