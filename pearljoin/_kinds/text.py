"""Comparison of long texts: descriptions, comments."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from pearljoin._kinds.cells import cell_texts
from pearljoin._kinds.protocol import (
    Comparer,
    Kind,
    Levels,
    Parsed,
    Values,
    Within,
    read_each,
    text_array,
)
from pearljoin._ragged import SparseRows
from pearljoin._search import tfidf
from pearljoin._search.pair_products import pair_products
from pearljoin._text.normalise import mend, normalise
from pearljoin._text.numbers import codes, number_table
from pearljoin._text.term_weights import TermWeights
from pearljoin._typing import FloatVector, IntVector

__all__ = ["ParsedTexts", "TextComparer", "learn_term_weights"]

COVERED = (0.25, 0.5, 0.75, 0.9)
"""Coverages at which a level begins."""

DIGITS_COUNT = 2.0
"""How much more a word with a digit weighs: numbers and model numbers tell things apart."""

N_COLUMNS = 2 << tfidf.BUCKET_BITS


@dataclass(frozen=True, eq=False)
class ParsedTexts(Parsed):
    """Words of texts, and their codes.

    Attributes
    ----------
    words
        Sparse float32 of shape (n_values, n_columns), columns as of `pearljoin._search.tfidf`: the
        root of the weight of each word, so that a product of two rows is the weight that they
        share.
    weight
        float32 of shape (n_values,): sum of the weights of each text's words.
    codes
        Sparse 0/1 of shape (n_values, NUMBER_COLUMNS): model numbers, also of several words.
    """

    words: csr_matrix
    weight: FloatVector
    codes: SparseRows


class TextComparer(Comparer[ParsedTexts]):
    """Compares long texts by how much of the words of either stands in the other.

    Words count by their inverse document frequency, and more with a digit. The text that is covered
    more counts twice, since one description is often a part of a longer one. A model number that
    both have, whatever its separators, halves what is not covered.

    Splink's CosineSimilarityAtThresholds is nearest to it.

    Parameters
    ----------
    terms
        Weights of words, learned from the reference (`learn_term_weights`).
    """

    kind: ClassVar[Kind] = "text"
    levels: ClassVar[tuple[str, ...]] = (
        "different",
        "a quarter covered",
        "half covered",
        "three quarters covered",
        "nearly all covered",
        "equal",
    )

    def __init__(self, terms: TermWeights) -> None:
        self.terms = terms

    def read(self, values: Values) -> ParsedTexts:
        """Read texts.

        Examples
        --------
        >>> terms = learn_term_weights(["A red bike.", "A blue car"])
        >>> TextComparer(terms).read(["Red bike!", None]).canonical
        array(['red bike', None], dtype=object)
        """
        found, n_unparsable = read_each(cell_texts(values), lambda text: normalise(mend(text)))
        texts = [text or "" for text in found]
        words = _word_table(texts)
        weights = self.terms[words.indices] * np.where(words.data > 1, DIGITS_COUNT, 1)
        rows = np.repeat(np.arange(len(texts)), np.diff(words.indptr))
        total = np.bincount(rows, weights=weights, minlength=len(texts))
        words.data = np.sqrt(weights).astype(np.float32)
        return ParsedTexts(
            text_array(found),
            n_unparsable,
            words,
            total.astype(np.float32),
            number_table(texts, codes),
        )

    def _compare_unequal(
        self, left: ParsedTexts, right: ParsedTexts, left_at: IntVector, right_at: IntVector
    ) -> tuple[Levels, Within]:
        shared = pair_products(left.words, right.words, left_at, right_at)
        covered = [
            np.minimum(shared / np.maximum(weight, np.finfo(np.float32).tiny), 1).astype(np.float64)
            for weight in (left.weight[left_at], right.weight[right_at])
        ]
        coverage = (2 * np.maximum(*covered) + np.minimum(*covered)) / 3
        has_code = pair_products(left.codes, right.codes, left_at, right_at) > 0
        coverage = np.where(has_code, (1 + coverage) / 2, coverage)
        ends = np.array([0.0, *COVERED, 1.0])
        level = np.searchsorted(COVERED, coverage, side="right")
        return level.astype(np.int8), (coverage - ends[level]) / np.diff(ends)[level]


def learn_term_weights(values: Values) -> TermWeights:
    """Learn the weights of words from the distinct texts of a reference column."""
    texts = [normalise(mend(text)) for text in cell_texts(values) if text is not None]
    return TermWeights.of(_word_table(texts))


def _word_table(texts: list[str]) -> csr_matrix:
    """Which texts have which words: 1, or 2 for a word with a digit.

    Sparse float32 of shape (n_texts, N_COLUMNS), without the character n-grams, which are most of
    the work in long texts.
    """
    listed = [set(text[: tfidf.LONGEST].split()) for text in texts]
    distinct = sorted(set(chain.from_iterable(listed)))
    number = {word: at for at, word in enumerate(distinct)}
    columns = tfidf.word_columns(distinct) if distinct else np.zeros(0, dtype=np.int64)
    digits = np.array([any(map(str.isdigit, word)) for word in distinct], dtype=bool)
    flat = np.array([number[word] for words in listed for word in words], dtype=np.int64)
    rows = np.repeat(np.arange(len(texts)), [len(words) for words in listed])
    data: NDArray[np.float32] = (1 + digits[flat]).astype(np.float32)
    shape = len(texts), N_COLUMNS
    table = csr_matrix((data, (rows, columns[flat])), shape=shape)
    table.sum_duplicates()
    table.data = np.minimum(table.data, 2)
    return table
