"""Per-text features, computed once for each distinct text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from pearljoin._text.lexicon import LEGAL_FORMS, LIGHT_WORDS, NUMBER_WORDS
from pearljoin._text.token_similarity import (
    acronyms,
    best_of,
    compounds,
    edit_similarity,
    prefixes,
)
from pearljoin._text.tokens import TokenRuns, incidence, tokenize
from pearljoin._typing import BoolVector, FloatVector, IntVector

__all__ = ["TextProfile", "Texts", "text_profiles"]

LONGEST = 200
"""Characters that string measures look at: their cost grows with the square of the length."""

NUMBER_COLUMNS = 1 << 20
AGAIN = 611_953
"""A prime, added to a number for each time that it stands in a row of numbers again."""

_NUMBER = re.compile(r"\d+")
_SPACE = re.compile(r"(?<!\d) | (?!\d)")
"""A space that makes no difference, because it does not separate two numbers."""

_ROW_OF_NUMBERS = re.compile(r"\d+(?: \d+)+")
_SHORT_YEAR = re.compile(r"(?<!\d)((?:1[5-9]|20)\d\d) (\d\d)(?!\d)")
"""The end of a span of years, as in "2008-09"; signs between numbers are spaces by now."""


class Texts(NamedTuple):
    """One side's distinct texts, normalised.

    Attributes
    ----------
    whole
        The texts.
    bare
        Each without what stands in brackets; the whole of it where that would be nothing.
    in_brackets
        What stands there; "" where nothing does.
    """

    whole: list[str]
    bare: list[str]
    in_brackets: list[str]


@dataclass(frozen=True)
class TextProfile:
    """Per-text features of one side's distinct texts.

    Attributes
    ----------
    normal
        Normalised texts.
    bare
        See `Texts`.
    runs
        The tokens of the texts, in order.
    words
        Sparse token weights (idf), of shape (n_texts, n_tokens); not of unit length.
    spellings
        Sparse, of the same shape, in [0, 1]: how far a text has each token in some spelling. 1 if
        it has the token, as one word, as two, or as part of another; else the edit similarity of
        its most similar token (see `pearljoin._text.token_similarity`).
    prefixes
        Sparse 0/1, of the same shape: the tokens that a text's tokens begin with, or are.
    acronyms
        Sparse 0/1, of the same shape: the tokens that are initials of some words of a text.
    in_brackets
        Sparse, of the same shape: squared weights of a text's tokens that stand in its brackets.
    abbreviates
        bool of shape (n_tokens,): tokens that may be short for another that begins with them. Not
        single letters, and not Roman numerals ("I" is not short for "II").
    heaviest
        The highest token weight there is, above 0.
    """

    normal: list[str]
    bare: list[str]
    runs: TokenRuns
    words: csr_matrix
    spellings: csr_matrix
    prefixes: csr_matrix
    acronyms: csr_matrix
    in_brackets: csr_matrix
    abbreviates: BoolVector
    heaviest: float

    @cached_property
    def short(self) -> NDArray[np.object_]:
        """Texts cut to `LONGEST` characters, for the string measures."""
        return np.array([text[:LONGEST] for text in self.normal], dtype=object)

    @cached_property
    def in_order(self) -> NDArray[np.object_]:
        """Texts with their words in alphabetical order, cut likewise."""
        return _in_order(self.normal)

    @cached_property
    def bare_in_order(self) -> NDArray[np.object_]:
        """Likewise, without what stands in brackets."""
        found = self.in_order.copy()
        rest = [row for row, text in enumerate(self.bare) if text != self.normal[row]]
        found[rest] = _in_order([self.bare[row] for row in rest])
        return found

    @cached_property
    def bare_hash(self) -> IntVector:
        """A hash of each text without what stands in brackets, nor spaces but between digits."""
        return _hashes([_SPACE.sub("", text) for text in self.bare])

    @cached_property
    def squared(self) -> csr_matrix:
        """Squared word weights, sparse, of the shape of `words`."""
        return csr_matrix(self.words.power(2))

    @cached_property
    def squared_token_weights(self) -> FloatVector:
        """Sum of squared word weights: float32 of shape (n_texts,)."""
        return np.asarray(self.squared.sum(axis=1), dtype=np.float32).reshape(-1)

    @cached_property
    def token_coverage(self) -> csr_matrix:
        """How far a text covers each token in any way: sparse, in [0, 1], of the shape of `words`.

        In some spelling, or wholly: by an acronym of it, or by a word that it is short for.
        """
        begun = self.prefixes.copy()
        begun.data *= self.abbreviates[begun.indices]
        return csr_matrix(self.spellings.maximum(begun).maximum(self.acronyms))

    @cached_property
    def squared_bracket_weights(self) -> FloatVector:
        """Sum of `in_brackets`: float32 of shape (n_texts,), 0 where no word is in brackets."""
        return np.asarray(self.in_brackets.sum(axis=1), dtype=np.float32).reshape(-1)

    @cached_property
    def numbers(self) -> csr_matrix:
        """Sparse 0/1, of shape (n_texts, 2**20): numbers, ordinals and Roman numerals."""
        return _number_table(self._numeric, _numbers)

    @cached_property
    def repeats(self) -> csr_matrix:
        """Likewise, numbers that are repeated in a row of numbers ("1,1-"), by number and time."""
        return _number_table(self._numeric, _repeats)

    @cached_property
    def _numeric(self) -> list[str]:
        """The texts, "" for those without a number."""
        has = self.runs.any_of(self.runs.index.numeric).tolist()
        return [text if known else "" for text, known in zip(self.normal, has, strict=True)]

    @cached_property
    def n_words(self) -> FloatVector:
        """Words in each text, 1 where it has none."""
        return np.maximum(self.runs.n_words, 1).astype(np.float32)

    @cached_property
    def length(self) -> FloatVector:
        """Characters in each text, 1 where it has none."""
        return np.array([max(1, len(text)) for text in self.normal], dtype=np.float32)

    @cached_property
    def compact(self) -> IntVector:
        """A hash of each text without its spaces."""
        return _hashes([text.replace(" ", "") for text in self.normal])

    @cached_property
    def core(self) -> IntVector:
        """A hash of each text's words but for small ones and legal forms, in any order.

        For texts of one index of tokens; 0 where no word is left.
        """
        kept = self.runs.only(~self.runs.index.among(LIGHT_WORDS))
        sums = np.concatenate([[0], np.cumsum(_mixed(kept.number))])
        return np.asarray(np.diff(sums[kept.bounds]), dtype=np.int64)

    @cached_property
    def legal_form(self) -> IntVector:
        """A code of each text's last legal form, 0 where it has none."""
        codes = np.array([LEGAL_FORMS.get(word, 0) for word in self.runs.index.words])
        return np.append(codes, 0).astype(np.int64)[self.runs.only(codes > 0).last()]

    @cached_property
    def first_word(self) -> IntVector:
        """The number of each text's first word, -1 where it has none."""
        return self.runs.first()

    @cached_property
    def last_word(self) -> IntVector:
        """The number of each text's last word, -1 where it has none."""
        return self.runs.last()

    @cached_property
    def initials(self) -> tuple[IntVector, IntVector]:
        """Hashes of each text's initials, of all words and without the small ones.

        0 where that would be one letter.
        """
        every, longer = (
            _hashes([letters if len(letters) > 1 else "" for letters in one.initials_by_text()])
            for one in (self.runs, self.runs.content)
        )
        return every, longer


