"""Blocking of records of several columns: by the whole record, by each column, by equal values."""

from __future__ import annotations

from functools import partial

import numpy as np

from pearljoin._candidates.blocking import (
    RECORDS_IN_LARGE,
    block_by,
    depth_among,
    nearest_by_other_kinds,
    nearest_by_text,
)
from pearljoin._kinds.coordinate import ParsedCoordinates, on_sphere
from pearljoin._kinds.protocol import Parsed
from pearljoin._progress import stage
from pearljoin._ragged import items_of_rows
from pearljoin._records.encoded import EncodedRecords
from pearljoin._records.missing_keys import NULL, known_values
from pearljoin._records.parsed_values import ParsedValues
from pearljoin._records.similarity import TextValues
from pearljoin._search import tfidf, vectors
from pearljoin._typing import IntVector, Pairs

__all__ = ["COLUMN_DEPTH", "block_records", "near_values", "record_rules"]

COLUMN_DEPTH = 10
"""Neighbours of a value in one column."""

FEW_RECORDS = 5
"""Reference records that may share a value for it to propose them by itself."""

DISTINCT_SHARE = 0.3
"""Share of distinct values from which a column's neighbours are looked for."""


@stage("search")
def block_records(left: EncodedRecords, right: EncodedRecords, *, device: str) -> Pairs:
    """List candidate pairs of records of several columns.

    Each record meets its nearest by the whole record as one text, by each column whose values are
    mostly distinct, and by closeness of numbers; and those that share a rare value with it.

    Parameters
    ----------
    left, right
        The two sides, with their whole records.
    device
        Where vectors are searched.

    Returns
    -------
    left_record, right_record
        Aligned int64 arrays without repetition, ascending by left and then right record.
    """
    return block_by(partial(record_rules, device=device), left, right)


def record_rules(left: EncodedRecords, right: EncodedRecords, device: str) -> list[Pairs]:
    """Find nearest records by the whole record, by closeness of numbers, and by each column.

    Parameters
    ----------
    left, right
        Records of one group, with their whole records.
    device
        Where vectors are searched.

    Returns
    -------
    pairs
        By rule, aligned int64 arrays of left and right records.
    """
    assert left.whole is not None
    assert right.whole is not None
    depth = depth_among(len(right), RECORDS_IN_LARGE)
    found = [
        *nearest_by_text(left.whole, right.whole, depth, device),
        *nearest_by_other_kinds(left, right),
    ]
    for at in range(len(left.values)):
        pairs = _column_pairs(left, right, at, device)
        one, other = (np.concatenate(part) for part in zip(*pairs, strict=True))
        found.append((one.astype(np.int64), other.astype(np.int64)))
    return found


def _column_pairs(left: EncodedRecords, right: EncodedRecords, at: int, device: str) -> list[Pairs]:
    """Pairs of records that one column proposes, by equal and by near values."""
    values, reference = left.values[at], right.values[at]
    ones, others = (
        values.numbers_among(reference)[left.codes[at]],
        reference.numbers[right.codes[at]],
    )
    every = np.arange(len(reference.number_of))
    found = [_of_values(every, every, ones, others)]
    if left.whole is not None and values is left.whole.values[0]:
        return found  # its near values are near whole records
    if isinstance(values, TextValues) and isinstance(reference, TextValues):
        present = known_values(right.codes[at])
        known = int((right.codes[at] != NULL).sum())
        if len(present) > max(1, DISTINCT_SHARE * known):
            asked = known_values(left.codes[at])
            for one, other in near_values(left, right, at, asked, present, device):
                found.append(_of_values(one, other, left.codes[at], right.codes[at]))
    elif isinstance(values, ParsedValues) and isinstance(reference, ParsedValues):
        one, other = _near_points(values.parsed, reference.parsed)
        found.append(_of_values(one, other, left.codes[at], right.codes[at]))
    return found


def _near_points(left: Parsed, right: Parsed) -> Pairs:
    """Nearest values of coordinates; none of other kinds."""
    nothing = np.zeros(0, dtype=np.int64)
    if not isinstance(left, ParsedCoordinates) or not isinstance(right, ParsedCoordinates):
        return nothing, nothing
    asked, present = np.flatnonzero(~left.is_null), np.flatnonzero(~right.is_null)
    if not len(asked) or not len(present):
        return nothing, nothing
    # Imported here, for only coordinates need it: a quarter of a second.
    from scipy.spatial import cKDTree

    depth = min(COLUMN_DEPTH, len(present))
    # Straight lines through the Earth order points as its surface does.
    tree = cKDTree(on_sphere(right.points[present]))
    near = tree.query(on_sphere(left.points[asked]), k=depth)[1].reshape(len(asked), depth)
    one, other = np.repeat(asked, depth), present[near.reshape(-1)]
    return one.astype(np.int64), other.astype(np.int64)


def near_values(
    left: EncodedRecords,
    right: EncodedRecords,
    at: int,
    asked: IntVector,
    present: IntVector,
    device: str,
    depth: int = COLUMN_DEPTH,
) -> list[Pairs]:
    """Find nearest values of one column of text, by meaning and by spelling.

    Parameters
    ----------
    left, right
        The two sides.
    at
        Place of the column.
    asked, present
        int64, ascending: the left and the right values, by their codes.
    device
        Where vectors are searched.
    depth
        Neighbours of a value by each of the two.
    """
    if not len(asked):
        return []
    values, reference = left.values[at], right.values[at]
    spelling = left.spelling[at], right.spelling[at]
    assert isinstance(values, TextValues)
    assert isinstance(reference, TextValues)
    assert spelling[0] is not None
    assert spelling[1] is not None
    queries, spelled = values.vectors[asked], spelling[0][asked]
    if len(present) == len(reference.texts):
        column = right.by_value[at]
        rows, _ = column.meaning_index.nearest(queries, depth, device=device)
        one, other, _ = column.spelling_index.nearest(spelled, depth)
    else:
        rows, _ = vectors.nearest(queries, reference.vectors[present], depth, device=device)
        one, other, _ = tfidf.nearest(spelled, spelling[1][present], depth)
    by_meaning = np.repeat(asked, rows.shape[1]), present[rows.reshape(-1)]
    return [by_meaning, (asked[one], present[other])]


def _of_values(
    left_values: IntVector, right_values: IntVector, left_codes: IntVector, right_codes: IntVector
) -> Pairs:
    """Pairs of records that have given pairs of values, where few reference records have one."""
    left_order, left_start, left_size = _by_value(left_codes, left_values)
    right_order, right_start, right_size = _by_value(right_codes, right_values)
    few = np.flatnonzero((right_size > 0) & (right_size <= FEW_RECORDS) & (left_size > 0))
    pair, place = items_of_rows(left_start[few], left_size[few])
    of_left, kept = left_order[place], few[pair]
    position, place = items_of_rows(right_start[kept], right_size[kept])
    return of_left[position], right_order[place]


def _by_value(codes: IntVector, values: IntVector) -> tuple[IntVector, IntVector, IntVector]:
    """Records in order of their values; where each of `values` starts there, and its records."""
    order = np.argsort(codes, kind="stable").astype(np.int64)
    ordered = codes[order]
    start = np.searchsorted(ordered, values, side="left")
    return order, start, np.searchsorted(ordered, values, side="right") - start
