"""Exclusions: pairs that a conflict in a veto column forbids, and blocking without them."""

from __future__ import annotations

from collections.abc import Callable, Hashable

import numpy as np

from pearljoin._progress import stage
from pearljoin._ragged import items_of_rows
from pearljoin._records.encoded import EncodedRecords
from pearljoin._records.missing_keys import NULL, values_differ
from pearljoin._records.records import Field, Records
from pearljoin._typing import BoolVector, Conflicts, IntVector, Pairs

__all__ = ["block_permitted", "conflicts"]

BLOCK = 2_000_000
"""Pairs of records checked at once."""


@stage("search")
def block_permitted(
    left: EncodedRecords,
    right: EncodedRecords,
    block_nearest: Callable[[EncodedRecords, EncodedRecords], Pairs],
    forbidden: Conflicts,
) -> Pairs:
    """List candidates like `block_nearest`, without the forbidden ones.

    Neighbours are searched among distinct keys, so that forbidden records do not use up the places
    of permitted records with the same key.

    Parameters
    ----------
    left, right
        Encoded records of the left and of the right table.
    block_nearest
        Function of two tables' records that returns candidate pairs as aligned int64 arrays.
    forbidden
        Function of such arrays that returns bool of their shape.

    Returns
    -------
    left_record, right_record
        Aligned int64 arrays without repetition, ascending by left and then right record.
    """
    left_keys, right_keys = _DistinctKeys(left), _DistinctKeys(right)
    near_left, near_right = block_nearest(left.take(left_keys.first), right.take(right_keys.first))
    position, left_records = left_keys.members(near_left)
    wanted = near_right[position]
    block = np.cumsum(right_keys.sizes[wanted]) // BLOCK
    found = [np.zeros(0, dtype=np.int64)]
    for part in np.split(np.arange(len(left_records)), np.flatnonzero(np.diff(block)) + 1):
        position, right_records = right_keys.members(wanted[part])
        pairs = left_records[part][position], right_records
        kept = ~forbidden(*pairs)
        found.append(pairs[0][kept] * len(right) + pairs[1][kept])
    listed = np.sort(np.concatenate(found))
    return listed // max(1, len(right)), listed % max(1, len(right))


class _DistinctKeys:
    """Distinct keys of one table, in order of first appearance, and the records of each."""

    def __init__(self, records: EncodedRecords) -> None:
        columns = [*records.codes, *([] if records.groups is None else [records.groups])]
        both = np.stack(columns, axis=1)
        _, first, key = np.unique(both, axis=0, return_index=True, return_inverse=True)
        appeared = np.argsort(first)
        self.first = first[appeared].astype(np.int64)
        key = np.argsort(appeared)[key.reshape(-1)]
        self.sizes = np.bincount(key, minlength=len(first))
        self._records = np.argsort(key, kind="stable")
        self._start = np.cumsum(self.sizes) - self.sizes

    def members(self, keys: IntVector) -> Pairs:
        """List the records of each of `keys`: (position in `keys`, record)."""
        position, place = items_of_rows(self._start[keys], self.sizes[keys])
        return position, self._records[place]


def conflicts(
    left: Records, right: Records, left_records: IntVector, right_records: IntVector
) -> BoolVector:
    """Tell which pairs of records differ in a veto column; a null differs from nothing.

    Parameters
    ----------
    left, right
        Records of both tables, with the same number of veto columns.
    left_records, right_records
        Record numbers: int64 of shape (n_pairs,).

    Returns
    -------
    forbidden
        bool of shape (n_pairs,).
    """
    found = np.zeros(len(left_records), dtype=bool)
    for left_field, right_field in zip(left.vetoes, right.vetoes, strict=True):
        seen: dict[Hashable, int] = {}
        left_codes = _numbered(left_field, seen)[left.first_row[left_records]]
        right_codes = _numbered(right_field, seen)[right.first_row[right_records]]
        found |= values_differ(left_codes, right_codes)
    return found


def _numbered(field: Field, seen: dict[Hashable, int]) -> IntVector:
    """Number each row's value, with numbers shared by both tables; `NULL` for null."""
    numbers = [seen.setdefault(value, len(seen)) for value in field.values]
    return np.array([*numbers, NULL], dtype=np.int64)[field.codes]
