"""Turn texts into vectors: split into words, look up, sort by idf, pool."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pearljoin._errors import InputError
from pearljoin._typing import BoolVector, FloatMatrix
from pearljoin._word_vectors.pooling import (
    Pooling,
    RankWeights,
    SortedWords,
    keep_top,
    pool,
    rank_parts,
    sort_by_idf,
    tf_idf,
)
from pearljoin._word_vectors.split import split_words
from pearljoin._word_vectors.store import TfidfVocabulary, WordStore

__all__ = ["Aggregator"]


@dataclass(frozen=True)
class Aggregator:
    """Turn texts into vectors, with a fixed set of options.

    Attributes
    ----------
    store
        The words: with vectors, or for ``"tf-idf"`` the counted ones alone.
    pooling, top, lowercase
        As `WeightedWordEncoder` has them.
    weights
        For ``"weighted"`` only.
    """

    store: WordStore | TfidfVocabulary
    pooling: Pooling
    weights: RankWeights | None
    top: float
    lowercase: bool

    @property
    def dim(self) -> int:
        """Number of columns of the texts' vectors."""
        if isinstance(self.store, TfidfVocabulary):
            return len(self.store.words)
        return self.store.table.dim * (2 if self.pooling == "min-max" else 1)

    def vectors(self, texts: Sequence[str]) -> Any:
        """Return the texts' vectors: float32 of shape (n_texts, dim), a CSR matrix for tf-idf."""
        words, matrix = self._words(texts)
        if isinstance(self.store, TfidfVocabulary):
            return tf_idf(words, self.dim)
        return pool(words, matrix, self.pooling, self.weights)

    def rank_parts(self, texts: Sequence[str], n_ranks: int) -> FloatMatrix:
        """Return the factor of each rank's weight; see `WeightedWordEncoder.transform_ranks`."""
        if isinstance(self.store, TfidfVocabulary):
            raise InputError(
                "tf-idf has no word vectors to weight. Got pooling='tf-idf'. "
                "Hint: use pooling='weighted'."
            )
        words, matrix = self._words(texts)
        return rank_parts(words, matrix, n_ranks)

    def covers(self, texts: Sequence[str]) -> BoolVector:
        """Return which texts have words, all of them with a row in the store."""
        split = split_words(texts, lowercase=self.lowercase)
        unknown = self.store.rows(split.distinct).ids[split.codes] < 0
        missing = np.bincount(split.texts[unknown], minlength=len(texts))
        return np.asarray((split.lengths > 0) & (missing == 0), dtype=np.bool_)

    def _words(self, texts: Sequence[str]) -> tuple[SortedWords, FloatMatrix]:
        """Return the words that are pooled, sorted by idf, and the matrix of their vectors."""
        split = split_words(texts, lowercase=self.lowercase)
        rows = self.store.rows(split.distinct)
        return keep_top(sort_by_idf(split, rows), self.top), rows.matrix