def text_profiles(left: Texts, right: Texts) -> tuple[TextProfile, TextProfile]:
    """Compute the profiles of both sides' distinct texts, with one index of tokens and one idf.

    Parameters
    ----------
    left, right
        The texts.

    Returns
    -------
    left_profile, right_profile
        The profiles.
    """
    runs = tokenize(left.whole, right.whole)
    index = runs[0].index
    has = [one.incidence() for one in runs]
    frequency = sum(np.bincount(one.indices, minlength=len(index)) for one in has)
    n_texts = len(left.whole) + len(right.whole)
    idf = (np.log((1 + n_texts) / (1 + frequency)) + 1).astype(np.float32)
    similarity, begun = edit_similarity(index), prefixes(index)
    abbreviates = np.array([len(word) > 1 and word not in NUMBER_WORDS for word in index.words])
    sides = []
    for texts, run, one, whole in zip((left, right), runs, has, compounds(*runs), strict=True):
        bracketed = _in_brackets(one, texts.in_brackets, index.place)
        bracketed.data = idf[bracketed.indices] ** 2
        begins = csr_matrix(one @ begun)
        begins.data[:] = 1
        sides.append(
            TextProfile(
                normal=texts.whole,
                bare=texts.bare,
                runs=run,
                words=csr_matrix((idf[one.indices], one.indices, one.indptr), shape=one.shape),
                spellings=csr_matrix(best_of(one, similarity).maximum(whole)),
                prefixes=begins,
                acronyms=acronyms(run),
                in_brackets=bracketed,
                abbreviates=abbreviates,
                heaviest=float(idf.max()),
            )
        )
    return sides[0], sides[1]


