"""What speaks for and against a pair of texts: one row of numbers a candidate pair.

Cheap evidence only, each kind computed for all pairs at once. Texts are looked at normalised.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from pearljoin import _lexical
from pearljoin._typing import BoolVector, FloatMatrix, FloatVector, IntVector

__all__ = ["NAMES", "TextFacts", "pair_features"]

NAMES = (
    "cosine",
    "ngrams",
    "words",
    "jaro_winkler",
    "ratio",
    "token_sort",
    "token_set",
    "partial",
    "left_covered",
    "right_covered",
    "numbers_agree",
    "numbers_conflict",
    "numbers_missing",
    "acronym",
    "compact_equal",
    "length_ratio",
    "left_words",
    "right_words",
    "vector_known",
    "cosine_lead",
    "spelling_lead",
    "column_lead",
    "table_rival",
    "table_size",
)
"""What the columns of `pair_features` hold, in order."""

USUAL_COSINE, USUAL_SPELLING = 0.4, 0.15
"""What the second best candidate of a row usually reaches in the tables trained on."""

LONGEST = 200
"""Characters that string measures look at: their cost grows with the square of the length."""

NUMBER_COLUMNS = 1 << 20
_ENGLISH = ("the", "of", "and", "for", "in", "on", "at", "to", "a", "an")
_ROMANCE_AND_GERMAN = ("y", "el", "de", "la", "le", "les", "du", "des", "der", "die", "das", "und")
_SMALL_WORDS = frozenset((*_ENGLISH, *_ROMANCE_AND_GERMAN))
_NUMBER = re.compile(r"\d+")
_ROMAN = (
    "i",
    "ii",
    "iii",
    "iv",
    "v",
    "vi",
    "vii",
    "viii",
    "ix",
    "x",
    "xi",
    "xii",
    "xiii",
    "xiv",
    "xv",
)
_ORDINAL = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
_NUMBER_WORDS = {word: n for words in (_ROMAN, _ORDINAL) for n, word in enumerate(words, 1)}


@dataclass(frozen=True)
class TextFacts:
    """What is worked out once per distinct text.

    Attributes
    ----------
    normal
        Normalised texts.
    words
        Sparse word weights (idf), of shape (n_texts, n_columns); not of unit length.
    numbers
        Sparse 0/1, of shape (n_texts, n_columns): numbers, ordinals and Roman numerals.
    """

    normal: list[str]
    words: csr_matrix
    numbers: csr_matrix

    @cached_property
    def short(self) -> NDArray[np.object_]:
        """Texts cut to what the string measures look at."""
        return _objects([text[:LONGEST] for text in self.normal])

    @cached_property
    def word_mass(self) -> FloatVector:
        """Sum of squared word weights: float32 of shape (n_texts,)."""
        return np.asarray(self.words.power(2).sum(axis=1), dtype=np.float32).reshape(-1)

    @cached_property
    def n_numbers(self) -> FloatVector:
        """Numbers in each text."""
        return np.diff(self.numbers.indptr).astype(np.float32)

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
    def initials(self) -> tuple[IntVector, IntVector]:
        """Hashes of each text's initials, of all words and without the small ones."""
        split = [text.split() for text in self.normal]
        every = [_initials(words) for words in split]
        content = [_initials([w for w in words if w not in _SMALL_WORDS]) for words in split]
        return _hashes(every), _hashes(content)


def text_facts(normal: list[str], counts: csr_matrix, idf: FloatVector) -> TextFacts:
    """Work out what is needed of each distinct text."""
    half = counts.shape[1] // 2
    words = csr_matrix(counts[:, half:])
    words.data = idf[half:][words.indices]
    rows, columns = [], []
    for row, text in enumerate(normal):
        for value in _numbers(text):
            rows.append(row)
            columns.append(value % NUMBER_COLUMNS)
    ones = np.ones(len(rows), dtype=np.float32)
    numbers = csr_matrix((ones, (rows, columns)), shape=(len(normal), NUMBER_COLUMNS))
    numbers.sum_duplicates()
    numbers.data[:] = 1
    return TextFacts(normal, words, numbers)


