"""Methods that compare strings without embedding them: n-gram overlap and tf-idf."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from pearljoin._typing import IntVector

__all__ = ["SparseRanker", "string_distance", "tfidf_characters", "tfidf_words", "trigrams"]

BLOCK_CELLS = 16_000_000
"""Similarities held at a time: 64 MB."""


class SparseRanker:
    """Ranks reference strings by a similarity of sparse vectors.

    Parameters
    ----------
    vectoriser
        Makes a scikit-learn vectoriser, which is fitted on queries and reference together.
    jaccard
        Whether the vectors are sets, compared by Jaccard similarity; otherwise the similarity
        is the product.
    """

    def __init__(self, vectoriser: Callable[[], Any], *, jaccard: bool = False) -> None:
        self._vectoriser = vectoriser
        self._jaccard = jaccard

    def nearest(self, queries: Sequence[str], reference: Sequence[str]) -> IntVector:
        """Return the position of each query's most similar reference string.

        Parameters
        ----------
        queries, reference
            Any strings.

        Returns
        -------
        positions
            int64 of shape (n_queries,). Among equals the one that stands first, so a query that
            shares nothing with any has 0.

        Examples
        --------
        >>> string_distance().nearest(["Rome (city)", "xyz"], ["Paris", "Rome", "rome"]).tolist()
        [1, 0]
        """
        vectoriser = self._vectoriser().fit([*reference, *queries])
        left = vectoriser.transform(queries)
        right = vectoriser.transform(reference).T.tocsr()
        sizes = np.asarray(right.sum(axis=0)).ravel()
        positions = np.empty(len(queries), dtype=np.int64)
        step = max(1, BLOCK_CELLS // max(1, len(reference)))
        for start in range(0, len(queries), step):
            block = left[start : start + step]
            similarity = (block @ right).toarray()
            if self._jaccard:
                union = np.asarray(block.sum(axis=1)).reshape(-1, 1) + sizes - similarity
                similarity = similarity / np.maximum(union, 1)
            positions[start : start + step] = similarity.argmax(axis=1)
        return positions


def trigrams(text: str) -> list[str]:
    """Return the 3-grams of a lower-cased string; of a shorter one, the string itself.

    Examples
    --------
    >>> trigrams("Rome"), trigrams("U2")
    (['rom', 'ome'], ['u2'])
    """
    lower = text.lower()
    return [lower[start : start + 3] for start in range(max(1, len(lower) - 2))]


def string_distance() -> SparseRanker:
    """Return the paper's string distance: Jaccard similarity of the sets of 3-grams."""

    def vectoriser() -> Any:
        from sklearn.feature_extraction.text import CountVectorizer

        return CountVectorizer(analyzer=trigrams, binary=True, dtype=np.float32)

    return SparseRanker(vectoriser, jaccard=True)


def tfidf_characters() -> SparseRanker:
    """Return cosine of tf-idf over 2- to 4-grams of characters within words."""

    def vectoriser() -> Any:
        from sklearn.feature_extraction.text import TfidfVectorizer

        return TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 4), dtype=np.float32)

    return SparseRanker(vectoriser)


def tfidf_words() -> SparseRanker:
    """Return cosine of tf-idf over words."""

    def vectoriser() -> Any:
        from sklearn.feature_extraction.text import TfidfVectorizer

        # scikit-learn's own pattern would drop words of one character, such as numbers.
        return TfidfVectorizer(token_pattern=r"(?u)\b\w+\b", dtype=np.float32)

    return SparseRanker(vectoriser)