def _in_brackets(has: csr_matrix, in_brackets: list[str], place: dict[str, int]) -> csr_matrix:
    """Which of the words that texts have stand in their brackets too: sparse 0/1, of its shape.

    Apart from its text a bracket may read otherwise: "-5" is no word of "Sensor (-5)".
    """
    marked = [
        (text, place[word])
        for text, inside in enumerate(in_brackets)
        if inside
        for word in inside.split()
        if word in place
    ]
    texts, words = np.array(marked, dtype=np.int64).reshape(-1, 2).T
    return csr_matrix(has.multiply(incidence(texts, words, has.shape)))


def _mixed(numbers: IntVector) -> IntVector:
    """Scatter numbers over 64 bits (Steele, Lea, Flood 2014, their MurmurHash3 variant 13)."""
    mixed = (numbers.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (mixed ^ (mixed >> np.uint64(31))).view(np.int64)


def _number_table(texts: list[str], read: Callable[[str], list[int]]) -> csr_matrix:
    """Numbers that are read in texts: sparse 0/1, of shape (n_texts, NUMBER_COLUMNS)."""
    found = [(row, number) for row, text in enumerate(texts) if text for number in read(text)]
    rows = np.array([row for row, _ in found], dtype=np.int64)
    columns = np.array([number % NUMBER_COLUMNS for _, number in found], dtype=np.int64)
    return incidence(rows, columns, (len(texts), NUMBER_COLUMNS))


def _numbers(text: str) -> list[int]:
    whole = _SHORT_YEAR.sub(_full_year, text)
    found = [int(digits[:15]) for digits in _NUMBER.findall(whole)]
    found.extend(NUMBER_WORDS[word] for word in text.split() if word in NUMBER_WORDS)
    return found


def _repeats(text: str) -> list[int]:
    """Give a number's second time, its third and so on in a row of numbers, as other numbers.

    Only there: elsewhere a number may be repeated, as a year is in brackets.
    """
    found = []
    for row in _ROW_OF_NUMBERS.findall(text):
        times: Counter[int] = Counter()
        for digits in row.split():
            number = int(digits[:15])
            if times[number]:
                found.append(number + times[number] * AGAIN)
            times[number] += 1
    return found


def _full_year(span: re.Match[str]) -> str:
    """Write out the second year of a span where it follows the first: "2008 09" as "2008 2009"."""
    first, last = int(span[1]), int(span[2])
    return f"{first} {first + 1}" if (first + 1) % 100 == last else span[0]


def _hashes(texts: Sequence[str]) -> IntVector:
    """64-bit hashes, 0 for the empty text; to be compared in one process only."""
    return np.fromiter(map(hash, texts), dtype=np.int64, count=len(texts))


def _in_order(texts: list[str]) -> NDArray[np.object_]:
    return np.array([" ".join(sorted(text[:LONGEST].split())) for text in texts], dtype=object)
