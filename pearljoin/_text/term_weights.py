"""Term weights: inverse document frequencies of one table, held to those of names at large."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from pearljoin._search import tfidf
from pearljoin._text.background import bundled_background
from pearljoin._typing import FloatVector, IntVector

__all__ = ["BACKGROUND_TEXTS", "TermWeights"]

BACKGROUND_TEXTS = 300
"""Texts that the background counts for, beside the distinct texts of a table."""

FEW_COLUMNS = 32_768
"""Columns up to which weights are sought one by one."""


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
        weights = bundled_background().weights(self._of_unseen)
        weights[self.columns] = self._of_present
        return weights

    def __getitem__(self, columns: NDArray[np.integer[Any]]) -> FloatVector:
        """Return the `idf` of some columns; of few, without those of all, which takes longer."""
        if "idf" in vars(self) or columns.size > FEW_COLUMNS:
            return np.asarray(self.idf[columns], dtype=np.float32)
        weights = bundled_background().weights(self._of_unseen, columns)
        place = np.searchsorted(self.columns, columns)
        present = np.append(self.columns, -1)[place] == columns
        weights[present] = self._of_present[place[present]]
        return weights

    @property
    def _lowest(self) -> np.float32:
        """The least share of texts that the table can tell."""
        return np.float32(1 / (self.n_texts + BACKGROUND_TEXTS))

    @property
    def _of_unseen(self) -> np.float32:
        """The most that a column weighs which no text of the table has."""
        heaviest: np.float32 = 1 - np.log(self._lowest)
        return heaviest

    @cached_property
    def _of_present(self) -> FloatVector:
        """The weights of the columns that some text has: float32 of shape (n_present,)."""
        shares = bundled_background().shares(self.columns)
        known = (self.texts + BACKGROUND_TEXTS * shares) / (self.n_texts + BACKGROUND_TEXTS)
        weights: FloatVector = 1 - np.log(np.clip(known, self._lowest, 1))
        return weights

    @property
    def heaviest(self) -> float:
        """The weight of a word that occurs nowhere, the highest that there is."""
        return float(1 + np.log(self.n_texts + BACKGROUND_TEXTS))

    def of_words(self, words: list[str]) -> FloatVector:
        """Return the weights of words: float32 of shape (n_words,)."""
        return self[tfidf.word_columns(words)]
