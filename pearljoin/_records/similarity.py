"""Similarity of two values, in [0, 1], for each kind of key column.

For text it is the mean of two similarities: meaning (the cosine of phrase vectors, negative ones
counted as 0) and spelling (the mean of the tf-idf cosines of character n-grams and of words).
Meaning finds synonyms; spelling finds rare words, numbers and typos.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from pearljoin._cached import cached_property
from pearljoin._records.numbered_values import NumberedValues
from pearljoin._records.text_forms import TextForms
from pearljoin._search import vectors
from pearljoin._search.pair_products import pair_products
from pearljoin._search.rounded_vectors import KeptVectors
from pearljoin._search.weighing import TfidfRows
from pearljoin._typing import BoolVector, FloatMatrix, FloatVector, IntVector

__all__ = [
    "BELOW_EQUAL",
    "ExactValues",
    "NumberValues",
    "PhraseVectors",
    "TextValues",
    "spread",
]

BELOW_EQUAL = 1 - 1e-5
"""The highest score of two values that differ: 1 is kept for equal ones."""

FADE = 0.1
"""Distance at which the similarity of numbers is 1/e, in spreads of their column."""

FLOATS = np.finfo(np.float64)


class PhraseVectors:
    """Distinct texts and their vectors.

    Attributes
    ----------
    texts
        The distinct texts as they stand.
    vectors
        float32 of shape (n_texts, dim), unit rows; those of a large reference are rounded.
    covered
        bool of shape (n_texts,): whether the vector represents the whole text.
    """

    def __init__(self, texts: list[str], vectors: KeptVectors, covered: BoolVector) -> None:
        self.texts = texts
        self.vectors = vectors
        self.covered = covered

    @cached_property
    def position(self) -> dict[str, int]:
        """Position of each text in `texts`."""
        return dict(zip(self.texts, range(len(self.texts)), strict=True))


class TextValues(PhraseVectors, NumberedValues):
    """The distinct texts of one key column, with vectors and counts.

    Attributes
    ----------
    forms
        What is compared of each text by itself; its attributes are attributes here, too.
    """

    def __init__(
        self,
        texts: list[str],
        vectors: KeptVectors,
        covered: BoolVector,
        forms: TextForms | None = None,
    ) -> None:
        super().__init__(texts, vectors, covered)
        self.forms = forms = TextForms.of(texts) if forms is None else forms
        self.normal, self.brackets, self.bare = forms.normal, forms.brackets, forms.bare
        self.n_before_comma, self.counts = forms.n_before_comma, forms.counts

    @property
    def normalised(self) -> Sequence[Hashable]:
        """The texts, normalised."""
        return self.normal

    def similarity(
        self,
        reference: TextValues,
        spelling: tuple[TfidfRows, TfidfRows],
        left_values: IntVector,
        right_values: IntVector,
    ) -> FloatVector:
        """Similarity of pairs of texts: the mean of meaning and spelling.

        Spelling alone counts where a vector does not represent its whole text.

        Parameters
        ----------
        reference
            The right column's texts.
        spelling
            The tf-idf vectors of both columns, weighed by one idf.
        left_values, right_values
            Positions of the texts: int64 of shape (n_pairs,).

        Returns
        -------
        similarity
            float32 of shape (n_pairs,), in [0, 1].
        """
        meaning = vectors.pair_cosines(self.vectors, reference.vectors, left_values, right_values)
        lexical = pair_products(*spelling, left_values, right_values)
        covered = self.covered[left_values] & reference.covered[right_values]
        mean = (np.maximum(meaning, 0) + lexical) / 2
        return np.asarray(np.where(covered, mean, lexical), dtype=np.float32)


class NumberValues(NumberedValues):
    """The distinct numbers (or dates, as numbers) of one key column.

    Attributes
    ----------
    listed
        The numbers as given, for exact equality.
    values
        The numbers as float64 of shape (n_values,).
    """

    def __init__(self, listed: list[float]) -> None:
        self.listed = listed
        self.values: NDArray[np.float64] = np.array([_as_float(n) for n in listed], np.float64)

    @property
    def normalised(self) -> Sequence[Hashable]:
        """The numbers as given."""
        return self.listed

    def similarity(
        self,
        reference: NumberValues,
        left_values: IntVector,
        right_values: IntVector,
        spread: float,
    ) -> FloatVector:
        """Similarity of pairs: ``exp(-|a - b| / (0.1 * spread))``; 1 for equal values."""
        left, right = self.values[left_values], reference.values[right_values]
        with np.errstate(invalid="ignore", over="ignore"):
            distance = np.abs(left - right) / (FADE * spread)
        distance[left == right] = 0
        far = np.nan_to_num(distance, nan=np.inf, posinf=np.inf)
        closeness: FloatVector = np.exp(-far).astype(np.float32)
        return closeness


def _as_float(number: float) -> float:
    """Convert a number to float64; whole numbers beyond its range become infinite."""
    try:
        return float(number)
    except OverflowError:
        return float("inf") if number > 0 else float("-inf")


class ExactValues(NumberedValues):
    """The distinct booleans or short codes of one key column.

    Attributes
    ----------
    kind, prior_kind
        Kind of the column, and that by which match weights of tables at large are kept.
    n_levels
        Number of comparison levels: different and equal.
    """

    kind = "category"
    prior_kind = "category"
    n_levels = 2

    def __init__(self, listed: list[Hashable]) -> None:
        self.listed = listed
        self.position = {value: code for code, value in enumerate(listed)}

    @property
    def normalised(self) -> Sequence[Hashable]:
        """The values as listed."""
        return self.listed

    def similarity(
        self, reference: ExactValues, left_values: IntVector, right_values: IntVector
    ) -> FloatVector:
        """Similarity of pairs: 1 where the values are equal and 0 elsewhere."""
        return np.asarray(
            positions_in(reference, self)[left_values] == right_values, dtype=np.float32
        )


def positions_in(reference: ExactValues, values: ExactValues) -> IntVector:
    """Position in the reference of each value; -1 where the reference does not have it."""
    found = [reference.position.get(value, -1) for value in values.listed]
    return np.array(found, dtype=np.int64)


def spread(numbers: NumberValues) -> float:
    """Distance between the 10th and 90th percentile of the distinct values: finite, above 0."""
    pooled = np.unique(numbers.values)
    # Halves of the largest number differ by a number, too.
    pooled = np.clip(pooled[np.isfinite(pooled)], -FLOATS.max / 2, FLOATS.max / 2)
    if not len(pooled):
        return 1.0
    low, high = np.percentile(pooled, [10, 90])
    found = float(high - low) or float(pooled[-1] - pooled[0]) or 1.0
    return max(found, float(FLOATS.tiny))


def value_table(
    values: TextValues | NumberValues | ExactValues,
    reference: TextValues | NumberValues | ExactValues,
    spelling: tuple[TfidfRows | None, TfidfRows | None],
    left_values: IntVector,
    right_values: IntVector,
    spread: float,
) -> FloatMatrix:
    """Similarity of every one of `left_values` to every one of `right_values`.

    float32 of shape (n_left_values, n_right_values), as `similarity` gives it for pairs.
    """
    if not len(values) or not len(reference):
        return np.zeros((0, 0), dtype=np.float32)
    if not isinstance(values, TextValues):
        n_left, n_right = len(left_values), len(right_values)
        pairs = np.repeat(left_values, n_right), np.tile(right_values, n_left)
        if isinstance(values, NumberValues):
            assert isinstance(reference, NumberValues)
            scores = values.similarity(reference, *pairs, spread)
        else:
            assert isinstance(reference, ExactValues)
            scores = np.nan_to_num(values.similarity(reference, *pairs))
        return scores.reshape(n_left, n_right)
    assert isinstance(reference, TextValues)
    assert spelling[0] is not None
    assert spelling[1] is not None
    meaning = np.clip(
        vectors.products(values.vectors[left_values], reference.vectors[right_values]), 0, 1
    )
    lexical = (spelling[0][left_values] @ spelling[1][right_values].T).toarray()
    covered = values.covered[left_values][:, None] & reference.covered[right_values][None, :]
    return np.asarray(np.where(covered, (meaning + lexical) / 2, lexical), dtype=np.float32)
