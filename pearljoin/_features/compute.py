"""Features of candidate pairs of records in one key column of text."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from pearljoin._features.pair_features import PairBlock, Similarities
from pearljoin._features.profiled_texts import ProfiledTexts
from pearljoin._features.registry import REGISTRY
from pearljoin._features.rival_groups import Groups
from pearljoin._features.siblings import USUAL_SIBLING, nearest_siblings
from pearljoin._features.text_profiles import TextProfile
from pearljoin._features.token_alignment import AlignedTokens, align
from pearljoin._features.unmatched_tokens import PairTokens, SideTokens
from pearljoin._records.column_statistics import ColumnStatistics
from pearljoin._records.encoded import EncodedRecords
from pearljoin._records.similarity import TextValues
from pearljoin._search import vectors
from pearljoin._search.pair_products import half_products
from pearljoin._search.rounded_vectors import KeptVectors
from pearljoin._search.weighing import as_matrix
from pearljoin._typing import FloatMatrix, FloatVector, IntVector, Pairs

__all__ = ["CandidateFeatures", "ComparedColumn", "with_things"]

TEXTS_AT_ONCE = 16_384
"""Texts whose vectors are taken out at a time: bounds the memory."""

FEW = 20
"""Texts of a reference for which the mean vector of texts at large counts."""


class CandidateFeatures(NamedTuple):
    """Features of candidate pairs, in the order in which a scorer takes them.

    Attributes
    ----------
    features
        float32 of shape (n_pairs, n_features), columns as `pearljoin.scoring.FEATURES`.
    left, right
        int64 of shape (n_pairs,): record numbers.
    tokens
        The tokens of the pairs, and how far each is matched.
    things
        int64 of shape (n_pairs,): equal for right texts that are the same thing, as far as that was
        asked; at first for those that write one name.
    """

    features: FloatMatrix
    left: IntVector
    right: IntVector
    tokens: PairTokens
    things: IntVector

    @property
    def names(self) -> IntVector:
        """The name of `things` in earlier versions."""
        return self.things

    def take(self, pairs: IntVector) -> CandidateFeatures:
        """Return those of some pairs."""
        return CandidateFeatures(
            self.features[pairs],
            self.left[pairs],
            self.right[pairs],
            self.tokens.take(pairs),
            self.things[pairs],
        )


@dataclass(frozen=True, eq=False)
class ComparedColumn:
    """A key column of text of both sides, whose pairs of texts are compared.

    Attributes
    ----------
    left, right
        Both sides.
    middle
        float32 of shape (dim,): the mean vector of texts at large.
    at
        Position of the column.
    """

    left: EncodedRecords
    right: EncodedRecords
    middle: FloatVector
    at: int = 0

    def compute_features(
        self, left_at: IntVector, right_at: IntVector, texts: ProfiledTexts | None = None
    ) -> CandidateFeatures:
        """Compute the features of candidate pairs.

        Parameters
        ----------
        left_at, right_at
            int64 of shape (n_pairs,), `left_at` ascending: the records of each pair; the value of
            none is null.
        texts
            The texts of these pairs and of others, where they are profiled already.
        """
        sides = self.left, self.right
        texts = ProfiledTexts.of(*sides, left_at, right_at, self.at) if texts is None else texts
        codes = self.left.codes[self.at][left_at], self.right.codes[self.at][right_at]
        pairs = self._block(codes, texts, left_at)
        tokens = PairTokens(
            _side_tokens(texts.left, pairs.left_tokens),
            _side_tokens(texts.right, pairs.right_tokens),
        )
        features, names = REGISTRY.compute(pairs, left_at), texts.right.names[pairs.right_at]
        return CandidateFeatures(features, left_at, right_at, tokens, names)

    def compute_alone(self, codes: Pairs, texts: ProfiledTexts) -> FloatMatrix:
        """Compute the features of pairs of texts by themselves, as if there were no rivals.

        Parameters
        ----------
        codes
            Aligned int64 arrays of shape (n_pairs,): the text of each side.
        texts
            These texts and others, profiled.

        Returns
        -------
        features
            float32 of shape (n_pairs, n_features); margins over rivals are 0.
        """
        return REGISTRY.compute_alone(self._block(codes, texts))

    def _block(
        self, codes: Pairs, texts: ProfiledTexts, left_records: IntVector | None = None
    ) -> PairBlock:
        """Prepare pairs of texts; without left records none has siblings."""
        places = texts.places(*codes)
        sides = _Part(self.left, codes[0], self.at), _Part(self.right, codes[1], self.at)
        similarities = _similarities(sides, self.right.statistics[self.at], self.middle)
        if left_records is not None:
            names = texts.right.names[places[1]]
            known = sides[1].vectors, codes[1], names, left_records, similarities.cosine
            similarities = replace(similarities, sibling=nearest_siblings(*known))
        profiles = texts.left, texts.right
        return PairBlock(*profiles, similarities, *places, *align(*profiles, *places))


def with_things(
    pairs: CandidateFeatures, right: EncodedRecords, things: IntVector
) -> CandidateFeatures:
    """Compute again what depends on rivals, where some of these are the same thing.

    Parameters
    ----------
    pairs
        Candidate pairs in the first key column.
    right
        The right side.
    things
        int64 of shape (n_pairs,): equal for a left record's candidates that are the same thing.
    """
    of_row = Groups(pairs.left).number
    is_double = things != pairs.right
    at = np.flatnonzero(np.isin(of_row, of_row[is_double]))
    if not len(at):
        return pairs._replace(things=things)
    values = right.values[0]
    assert isinstance(values, TextValues)
    some, left, thing = pairs.features[at], pairs.left[at], things[at]
    some = REGISTRY.without_rivals(some, left, thing)
    cosine, sibling, lead = map(REGISTRY.names.index, ("cosine", "sibling_cosine", "sibling_lead"))
    # As the features were: records of equal keys are compared as the first of them.
    text = right.codes[0][right.first_equals(pairs.right[at])]
    some[:, sibling] = nearest_siblings(values.vectors, text, thing, left, some[:, cosine])
    some[:, lead] = some[:, cosine] - some[:, sibling]
    features = pairs.features.copy()
    features[at] = some
    return pairs._replace(features=features, things=things)


class _Part:
    """The texts of one side that occur in some pair, and which of them each pair has."""

    def __init__(self, side: EncodedRecords, codes: IntVector, column: int) -> None:
        values = side.values[column]
        assert isinstance(values, TextValues)
        spelling = side.spelling[column]
        assert spelling is not None
        texts, places = np.unique(codes, return_inverse=True)
        # Vectors are read where they lie: those of some hundred thousand texts are large.
        self.vectors: KeptVectors = values.vectors
        self.codes = codes
        self.texts = texts
        is_all = len(texts) == len(values.texts)
        self.spelling = as_matrix(spelling) if is_all else spelling[texts]
        self.covered = values.covered[codes]
        self.places: IntVector = places.reshape(-1).astype(np.int64)

    def about(self, middle: FloatVector) -> tuple[FloatVector, FloatVector]:
        """The product with the middle, and the distance from it, of each pair's text.

        float32 of shape (n_pairs,) each.
        """
        square = float(middle @ middle)
        products, lengths = np.zeros((2, len(self.texts)), dtype=np.float32)
        for start in range(0, len(self.texts), TEXTS_AT_ONCE):
            part = slice(start, start + TEXTS_AT_ONCE)
            rows = self.vectors[self.texts[part]]
            # A matrix product would hang, in its last bit, on how many rows there are.
            products[part] = vectors.products_with(rows, middle)
            lengths[part] = vectors.squared_lengths(rows)
        lengths = np.sqrt(np.maximum(lengths - 2 * products + square, 1e-6))
        return products[self.places], lengths[self.places]


def _side_tokens(texts: TextProfile, tokens: AlignedTokens) -> SideTokens:
    """What unmatched tokens are counted by."""
    words = texts.words
    return SideTokens(
        tokens.bounds,
        texts.word_columns[words.indices[tokens.entry]],
        words.data[tokens.entry].astype(np.float32),
        tokens.covered,
        texts.heaviest,
    )


def _similarities(
    sides: tuple[_Part, _Part],
    statistics: ColumnStatistics,
    middle: FloatVector,
) -> Similarities:
    left, right = sides
    cosine = vectors.pair_cosines(left.vectors, right.vectors, left.codes, right.codes)
    mean, terms = statistics.mean, statistics.terms
    assert mean is not None
    assert terms is not None
    trust = terms.n_texts / (terms.n_texts + FEW)
    middle = (trust * mean + (1 - trust) * middle).astype(np.float32)
    ngrams, words = half_products(left.spelling, right.spelling, left.places, right.places)
    return Similarities(
        cosine,
        _centred(left, right, cosine, middle),
        2 * ngrams,
        2 * words,
        left.covered & right.covered,
        np.full(len(cosine), USUAL_SIBLING, dtype=np.float32),
    )


def _centred(left: _Part, right: _Part, cosine: FloatVector, middle: FloatVector) -> FloatVector:
    """Cosines about the middle, which all texts of a table share.

    Computed from the plain cosines: ``(a - m)(b - m) = ab - am - bm + mm``.
    """
    (left_part, left_length), (right_part, right_length) = left.about(middle), right.about(middle)
    product = cosine - left_part - right_part + float(middle @ middle)
    return np.asarray(np.clip(product / (left_length * right_length), -1, 1), dtype=np.float32)
