"""How alike two values are: one number in [0, 1] a pair, for each kind of key column.

For text, two kinds of evidence are averaged: meaning (the cosine of phrase vectors, negative ones
counted as 0) and spelling (the mean of the tf-idf cosines of character n-grams and of words).
Either alone misses what the other sees: synonyms on one side; rare words, numbers and typos on the
other.
"""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from pearljoin import _index, _lexical
from pearljoin._text import normalise
from pearljoin._typing import BoolVector, FloatMatrix, FloatVector, IntVector

__all__ = ["BELOW_EQUAL", "ExactValues", "NumberValues", "PhraseVectors", "TextValues"]

BELOW_EQUAL = 1 - 1e-5
"""The highest score of two texts that differ: 1 is kept for equal ones."""

FADE = 0.1
"""Two numbers a tenth of the column's spread apart have closeness 1/e."""


class PhraseVectors:
    """Distinct texts and their vectors.

    Attributes
    ----------
    texts
        The distinct texts as they stand.
    place
        Position of each text in `texts`.
    vectors
        float32 of shape (n_texts, dim), unit rows.
    covered
        bool of shape (n_texts,): where the vector stands for the whole text.
    """

    def __init__(self, texts: list[str], vectors: FloatMatrix, covered: BoolVector) -> None:
        self.texts = texts
        self.vectors = vectors
        self.covered = covered
        self.place = {text: row for row, text in enumerate(texts)}


class TextValues(PhraseVectors):
    """The distinct texts of one key column, by meaning and by spelling.

    Attributes
    ----------
    normal
        The texts, normalised.
    counts
        Sparse counts of n-grams and words, of shape (n_texts, n_columns).
    """

    def __init__(self, texts: list[str], vectors: FloatMatrix, covered: BoolVector) -> None:
        super().__init__(texts, vectors, covered)
        self.normal = [normalise(text) for text in texts]
        self.counts: csr_matrix = _lexical.count(self.normal)

    def similarity(
        self,
        other: TextValues,
        spelling: tuple[csr_matrix, csr_matrix],
        own_rows: IntVector,
        other_rows: IntVector,
    ) -> FloatVector:
        """Score pairs of texts: the mean of meaning and spelling, or spelling alone.

        Parameters
        ----------
        other
            The reference's texts.
        spelling
            The tf-idf vectors of both sides, weighed by one idf.
        own_rows, other_rows
            int64 of shape (n_pairs,).

        Returns
        -------
        similarity
            float32 of shape (n_pairs,), in [0, 1].
        """
        meaning = _index.pair_cosines(self.vectors, other.vectors, own_rows, other_rows)
        lexical = _lexical.pair_products(*spelling, own_rows, other_rows)
        known = self.covered[own_rows] & other.covered[other_rows]
        mean = (np.maximum(meaning, 0) + lexical) / 2
        return np.asarray(np.where(known, mean, lexical), dtype=np.float32)


class NumberValues:
    """The distinct numbers (or dates, as numbers) of one key column.

    Attributes
    ----------
    listed
        The numbers as they stand, for exact equality.
    values
        The same as float64 of shape (n_values,).
    """

    def __init__(self, listed: list[float]) -> None:
        self.listed = listed
        self.values: NDArray[np.float64] = np.array(listed, dtype=np.float64)

    def similarity(
        self, other: NumberValues, own_rows: IntVector, other_rows: IntVector
    ) -> FloatVector:
        """Score pairs by ``exp(-|a - b| / (0.1 * spread))``; equal values score 1."""
        own, others = self.values[own_rows], other.values[other_rows]
        with np.errstate(invalid="ignore", over="ignore"):
            distance = np.abs(own - others) / (FADE * spread(self, other))
        distance[own == others] = 0
        far = np.nan_to_num(distance, nan=np.inf, posinf=np.inf)
        closeness: FloatVector = np.exp(-far).astype(np.float32)
        return closeness


class ExactValues:
    """Booleans and short codes: equal, or not."""

    def __init__(self, listed: list[Hashable]) -> None:
        self.listed = listed
        self._place = {value: code for code, value in enumerate(listed)}

    def similarity(
        self, other: ExactValues, own_rows: IntVector, other_rows: IntVector
    ) -> FloatVector:
        """Score 1 where the values are equal and 0 elsewhere."""
        place = np.array([other._place.get(value, -1) for value in self.listed], dtype=np.int64)
        return np.asarray(place[own_rows] == other_rows, dtype=np.float32)


def spread(left: NumberValues, right: NumberValues) -> float:
    """Distance between the 10th and 90th percentile of the distinct values of both columns."""
    pooled = np.unique(np.concatenate([left.values, right.values]))
    pooled = pooled[np.isfinite(pooled)]
    if not len(pooled):
        return 1.0
    low, high = np.percentile(pooled, [10, 90])
    return float(high - low) or float(pooled[-1] - pooled[0]) or 1.0
