"""What is worked out once per distinct text, before pairs of texts are compared."""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from pearljoin import _lexical
from pearljoin._typing import BoolVector, FloatVector, IntVector
from pearljoin._words import LEGAL_FORMS, NUMBER_WORDS, SMALL_WORDS

__all__ = ["TextFacts", "Texts", "text_facts"]

LONGEST = 200
"""Characters that string measures look at: their cost grows with the square of the length."""

SLIP = 3.0
"""Letters that a slip of the pen outweighs: a word says another as far as ``1 - SLIP * slips /
letters``, where slips are counted by optimal string alignment and letters in the longer word. It
is 0.7 for "California" and "Califronia", 0.25 for "WHCT" and "WHCQ", 0 for "Andi" and "Gbandi"."""

SPELLINGS = 10
"""Words looked at for each word when its other spellings are sought."""

NUMBER_COLUMNS = 1 << 20
AGAIN = 611_953
"""A prime, what a number is raised by each time that it stands in a row of numbers again."""
LONGEST_ACRONYM, MOST_INITIALS, LONGEST_START = 8, 40, 20
"""Bounds that names do not reach, and that keep long texts cheap."""

_NUMBER = re.compile(r"\d+")
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
class TextFacts:
    """Facts of one side's distinct texts.

    Attributes
    ----------
    normal
        Normalised texts.
    bare
        See `Texts`.
    words
        Sparse word weights (idf), of shape (n_texts, n_words); not of unit length.
    spellings
        Sparse, of the same shape: how well a text says a word, 1 where it has it, else as far as
        the word it has that takes the fewest slips (see `SLIP`).
    starts
        Sparse 0/1, of the same shape: the words that a text's words begin with, or are.
    acronyms
        Sparse 0/1, of the same shape: the words that are initials of some words of a text.
    in_brackets
        Sparse, of the same shape: squared weights of a text's words that stand in its brackets.
    openings
        bool of shape (n_words,): words that, where another begins with them, may be short for it;
        not single letters, and not Roman numerals ("I" is not short for "II").
    heaviest
        The highest word weight there is, above 0.
    """

    normal: list[str]
    bare: list[str]
    words: csr_matrix
    spellings: csr_matrix
    starts: csr_matrix
    acronyms: csr_matrix
    in_brackets: csr_matrix
    openings: BoolVector
    heaviest: float

    @cached_property
    def short(self) -> NDArray[np.object_]:
        """Texts cut to what the string measures look at."""
        return _objects([text[:LONGEST] for text in self.normal])

    @cached_property
    def short_bare(self) -> NDArray[np.object_]:
        """The same of the texts without what stands in brackets."""
        return _objects([text[:LONGEST] for text in self.bare])

    @cached_property
    def bare_hash(self) -> IntVector:
        """A hash of each text without what stands in brackets."""
        return _hashes(self.bare)

    @cached_property
    def squared(self) -> csr_matrix:
        """Squared word weights, sparse, of the shape of `words`."""
        return csr_matrix(self.words.power(2))

    @cached_property
    def word_mass(self) -> FloatVector:
        """Sum of squared word weights: float32 of shape (n_texts,)."""
        return np.asarray(self.squared.sum(axis=1), dtype=np.float32).reshape(-1)

    @cached_property
    def said(self) -> csr_matrix:
        """How well a text says each word, in any way: sparse, in [0, 1], of the shape of `words`.

        As it spells the word, or wholly where it abbreviates it, or a word of it begins with it.
        """
        begun = self.starts.copy()
        begun.data *= self.openings[begun.indices]
        return csr_matrix(self.spellings.maximum(begun).maximum(self.acronyms))

    @cached_property
    def bracket_mass(self) -> FloatVector:
        """Sum of `in_brackets`: float32 of shape (n_texts,), 0 where no word is in brackets."""
        return np.asarray(self.in_brackets.sum(axis=1), dtype=np.float32).reshape(-1)

    @cached_property
    def numbers(self) -> csr_matrix:
        """Sparse 0/1, of shape (n_texts, 2**20): numbers, ordinals and Roman numerals."""
        return _number_table([_numbers(text) for text in self.normal])

    @cached_property
    def repeats(self) -> csr_matrix:
        """Likewise, numbers that stand again in a row of numbers ("1,1-"), by number and time."""
        return _number_table([_repeats(text) for text in self.normal])

    @cached_property
    def n_words(self) -> FloatVector:
        """Words in each text."""
        return np.array([text.count(" ") + 1 for text in self.normal], dtype=np.float32)

    @cached_property
    def length(self) -> FloatVector:
        """Characters in each text."""
        return np.array([max(1, len(text)) for text in self.normal], dtype=np.float32)

    @cached_property
    def compact(self) -> IntVector:
        """A hash of each text without its spaces."""
        return _hashes([text.replace(" ", "") for text in self.normal])

    @cached_property
    def core(self) -> IntVector:
        """A hash of each text's words but for small ones and legal forms, in any order."""
        kept = ([w for w in text.split() if w not in _LIGHT] for text in self.normal)
        return _hashes([" ".join(sorted(words)) for words in kept])

    @cached_property
    def legal_form(self) -> IntVector:
        """A code of each text's last legal form, 0 where it has none."""
        return np.array([_legal_form(text) for text in self.normal], dtype=np.int64)

    @cached_property
    def first_word(self) -> IntVector:
        """A hash of each text's first word."""
        return _hashes([text.partition(" ")[0] for text in self.normal])

    @cached_property
    def last_word(self) -> IntVector:
        """A hash of each text's last word."""
        return _hashes([text.rpartition(" ")[2] for text in self.normal])

    @cached_property
    def initials(self) -> tuple[IntVector, IntVector]:
        """Hashes of each text's initials, of all words and without the small ones."""
        split = [text.split() for text in self.normal]
        every = [_initials(words) for words in split]
        content = [_initials([w for w in words if w not in SMALL_WORDS]) for words in split]
        return _hashes(every), _hashes(content)


