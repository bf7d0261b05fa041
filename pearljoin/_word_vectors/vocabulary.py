"""Plain tf-idf over the words that were counted: the baseline that needs no word vectors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_matrix

from pearljoin._word_vectors.counts import DocumentFrequencies
from pearljoin._word_vectors.pooling import Words
from pearljoin._word_vectors.rows import UNKNOWN, Rows, checksums

__all__ = ["Vocabulary"]


class Vocabulary:
    """The counted words in alphabetical order, a column each.

    Parameters
    ----------
    counts
        Document frequencies.
    """

    def __init__(self, counts: DocumentFrequencies) -> None:
        self.words = sorted(counts.counts)
        self._index = {word: column for column, word in enumerate(self.words)}
        self._idf = counts.idf(self.words)
        self._ties = checksums(self.words)
        self._matrix = np.zeros((len(self.words), 0), dtype=np.float32)

    def rows(self, words: Sequence[str]) -> Rows:
        """Return the columns of words; see `WordStore`."""
        ids = np.array([self._index.get(word, UNKNOWN) for word in words], dtype=np.int64)
        return Rows(ids, self._matrix, self._idf, self._ties)

    def vectors(self, words: Words) -> csr_matrix:
        """Return counts times idf: float32 of shape (n_texts, n_words)."""
        bounds = np.concatenate([[0], np.cumsum(words.lengths)])
        shape = (len(words.lengths), len(self.words))
        found = csr_matrix((words.idf, words.ids, bounds), shape=shape, copy=True)
        found.sum_duplicates()
        return found
