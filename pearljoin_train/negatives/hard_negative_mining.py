"""Choosing hard negatives among the candidates: of similar spelling, and of other meaning."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pearljoin import Encoder, InputError
from pearljoin._typing import FloatVector, IntVector
from pearljoin_train.negatives.chunks import pair_chunks
from pearljoin_train.negatives.ngram_index import NgramIndex
from pearljoin_train.negatives.same_entity import SameEntity
from pearljoin_train.negatives.store import HardNegatives

__all__ = ["Halves", "Miner", "MiningOptions", "mine"]

Halves: TypeAlias = NDArray[np.float16]
"""Unit vectors in half precision: a million of them must fit in memory."""


@dataclass(frozen=True)
class MiningOptions:
    """Settings of hard-negative mining.

    Raises
    ------
    InputError
        If a number is out of range.
    """

    stored: int = 12
    """Negatives kept a phrase, at most: those of the most similar spelling."""
    most_cosine: float = 0.7
    """Phrases closer than this to each other, by the base model, may mean the same."""
    least_similarity: float = 0.5
    """Least similarity of spelling: one less the edit distance over the longer one's length."""
    numbers: bool = False
    """Whether phrases with different numbers ("2009 final", "2010 final") are negatives of each
    other whatever their cosine. The paper makes no exception."""
    candidates: int = 50
    """Phrases a phrase whose edit distance is measured: those of most n-grams in common."""
    ngram: int = 4
    """Characters of an n-gram."""
    budget: int = 10_000
    """Occurrences looked up a phrase: its rarest n-grams are, until they would be more."""

    def __post_init__(self) -> None:
        counts = (self.stored, self.candidates, self.ngram, self.budget)
        if min(counts) < 1 or not 0 < self.least_similarity <= 1 or not -1 <= self.most_cosine <= 1:
            raise InputError(
                "Counts are at least 1, similarities of (0, 1], cosines of [-1, 1]. "
                f"Got: {self}. Hint: leave out the option that is out of range."
            )


class Miner:
    """Finds the hard negatives of any rows of a list of phrases.

    Parameters
    ----------
    phrases
        Distinct.
    vectors
        float16 of shape (n_phrases, dim), unit rows of the base model.
    pairs
        Names of one thing (`SameEntity`).
    options
        What counts as a hard negative.
    """

    def __init__(
        self,
        phrases: Sequence[str],
        vectors: Halves,
        pairs: Iterable[tuple[str, str]],
        options: MiningOptions,
    ) -> None:
        self._options = options
        self._index = NgramIndex(
            phrases,
            least_similarity=options.least_similarity,
            most=options.candidates,
            ngram=options.ngram,
            budget=options.budget,
        )
        self._vectors = vectors
        self._same = SameEntity(phrases, pairs)
        self._numbers = _numbers(phrases)

    def rows(self, start: int, stop: int) -> tuple[IntVector, IntVector]:
        """Return pairs (query, negative) of rows, by query, and of similar spelling first."""
        query, row, similarity = self._index.candidates(start, stop)
        far = _cosines(self._vectors, query, row) <= self._options.most_cosine
        if self._options.numbers:
            query_number, row_number = self._numbers[query], self._numbers[row]
            far |= (query_number != row_number) & (query_number != 0) & (row_number != 0)
        query, row, similarity = query[far], row[far], similarity[far]
        apart = ~self._same(query, row)
        query, row, similarity = query[apart], row[apart], similarity[apart]
        order = np.lexsort((row, -similarity, query))
        query, row = query[order], row[order]
        rank = np.arange(len(query)) - np.searchsorted(query, query)
        return query[rank < self._options.stored], row[rank < self._options.stored]


def _cosines(vectors: Halves, query: IntVector, row: IntVector) -> FloatVector:
    cosines = np.empty(len(query), dtype=np.float32)
    for part in pair_chunks(len(query)):
        left, right = vectors[query[part]], vectors[row[part]]
        cosines[part] = np.einsum("ij,ij->i", left, right, dtype=np.float32)
    return cosines


def _numbers(phrases: Sequence[str]) -> IntVector:
    """Return a number for each sequence of digits that phrases have; 0: none."""
    known = {"": 0}
    digits = (
        " ".join("".join(c if c.isdecimal() else " " for c in phrase).split()) for phrase in phrases
    )
    return np.array([known.setdefault(found, len(known)) for found in digits], dtype=np.int64)


def mine(
    phrases: Sequence[str],
    encoder: Encoder,
    *,
    pairs: Iterable[tuple[str, str]] = (),
    options: MiningOptions | None = None,
) -> HardNegatives:
    """Find hard negatives in memory.

    Parameters
    ----------
    phrases
        Distinct. Negatives are sought for these and among these.
    encoder
        The base model.
    pairs
        Names of one thing, which are never each other's negatives (`SameEntity`).
    options
        What counts as a hard negative.

    Returns
    -------
    negatives
        At most `MiningOptions.stored` a phrase.

    Examples
    --------
    >>> class Same:
    ...     dim = 1
    ...
    ...     def encode(self, phrases):
    ...         return np.array([[-1.0 if "Post" in text else 1.0] for text in phrases])
    >>> texts = ["New York Times", "New York Time", "New York Post"]
    >>> mine(texts, Same()).of("New York Post")
    ('New York Time', 'New York Times')
    >>> mine(texts, Same(), pairs=[("New York Post", "new york time")]).of("New York Time")
    ()
    """
    vectors = np.asarray(encoder.encode(phrases), dtype=np.float16)
    miner = Miner(phrases, vectors, pairs, options or MiningOptions())
    query, row = miner.rows(0, len(phrases))
    starts = np.searchsorted(query, np.arange(len(phrases) + 1))
    return HardNegatives(phrases, starts, row.astype(np.int32))
