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

from pearljoin._search import dense, tfidf
from pearljoin._text.normalise import mend, normalise, split_brackets
from pearljoin._typing import BoolVector, FloatMatrix, FloatVector, IntVector

__all__ = ["BELOW_EQUAL", "ExactValues", "NumberValues", "PhraseVectors", "TextValues"]

BELOW_EQUAL = 1 - 1e-5
"""The highest score of two texts that differ: 1 is kept for equal ones."""

GRID_COLUMNS = 1 << 16

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
    brackets
        What stands in brackets in each text, normalised; "" where nothing does.
    bare
        What stands outside them, normalised; the whole text where that would be nothing.
    counts
        Sparse counts of n-grams and words, of shape (n_texts, n_columns).
    """

    def __init__(self, texts: list[str], vectors: FloatMatrix, covered: BoolVector) -> None:
        super().__init__(texts, vectors, covered)
        mended = [mend(text) for text in texts]
        self.normal = [normalise(text) for text in mended]
        parts = [split_brackets(text) for text in mended]
        self.brackets = [normalise(inside) for _, inside in parts]
        self.bare = [
            (normalise(outside) or normal) if inside else normal
            for (outside, inside), normal in zip(parts, self.normal, strict=True)
        ]
        self.counts: csr_matrix = tfidf.count(self.normal)

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
        meaning = dense.pair_cosines(self.vectors, other.vectors, own_rows, other_rows)
        lexical = tfidf.pair_products(*spelling, own_rows, other_rows)
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
        self.values: NDArray[np.float64] = np.array([_as_float(n) for n in listed], np.float64)

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


def _as_float(number: float) -> float:
    """A number as float64; whole numbers beyond its range as infinite."""
    try:
        return float(number)
    except OverflowError:
        return float("inf") if number > 0 else float("-inf")


class ExactValues:
    """Booleans and short codes: equal, or not."""

    def __init__(self, listed: list[Hashable]) -> None:
        self.listed = listed
        self.place = {value: code for code, value in enumerate(listed)}

    def similarity(
        self, other: ExactValues, own_rows: IntVector, other_rows: IntVector
    ) -> FloatVector:
        """Score 1 where the values are equal and 0 elsewhere."""
        place = np.array([other.place.get(value, -1) for value in self.listed], dtype=np.int64)
        return np.asarray(place[own_rows] == other_rows, dtype=np.float32)


def spread(left: NumberValues, right: NumberValues) -> float:
    """Distance between the 10th and 90th percentile of the distinct values of both columns."""
    pooled = np.unique(np.concatenate([left.values, right.values]))
    pooled = pooled[np.isfinite(pooled)]
    if not len(pooled):
        return 1.0
    low, high = np.percentile(pooled, [10, 90])
    return float(high - low) or float(pooled[-1] - pooled[0]) or 1.0


GRIDS = 8
"""Grids that numbers are put on: more are more exact and cost more."""


def exact_vectors(values: ExactValues, reference: ExactValues) -> csr_matrix:
    """Put exact values into sparse vectors: a column for each value of the reference."""
    columns = np.array([reference.place.get(value, -1) for value in values.listed], dtype=np.int64)
    known = np.flatnonzero(columns >= 0)
    ones = np.ones(len(known), dtype=np.float32)
    shape = (len(columns), max(1, len(reference.listed)))
    return csr_matrix((ones, (known, columns[known])), shape=shape)


def number_vectors(values: NumberValues, scale: float, seed: int) -> csr_matrix:
    """Put numbers into sparse vectors whose products are about their closeness.

    A number falls into one cell of each of several grids of random pitch and offset; two numbers
    share a cell as often as their closeness ``exp(-|a - b| / scale)`` says (random binning
    features: Rahimi and Recht 2007, section 4).

    Parameters
    ----------
    values
        The numbers.
    scale
        Distance over which closeness falls to 1/e.
    seed
        Of the grids: the same for both sides.

    Returns
    -------
    vectors
        Sparse float32 of shape (n_values, n_columns), rows of unit length.
    """
    rng = np.random.default_rng(seed)
    rows = np.arange(len(values.values))
    blocks = []
    for _ in range(GRIDS):
        pitch = rng.gamma(2, scale)
        with np.errstate(over="ignore"):
            steps = np.clip(values.values / pitch, -1e15, 1e15)
        cells = np.floor(steps + rng.random())
        blocks.append((cells % GRID_COLUMNS).astype(np.int64))
    ones = np.full(len(rows) * GRIDS, GRIDS**-0.5, dtype=np.float32)
    columns = np.concatenate([block + at * GRID_COLUMNS for at, block in enumerate(blocks)])
    return csr_matrix(
        (ones, (np.tile(rows, GRIDS), columns)), shape=(len(rows), GRIDS * GRID_COLUMNS)
    )


def value_table(
    values: TextValues | NumberValues | ExactValues,
    reference: TextValues | NumberValues | ExactValues,
    spelling: tuple[csr_matrix | None, csr_matrix | None],
    own: IntVector,
    others: IntVector,
) -> FloatMatrix:
    """Similarity of every value of `own` to every one of `others`.

    float32 of shape (n_own, n_others), as `similarity` scores pairs.
    """
    sizes = [
        len(side.texts if isinstance(side, TextValues) else side.listed)
        for side in (values, reference)
    ]
    if 0 in sizes:
        return np.zeros((0, 0), dtype=np.float32)
    if not isinstance(values, TextValues):
        pairs = np.repeat(own, len(others)), np.tile(others, len(own))
        scores = values.similarity(reference, *pairs)  # type: ignore[arg-type]
        return scores.reshape(len(own), len(others))
    assert isinstance(reference, TextValues)
    assert spelling[0] is not None
    assert spelling[1] is not None
    meaning = np.clip(values.vectors[own] @ reference.vectors[others].T, 0, 1)
    lexical = (spelling[0][own] @ spelling[1][others].T).toarray()
    known = values.covered[own][:, None] & reference.covered[others][None, :]
    return np.asarray(np.where(known, (meaning + lexical) / 2, lexical), dtype=np.float32)
