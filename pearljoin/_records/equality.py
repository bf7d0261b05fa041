"""Equality of records: keys that are equal as they stand, or after normalisation."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pearljoin._records.encoded import EncodedRecords, Values
from pearljoin._records.null_rule import records_with_null
from pearljoin._records.similarity import TextValues
from pearljoin._typing import IntVector

__all__ = ["equality_keys", "pair_up", "value_numbers"]


def equality_keys(
    left: EncodedRecords, right: EncodedRecords, *, normalised: bool
) -> tuple[IntVector, IntVector]:
    """Number the records of both tables so that equal records have equal numbers.

    Parameters
    ----------
    left, right
        Encoded records of the left and of the right table.
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
        columns.append(
            [n[records.codes[at]] for n, records in zip(numbers, (left, right), strict=True)]
        )
    if left.groups is not None and right.groups is not None:
        columns.append([left.groups, right.groups])
    both = np.stack([np.concatenate(column) for column in columns], axis=1)
    keys = np.unique(both, axis=0, return_inverse=True)[1].reshape(-1).astype(np.int64)
    left_keys, right_keys = keys[: len(left)].copy(), keys[len(left) :].copy()
    if not left.nulls_equal:
        # A record with a null equals nothing, since the missing values may differ.
        for at, (numbered, records) in enumerate(((left_keys, left), (right_keys, right))):
            with_null = records_with_null(records.codes)
            numbered[with_null] = -1 - (2 * with_null + at)
    return left_keys, right_keys


def value_numbers(left: Values, right: Values, *, normalised: bool) -> tuple[IntVector, IntVector]:
    """Number the distinct values of both columns alike; the last entry (code -1) is for null."""
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
    """List pairs of positions with equal keys, by left and then right position."""
    order = np.argsort(right_keys, kind="stable")
    ordered = right_keys[order]
    start = np.searchsorted(ordered, left_keys, side="left")
    count = np.searchsorted(ordered, left_keys, side="right") - start
    left = np.repeat(np.arange(len(left_keys)), count)
    within = np.arange(len(left)) - np.repeat(np.cumsum(count) - count, count)
    return left.astype(np.int64), order[start[left] + within].astype(np.int64)
