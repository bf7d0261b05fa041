"""Which records of two sides are equal: as they stand, or after normalisation."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pearljoin._records.encoded import EncodedRecords, Values
from pearljoin._records.records import NULL
from pearljoin._records.similarity import TextValues
from pearljoin._typing import IntVector

__all__ = ["equality_keys", "pair_up", "value_numbers"]


def equality_keys(
    left: EncodedRecords, right: EncodedRecords, *, normalised: bool
) -> tuple[IntVector, IntVector]:
    """Number the records of both sides so that equal ones, and only those, have equal numbers.

    Parameters
    ----------
    left, right
        The two sides.
    normalised
        Whether texts are compared after normalisation or as they stand.

    Returns
    -------
    left_keys, right_keys
        int64 of shape (n_records,) each.
    """
    columns = []
    for at in range(len(left.values)):
        numbers = value_numbers(left.values[at], right.values[at], normalised=normalised)
        columns.append([n[side.codes[at]] for n, side in zip(numbers, (left, right), strict=True)])
    if left.groups is not None and right.groups is not None:
        columns.append([left.groups, right.groups])
    both = np.stack([np.concatenate(column) for column in columns], axis=1)
    keys = np.unique(both, axis=0, return_inverse=True)[1].reshape(-1).astype(np.int64)
    own, others = keys[: len(left)].copy(), keys[len(left) :].copy()
    if not left.nulls_equal:
        # A record with a gap equals nothing: what is missing may differ.
        for at, (numbers_of, side) in enumerate(((own, left), (others, right))):
            gaps = np.flatnonzero(np.min(side.codes, axis=0) == NULL)
            numbers_of[gaps] = -1 - (2 * gaps + at)
    return own, others


def value_numbers(left: Values, right: Values, *, normalised: bool) -> tuple[IntVector, IntVector]:
    """Number the distinct values of both sides alike; the last entry (code -1) is for null."""
    seen: dict[object, int] = {}
    numbers = []
    for values in (left, right):
        if isinstance(values, TextValues):
            listed: Sequence[object] = values.normal if normalised else values.texts
        else:
            listed = values.listed
        numbers.append(
            np.array([seen.setdefault(value, len(seen)) for value in listed] + [-1], dtype=np.int64)
        )
    return numbers[0], numbers[1]


def pair_up(left_keys: IntVector, right_keys: IntVector) -> tuple[IntVector, IntVector]:
    """All pairs (left position, right position) whose keys are equal, by left and then right."""
    order = np.argsort(right_keys, kind="stable")
    ordered = right_keys[order]
    start = np.searchsorted(ordered, left_keys, side="left")
    count = np.searchsorted(ordered, left_keys, side="right") - start
    own = np.repeat(np.arange(len(left_keys)), count)
    within = np.arange(len(own)) - np.repeat(np.cumsum(count) - count, count)
    return own.astype(np.int64), order[start[own] + within].astype(np.int64)
