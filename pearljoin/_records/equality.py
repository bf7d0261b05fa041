"""Equality of records: of keys as given, or after normalisation."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pearljoin._ragged import bounds_of, items_of_rows, places_of, sizes_of
from pearljoin._records.missing_keys import NULL, records_with_null
from pearljoin._records.similarity import ExactValues, NumberValues, TextValues
from pearljoin._typing import BoolVector, IntVector

__all__ = ["EqualityIndex", "Values"]

Values = TextValues | NumberValues | ExactValues

NOWHERE = -2
"""Number of a value, or key of a record, that the reference does not have."""


class EqualityIndex:
    """Finds the records of a reference that equal given records.

    Parameters
    ----------
    values, codes
        The key columns of the reference's records, as in `pearljoin._records.encoded`.
    groups
        Their groups, if any.
    nulls_equal
        Whether nulls equal each other.
    normalised
        Whether texts are compared after normalisation or as they stand.
    """

    def __init__(
        self,
        values: Sequence[Values],
        codes: Sequence[IntVector],
        groups: IntVector | None,
        *,
        nulls_equal: bool,
        normalised: bool,
    ) -> None:
        self._normalised = normalised
        self._nulls_equal = nulls_equal
        self._values = values
        rows = self._numbered(values, codes, groups)
        self._place: dict[bytes, int] | None = None
        if rows.shape[1] == 1 and not nulls_equal:
            # The number of its only value is a record's key.
            self.keys, n_keys = rows[:, 0], len(values[0])
        else:
            distinct, keys = np.unique(rows, axis=0, return_inverse=True)
            self._place = {row.tobytes(): key for key, row in enumerate(distinct)}
            self.keys = self._without_nulls(keys.reshape(-1).astype(np.int64), codes)
            n_keys = len(distinct)
        usable = places_of(self.keys >= 0)
        self._records = usable[np.argsort(self.keys[usable], kind="stable")]
        sizes = np.bincount(self.keys[usable], minlength=n_keys)
        self._bounds = bounds_of(sizes)

    def keys_of(
        self, values: Sequence[Values], codes: Sequence[IntVector], groups: IntVector | None
    ) -> IntVector:
        """Return the keys of other records: int64 of shape (n_records,).

        A key is that of the reference's records that are equal, and below 0 where none is.
        """
        rows = self._numbered(values, codes, groups)
        place = self._place
        if place is None:
            return rows[:, 0]
        found = np.fromiter(
            (place.get(row.tobytes(), NOWHERE) for row in rows), dtype=np.int64, count=len(rows)
        )
        return self._without_nulls(found, codes)

    def equals(self, first: IntVector, second: IntVector) -> BoolVector:
        """Mark pairs of equal reference records: bool of shape (n_pairs,)."""
        keys = self.keys[first]
        return np.asarray((keys >= 0) & (keys == self.keys[second]), dtype=bool)

    def first_equals(self, records: IntVector) -> IntVector:
        """Return the first of the reference's own records that equals each: int64, same shape.

        Itself for a record that equals nothing.
        """
        keys = self.keys[records]
        known = keys >= 0
        found = records.copy()
        found[known] = self._records[self._bounds[keys[known]]]
        return found

    @property
    def largest(self) -> int:
        """Most records of the reference that are equal."""
        return int(sizes_of(self._bounds).max(initial=0))

    def n_pairs(self, keys: IntVector, most: int | None = None) -> int:
        """Number of the pairs that `pairs` lists."""
        return int(self._sizes(keys[keys >= 0], most).sum())

    def pairs(self, keys: IntVector, most: int | None = None) -> tuple[IntVector, IntVector]:
        """List the pairs of equal records, by left and then by right record.

        Parameters
        ----------
        keys
            Of the left records, as `keys_of` returns them.
        most
            The most right records of a left record, from the first on; None for all.
        """
        known = places_of(keys >= 0)
        start = self._bounds[keys[known]]
        position, place = items_of_rows(start, self._sizes(keys[known], most))
        return known[position], self._records[place]

    def _sizes(self, keys: IntVector, most: int | None) -> IntVector:
        """Number of records of each key, at most `most`."""
        sizes = self._bounds[keys + 1] - self._bounds[keys]
        return sizes if most is None else np.minimum(sizes, most)

    def _numbered(
        self, values: Sequence[Values], codes: Sequence[IntVector], groups: IntVector | None
    ) -> IntVector:
        """The values of records as numbers: int64 of shape (n_records, n_columns)."""
        columns = []
        for column, coded, reference in zip(values, codes, self._values, strict=True):
            columns.append(self._numbers_among(column, reference)[coded])
        if groups is not None:
            columns.append(groups)
        return np.ascontiguousarray(np.stack(columns, axis=1))

    def _numbers_among(self, values: Values, reference: Values) -> IntVector:
        """The number of each value, and of null: int64 of shape (n_values + 1,)."""
        if isinstance(values, TextValues) and not self._normalised:
            assert isinstance(reference, TextValues)
            if values is reference:
                return np.append(np.arange(len(values), dtype=np.int64), NULL)
            found = [reference.position.get(text, NOWHERE) for text in values.texts]
            return np.array([*found, NULL], dtype=np.int64)
        numbers = values.numbers_among(reference)
        return np.where(numbers < len(reference.number_of), numbers, NOWHERE)

    def _without_nulls(self, keys: IntVector, codes: Sequence[IntVector]) -> IntVector:
        if not self._nulls_equal:
            # A record with a null equals nothing, since the missing values may differ.
            keys[records_with_null(codes)] = NULL
        return keys
