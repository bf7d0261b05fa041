"""The evidence on candidate pairs of two sides whose one key column is text."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_matrix

from pearljoin._features.pair_features import PairBlock, Similarities
from pearljoin._features.registry import REGISTRY, FeatureRegistry
from pearljoin._features.text_profiles import Texts, text_profiles
from pearljoin._features.unmatched_tokens import PairTexts
from pearljoin._records.encoded import EncodedRecords
from pearljoin._records.similarity import TextValues
from pearljoin._search import tfidf, vectors
from pearljoin._typing import FloatMatrix, FloatVector, IntVector, Vectors

__all__ = ["describe"]

FEW = 20
"""The middle of few vectors says little: it is drawn to zero, as if so many more were there."""


def describe(
    left: EncodedRecords,
    right: EncodedRecords,
    own: IntVector,
    others: IntVector,
    registry: FeatureRegistry = REGISTRY,
) -> tuple[FloatMatrix, PairTexts]:
    """Evidence on pairs of records whose one key column is text, and none of them null.

    See `pearljoin._features.pair_features` and `pearljoin._features.unmatched_tokens`.
    """
    values, other_values = left.values[0], right.values[0]
    assert isinstance(values, TextValues)
    assert isinstance(other_values, TextValues)
    texts, other_texts = left.codes[0][own], right.codes[0][others]
    cosine = vectors.pair_cosines(values.vectors, other_values.vectors, texts, other_texts)
    alike = Similarities(
        cosine,
        _centred(values.vectors, other_values.vectors, cosine, texts, other_texts),
        *_spelling(left.spelling[0], right.spelling[0], texts, other_texts),
        values.covered[texts] & other_values.covered[other_texts],
    )
    facts = text_profiles(
        Texts(values.normal, values.bare, values.brackets),
        Texts(other_values.normal, other_values.bare, other_values.brackets),
    )
    features = registry.compute(PairBlock(*facts, alike, texts, other_texts), own, others)
    return features, PairTexts(*facts, texts, other_texts)


def _spelling(
    left: csr_matrix | None, right: csr_matrix | None, own: IntVector, others: IntVector
) -> tuple[FloatVector, FloatVector]:
    """The tf-idf cosines of n-grams and of words."""
    assert left is not None
    assert right is not None
    ngrams, words = (
        2 * tfidf.pair_products(half, other_half, own, others)
        for half, other_half in zip(tfidf.halves(left), tfidf.halves(right), strict=True)
    )
    return ngrams, words


def _centred(
    left: Vectors, right: Vectors, cosine: FloatVector, own: IntVector, others: IntVector
) -> FloatVector:
    """Cosines about the middle of both sides, which all texts of a table share.

    Worked out from the plain cosines: ``(a - m)(b - m) = ab - am - bm + mm``.
    """
    n_texts = left.shape[0] + right.shape[0]
    means = [vectors.mean_row(side) for side in (left, right) if side.shape[0]]
    if not means:
        return cosine
    middle = (np.mean(means, axis=0) * n_texts / (n_texts + FEW)).astype(np.float32)
    square = float(middle @ middle)
    own_part, other_part = left @ middle, right @ middle
    own_length, other_length = (
        np.sqrt(np.maximum(vectors.squared_lengths(side) - 2 * part + square, 1e-6))
        for side, part in ((left, own_part), (right, other_part))
    )
    product = cosine - own_part[own] - other_part[others] + square
    lengths = own_length[own] * other_length[others]
    return np.asarray(np.clip(product / lengths, -1, 1), dtype=np.float32)
