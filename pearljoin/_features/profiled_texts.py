"""The texts of candidate pairs, profiled once for several parts of the pairs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pearljoin._cached import cached_property
from pearljoin._features.text_profiles import TextProfile, Texts, text_profiles
from pearljoin._ragged import whole_rows
from pearljoin._records.encoded import EncodedRecords
from pearljoin._records.missing_keys import NULL
from pearljoin._records.similarity import TextValues
from pearljoin._typing import IntVector, Pairs

__all__ = ["ProfiledTexts", "RecordTexts", "parts_with_texts"]

PAIRS_PROFILED = 1_600_000
"""Pairs whose texts are profiled at once: several parts of pairs have most of their texts in
common, and a profile takes some kilobyte."""

NO_TEXTS = Texts([], [], [], [])


@dataclass(frozen=True)
class ProfiledTexts:
    """Those texts of a key column that occur in some pairs of records.

    Attributes
    ----------
    left_texts, right_texts
        int64 of shape (n_texts,), ascending: which of each side's distinct texts.
    left, right
        Their profiles, with one index of tokens.
    """

    left_texts: IntVector
    right_texts: IntVector
    left: TextProfile
    right: TextProfile

    @classmethod
    def of(
        cls,
        left: EncodedRecords,
        right: EncodedRecords,
        left_at: IntVector,
        right_at: IntVector,
        column: int = 0,
    ) -> ProfiledTexts:
        """Profile the texts of pairs of records.

        Parameters
        ----------
        left, right
            Both sides.
        left_at, right_at
            int64 of shape (n_pairs,): the records of each pair.
        column
            Position of the key column, which is text.
        """
        codes = _known(left.codes[column][left_at]), _known(right.codes[column][right_at])
        terms = right.statistics[column].terms
        assert terms is not None
        if left.values[column] is right.values[column]:
            texts = np.unique(np.concatenate(codes))
            profile, _ = text_profiles(_texts(right, texts, column), NO_TEXTS, terms)
            return cls(texts, texts, profile, profile)
        left_texts, right_texts = map(np.unique, codes)
        sides = _texts(left, left_texts, column), _texts(right, right_texts, column)
        return cls(left_texts, right_texts, *text_profiles(*sides, terms))

    @property
    def of_right(self) -> ProfiledTexts:
        """The right texts as both sides, for pairs of right records."""
        return ProfiledTexts(self.right_texts, self.right_texts, self.right, self.right)

    def places(self, left_texts: IntVector, right_texts: IntVector) -> tuple[IntVector, IntVector]:
        """Return where texts stand in the profiles, by their numbers among each side's texts."""
        return (
            np.searchsorted(self.left_texts, left_texts).astype(np.int64),
            np.searchsorted(self.right_texts, right_texts).astype(np.int64),
        )


class RecordTexts:
    """The texts of pairs of records in all key columns, each profiled when first asked for.

    Parameters
    ----------
    left, right
        Both sides.
    left_at, right_at
        int64 of shape (n_pairs,): the records of each pair.
    """

    def __init__(
        self,
        left: EncodedRecords,
        right: EncodedRecords,
        left_at: IntVector,
        right_at: IntVector,
    ) -> None:
        self._sides = left, right
        self._pairs = left_at, right_at
        self._known: dict[int, ProfiledTexts] = {}

    def column(self, at: int) -> ProfiledTexts:
        """Return the texts of a key column, by its position."""
        if at not in self._known:
            self._known[at] = ProfiledTexts.of(*self._sides, *self._pairs, at)
        return self._known[at]

    @cached_property
    def whole(self) -> RecordTexts:
        """The whole records as texts of one column."""
        left, right = self._sides
        assert left.whole is not None
        assert right.whole is not None
        return RecordTexts(left.whole, right.whole, *self._pairs)


def parts_with_texts(
    left: EncodedRecords, right: EncodedRecords, pairs: Pairs, rows: IntVector, most: int
) -> Iterator[tuple[slice, RecordTexts]]:
    """Split pairs of records into parts; each with the texts of several parts.

    Parameters
    ----------
    left, right
        Both sides.
    pairs
        Aligned int64 arrays of shape (n_pairs,): the records of each pair.
    rows
        int64 of shape (n_pairs,), ascending: what no part may divide.
    most
        Pairs of a part.
    """
    for several in whole_rows(rows, PAIRS_PROFILED):
        texts = RecordTexts(left, right, pairs[0][several], pairs[1][several])
        for part in whole_rows(rows[several], most):
            yield slice(several.start + part.start, several.start + part.stop), texts


def _known(codes: IntVector) -> IntVector:
    """Those that are not null."""
    return np.asarray(codes[codes != NULL])


def _texts(side: EncodedRecords, texts: IntVector, column: int) -> Texts:
    """Some distinct texts of a side, normalised."""
    values = side.values[column]
    assert isinstance(values, TextValues)
    listed = values.normal, values.bare, values.brackets, values.n_before_comma
    return Texts(*([each[text] for text in texts.tolist()] for each in listed))
