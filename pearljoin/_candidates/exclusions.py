"""Which pairs a conflict in one column forbids, and which candidates that leaves."""

from __future__ import annotations

from collections.abc import Callable, Hashable

import numpy as np

from pearljoin._records.encoded import EncodedRecords
from pearljoin._records.records import NULL, Field, Records
from pearljoin._text.normalise import normalise
from pearljoin._typing import BoolVector, IntVector

__all__ = ["block_permitted", "conflicts"]

BLOCK = 2_000_000
"""Pairs of records looked at together."""

Pairs = tuple[IntVector, IntVector]


def block_permitted(
    left: EncodedRecords,
    right: EncodedRecords,
    block_nearest: Callable[[EncodedRecords, EncodedRecords], Pairs],
    forbidden: Callable[[IntVector, IntVector], BoolVector],
) -> Pairs:
    """List candidates that no veto forbids, as `block_nearest` does.

    Neighbours are sought among distinct keys: of a hundred records of one name, those that are
    forbidden take no place from the one that is not.

    Parameters
    ----------
    left, right
        The two sides.
    block_nearest
        From two sides to aligned int64 arrays of records.
    forbidden
        From such arrays to bool of their shape.

    Returns
    -------
    left_record, right_record
        Aligned int64 arrays without repetition, ascending by left and then right record.
    """
    keys, other_keys = _Keys(left), _Keys(right)
    near, near_others = block_nearest(left.take(keys.first), right.take(other_keys.first))
    place, own = keys.members(near)
    wanted = near_others[place]
    block = np.cumsum(other_keys.sizes[wanted]) // BLOCK
    found = [np.zeros(0, dtype=np.int64)]
    for part in np.split(np.arange(len(own)), np.flatnonzero(np.diff(block)) + 1):
        place, others = other_keys.members(wanted[part])
        pairs = own[part][place], others
        kept = ~forbidden(*pairs)
        found.append(pairs[0][kept] * len(right) + pairs[1][kept])
    listed = np.sort(np.concatenate(found))
    return listed // max(1, len(right)), listed % max(1, len(right))


class _Keys:
    """Distinct keys of one side, in order of first appearance, and the records that have them."""

    def __init__(self, side: EncodedRecords) -> None:
        columns = [*side.codes, *([] if side.groups is None else [side.groups])]
        both = np.stack(columns, axis=1)
        _, first, key = np.unique(both, axis=0, return_index=True, return_inverse=True)
        appeared = np.argsort(first)
        self.first = first[appeared].astype(np.int64)
        key = np.argsort(appeared)[key.reshape(-1)]
        self.sizes = np.bincount(key, minlength=len(first))
        self._records = np.argsort(key, kind="stable")
        self._start = np.cumsum(self.sizes) - self.sizes

    def members(self, keys: IntVector) -> Pairs:
        """All records of each of `keys`: (position in `keys`, record)."""
        sizes = self.sizes[keys]
        position = np.repeat(np.arange(len(keys)), sizes)
        within = np.arange(len(position)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        return position, self._records[self._start[keys][position] + within]


def conflicts(left: Records, right: Records, own: IntVector, others: IntVector) -> BoolVector:
    """Tell which pairs of records differ in a veto column; a null differs from nothing.

    Parameters
    ----------
    left, right
        Records of both sides, with as many veto columns.
    own, others
        int64 of shape (n_pairs,).
    """
    found = np.zeros(len(own), dtype=bool)
    for field, other_field in zip(left.vetoes, right.vetoes, strict=True):
        seen: dict[Hashable, int] = {}
        codes = _numbered(field, seen)[left.first_row[own]]
        other_codes = _numbered(other_field, seen)[right.first_row[others]]
        found |= (codes != other_codes) & (codes != NULL) & (other_codes != NULL)
    return found


def _numbered(field: Field, seen: dict[Hashable, int]) -> IntVector:
    """Each row's value by a number that means the same on both sides; `NULL` for null."""
    values = [normalise(str(v)) if field.kind == "text" else v for v in field.values]
    numbers = [seen.setdefault(value, len(seen)) for value in values]
    return np.array([*numbers, NULL], dtype=np.int64)[field.codes]
