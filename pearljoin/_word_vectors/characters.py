"""An encoder that imitates a table of word vectors from character n-grams."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from pearljoin._typing import FloatMatrix
from pearljoin._word_vectors.tables import WordTable

__all__ = ["CharacterEncoder"]

NGRAM_SIZES = (3, 4, 5, 6)
BUCKETS = 1 << 14
SAMPLE = 10_000
"""Words of the table, the first ones (the most frequent, in most files), learned from."""
RIDGE = 0.1
ITERATIONS = 12


class CharacterEncoder:
    """Imitates a table of word vectors from character n-grams.

    A word's vector is the mean of the vectors of its n-grams (3 to 6 characters, the word in
    angle brackets); those are found by ridge regression on the table's own words, solved by
    conjugate gradients. So a misspelt or inflected word lands near the word it comes from.

    Parameters
    ----------
    table
        The table to imitate.
    """

    def __init__(self, table: WordTable) -> None:
        words, vectors = table.sample(SAMPLE)
        self.mean = vectors.mean(axis=0)
        self.ngrams = _solve(_count_ngrams(words), vectors - self.mean)

    def encode(self, words: Sequence[str]) -> FloatMatrix:
        """Return a vector for each word.

        Returns
        -------
        vectors
            float32 of shape (n_words, dim), of about the length of the table's.
        """
        found = _count_ngrams(words) @ self.ngrams + self.mean
        return np.asarray(found, dtype=np.float32)


def _count_ngrams(words: Sequence[str]) -> csr_matrix:
    """Share of each hashed n-gram in each word: float32 of shape (n_words, BUCKETS)."""
    columns: list[int] = []
    bounds = [0]
    for word in words:
        text = f"<{word}>"
        columns.extend(
            zlib.crc32(text[start : start + size].encode("utf-8", "surrogatepass")) % BUCKETS
            for size in NGRAM_SIZES
            for start in range(len(text) - size + 1)
        )
        bounds.append(len(columns))
    lengths = np.diff(bounds)
    shares = np.repeat(1.0 / np.maximum(lengths, 1), lengths).astype(np.float32)
    return csr_matrix((shares, columns, bounds), shape=(len(words), BUCKETS))


def _solve(counts: csr_matrix, targets: FloatMatrix) -> FloatMatrix:
    """Minimise ``|counts @ x - targets|² + ridge |x|²``, one conjugate gradient a column."""
    # The rows' shares are small, so the ridge is taken relative to their size.
    ridge = np.float32(RIDGE * counts.multiply(counts).sum() / max(counts.shape[0], 1))
    solution = np.zeros((BUCKETS, targets.shape[1]), dtype=np.float32)
    residual = np.asarray(counts.T @ targets, dtype=np.float32)
    direction = residual.copy()
    size = _squares(residual)
    for _ in range(ITERATIONS):
        image = counts.T @ (counts @ direction) + ridge * direction
        step = size / np.maximum((direction * image).sum(axis=0), np.finfo(np.float32).tiny)
        solution += step * direction
        residual -= step * image
        new_size = _squares(residual)
        turn = new_size / np.maximum(size, np.finfo(np.float32).tiny)
        direction = np.asarray(residual + turn * direction, dtype=np.float32)
        size = new_size
    return solution


def _squares(matrix: FloatMatrix) -> NDArray[np.float32]:
    return np.asarray((matrix * matrix).sum(axis=0), dtype=np.float32)
