"""From texts to vectors: split, look up, sort, pool."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pearljoin._errors import InputError
from pearljoin._typing import BoolVector, FloatMatrix
from pearljoin._word_vectors.pooling import (
    Pooling,
    Words,
    keep_top,
    pool,
    rank_parts,
    sort_by_idf,
)
from pearljoin._word_vectors.rank_weights import RankWeights
from pearljoin._word_vectors.split import split_words
from pearljoin._word_vectors.store import WordStore
from pearljoin._word_vectors.vocabulary import Vocabulary

__all__ = ["Aggregator"]


@dataclass(frozen=True)
class Aggregator:
    """Turns texts into vectors by a fixed set of options.

    Attributes
    ----------
    store
        The words: with vectors, or for ``"tf-idf"`` the counted ones alone.
    pooling, top, lowercase
        As `WeightedWordEncoder` has them.
    weights
        For ``"weighted"`` only.
    """

    store: WordStore | Vocabulary
    pooling: Pooling
    weights: RankWeights | None
    top: float
    lowercase: bool

    @property
    def dim(self) -> int:
        """Number of columns of the texts' vectors."""
        if isinstance(self.store, Vocabulary):
            return len(self.store.words)
        return self.store.table.dim * (2 if self.pooling == "min-max" else 1)

    def vectors(self, texts: Sequence[str]) -> Any:
        """Return the texts' vectors: float32 of shape (n_texts, dim), a CSR matrix for tf-idf."""
        words, matrix = self._words(texts)
        if isinstance(self.store, Vocabulary):
            return self.store.vectors(words)
        return pool(words, matrix, self.pooling, self.weights)

    def rank_parts(self, texts: Sequence[str], n_ranks: int) -> FloatMatrix:
        """Return what each rank's weight is multiplied with; see `WeightedWordEncoder`."""
        if isinstance(self.store, Vocabulary):
            raise InputError(
                "tf-idf has no word vectors to weight. Got pooling='tf-idf'. "
                "Hint: use pooling='weighted'."
            )
        words, matrix = self._words(texts)
        return rank_parts(words, matrix, n_ranks)

    def covers(self, texts: Sequence[str]) -> BoolVector:
        """Tell which texts have words, all of them with a row in the store."""
        split = split_words(texts, lowercase=self.lowercase)
        unknown = self.store.rows(split.distinct).ids[split.codes] < 0
        missing = np.bincount(split.texts[unknown], minlength=len(texts))
        return np.asarray((split.lengths > 0) & (missing == 0), dtype=np.bool_)

    def _words(self, texts: Sequence[str]) -> tuple[Words, FloatMatrix]:
        """Return the words that count, sorted, and the matrix of their vectors."""
        split = split_words(texts, lowercase=self.lowercase)
        rows = self.store.rows(split.distinct)
        return keep_top(sort_by_idf(split, rows), self.top), rows.matrix
