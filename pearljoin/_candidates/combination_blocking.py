"""Blocking of records that are combinations of values: by near values of every column.

Of a company in twenty years the whole records are nearly alike, so that the few nearest among many
records are those of some years, and not of the one that is asked for.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from pearljoin._candidates.blocking import LARGE, MOST_ALIKE, block_by, block_nearest, nearest_rules
from pearljoin._candidates.record_blocking import (
    COLUMN_DEPTH,
    block_records,
    near_values,
    record_rules,
)
from pearljoin._progress import stage
from pearljoin._ragged import places_of_each
from pearljoin._records.encoded import EncodedRecords
from pearljoin._records.missing_keys import NULL, known_values
from pearljoin._records.similarity import TextValues
from pearljoin._typing import IntVector, Pairs

__all__ = ["block_combinations", "block_pairs", "combination_rules", "pair_rules"]

LEAST_DEPTH = 2
"""Near values in each column of text, where these are many."""


def block_pairs(
    left: EncodedRecords, right: EncodedRecords, *, device: str, is_crossed: bool | None
) -> Pairs:
    """List candidate pairs by the blocking that keys call for.

    Parameters
    ----------
    left, right
        The two sides.
    device
        Where vectors are searched.
    is_crossed
        Whether records are combinations of values; None where they are not scored by columns.

    Returns
    -------
    left_record, right_record
        Aligned int64 arrays without repetition, ascending by left and then right record.
    """
    if is_crossed is None:
        return block_nearest(left, right, device=device)
    return (block_combinations if is_crossed else block_records)(left, right, device=device)


def pair_rules(
    left: EncodedRecords, right: EncodedRecords, *, device: str, is_crossed: bool | None
) -> list[Pairs]:
    """Return the pairs by each rule of the blocking of `block_pairs`, of records of one group."""
    if is_crossed is None:
        return nearest_rules(left, right, device)
    return (combination_rules if is_crossed else record_rules)(left, right, device)


@stage("search")
def block_combinations(
    left: EncodedRecords, right: EncodedRecords, *, device: str, one_table: bool = False
) -> Pairs:
    """List candidate pairs of records that are combinations of values, as of `block_records`.

    `one_table` says that both sides are records of one table, as of `combination_rules`.
    """
    rules = partial(combination_rules, device=device, one_table=one_table)
    return block_by(rules, left, right)


def combination_rules(
    left: EncodedRecords, right: EncodedRecords, device: str, one_table: bool = False
) -> list[Pairs]:
    """Find nearest records as of `record_rules`; among many, by near values of all columns too.

    Among fewer the nearest whole records, which are more, have all combinations of near values.
    Not so in one table, where a record's nearest are those of its own country in other years.
    """
    found = record_rules(left, right, device)
    by_values = one_table or len(right) > LARGE
    return [*found, _combined(left, right, device)] if by_values else found


def _combined(left: EncodedRecords, right: EncodedRecords, device: str) -> Pairs:
    """Pairs of records whose values are near in each column of text, and equal in the others."""
    is_text = [isinstance(values, TextValues) for values in right.values]
    # Few combinations of near values: each is a right record to be looked for.
    depth = max(LEAST_DEPTH, COLUMN_DEPTH >> max(0, sum(is_text) - 1))
    known = np.flatnonzero(np.all([codes != NULL for codes in right.codes], axis=0))
    of_right = np.zeros(len(known), dtype=np.int64)
    rows, of_left = np.arange(len(left)), np.zeros(len(left), dtype=np.int64)
    # Columns that must be equal leave the fewest, so they come first.
    for at in np.argsort(is_text, kind="stable").tolist():
        near = _near(left, right, at, depth, device) if is_text[at] else _equal(left, right, at)
        numbers = right.codes[at] if is_text[at] else right.values[at].numbers[right.codes[at]]
        n_numbers = int(numbers.max(initial=0)) + 1
        present, of_right = np.unique(of_right * n_numbers + numbers[known], return_inverse=True)
        position, place = places_of_each(near[0], left.codes[at][rows])
        asked = of_left[position] * n_numbers + near[1][place]
        is_there = np.isin(asked, present)
        rows, of_left = rows[position[is_there]], np.searchsorted(present, asked[is_there])
    order = np.argsort(of_right, kind="stable")
    position, place = places_of_each(of_right[order], of_left, MOST_ALIKE)
    return rows[position], known[order[place]]


def _near(
    left: EncodedRecords, right: EncodedRecords, at: int, depth: int, device: str
) -> tuple[IntVector, IntVector]:
    """Left values of a column of text, ascending, and the right ones that are near them."""
    of_sides = left.codes[at], right.codes[at]
    asked, present = map(known_values, of_sides)
    found = near_values(left, right, at, asked, present, device, depth)
    if not found:
        return asked, asked
    one, other = (np.concatenate(part) for part in zip(*found, strict=True))
    n_values = max(1, len(right.values[at]))
    pairs = np.unique(one * n_values + other)
    return pairs // n_values, pairs % n_values


def _equal(left: EncodedRecords, right: EncodedRecords, at: int) -> tuple[IntVector, IntVector]:
    """Left values of a column, ascending, and the numbers of the right ones that equal them."""
    reference = right.values[at]
    numbers = left.values[at].numbers_among(reference)[:-1]
    there = np.flatnonzero((numbers != NULL) & (numbers < len(reference.number_of)))
    return there, numbers[there]
