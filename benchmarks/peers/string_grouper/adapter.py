"""string_grouper's `match_strings`: cosine of 3-gram tf-idf, matches of 0.8 and more by default."""

from __future__ import annotations

import pandas as pd
from string_grouper import match_strings

DEFAULT_MIN_SIMILARITY = 0.8


def answer(
    queries: list[str],
    reference: list[str],
    precision: float,
) -> tuple[list[list[float]] | None, list[list[float | None]]]:
    """Ask for each query's nearest reference at any similarity; the join keeps its default."""
    matches = match_strings(
        pd.Series(reference), pd.Series(queries), max_n_matches=1, min_similarity=0
    )
    best: list[list[float]] = [[-1, 0.0] for _ in queries]
    for row, query, score in zip(
        matches["left_index"], matches["right_index"], matches["similarity"], strict=True
    ):
        if score > best[query][1]:
            best[query] = [int(row), float(score)]
    pairs: list[list[float | None]] = [
        [query, row, score]
        for query, (row, score) in enumerate(best)
        if row >= 0 and score >= DEFAULT_MIN_SIMILARITY
    ]
    return best, pairs
