"""Vectors for words that a table of word vectors lacks: the `unknown` option."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from pearljoin._errors import InputError
from pearljoin._typing import FloatMatrix
from pearljoin._word_vectors.tables import SubwordTable, WordTable

__all__ = ["Impute", "imputer"]

Impute: TypeAlias = Callable[[Sequence[str]], FloatMatrix]

SAMPLE = 10_000
"""Words of the table to learn from: the first ones, the most frequent in most files."""

NGRAM_SIZES = (3, 4, 5, 6)
"""Characters of an n-gram."""

BUCKETS = 1 << 14
"""Rows that n-grams are hashed into."""

RIDGE = 0.1
"""Penalty on the n-grams' vectors, as a share of the mean squared length of a word's counts."""

ITERATIONS = 12
"""Steps of conjugate gradients."""


def imputer(unknown: Any, table: WordTable) -> Impute | None:
    """Make the function that gives unknown words vectors.

    Parameters
    ----------
    unknown
        The option of `WeightedWordEncoder`: ``"skip"``, ``"characters"``, or an object with
        ``encode_words`` or ``encode``.
    table
        The table that lacks the words.

    Returns
    -------
    impute
        From words to float32 of shape (n_words, dim), zeros for a word that gets none; None
        to leave all unknown words out.

    Raises
    ------
    InputError
        If it is none of these.
    """
    if isinstance(unknown, str) and unknown == "skip":
        return None
    if isinstance(unknown, str) and unknown == "characters":
        if isinstance(table, SubwordTable):
            return table.compose
        return NgramRegression(table).encode
    for name in ("encode_words", "encode"):
        encode = getattr(unknown, name, None)
        if callable(encode) and not isinstance(unknown, str | bytes | type):
            return _MedianLength(encode, table)
    raise InputError(
        f"unknown must be 'skip', 'characters' or an encoder of words. Got {unknown!r}. "
        "Hint: 'skip' leaves out words that have no vector."
    )


class _MedianLength:
    """Scale a user's vectors to the median length of the table's, so that they weigh as much."""

    def __init__(self, encode: Callable[[list[str]], Any], table: WordTable) -> None:
        self._encode = encode
        self._dim = table.dim
        lengths = np.linalg.norm(table.sample(SAMPLE)[1], axis=1)
        self._length = np.float32(np.median(lengths)) if len(lengths) else np.float32(1.0)

    def __call__(self, words: Sequence[str]) -> FloatMatrix:
        found = np.array(self._encode(list(words)), dtype=np.float32)
        if found.shape != (len(words), self._dim):
            raise InputError(
                f"The encoder for unknown words must give vectors of the word table's "
                f"{self._dim} numbers. Got an array of shape {found.shape} for {len(words)} "
                "words. Hint: train it to imitate this table, or use unknown='characters'."
            )
        if not np.isfinite(found).all():
            raise InputError(
                "The encoder for unknown words must give finite vectors. Got NaN or infinity for "
                f"{words[int(np.argmin(np.isfinite(found).all(axis=1)))]!r}. Hint: give zeros for "
                "a word that is to be left out."
            )
        lengths = np.linalg.norm(found, axis=1, keepdims=True)
        found *= self._length / np.where(lengths > 0, lengths, np.float32(1.0))
        return found


class NgramRegression:
    """Predict word vectors from character n-grams, by ridge regression on a table.

    A word's vector is the mean of the vectors of its n-grams (3 to 6 characters, the word in
    angle brackets). The n-grams' vectors are the ridge regression's coefficients, solved for by
    conjugate gradients. A misspelt or inflected word so gets a vector near the right word's.

    Parameters
    ----------
    table
        The table whose words are learned from.
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
    """Count hashed n-grams, as shares of each word's: float32 of shape (n_words, BUCKETS)."""
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
