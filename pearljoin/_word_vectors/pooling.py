"""From the vectors of a text's words to the text's vector (De Boom et al. 2016)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from scipy.sparse import csr_matrix

from pearljoin._typing import FloatMatrix, FloatVector, IntVector
from pearljoin._word_vectors.rank_weights import RankWeights
from pearljoin._word_vectors.rows import Rows
from pearljoin._word_vectors.split import SplitTexts

__all__ = ["Pooling", "Words", "keep_top", "pool", "rank_parts", "sort_by_idf"]

Pooling: TypeAlias = Literal[
    "weighted", "mean", "max", "min", "min-max", "idf-mean", "tf-idf"
]  # fmt: skip


@dataclass(frozen=True)
class Words:
    """The words of many texts end to end, each text's from high to low idf.

    Attributes
    ----------
    ids
        int64 of shape (n_words,): row of each word in a matrix of vectors.
    idf
        float32 of shape (n_words,).
    lengths
        int64 of shape (n_texts,): how many words each text has.
    """

    ids: IntVector
    idf: FloatVector
    lengths: IntVector

    @property
    def starts(self) -> IntVector:
        """Where each text's words begin: int64 of shape (n_texts,)."""
        return np.cumsum(self.lengths) - self.lengths

    @property
    def ranks(self) -> IntVector:
        """Place of each word in its text, from 0: int64 of shape (n_words,)."""
        return np.arange(len(self.ids)) - np.repeat(self.starts, self.lengths)


def sort_by_idf(split: SplitTexts, rows: Rows) -> Words:
    """Sort each text's words from high to low idf, those without a row left out.

    Parameters
    ----------
    split
        The texts' words.
    rows
        What is known of each distinct word. Words of equal idf stand in order of their checksums,
        whatever their order in the text.
    """
    known = np.flatnonzero(rows.ids >= 0)
    ids = rows.ids[known]
    order = np.lexsort((rows.ties[ids], -rows.idf[ids]))
    ids = ids[order]
    place = np.full(len(rows.ids), -1, dtype=np.int64)
    place[known[order]] = np.arange(len(known))
    places = place[split.codes]
    kept = places >= 0
    texts = split.texts[kept]
    # One number that sorts by text and then by place is sorted faster than the two by turns.
    ids = ids[np.sort(texts * len(ids) + places[kept]) % max(len(ids), 1)]
    return Words(ids, rows.idf[ids], np.bincount(texts, minlength=len(split.lengths)))


def keep_top(words: Words, share: float) -> Words:
    """Keep the given share of each text's words, those of highest idf, rounded up."""
    if share >= 1.0:
        return words
    # Rounded first: 0.3 * 10 is a little above 3 in binary and would keep a fourth word.
    limits = np.ceil(np.round(words.lengths * share, 9)).astype(np.int64)
    kept = words.ranks < np.repeat(limits, words.lengths)
    return Words(words.ids[kept], words.idf[kept], limits)


def pool(
    words: Words, matrix: FloatMatrix, how: Pooling, weights: RankWeights | None
) -> FloatMatrix:
    """Combine word vectors into one vector a text.

    Parameters
    ----------
    words
        The words, sorted.
    matrix
        float32 of shape (n_rows, dim): word vectors, rows named by ``words.ids``.
    how
        Any pooling but ``"tf-idf"``, which needs no vectors.
    weights
        Needed by ``"weighted"`` only.

    Returns
    -------
    vectors
        float32 of shape (n_texts, dim), twice as wide for ``"min-max"``; zeros where a text has
        no words.
    """
    if how == "max":
        return _extremes(words, matrix, np.maximum)
    if how == "min":
        return _extremes(words, matrix, np.minimum)
    if how == "min-max":
        both = (_extremes(words, matrix, np.maximum), _extremes(words, matrix, np.minimum))
        return np.hstack(both)
    factors = np.ones(len(words.ids), dtype=np.float32)
    lengths = np.repeat(words.lengths, words.lengths)
    if how == "idf-mean":
        factors = words.idf
    elif how == "weighted" and weights is not None:
        factors = weights.at(words.ranks, lengths)
    bounds = np.concatenate([[0], np.cumsum(words.lengths)])
    shape = (len(words.lengths), len(matrix))
    mixing = csr_matrix((factors / lengths.astype(np.float32), words.ids, bounds), shape=shape)
    return np.asarray(mixing @ matrix, dtype=np.float32)


def rank_parts(words: Words, matrix: FloatMatrix, n_ranks: int) -> FloatMatrix:
    """Split the weighted average into what each rank's weight is multiplied with.

    Returns
    -------
    parts
        float32 of shape (n_texts, n_ranks, dim): ``weights @ parts`` is what `pool` gives.
    """
    lengths = np.repeat(words.lengths, words.lengths)
    text = np.repeat(np.arange(len(words.lengths)), words.lengths)
    place = words.ranks * ((n_ranks - 1) / np.maximum(lengths - 1, 1))
    lower = np.minimum(place.astype(np.int64), n_ranks - 1)
    upper = np.minimum(lower + 1, n_ranks - 1)
    beyond = place - lower
    shares = np.concatenate([(1.0 - beyond) / lengths, beyond / lengths]).astype(np.float32)
    rows = np.concatenate([text * n_ranks + lower, text * n_ranks + upper])
    shape = (len(words.lengths) * n_ranks, len(matrix))
    mixing = csr_matrix((shares, (rows, np.tile(words.ids, 2))), shape=shape)
    found = np.asarray(mixing @ matrix, dtype=np.float32)
    return found.reshape(len(words.lengths), n_ranks, matrix.shape[1])


def _extremes(words: Words, matrix: FloatMatrix, function: np.ufunc) -> FloatMatrix:
    found = np.zeros((len(words.lengths), matrix.shape[1]), dtype=np.float32)
    filled = words.lengths > 0
    if filled.any():
        found[filled] = function.reduceat(matrix[words.ids], words.starts[filled], axis=0)
    return found
