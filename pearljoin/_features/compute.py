"""Features of the candidate pairs of two sides whose one key column is text."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_matrix

from pearljoin._features.pair_features import PairBlock, Similarities
from pearljoin._features.registry import REGISTRY, FeatureRegistry
from pearljoin._features.rival_groups import Groups
from pearljoin._features.text_profiles import TextProfile, Texts, text_profiles
from pearljoin._features.unmatched_tokens import PairTexts
from pearljoin._records.encoded import EncodedRecords
from pearljoin._records.similarity import TextValues
from pearljoin._search import tfidf, vectors
from pearljoin._typing import FloatMatrix, FloatVector, IntVector, Vectors

__all__ = ["CandidateFeatures", "add_candidates", "compute_features"]

FEW = 20
"""The mean of the vectors is drawn to zero, as if there were so many zero vectors more."""


class CandidateFeatures(NamedTuple):
    """Features of candidate pairs, in the order in which a scorer takes them.

    Attributes
    ----------
    features
        float32 of shape (n_pairs, n_features), columns as `pearljoin.scoring.FEATURES`.
    left, right
        int64 of shape (n_pairs,): record numbers.
    texts
        The texts of the pairs.
    """

    features: FloatMatrix
    left: IntVector
    right: IntVector
    texts: PairTexts


def compute_features(
    left: EncodedRecords,
    right: EncodedRecords,
    left_at: IntVector,
    right_at: IntVector,
    registry: FeatureRegistry = REGISTRY,
) -> CandidateFeatures:
    """Compute the features of candidate pairs.

    Parameters
    ----------
    left, right
        Both sides; their one key column is text.
    left_at, right_at
        int64 of shape (n_pairs,): the records of each pair; the key of none is null.
    registry
        The features.

    Returns
    -------
    features
        The features, and the texts of the pairs.
    """
    pairs = _pair_block(left, right, left_at, right_at, _profiles(left, right))
    features = registry.compute(pairs, left_at, right_at)
    texts = PairTexts(pairs.left, pairs.right, pairs.left_at, pairs.right_at)
    return CandidateFeatures(features, left_at, right_at, texts)


def add_candidates(
    candidates: CandidateFeatures,
    left: EncodedRecords,
    right: EncodedRecords,
    left_at: IntVector,
    right_at: IntVector,
    registry: FeatureRegistry = REGISTRY,
) -> CandidateFeatures:
    """Compute the features of further pairs, beside candidates whose features do not change.

    Parameters
    ----------
    candidates
        The candidates of the two sides.
    left, right, left_at, right_at, registry
        As of `compute_features`, for the further pairs. Their rivals are all pairs.

    Returns
    -------
    features
        Of the candidates and the further pairs, by left and then by right record.
    """
    profiles = candidates.texts.left, candidates.texts.right
    pairs = _pair_block(left, right, left_at, right_at, profiles)
    features = np.vstack([candidates.features, registry.without_margins(pairs)])
    all_left = np.concatenate([candidates.left, left_at])
    all_right = np.concatenate([candidates.right, right_at])
    registry.add_margins(features, left=Groups(all_left), right=Groups(all_right))
    features[: len(candidates.left)] = candidates.features
    texts = PairTexts(
        *profiles,
        np.concatenate([candidates.texts.left_at, pairs.left_at]),
        np.concatenate([candidates.texts.right_at, pairs.right_at]),
    )
    order = np.lexsort((all_right, all_left))
    return CandidateFeatures(features[order], all_left[order], all_right[order], texts.take(order))


def _values(side: EncodedRecords) -> TextValues:
    values = side.values[0]
    assert isinstance(values, TextValues)
    return values


def _profiles(left: EncodedRecords, right: EncodedRecords) -> tuple[TextProfile, TextProfile]:
    texts = (Texts(side.normal, side.bare, side.brackets) for side in map(_values, (left, right)))
    return text_profiles(*texts)


def _pair_block(
    left: EncodedRecords,
    right: EncodedRecords,
    left_records: IntVector,
    right_records: IntVector,
    profiles: tuple[TextProfile, TextProfile],
) -> PairBlock:
    """Pairs of records as pairs of texts, with their similarities."""
    left_values, right_values = _values(left), _values(right)
    left_at, right_at = left.codes[0][left_records], right.codes[0][right_records]
    both = left_values.vectors, right_values.vectors
    cosine = vectors.pair_cosines(*both, left_at, right_at)
    similarities = Similarities(
        cosine,
        _centred(*both, cosine, left_at, right_at),
        *_spelling(left.spelling[0], right.spelling[0], left_at, right_at),
        left_values.covered[left_at] & right_values.covered[right_at],
    )
    return PairBlock(*profiles, similarities, left_at, right_at)


def _spelling(
    left: csr_matrix | None, right: csr_matrix | None, left_at: IntVector, right_at: IntVector
) -> tuple[FloatVector, FloatVector]:
    """The tf-idf cosines of n-grams and of words."""
    assert left is not None
    assert right is not None
    ngrams, words = (
        2 * tfidf.pair_products(left_half, right_half, left_at, right_at)
        for left_half, right_half in zip(tfidf.halves(left), tfidf.halves(right), strict=True)
    )
    return ngrams, words


def _centred(
    left: Vectors,
    right: Vectors,
    cosine: FloatVector,
    left_at: IntVector,
    right_at: IntVector,
) -> FloatVector:
    """Cosines about the mean of both sides, which all texts of a table share.

    Computed from the plain cosines: ``(a - m)(b - m) = ab - am - bm + mm``.
    """
    n_texts = left.shape[0] + right.shape[0]
    means = [vectors.mean_row(side) for side in (left, right) if side.shape[0]]
    if not means:
        return cosine
    middle = (np.mean(means, axis=0) * n_texts / (n_texts + FEW)).astype(np.float32)
    square = float(middle @ middle)
    left_part, right_part = left @ middle, right @ middle
    left_length, right_length = (
        np.sqrt(np.maximum(vectors.squared_lengths(side) - 2 * part + square, 1e-6))
        for side, part in ((left, left_part), (right, right_part))
    )
    product = cosine - left_part[left_at] - right_part[right_at] + square
    lengths = left_length[left_at] * right_length[right_at]
    return np.asarray(np.clip(product / lengths, -1, 1), dtype=np.float32)
