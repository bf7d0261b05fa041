"""Similarity of strings: n-gram overlap, tf-idf and rapidfuzz, each query against every title.

None of them has a rule that rejects, so their join returns each query's best title.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer

from benchmarks.autofj.methods._protocol import Outcome, Rule
from pearljoin._typing import FloatMatrix

__all__ = ["Lexical", "accept_all", "jaccard", "rapidfuzz_ratio", "tfidf"]

Similarity = Callable[[Sequence[str], Sequence[str]], FloatMatrix]
"""(queries, reference) to float32 of shape (n_queries, n_reference), higher is closer."""

QUERIES_AT_ONCE = 256


@dataclass(frozen=True)
class Lexical:
    """A method that is a similarity of two strings and nothing else."""

    name: str
    similarity: Callable[[Sequence[str], Sequence[str]], Similarity]
    """(queries, reference) to a function that compares some of the queries to the reference."""
    packages: tuple[str, ...]
    rule: Rule = "accepts all"

    def run(self, queries: Sequence[str], reference: Sequence[str], precision: float) -> Outcome:
        """Take each query's most similar title, the first of several. The target is not used."""
        compare = self.similarity(queries, reference)
        blocks = [
            compare(queries[start : start + QUERIES_AT_ONCE], reference)
            for start in range(0, len(queries), QUERIES_AT_ONCE)
        ]
        best = [block.argmax(axis=1) for block in blocks]
        score = [block.max(axis=1) for block in blocks]
        return accept_all(np.concatenate(best), np.concatenate(score))

    def versions(self) -> dict[str, str]:
        """Return the versions of the packages that compute it."""
        return {package: version(package) for package in self.packages}


def accept_all(best: Any, score: Any) -> Outcome:
    """Make the outcome of a method that returns every query's best title as its join."""
    rows = np.asarray(best, dtype=np.int64)
    pairs = [(query, int(row)) for query, row in enumerate(rows) if row >= 0]
    return Outcome(rows, np.asarray(score, dtype=np.float32), pairs)


def trigrams(text: str) -> list[str]:
    """Return the 3-grams of a lower-cased string; of a shorter one, the string itself.

    Examples
    --------
    >>> trigrams("Rome")
    ['rom', 'ome']
    """
    lower = text.lower()
    return [lower[start : start + 3] for start in range(max(1, len(lower) - 2))]


def jaccard(queries: Sequence[str], reference: Sequence[str]) -> Similarity:
    """Jaccard similarity of the sets of 3-grams: shared over all, in [0, 1]."""
    counter = CountVectorizer(analyzer=trigrams, binary=True, dtype=np.float32)
    counter.fit([*queries, *reference])
    right = counter.transform(reference)
    right_sizes = np.asarray(right.sum(axis=1)).ravel()

    def compare(some: Sequence[str], _: Sequence[str]) -> FloatMatrix:
        left = counter.transform(some)
        shared = (left @ right.T).toarray()
        union = np.asarray(left.sum(axis=1)).reshape(-1, 1) + right_sizes - shared
        quotient: FloatMatrix = np.asarray(shared / np.maximum(union, 1), dtype=np.float32)
        return quotient

    return compare


def tfidf(**options: Any) -> Callable[[Sequence[str], Sequence[str]], Similarity]:
    """Cosine of scikit-learn's tf-idf vectors, fitted on both columns, in [0, 1]."""

    def fit(queries: Sequence[str], reference: Sequence[str]) -> Similarity:
        vectorizer = TfidfVectorizer(dtype=np.float32, **options).fit([*reference, *queries])
        right: sparse.csr_matrix = vectorizer.transform(reference)

        def compare(some: Sequence[str], _: Sequence[str]) -> FloatMatrix:
            product: FloatMatrix = (vectorizer.transform(some) @ right.T).toarray()
            return product

        return compare

    return fit


def rapidfuzz_ratio(queries: Sequence[str], reference: Sequence[str]) -> Similarity:
    """Rapidfuzz's weighted ratio, what its `extractOne` uses by default, in [0, 100]."""
    from rapidfuzz import fuzz, process, utils

    def compare(some: Sequence[str], titles: Sequence[str]) -> FloatMatrix:
        ratios: FloatMatrix = process.cdist(
            some,
            titles,
            scorer=fuzz.WRatio,
            processor=utils.default_process,
            dtype=np.float32,
            workers=-1,
        )
        return ratios

    return compare
