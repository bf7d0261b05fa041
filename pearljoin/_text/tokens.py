"""Texts as runs of numbered tokens.

What concerns tokens is computed once per distinct token, and the tokens of all texts are worked on
together: a hundred thousand texts have a few times as many tokens, and most are short.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import chain, pairwise

import numpy as np

from pearljoin._cached import cached_property
from pearljoin._ragged import SparseRows, bounds_of, row_of_each, sizes_of
from pearljoin._search import tfidf
from pearljoin._text.contrasts import NEGATIONS, SHORTEST_STEM, Contrast, contrasts
from pearljoin._text.lexicon import NUMBER_WORDS, SMALL_WORDS
from pearljoin._typing import BoolVector, IntVector

__all__ = ["LONGEST", "TokenIndex", "TokenRuns", "mixed", "tokenize"]

LONGEST = 200
"""Characters that string measures look at: their cost grows with the square of the length."""

_NUMERIC = re.compile(r"[\d@]")


@dataclass(frozen=True)
class TokenIndex:
    """Distinct tokens, numbered in alphabetical order, whatever the order of texts.

    Similar tokens then mostly lie together, which is kind to the cache.

    Attributes
    ----------
    words
        The tokens.
    place
        The number of each token.
    negated
        Tokens that follow a negation in any text.
    """

    words: list[str]
    place: dict[str, int]
    negated: frozenset[str] = frozenset()

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def columns(self) -> IntVector:
        """The word column of each token (`pearljoin._search.tfidf`): int64 of shape (n_tokens,)."""
        return tfidf.word_columns(self.words)

    @cached_property
    def numeric(self) -> BoolVector:
        """Which tokens have a digit, are number words, or name a mailbox: bool, (n_tokens,)."""
        found = [word in NUMBER_WORDS or bool(_NUMERIC.search(word)) for word in self.words]
        return np.array(found, dtype=bool)

    @cached_property
    def contrasts(self) -> dict[str, list[Contrast]]:
        """The contrasts of the tokens that are in any."""
        return contrasts(self.place.keys(), self.negated)

    def among(self, words: frozenset[str]) -> BoolVector:
        """Mark the tokens that are among some words: bool of shape (n_tokens,)."""
        return np.array([word in words for word in self.words], dtype=bool)


@dataclass(frozen=True)
class TokenRuns:
    """The tokens of texts, one text after the other.

    Attributes
    ----------
    index
        The distinct tokens.
    number
        int64 of shape (n_running_tokens,): the number of each token.
    bounds
        int64 of shape (n_texts + 1,): where each text starts, and where the last one ends.
    """

    index: TokenIndex
    number: IntVector
    bounds: IntVector

    @property
    def n_words(self) -> IntVector:
        """Number of tokens in each text: int64 of shape (n_texts,)."""
        return sizes_of(self.bounds)

    @property
    def text(self) -> IntVector:
        """The text of each token: int64 of shape (n_running_tokens,)."""
        return row_of_each(self.bounds)

    def only(self, kept: BoolVector) -> TokenRuns:
        """Return the texts with some tokens of the index only."""
        here = kept[self.number]
        bounds = bounds_of(here)[self.bounds]
        return TokenRuns(self.index, self.number[here], bounds)

    def any_of(self, words: BoolVector) -> BoolVector:
        """Mark the texts that have any of some tokens of the index: bool of shape (n_texts,)."""
        return sizes_of(self.only(words).bounds) > 0

    def first(self) -> IntVector:
        """Return the number of each text's first token, -1 where it has none."""
        return self._at(self.bounds[:-1])

    def last(self) -> IntVector:
        """Return the number of each text's last token, -1 where it has none."""
        return self._at(self.bounds[1:] - 1)

    def _at(self, positions: IntVector) -> IntVector:
        found = np.full(len(positions), -1, dtype=np.int64)
        some = self.n_words > 0
        found[some] = self.number[positions[some]]
        return found

    @cached_property
    def is_negated(self) -> BoolVector:
        """Which tokens follow a negation in their text: bool of shape (n_running_tokens,)."""
        follows = np.zeros(len(self.number), dtype=bool)
        follows[1:] = self.index.among(NEGATIONS)[self.number[:-1]]
        follows[self.bounds[:-1][self.n_words > 0]] = False
        return follows

    @cached_property
    def bags(self) -> IntVector:
        """A hash of each text's tokens, in any order; 0 where it has none.

        For texts of one index.
        """
        return self.sums(mixed(np.arange(len(self.index))))

    def sums(self, values: IntVector) -> IntVector:
        """Sum values of the tokens of the index by text: int64 of shape (n_texts,)."""
        sums = np.concatenate([[0], values[self.number].cumsum()])[self.bounds]
        return np.asarray(sums[1:] - sums[:-1], dtype=np.int64)

    @cached_property
    def content(self) -> TokenRuns:
        """The texts without `SMALL_WORDS`."""
        return self.only(~self.index.among(SMALL_WORDS))

    @cached_property
    def initials(self) -> str:
        """First letters of all tokens, one letter a token."""
        letters = [word[0] for word in self.index.words]
        return "".join(map(letters.__getitem__, self.number.tolist()))

    def initials_by_text(self) -> list[str]:
        """Return the first letters of each text's tokens."""
        letters, bounds = self.initials, self.bounds.tolist()
        return [letters[start:end] for start, end in pairwise(bounds)]

    def incidence(self) -> SparseRows:
        """Return which texts have which tokens: 0/1 of shape (n_texts, n_tokens)."""
        shape = len(self.bounds) - 1, len(self.index)
        return SparseRows.of_places(self.text, self.number, shape)


def tokenize(*sides: list[str]) -> list[TokenRuns]:
    """Split the texts of several sides at spaces, and number the tokens by one index.

    Parameters
    ----------
    *sides
        Normalised texts.

    Returns
    -------
    runs
        The tokens of each side.
    """
    listed = [[text.split() for text in texts] for texts in sides]
    running = [list(chain.from_iterable(texts)) for texts in listed]
    words = sorted(set(chain.from_iterable(running))) or [" "]  # No table has no columns.
    place = {word: number for number, word in enumerate(words)}
    index = TokenIndex(words, place, _negated(listed) if NEGATIONS & place.keys() else frozenset())
    runs = []
    for texts, flat in zip(listed, running, strict=True):
        numbers = np.fromiter(map(index.place.__getitem__, flat), np.int64, len(flat))
        lengths = np.fromiter(map(len, texts), np.int64, len(texts))
        runs.append(TokenRuns(index, numbers, bounds_of(lengths)))
    return runs


def _negated(sides: list[list[list[str]]]) -> frozenset[str]:
    """The words that follow a negation in any text."""
    found = (words for texts in sides for words in texts if not NEGATIONS.isdisjoint(words))
    pairs = chain.from_iterable(map(pairwise, found))
    return frozenset(word for before, word in pairs if before in NEGATIONS and _is_content(word))


def _is_content(word: str) -> bool:
    """Tell whether a word is no number (*House No Seven*), nor a small one."""
    return len(word) >= SHORTEST_STEM and word.isalpha() and word not in NUMBER_WORDS


def mixed(numbers: IntVector) -> IntVector:
    """Scatter numbers over 64 bits (Steele, Lea, Flood 2014, their MurmurHash3 variant 13)."""
    mixed = (numbers.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (mixed ^ (mixed >> np.uint64(31))).view(np.int64)