def text_facts(left: Texts, right: Texts) -> tuple[TextFacts, TextFacts]:
    """Work out what is needed of both sides' distinct texts, with one vocabulary and one idf.

    Parameters
    ----------
    left, right
        The texts.
    """
    split = [[text.split() for text in texts.whole] for texts in (left, right)]
    place: dict[str, int] = {}
    found = [
        [[place.setdefault(word, len(place)) for word in dict.fromkeys(words)] for words in texts]
        for texts in split
    ]
    if not place:
        place[" "] = 0  # So that no table has no columns.
    vocabulary = list(place)
    has = [_incidence(rows, len(vocabulary)) for rows in found]
    frequency = sum(np.bincount(one.indices, minlength=len(vocabulary)) for one in has)
    n_texts = len(left.whole) + len(right.whole)
    idf = (np.log((1 + n_texts) / (1 + frequency)) + 1).astype(np.float32)
    alike = _spellings(vocabulary)
    starts = _incidence([_starts(word, place) for word in vocabulary], len(vocabulary))
    openings = np.array([len(word) > 1 and word not in NUMBER_WORDS for word in vocabulary])
    sides = []
    for texts, words, one in zip((left, right), split, has, strict=True):
        weighed = csr_matrix((idf[one.indices], one.indices, one.indptr), shape=one.shape)
        acronyms = _incidence([_acronyms(row, place) for row in words], len(vocabulary))
        begun = csr_matrix(one @ starts)
        begun.data[:] = 1
        marked = [
            [place[word] for word in _common(row, inside)]
            for row, inside in zip(words, texts.in_brackets, strict=True)
        ]
        bracketed = _incidence(marked, len(vocabulary))
        bracketed.data = idf[bracketed.indices] ** 2
        sides.append(
            TextFacts(
                normal=texts.whole,
                bare=texts.bare,
                words=weighed,
                spellings=_best_of(one, alike),
                starts=begun,
                acronyms=acronyms,
                in_brackets=bracketed,
                openings=openings,
                heaviest=float(idf.max()),
            )
        )
    return sides[0], sides[1]


def _common(words: list[str], inside: str) -> list[str]:
    """Distinct words that stand in brackets too.

    Apart from its text a bracket may read otherwise: "-5" is no word of "Sensor (-5)".
    """
    wanted = set(inside.split())
    return [word for word in dict.fromkeys(words) if word in wanted] if wanted else []


def _incidence(rows: Sequence[Sequence[int]], n_columns: int) -> csr_matrix:
    """Sparse 0/1 from distinct column numbers by row."""
    indptr = np.concatenate([[0], np.cumsum([len(row) for row in rows], dtype=np.int64)])
    indices = np.array([column for row in rows for column in row], dtype=np.int64)
    ones = np.ones(len(indices), dtype=np.float32)
    table = csr_matrix((ones, indices, indptr), shape=(len(rows), n_columns))
    table.sort_indices()
    return table


