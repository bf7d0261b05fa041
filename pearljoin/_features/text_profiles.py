"""Per-text features, computed once for each distinct text."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pearljoin._cached import cached_property
from pearljoin._features.contrasts import Contrasted, contrasted
from pearljoin._ragged import SparseRows, places_of, row_of_each
from pearljoin._text.lexicon import GENERATIONS, LEGAL_FORMS, LIGHT_WORDS
from pearljoin._text.numbers import (
    code_words,
    codes,
    decimal_by_label,
    labelled,
    labels,
    number_table,
    numbers,
    numbers_by_label,
    repeats,
)
from pearljoin._text.term_weights import TermWeights
from pearljoin._text.token_similarity import (
    Acronyms,
    Compounds,
    TokenShapes,
    abbreviates,
    acronyms,
    compounds,
)
from pearljoin._text.tokens import LONGEST, TokenRuns, tokenize
from pearljoin._typing import BoolVector, FloatVector, IntVector

__all__ = ["TextProfile", "Texts", "text_profiles"]

MOST_WORDS = 200
"""Words that are compared one by one: their cost grows with the square of their number."""

LONGEST_NAME = 16
"""Words from which on texts count as equally long: one in a thousand of the names that scorers
learn from has more, so what lengths beyond say was never learned."""

_SPACE = re.compile(r"(?<!\d) | (?!\d)")
"""A space that makes no difference, because it does not separate two numbers."""

_NUMBERS_APART = re.compile(r"\d \d")


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
    n_before_comma
        Words before the only comma of each text; 0 where there is none, or more than one.
    """

    whole: list[str]
    bare: list[str]
    in_brackets: list[str]
    n_before_comma: list[int]


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
    in_brackets
        bool of shape (n_stored,): which of the stored words stand in the text's brackets, too.
    n_before_comma
        int64 of shape (n_texts,), see `Texts`.
    shapes
        What the words of the index are compared by.
    compounds, acronyms
        Words that two words of a text make, and that are initials of its words; each with the
        bounds of the texts in it, int64 of shape (n_texts + 1,).
    abbreviates
        bool of shape (n_tokens,): tokens that may be short for another that begins with them. Not
        single letters, and not Roman numerals ("I" is not short for "II").
    heaviest
        The weight of a word that occurs nowhere.
    """

    normal: list[str]
    bare: list[str]
    runs: TokenRuns
    words: SparseRows
    in_brackets: BoolVector
    n_before_comma: IntVector
    shapes: TokenShapes
    compounds: tuple[Compounds, IntVector]
    acronyms: tuple[Acronyms, IntVector]
    abbreviates: BoolVector
    heaviest: float

    @cached_property
    def word_columns(self) -> IntVector:
        """The word column of each token of the index: int64 of shape (n_tokens,)."""
        return self.runs.index.columns

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
        return _hashes(
            [
                _SPACE.sub("", text) if _NUMBERS_APART.search(text) else text.replace(" ", "")
                for text in self.bare
            ]
        )

    @cached_property
    def squared_token_weights(self) -> FloatVector:
        """Sum of squared word weights: float32 of shape (n_texts,)."""
        return self._sums(self.words.data**2)

    def _sums(self, values: FloatVector) -> FloatVector:
        """Sum values of the stored words by text."""
        texts = row_of_each(self.words.indptr)
        sums = np.bincount(texts, weights=values, minlength=self.words.shape[0])
        return sums.astype(np.float32)

    @cached_property
    def squared_bracket_weights(self) -> FloatVector:
        """Sum of squared weights in brackets: float32 of shape (n_texts,)."""
        return self._sums(self.words.data**2 * self.in_brackets)

    @cached_property
    def numbers(self) -> SparseRows:
        """Sparse 0/1, of shape (n_texts, 2**20): numbers, ordinals and Roman numerals."""
        return number_table(self._numeric, numbers)

    @cached_property
    def repeats(self) -> SparseRows:
        """Likewise, numbers that are repeated in a row of numbers ("1,1-"), by number and time."""
        return number_table(self._numeric, repeats)

    @cached_property
    def labelled(self) -> Contrasted:
        """The words that numbers follow, where each does, and these with their numbers."""
        return self._by_label(numbers_by_label)

    @cached_property
    def decimals(self) -> Contrasted:
        """Which texts have one decimal, and which it is."""
        return self._by_label(decimal_by_label)

    def _by_label(self, read: Callable[[str], dict[str, int]]) -> Contrasted:
        found = list(map(read, self._numeric))
        return Contrasted(number_table(found, labels), number_table(found, labelled))

    @cached_property
    def _numeric(self) -> list[str]:
        """The texts, "" for those without a number."""
        has = self.runs.any_of(self.runs.index.numeric).tolist()
        return [text if known else "" for text, known in zip(self.normal, has, strict=True)]

    @cached_property
    def n_words(self) -> FloatVector:
        """Words in each text, from 1 to `LONGEST_NAME`."""
        return np.clip(self.runs.n_words, 1, LONGEST_NAME).astype(np.float32)

    @cached_property
    def length(self) -> FloatVector:
        """Characters in each text, 1 where it has none."""
        return np.array([max(1, len(text)) for text in self.normal], dtype=np.float32)

    @cached_property
    def compact(self) -> IntVector:
        """A hash of each text without its spaces."""
        return _hashes([text.replace(" ", "") for text in self.normal])

    @cached_property
    def names(self) -> IntVector:
        """A number of each text, equal for those of the same letters and digits."""
        return np.unique(self.compact, return_inverse=True)[1].reshape(-1).astype(np.int64)

    @cached_property
    def core(self) -> IntVector:
        """A hash of each text's words but for small ones and legal forms, in any order.

        For texts of one index of tokens; 0 where no word is left.
        """
        return self.runs.only(~self.runs.index.among(LIGHT_WORDS)).bags

    @cached_property
    def contrasted(self) -> Contrasted:
        """What the texts are without a word in contrast; for texts of one index of tokens."""
        return contrasted(self.runs)

    @property
    def told(self) -> tuple[Contrasted, ...]:
        """What texts may differ in that is two things; for texts of one index of tokens."""
        return self.labelled, self.decimals, self.contrasted

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
    def family_name(self) -> IntVector:
        """The number of each text's family name, if it names a person; -1 where it has no word.

        The last word before a comma, else the last word that is no generation ("Jr").
        """
        kept = self.runs.only(~self.runs.index.among(GENERATIONS))
        found = np.where(kept.n_words > 0, kept.last(), self.last_word)
        at = places_of(self._has_comma)
        found[at] = self.runs.number[self.runs.bounds[at] + self.n_before_comma[at] - 1]
        return np.asarray(found, dtype=np.int64)

    @cached_property
    def given_name(self) -> IntVector:
        """The number of each text's given name, if it names a person; -1 where it has none.

        The first word after a comma, else the first word of several.
        """
        found = np.where(self.runs.n_words > 1, self.first_word, -1)
        at = places_of(self._has_comma)
        found[at] = self.runs.number[self.runs.bounds[at] + self.n_before_comma[at]]
        return np.asarray(found, dtype=np.int64)

    @cached_property
    def _has_comma(self) -> BoolVector:
        """Where one or two words stand before a comma, and some after it."""
        n_before = self.n_before_comma
        return (n_before > 0) & (n_before <= 2) & (n_before < self.runs.n_words)

    @cached_property
    def codes(self) -> SparseRows:
        """Sparse 0/1, of shape (n_texts, 2**20): words with letters and digits, hashed.

        As one word or as up to `LONGEST_CODE` side by side, without what separates them.
        """
        return number_table(self._numeric, codes)

    @cached_property
    def code_words(self) -> NDArray[np.object_]:
        """The words of each text that have letters and digits, as one text; "" without any."""
        return np.array([code_words(text) for text in self._numeric], dtype=object)

    @cached_property
    def has_codes(self) -> BoolVector:
        """Which texts have a word of letters and digits: bool of shape (n_texts,)."""
        return np.array([text != "" for text in self.code_words], dtype=bool)

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


def text_profiles(
    left: Texts, right: Texts, weights: TermWeights
) -> tuple[TextProfile, TextProfile]:
    """Compute the profiles of both sides' distinct texts, with one index of tokens.

    Parameters
    ----------
    left, right
        The texts.
    weights
        The weights of their words.

    Returns
    -------
    left_profile, right_profile
        The profiles.
    """
    sides = tokenize(*([_shortened(text) for text in texts.whole] for texts in (left, right)))
    index = sides[0].index
    idf, shapes, short_for = weights.of_words(index.words), TokenShapes(index), abbreviates(index)
    profiles = []
    for texts, runs in zip((left, right), sides, strict=True):
        has = runs.incidence()
        whole, initials = compounds(runs), acronyms(runs)
        profiles.append(
            TextProfile(
                normal=texts.whole,
                bare=texts.bare,
                runs=runs,
                words=replace(has, data=idf[has.indices]),
                in_brackets=_in_brackets(has, texts.in_brackets, index.place),
                n_before_comma=np.array(texts.n_before_comma, dtype=np.int64),
                shapes=shapes,
                compounds=(whole, _bounds(whole.text, len(texts.whole))),
                acronyms=(initials, _bounds(initials.text, len(texts.whole))),
                abbreviates=short_for,
                heaviest=weights.heaviest,
            )
        )
    return profiles[0], profiles[1]


def _shortened(text: str) -> str:
    """Cut a text to `MOST_WORDS` words."""
    if text.count(" ") < MOST_WORDS:
        return text
    return " ".join(text.split(maxsplit=MOST_WORDS)[:MOST_WORDS])


def _bounds(text: IntVector, n_texts: int) -> IntVector:
    """Where the entries of each text start, and the last ones end, in a list by text."""
    return np.searchsorted(text, np.arange(n_texts + 1)).astype(np.int64)


def _in_brackets(has: SparseRows, in_brackets: list[str], place: dict[str, int]) -> BoolVector:
    """Which of the stored words stand in their text's brackets, too: bool of shape (n_stored,).

    Apart from its text a bracket may read otherwise: "-5" is no word of "Sensor (-5)".
    """
    marked = [
        text * has.shape[1] + place[word]
        for text, inside in enumerate(in_brackets)
        if inside
        for word in inside.split()
        if word in place
    ]
    if not marked:
        return np.zeros(len(has.data), dtype=bool)
    texts = row_of_each(has.indptr)
    return np.isin(texts * has.shape[1] + has.indices, marked)


def _hashes(texts: Sequence[str]) -> IntVector:
    """64-bit hashes, 0 for the empty text; to be compared in one process only."""
    return np.fromiter(map(hash, texts), dtype=np.int64, count=len(texts))


def _in_order(texts: list[str]) -> NDArray[np.object_]:
    return np.array([" ".join(sorted(text[:LONGEST].split())) for text in texts], dtype=object)
