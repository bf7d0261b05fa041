"""All columns as one text, scikit-learn's tf-idf of characters 2 to 4 in word bounds, cosine.

It has no rule that decides: linkage returns a ranking (each left row's `NEAREST` most similar
right rows), deduplication the dendrograms of three linkage rules. The labels choose the threshold
and the rule afterwards, so it shows what the texts hold, not what a user gets.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.cluster.hierarchy import linkage
from sklearn.feature_extraction.text import TfidfVectorizer

PACKAGES = ("numpy", "scikit-learn", "scipy")

NEAREST = 30
"""Candidates of a left row."""

ROWS_AT_ONCE = 512


def link(
    left: dict[str, list[str | None]], right: dict[str, list[str | None]], request: dict[str, Any]
) -> dict[str, Any]:
    """Rank each left row's most similar right rows."""
    own, other = _texts(left), _texts(right)
    vectorizer = _vectorizer().fit([*own, *other])
    reference = vectorizer.transform(other).T.tocsr()
    queries = vectorizer.transform(own)
    ranking: list[list[float]] = []
    for start in range(0, len(own), ROWS_AT_ONCE):
        cosine = (queries[start : start + ROWS_AT_ONCE] @ reference).toarray()
        nearest = min(NEAREST, cosine.shape[1])
        columns = np.argpartition(-cosine, nearest - 1, axis=1)[:, :nearest]
        for row, found in enumerate(columns):
            ranking += [
                [start + row, int(column), float(cosine[row, column])]
                for column in found
                if cosine[row, column] > 0
            ]
    return {"": {"ranking": ranking}}


def dedupe(table: dict[str, list[str | None]], request: dict[str, Any]) -> dict[str, Any]:
    """Return the dendrograms of single, average and complete linkage by 1 - cosine."""
    texts = _texts(table)
    vectors = _vectorizer().fit_transform(texts)
    distance = _condensed_distance(vectors, len(texts))
    dendrograms = {}
    for rule in ("single", "average", "complete"):
        merges = linkage(distance, method=rule)
        dendrograms[rule] = [[int(one), int(two), float(at)] for one, two, at, _ in merges]
    return {"": {"dendrograms": dendrograms}}


def _condensed_distance(vectors: Any, n_rows: int) -> Any:
    """float64 of shape (n_rows * (n_rows - 1) / 2,), in scipy's order."""
    distance = np.empty(n_rows * (n_rows - 1) // 2)
    transposed, end = vectors.T.tocsr(), 0
    for start in range(0, n_rows, ROWS_AT_ONCE):
        block = (vectors[start : start + ROWS_AT_ONCE] @ transposed).toarray()
        for offset, row in enumerate(block):
            rest = row[start + offset + 1 :]
            distance[end : end + len(rest)] = 1.0 - np.minimum(rest, 1.0)
            end += len(rest)
    return distance


def _vectorizer() -> TfidfVectorizer:
    return TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 4), dtype=np.float32)


def _texts(table: dict[str, list[str | None]]) -> list[str]:
    rows = zip(*table.values(), strict=True)
    return [" ".join(value for value in row if value) for row in rows]