def pair_features(
    left: TextFacts,
    right: TextFacts,
    cosine: FloatVector,
    ngrams: FloatVector,
    words: FloatVector,
    known: BoolVector,
    own: IntVector,
    others: IntVector,
    rows: IntVector,
    columns: IntVector,
) -> FloatMatrix:
    """Describe candidate pairs.

    Parameters
    ----------
    left, right
        Facts of both sides' texts.
    cosine, ngrams, words
        float32 of shape (n_pairs,): cosine of vectors, tf-idf cosine of n-grams and of words.
    known
        bool of shape (n_pairs,): where both vectors stand for their whole text.
    own, others
        int64 of shape (n_pairs,): positions of the texts.
    rows, columns
        int64 of shape (n_pairs,): left and right records, within which a pair's rivals are sought.

    Returns
    -------
    features
        float32 of shape (n_pairs, len(NAMES)).
    """
    own_text, other_text = left.short[own], right.short[others]
    measures = _string_measures(own_text, other_text)
    common = _lexical.pair_products(left.words, right.words, own, others)
    shared = _lexical.pair_products(left.numbers, right.numbers, own, others)
    own_numbers, other_numbers = left.n_numbers[own], right.n_numbers[others]
    own_extra, other_extra = own_numbers - shared, other_numbers - shared
    spelling: FloatVector = ((ngrams + words) / 2).astype(np.float32)
    meaning = np.where(known, np.maximum(cosine, 0), spelling)
    both: FloatVector = ((meaning + spelling) / 2).astype(np.float32)
    n_right = len(right.normal)
    rival = usual_rival(both, rows, (USUAL_COSINE + USUAL_SPELLING) / 2)
    described = [
        cosine,
        ngrams,
        words,
        *measures,
        common / np.maximum(left.word_mass[own], 1e-6),
        common / np.maximum(right.word_mass[others], 1e-6),
        (shared > 0) & (own_extra == 0) & (other_extra == 0),
        (own_extra > 0) & (other_extra > 0),
        (own_extra > 0) ^ (other_extra > 0),
        _acronym(left, right, own, others),
        left.compact[own] == right.compact[others],
        np.log(left.length[own] / right.length[others]),
        np.log(left.n_words[own]),
        np.log(right.n_words[others]),
        known,
        lead(cosine, rows, usual_rival(cosine, rows, USUAL_COSINE)),
        lead(spelling, rows, usual_rival(spelling, rows, USUAL_SPELLING)),
        lead(both, columns, rival),
        np.full(len(own), rival),
        np.full(len(own), np.log10(max(1, n_right))),
    ]
    return np.stack([np.asarray(column, dtype=np.float32) for column in described], axis=1)


def _string_measures(own: NDArray[np.object_], others: NDArray[np.object_]) -> list[FloatVector]:
    """Jaro-Winkler similarity and four edit ratios of pairs of texts, each in [0, 1]."""
    # Imported here, so that training runs on a machine without it.
    from rapidfuzz import fuzz, process
    from rapidfuzz.distance import JaroWinkler

    measures = (
        (JaroWinkler.normalized_similarity, 1),
        (fuzz.ratio, 100),
        (fuzz.token_sort_ratio, 100),
        (fuzz.token_set_ratio, 100),
        (fuzz.partial_ratio, 100),
    )
    found = (process.cpdist(own, others, scorer=m, workers=-1) / top for m, top in measures)
    return [np.asarray(values, dtype=np.float32) for values in found]


def lead(values: FloatVector, groups: IntVector, usual: float) -> FloatVector:
    """By how much each value exceeds its group's best other one; `usual` where there is none.

    A lone candidate has no rival to be measured by, which must not make it look safe.
    """
    order, best, second, group = _best_two(values, groups)
    rival = best[group]
    rival[order] = np.where(np.isnan(second), np.float32(usual), second)[group[order]]
    return np.asarray(values - rival, dtype=np.float32)


def usual_rival(values: FloatVector, groups: IntVector, least: float) -> float:
    """Median over groups of the second best value, but not below `least`: how crowded it is."""
    second = _best_two(values, groups)[2]
    known = second[~np.isnan(second)]
    return max(least, float(np.median(known))) if len(known) else least


def _best_two(
    values: FloatVector, groups: IntVector
) -> tuple[IntVector, FloatVector, FloatVector, IntVector]:
    """For each group where its best value stands, that value, and the second best (NaN if none).

    Returns
    -------
    where, best, second
        Arrays of shape (n_groups,).
    group
        int64 of shape (n_values,): number of each value's group.
    """
    order = np.lexsort((-values, groups))
    first = np.flatnonzero(np.diff(groups[order], prepend=-1))
    size = np.diff(np.append(first, len(groups)))
    second = np.full(len(first), np.nan, dtype=np.float32)
    second[size > 1] = values[order[first[size > 1] + 1]]
    group = np.empty(len(groups), dtype=np.int64)
    group[order] = np.repeat(np.arange(len(first)), size)
    return order[first], values[order[first]], second, group


def _acronym(left: TextFacts, right: TextFacts, own: IntVector, others: IntVector) -> BoolVector:
    """Whether one text is the initials of the other."""
    found = np.zeros(len(own), dtype=bool)
    for own_initials, other_initials in zip(left.initials, right.initials, strict=True):
        found |= (own_initials[own] == right.compact[others]) & (own_initials[own] != 0)
        found |= (other_initials[others] == left.compact[own]) & (other_initials[others] != 0)
    return found


def _initials(words: Sequence[str]) -> str:
    return "".join(word[0] for word in words) if len(words) > 1 else ""


def _numbers(text: str) -> list[int]:
    found = [int(digits[:15]) for digits in _NUMBER.findall(text)]
    found.extend(_NUMBER_WORDS[word] for word in text.split() if word in _NUMBER_WORDS)
    return found


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
