"""Term weights: inverse document frequencies of one table, held to those of names at large."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import csr_matrix

from pearljoin._search import tfidf
from pearljoin._text.background import bundled_background
from pearljoin._typing import FloatVector, IntVector

__all__ = ["BACKGROUND_TEXTS", "TermWeights"]

BACKGROUND_TEXTS = 300
"""Texts that the background counts for, beside the distinct texts of a table."""


@dataclass(frozen=True)
class TermWeights:
    """Weights of n-grams and words, learned from the distinct texts of one column.

    Attributes
    ----------
    columns, texts
        int64 and float32 of shape (n_present,): the columns that some text has, ascending, and how
        many texts have each. Columns are those of `pearljoin._search.tfidf`.
    n_texts
        Distinct texts.
    """

    columns: IntVector
    texts: FloatVector
    n_texts: int

    @classmethod
    def of(cls, counts: csr_matrix) -> TermWeights:
        """Count the texts that have each column.

        Parameters
        ----------
        counts
            As of `pearljoin._search.tfidf.count`, a row for each distinct text.
        """
        columns, texts = tfidf.present_columns(counts)
        return cls(columns, texts.astype(np.float32), counts.shape[0])

    @cached_property
    def idf(self) -> FloatVector:
        """Inverse document frequency: float32 of shape (n_columns,), at least 1.

        ``1 - ln(share)``, where the share of texts that have a column is counted on the table's
        texts and `BACKGROUND_TEXTS` of the background. A column that no text of the table has is
        as common as in the background, or as rare as the table can tell.
        """
        background, n_texts = bundled_background(), self.n_texts + BACKGROUND_TEXTS
        lowest = np.float32(1 / n_texts)
        known = (self.texts + BACKGROUND_TEXTS * background.shares(self.columns)) / n_texts
        weights = background.weights(1 - np.log(lowest))
        weights[self.columns] = 1 - np.log(np.clip(known, lowest, 1))
        return weights

    @property
    def heaviest(self) -> float:
        """The weight of a word that occurs nowhere, the highest that there is."""
        return float(1 + np.log(self.n_texts + BACKGROUND_TEXTS))

    def of_words(self, words: list[str]) -> FloatVector:
        """Return the weights of words: float32 of shape (n_words,)."""
        return np.asarray(self.idf[tfidf.word_columns(words)], dtype=np.float32)
