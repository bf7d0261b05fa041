"""Texts as runs of numbered words, and which words are spellings, beginnings or initials of which.

What concerns words is worked out once per distinct word, and the texts' words are looked at all
together: a hundred thousand texts have a few times as many words, and most are short.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from pearljoin._parallel import processors
from pearljoin._search import tfidf
from pearljoin._text.lexicon import NUMBER_WORDS, SMALL_WORDS
from pearljoin._typing import BoolVector, FloatVector, IntVector

__all__ = [
    "Vocabulary",
    "WordRuns",
    "acronyms",
    "best_of",
    "incidence",
    "joined",
    "spellings",
    "split",
    "starts",
]

SLIP = 3.0
"""Letters that a slip of the pen outweighs: a word says another as far as ``1 - SLIP * slips /
letters``, where slips are counted by optimal string alignment and letters in the longer word. It
is 0.7 for "California" and "Califronia", 0.25 for "WHCT" and "WHCQ", 0 for "Andi" and "Gbandi"."""

SPELLINGS = 10
"""Words looked at for each word when its other spellings are sought."""

LONGEST_WORD, LONGEST_ACRONYM, MOST_INITIALS, LONGEST_START = 64, 8, 40, 20
"""Bounds that names do not reach, and that keep long texts cheap."""

_DIGIT = re.compile(r"\d")


@dataclass(frozen=True)
class Vocabulary:
    """Distinct words, numbered in alphabetical order, so that the order of texts is nothing.

    Words that are alike then mostly lie together, which is kind to the cache.

    Attributes
    ----------
    words
        The words.
    place
        The number of each.
    """

    words: list[str]
    place: dict[str, int]

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def numeric(self) -> BoolVector:
        """Which words have a digit or say a number: bool of shape (n_words,)."""
        found = [word in NUMBER_WORDS or bool(_DIGIT.search(word)) for word in self.words]
        return np.array(found, dtype=bool)

    def among(self, words: frozenset[str]) -> BoolVector:
        """Which words are among some others: bool of shape (n_words,)."""
        return np.array([word in words for word in self.words], dtype=bool)


@dataclass(frozen=True)
class WordRuns:
    """The words of texts, one text after the other.

    Attributes
    ----------
    vocabulary
        What the words are numbered by.
    number
        int64 of shape (n_running_words,): the number of each word.
    bounds
        int64 of shape (n_texts + 1,): where each text starts, and where the last one ends.
    """

    vocabulary: Vocabulary
    number: IntVector
    bounds: IntVector

    @property
    def n_words(self) -> IntVector:
        """Words in each text."""
        return np.diff(self.bounds)

    @property
    def text(self) -> IntVector:
        """Which text each word is of."""
        return np.repeat(np.arange(len(self.bounds) - 1), self.n_words)

    def only(self, kept: BoolVector) -> WordRuns:
        """The same without some words of the vocabulary."""
        here = kept[self.number]
        bounds = np.concatenate([[0], np.cumsum(here)])[self.bounds]
        return WordRuns(self.vocabulary, self.number[here], bounds)

    def any_of(self, words: BoolVector) -> BoolVector:
        """Which texts have any of some words of the vocabulary: bool of shape (n_texts,)."""
        return np.diff(self.only(words).bounds) > 0

    def first(self) -> IntVector:
        """The number of each text's first word, -1 where it has none."""
        return self._at(self.bounds[:-1])

    def last(self) -> IntVector:
        """The number of each text's last word, -1 where it has none."""
        return self._at(self.bounds[1:] - 1)

    def _at(self, positions: IntVector) -> IntVector:
        found = np.full(len(positions), -1, dtype=np.int64)
        some = self.n_words > 0
        found[some] = self.number[positions[some]]
        return found

    @cached_property
    def content(self) -> WordRuns:
        """The same without `SMALL_WORDS`."""
        return self.only(~self.vocabulary.among(SMALL_WORDS))

    @cached_property
    def initials(self) -> str:
        """First letters of all words, one a word."""
        letters = [word[0] for word in self.vocabulary.words]
        return "".join(map(letters.__getitem__, self.number.tolist()))

    def initials_by_text(self) -> list[str]:
        """First letters of each text's words."""
        letters, bounds = self.initials, self.bounds.tolist()
        return [letters[start:end] for start, end in pairwise(bounds)]

    def incidence(self) -> csr_matrix:
        """Sparse 0/1 of shape (n_texts, n_words): which texts have which words."""
        shape = len(self.bounds) - 1, len(self.vocabulary)
        return incidence(self.text, self.number, shape)


