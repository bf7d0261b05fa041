"""Tables of word vectors: protocols, and tables in an array."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np

from pearljoin._typing import BoolVector, FloatMatrix

__all__ = ["ArrayTable", "GensimSubwords", "SubwordTable", "WordTable"]


@runtime_checkable
class WordTable(Protocol):
    """A table of word vectors."""

    @property
    def dim(self) -> int:
        """Numbers in a word's vector."""
        ...

    def lookup(self, words: Sequence[str]) -> tuple[FloatMatrix, BoolVector]:
        """Return the words' vectors.

        Returns
        -------
        vectors
            float32 of shape (n_words, dim); zeros for words that are not in the table.
        known
            bool of shape (n_words,): which words are.
        """
        ...

    def sample(self, limit: int) -> tuple[list[str], FloatMatrix]:
        """Return up to `limit` of the table's words, the first ones, and their vectors."""
        ...


@runtime_checkable
class SubwordTable(WordTable, Protocol):
    """A table that composes vectors for words that it does not hold."""

    def compose(self, words: Sequence[str]) -> FloatMatrix:
        """Return vectors composed of the words' parts.

        Returns
        -------
        vectors
            float32 of shape (n_words, dim); zeros where the table has no part of the word.
        """
        ...


class ArrayTable:
    """Word vectors in one array.

    Parameters
    ----------
    index
        Row of each word.
    matrix
        float32 of shape (n_words, dim), finite.
    """

    def __init__(self, index: Mapping[str, int], matrix: FloatMatrix) -> None:
        self.index = index
        self.matrix = matrix

    @property
    def dim(self) -> int:
        """Numbers in a word's vector."""
        return int(self.matrix.shape[1])

    def lookup(self, words: Sequence[str]) -> tuple[FloatMatrix, BoolVector]:
        """Return the words' vectors; see `WordTable`."""
        rows = np.array([self.index.get(word, -1) for word in words], dtype=np.int64)
        known = rows >= 0
        vectors = np.zeros((len(words), self.dim), dtype=np.float32)
        vectors[known] = self.matrix[rows[known]]
        return vectors, known

    def sample(self, limit: int) -> tuple[list[str], FloatMatrix]:
        """Return the table's first words and their vectors."""
        words = list(self.index)[:limit]
        return words, self.lookup(words)[0]


class GensimSubwords(ArrayTable):
    """Gensim's FastText vectors: an array, and n-grams for the words outside it."""

    def __init__(self, vectors: Any) -> None:
        super().__init__(vectors.key_to_index, vectors.vectors)
        self._vectors = vectors

    def compose(self, words: Sequence[str]) -> FloatMatrix:
        """Return vectors from the words' character n-grams; see `SubwordTable`."""
        found = np.zeros((len(words), self.dim), dtype=np.float32)
        for row, word in enumerate(words):
            try:
                found[row] = self._vectors.get_vector(word)
            except KeyError:  # too short to have an n-gram
                continue
        return found