def _spellings(vocabulary: list[str]) -> csr_matrix:
    """How far words say words, 1 for the same, by the slips between them (see `SLIP`)."""
    # Imported here, so that training runs on a machine without it.
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    n_words = len(vocabulary)
    same = np.arange(n_words)
    shape = (n_words, n_words)
    # Words of digits are no spellings of each other.
    texts = ["" if any(c.isdigit() for c in word) else word for word in vocabulary]
    grams = _lexical.halves(_lexical.count(texts))[0]
    grams = csr_matrix(grams.multiply(1 / np.sqrt(np.maximum(1, grams.sum(axis=1)))))
    one, other, _ = _lexical.nearest(grams, grams, SPELLINGS)
    one, other = one[one != other], other[one != other]
    words = _objects(vocabulary)
    slips = process.cpdist(words[one], words[other], scorer=OSA.distance, workers=-1)
    length = np.array([len(word) for word in vocabulary], dtype=np.float32)
    score = (1 - SLIP * slips / np.maximum(length[one], length[other])).astype(np.float32)
    kept = score > 0
    # Either may be missing among the other's nearest.
    rows = np.concatenate([same, one[kept], other[kept]])
    columns = np.concatenate([same, other[kept], one[kept]])
    scores = np.concatenate([np.ones(n_words, dtype=np.float32), score[kept], score[kept]])
    return _largest(rows, columns, scores, shape)


def _best_of(has: csr_matrix, alike: csr_matrix) -> csr_matrix:
    """For each text the similarity of each word to the text's most similar one."""
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


def _starts(word: str, place: dict[str, int]) -> list[int]:
    """Words of the vocabulary that a word begins with, itself included."""
    if word[0].isdigit():
        return [place[word]]
    shorter = (word[:n] for n in range(1, min(len(word), LONGEST_START + 1)))
    return [*(place[start] for start in shorter if start in place), place[word]]


def _acronyms(words: list[str], place: dict[str, int]) -> list[int]:
    """Words of the vocabulary that are the initials of two or more words in a row."""
    found: dict[int, None] = {}
    content = [word for word in words if word not in SMALL_WORDS]
    for listed in (words, content) if len(content) < len(words) else (words,):
        initials = "".join(word[0] for word in listed[:MOST_INITIALS])
        for start in range(len(initials) - 1):
            for end in range(start + 2, min(len(initials), start + LONGEST_ACRONYM) + 1):
                at = place.get(initials[start:end])
                if at is not None:
                    found[at] = None
    return list(found)


_LIGHT = SMALL_WORDS | frozenset(LEGAL_FORMS)


def _legal_form(text: str) -> int:
    for word in reversed(text.split()):
        if word in LEGAL_FORMS:
            return LEGAL_FORMS[word]
    return 0


def _initials(words: Sequence[str]) -> str:
    return "".join(word[0] for word in words) if len(words) > 1 else ""


def _number_table(numbers: list[list[int]]) -> csr_matrix:
    rows = np.repeat(np.arange(len(numbers)), [len(found) for found in numbers])
    columns = np.array([value % NUMBER_COLUMNS for found in numbers for value in found], np.int64)
    ones = np.ones(len(rows), dtype=np.float32)
    table = csr_matrix((ones, (rows, columns)), shape=(len(numbers), NUMBER_COLUMNS))
    table.sum_duplicates()
    table.data[:] = 1
    return table


def _numbers(text: str) -> list[int]:
    whole = _SHORT_YEAR.sub(_full_year, text)
    found = [int(digits[:15]) for digits in _NUMBER.findall(whole)]
    found.extend(NUMBER_WORDS[word] for word in text.split() if word in NUMBER_WORDS)
    return found


def _repeats(text: str) -> list[int]:
    """Give a number's second time, its third and so on in a row of numbers, as other numbers.

    Only there: elsewhere a number is said again, as a year is in brackets.
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
    """64-bit hashes, 0 for the empty text; the same in every process."""
    return np.array(
        [zlib.crc32(t.encode("utf-8", "surrogatepass")) + (len(t) << 32) for t in texts],
        dtype=np.int64,
    )


def _objects(texts: list[str]) -> NDArray[np.object_]:
    array = np.empty(len(texts), dtype=object)
    array[:] = texts
    return array