def split(*sides: list[str]) -> list[WordRuns]:
    """Number the words of several sides' texts by one vocabulary."""
    listed = [[text.split() for text in texts] for texts in sides]
    running = [list(chain.from_iterable(texts)) for texts in listed]
    words = sorted(set(chain.from_iterable(running))) or [" "]  # No table has no columns.
    vocabulary = Vocabulary(words, {word: number for number, word in enumerate(words)})
    runs = []
    for texts, flat in zip(listed, running, strict=True):
        numbers = np.fromiter(map(vocabulary.place.__getitem__, flat), np.int64, len(flat))
        lengths = np.fromiter(map(len, texts), np.int64, len(texts))
        runs.append(WordRuns(vocabulary, numbers, np.concatenate([[0], np.cumsum(lengths)])))
    return runs


def spellings(vocabulary: Vocabulary) -> csr_matrix:
    """How far words say words, 1 for the same, by the slips between them (see `SLIP`).

    Sparse, of shape (n_words, n_words), symmetric.
    """
    # Imported here, so that training runs on a machine without it.
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    words, same = np.array(vocabulary.words, dtype=object), np.arange(len(vocabulary))
    # Words of digits are no spellings of each other, and what is so long is no word.
    wrong = (_DIGIT.search(word) or len(word) > LONGEST_WORD for word in words)
    texts = ["" if no else word for word, no in zip(words, wrong, strict=True)]
    grams = tfidf.halves(tfidf.count(texts))[0]
    grams = csr_matrix(grams.multiply(1 / np.sqrt(np.maximum(1, grams.sum(axis=1)))))
    one, other, _ = tfidf.nearest(grams, grams, SPELLINGS)
    one, other = one[one != other], other[one != other]
    slips = process.cpdist(words[one], words[other], scorer=OSA.distance, workers=processors())
    length = np.array([len(word) for word in words], dtype=np.float32)
    score = (1 - SLIP * slips / np.maximum(length[one], length[other])).astype(np.float32)
    kept = score > 0
    # Either may be missing among the other's nearest.
    rows = np.concatenate([same, one[kept], other[kept]])
    columns = np.concatenate([same, other[kept], one[kept]])
    scores = np.concatenate([np.ones(len(same), dtype=np.float32), score[kept], score[kept]])
    return _largest(rows, columns, scores, (len(same), len(same)))


def starts(vocabulary: Vocabulary) -> csr_matrix:
    """Which words begin with, or are, which others: sparse 0/1, of shape (n_words, n_words).

    Words that begin with a digit begin with no other.
    """
    words: list[int] = []
    beginnings: list[int] = []
    # In order, all that begins with a word follows it at once: these are the ones that stand open.
    standing: list[str] = []
    for word in vocabulary.words:
        while standing and not word.startswith(standing[-1]):
            standing.pop()
        found = [word, *standing]
        words.extend([vocabulary.place[word]] * len(found))
        beginnings.extend(map(vocabulary.place.__getitem__, found))
        if len(word) <= LONGEST_START and not _DIGIT.match(word):
            standing.append(word)
    shape = len(vocabulary), len(vocabulary)
    return incidence(np.array(words, np.int64), np.array(beginnings, np.int64), shape)


def acronyms(runs: WordRuns) -> csr_matrix:
    """Which words are the initials of two or more words in a row, of all words or the longer ones.

    Sparse 0/1, of shape (n_texts, n_words). Longer ones are those that are not `SMALL_WORDS`.
    """
    every = np.ones(len(runs.bounds) - 1, dtype=bool)
    others = runs.content.n_words < runs.n_words
    found = _initials_in(runs, every), _initials_in(runs.content, others)
    texts, words = (np.concatenate(both) for both in zip(*found, strict=True))
    return incidence(texts, words, (len(every), len(runs.vocabulary)))


