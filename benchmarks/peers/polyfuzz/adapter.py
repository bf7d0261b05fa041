"""PolyFuzz's TF-IDF model with its defaults: each string's nearest one, at any similarity."""

from __future__ import annotations

from polyfuzz import PolyFuzz


def answer(
    queries: list[str],
    reference: list[str],
    precision: float,
) -> tuple[list[list[float]] | None, list[list[float | None]]]:
    """Map the queries to the reference; PolyFuzz returns strings, here made positions again."""
    matches = PolyFuzz("TF-IDF").match(list(queries), list(reference)).get_matches()
    position: dict[str, int] = {}
    for row, title in enumerate(reference):
        position.setdefault(title, row)
    best = [
        [position[title], float(score)] if isinstance(title, str) else [-1, 0.0]
        for title, score in zip(matches["To"], matches["Similarity"], strict=True)
    ]
    pairs: list[list[float | None]] = [
        [query, row, score] for query, (row, score) in enumerate(best) if row >= 0
    ]
    return best, pairs
