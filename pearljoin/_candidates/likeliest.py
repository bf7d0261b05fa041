"""The likeliest of many candidates, by cheap measures: few are left for the dear ones."""

from __future__ import annotations

import numpy as np

from pearljoin._matches import ranks_within
from pearljoin._ragged import whole_rows
from pearljoin._records.encoded import EncodedRecords
from pearljoin._records.missing_keys import NULL
from pearljoin._typing import BoolVector, FloatVector, IntVector, Pairs

__all__ = ["KEPT", "likeliest_pairs"]

KEPT = 12
"""Candidates of a record that are kept by each of two measures."""

USUAL = 0.3
"""Similarity of values that says as much as a missing value does."""

DECIMALS = 4
"""What similarities are rounded to before candidates are ranked by them."""

PAIRS_AT_ONCE = 1_000_000


def likeliest_pairs(left: EncodedRecords, right: EncodedRecords, pairs: Pairs) -> Pairs:
    """Keep each left record's likeliest candidates: by the whole record, and by its columns.

    Similarities cost a tenth of the features that a pair is scored by. The whole record finds
    values that stand in another column; columns are added up by what they can say, the logarithm of
    their number of distinct values.

    Parameters
    ----------
    left, right
        Records with their whole records.
    pairs
        Aligned int64 arrays, ascending by left record.

    Returns
    -------
    left_record, right_record
        Some of the pairs, in the same order: at least `KEPT` of a record that has as many, and all
        with equal normalised keys, which match however many they are.
    """
    assert left.whole is not None
    assert right.whole is not None
    index = right.equal_normalised
    keys = index.keys_of(left.values, left.codes, left.groups)[pairs[0]]
    kept = (keys >= 0) & (keys == index.keys[pairs[1]])
    for part in whole_rows(pairs[0], PAIRS_AT_ONCE):
        some = pairs[0][part], pairs[1][part]
        by_whole = left.whole.score(right.whole, *some)
        by_columns = _by_columns(left, right, *some)
        kept[part] |= _are_best(some[0], by_whole) | _are_best(some[0], by_columns)
    return pairs[0][kept], pairs[1][kept]


def _by_columns(
    left: EncodedRecords, right: EncodedRecords, left_at: IntVector, right_at: IntVector
) -> FloatVector:
    """Similarities of all columns, added up: float32 of shape (n_pairs,)."""
    total = np.zeros(len(left_at), dtype=np.float32)
    for at, values in enumerate(right.values):
        codes = left.codes[at][left_at], right.codes[at][right_at]
        known = np.flatnonzero((codes[0] != NULL) & (codes[1] != NULL))
        found = left.similarity(right, at, codes[0][known], codes[1][known])
        total[known] += np.float32(np.log2(1 + len(values))) * (found - np.float32(USUAL))
    return total


def _are_best(rows: IntVector, scores: FloatVector) -> BoolVector:
    """Mark the `KEPT` items of each row with the highest scores, of equal ones the first."""
    # A product is rounded otherwise among more pairs; so near are ties.
    order = np.lexsort((-np.round(scores, DECIMALS), rows))
    best = np.zeros(len(rows), dtype=bool)
    best[order[ranks_within(rows) < KEPT]] = True
    return best