def _initials_in(runs: WordRuns, wanted: BoolVector) -> tuple[IntVector, IntVector]:
    """Of the texts that are wanted, each with words that are initials of some of its words."""
    letters, text, find = runs.initials, runs.text, runs.vocabulary.place.get
    start = np.flatnonzero(wanted[text])
    end = np.minimum(runs.bounds[1:], runs.bounds[:-1] + MOST_INITIALS)[text]
    texts, words = [], []
    for length in range(2, LONGEST_ACRONYM + 1):
        here = start[start + length <= end[start]]
        found = [find(letters[at : at + length], -1) for at in here.tolist()]
        words.append(np.array(found, dtype=np.int64))
        texts.append(text[here])
    text, word = np.concatenate(texts), np.concatenate(words)
    return text[word >= 0], word[word >= 0]


def joined(*sides: WordRuns) -> list[csr_matrix]:
    """Which words texts say in two, or as one: "data base" says "database", and the reverse.

    Of words that stand in two in any text of any side; never of two numbers ("1 1" is not "11", nor
    "2 1st" "21st"). A whole word then says either part, also to texts that have that part alone.

    Parameters
    ----------
    sides
        Texts of one vocabulary.

    Returns
    -------
    said
        For each side sparse 0/1, of shape (n_texts, n_words).
    """
    vocabulary = sides[0].vocabulary
    size = len(vocabulary)
    pairs = [_neighbours(runs) for runs in sides]
    known = np.unique(np.concatenate([first * size + second for _, first, second in pairs]))
    parts = np.stack([known // size, known % size])
    words, place = vocabulary.words, vocabulary.place
    whole = np.array(
        [place.get(words[first] + words[second], -1) for first, second in parts.T.tolist()],
        dtype=np.int64,
    )
    begins, ends = (np.array([word[at].isdigit() for word in words]) for at in (0, -1))
    whole[ends[parts[0]] & begins[parts[1]]] = -1
    parts_of = incidence(
        np.tile(whole[whole >= 0], 2), parts[:, whole >= 0].reshape(-1), (size, size)
    )
    said = []
    for runs, (text, first, second) in zip(sides, pairs, strict=True):
        word = whole[np.searchsorted(known, first * size + second)]
        shape = len(runs.bounds) - 1, size
        in_two = incidence(text[word >= 0], word[word >= 0], shape)
        said.append(csr_matrix(in_two.maximum((runs.incidence() @ parts_of).minimum(1))))
    return said


def _neighbours(runs: WordRuns) -> tuple[IntVector, IntVector, IntVector]:
    """Words that stand side by side: the text of each two, and the numbers of both."""
    text = runs.text
    at = np.flatnonzero(text[:-1] == text[1:])
    return text[at], runs.number[at], runs.number[at + 1]


def best_of(has: csr_matrix, alike: csr_matrix) -> csr_matrix:
    """How far texts say words: as far as the word that they have does that says them best.

    Parameters
    ----------
    has
        Sparse, of shape (n_texts, n_words): the words of texts.
    alike
        Sparse, of shape (n_words, n_words): how far words say words, as of `spellings`.
    """
    n_alike = np.diff(alike.indptr)[has.indices]
    rows = np.repeat(np.repeat(np.arange(has.shape[0]), np.diff(has.indptr)), n_alike)
    expanded = alike[has.indices]
    return _largest(rows, expanded.indices, expanded.data, has.shape)


def _largest(
    rows: IntVector, columns: NDArray[Any], values: FloatVector, shape: tuple[int, int]
) -> csr_matrix:
    """A sparse matrix that keeps the largest of the values for one place."""
    key = rows.astype(np.int64) * max(1, shape[1]) + columns
    order = np.lexsort((-values, key))
    first = order[np.flatnonzero(np.diff(key[order], prepend=-1))]
    return csr_matrix((values[first], (rows[first], columns[first])), shape=shape)


def incidence(rows: IntVector, columns: IntVector, shape: tuple[int, int]) -> csr_matrix:
    """Sparse 0/1 with ones at some places, which may be given more than once."""
    ones = np.ones(len(rows), dtype=np.float32)
    table = csr_matrix((ones, (rows, columns)), shape=shape)
    table.sum_duplicates()
    table.data[:] = 1
    return table
