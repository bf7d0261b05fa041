"""Comparison levels per key column, and match weights learned from the candidates of two tables."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pearljoin._ragged import items_of_rows
from pearljoin._records.encoded import EncodedRecords
from pearljoin._records.equality import value_numbers
from pearljoin._records.missing_keys import NULL
from pearljoin._records.sampling import content_order
from pearljoin._records.similarity import ExactValues, NumberValues
from pearljoin._scoring.fellegi_sunter import (
    MISSING,
    ComparisonLevels,
    RecordModel,
    learn,
    level_shares,
)
from pearljoin._typing import BoolVector, FloatVector, IntVector

__all__ = ["comparison_levels", "learn_record_model", "learn_reference_model"]

TEXT_STEPS = np.array([0.25, 0.4, 0.55, 0.7, 0.85])
NUMBER_STEPS = np.array([0.05, 0.3, 0.7, 0.9, 0.98])
"""Similarities at which a level begins; below them all is conflict, above them equality."""

EQUAL = len(TEXT_STEPS) + 1

USUAL_M = {
    "text": (0.04, 0.03, 0.03, 0.05, 0.05, 0.10, 0.70),
    "number": (0.06, 0.04, 0.05, 0.05, 0.05, 0.05, 0.70),
    "exact": (0.10, 1e-6, 1e-6, 1e-6, 1e-6, 1e-6, 0.90),
}
"""m probabilities of the levels in tables at large, by kind of column."""

USUAL_U = {
    "text": (0.70, 0.15, 0.07, 0.04, 0.02, 0.01, 0.01),
    "number": (0.55, 0.20, 0.10, 0.07, 0.05, 0.02, 0.01),
    "exact": (0.80, 1e-6, 1e-6, 1e-6, 1e-6, 1e-6, 0.20),
}
"""u probabilities likewise."""

PRIOR_PAIRS = 10.0
"""How many pairs the usual u probabilities count for."""

SAMPLE = 100_000
"""Pairs from which the share of each level among all pairs is estimated."""


def learn_record_model(
    left: EncodedRecords,
    right: EncodedRecords,
    left_at: IntVector,
    right_at: IntVector,
    sample: IntVector,
) -> RecordModel:
    """Learn the match weights of the key columns from the candidates of two sides.

    Parameters
    ----------
    left, right
        The two sides.
    left_at, right_at
        int64 of shape (n_pairs,), `left_at` ascending: the candidate pairs of sampled records.
    sample
        int64 of shape (n_sampled,), ascending: the left records that are learned from.

    Returns
    -------
    model
        The match weights.
    """
    # Pairs at random are drawn by place, so the places must not depend on the order of rows.
    part = left.take(sample)
    part = part.take(content_order(part))
    among_all = comparison_levels(part, right, *_any_pairs(part, right))
    pairs = comparison_levels(left, right, left_at, right_at)
    return _learn(right, pairs, len(sample), among_all)


def learn_reference_model(reference: EncodedRecords) -> RecordModel:
    """Learn the match weights of the key columns from a reference alone.

    Only u probabilities are learned, from pairs of different records: the others are those of
    tables at large.

    Parameters
    ----------
    reference
        The reference.

    Returns
    -------
    model
        The match weights.
    """
    left_at, right_at = _any_pairs(reference, reference)
    apart = left_at != right_at
    among_all = comparison_levels(reference, reference, left_at[apart], right_at[apart])
    none = np.zeros(len(among_all.left), dtype=bool)
    return _learn(reference, among_all.take(none), 0, among_all)


def _learn(
    right: EncodedRecords, pairs: ComparisonLevels, n_left: int, among_all: ComparisonLevels
) -> RecordModel:
    """Learn from candidate pairs and from pairs at random."""
    usual_m, usual_u = (
        np.array([table[_kind(right, at)] for at in range(len(right.values))])
        for table in (USUAL_M, USUAL_U)
    )
    shares = level_shares(among_all.levels, np.ones(len(among_all.left)), PRIOR_PAIRS * usual_u)
    return learn(pairs, n_left, shares, usual_m, usual_u)


def comparison_levels(
    left: EncodedRecords, right: EncodedRecords, left_at: IntVector, right_at: IntVector
) -> ComparisonLevels:
    """Compare pairs of records, one level per key column.

    Parameters
    ----------
    left, right
        The two sides.
    left_at, right_at
        int64 of shape (n_pairs,), `left_at` ascending: pairs of records.

    Returns
    -------
    levels
        Levels and term-frequency adjustments.
    """
    n_fields = len(left.values)
    levels = np.empty((len(left_at), n_fields), dtype=np.int8)
    frequency = np.zeros((len(left_at), n_fields), dtype=np.float32)
    for at in range(n_fields):
        levels[:, at] = _levels(left, right, at, left_at, right_at)
        if not isinstance(left.values[at], NumberValues):
            frequency[:, at] = _term_frequency(left, right, at, left_at, right_at)
    n_right = _could_meet(left, right)[1][left_at].astype(np.float64)
    return ComparisonLevels(levels, frequency, left_at, n_right)


def _kind(side: EncodedRecords, at: int) -> str:
    values = side.values[at]
    if isinstance(values, NumberValues):
        return "number"
    return "exact" if isinstance(values, ExactValues) else "text"


def _levels(
    left: EncodedRecords, right: EncodedRecords, at: int, left_at: IntVector, right_at: IntVector
) -> IntVector:
    """Level of each pair in one key column."""
    left_codes, right_codes = left.codes[at][left_at], right.codes[at][right_at]
    left_null, right_null = left_codes == NULL, right_codes == NULL
    known: BoolVector = ~(left_null | right_null)
    steps = NUMBER_STEPS if _kind(left, at) == "number" else TEXT_STEPS
    levels = np.full(len(left_at), MISSING, dtype=np.int64)
    if left.nulls_equal:
        levels = np.where(left_null & right_null, EQUAL, 0)
    similarity = _similarity(left, right, at, left_codes[known], right_codes[known])
    left_numbers, right_numbers = value_numbers(left.values[at], right.values[at], normalised=True)
    equal = left_numbers[left_codes[known]] == right_numbers[right_codes[known]]
    near = np.searchsorted(steps, similarity, side="right")
    levels[known] = np.where(equal, EQUAL, near if _kind(left, at) != "exact" else 0)
    return levels


def _similarity(
    left: EncodedRecords,
    right: EncodedRecords,
    at: int,
    left_codes: IntVector,
    right_codes: IntVector,
) -> FloatVector:
    """Similarity of pairs of values, computed once for each distinct pair."""
    if not len(left_codes):
        return np.zeros(0, dtype=np.float32)
    size = int(right_codes.max()) + 1
    distinct, which = np.unique(left_codes * size + right_codes, return_inverse=True)
    similarity = left.similarity(right, at, distinct // size, distinct % size)
    return np.asarray(similarity[which.reshape(-1)], dtype=np.float32)


def _term_frequency(
    left: EncodedRecords, right: EncodedRecords, at: int, left_at: IntVector, right_at: IntVector
) -> NDArray[np.float64]:
    """Log of the usual frequency over that of the more frequent value of each pair.

    A value's frequency is its share of the right records. The usual frequency is the probability
    that two right records have the same value.
    """
    numbers = value_numbers(right.values[at], left.values[at], normalised=True)[::-1]
    null = 1 + max(int(listed.max(initial=NULL)) for listed in numbers)
    left_numbers, right_numbers = (
        np.where(side.codes[at] == NULL, null, listed[side.codes[at]])
        for listed, side in zip(numbers, (left, right), strict=True)
    )
    counts = np.bincount(right_numbers, minlength=null + 1).astype(np.float64)
    if not left.nulls_equal:
        counts[null] = 0
    share = (counts + 0.5) / (counts.sum() + 1)
    usual = float(counts @ share) / max(1.0, float(counts.sum()))
    commoner = np.maximum(share[left_numbers[left_at]], share[right_numbers[right_at]])
    return np.asarray(np.log(usual or 1.0) - np.log(commoner), dtype=np.float64)


def _any_pairs(left: EncodedRecords, right: EncodedRecords) -> tuple[IntVector, IntVector]:
    """All pairs of records of equal groups, or a sample of them; by left record."""
    start, count = _could_meet(left, right)
    order = _by_group(right)
    if int(count.sum()) <= SAMPLE:
        left_at, place = items_of_rows(start, count)
        return left_at, order[place]
    rng = np.random.default_rng(0)
    left_at = np.sort(rng.choice(np.flatnonzero(count), SAMPLE))
    within = (rng.random(SAMPLE) * count[left_at]).astype(np.int64)
    return left_at.astype(np.int64), order[start[left_at] + within]


def _could_meet(left: EncodedRecords, right: EncodedRecords) -> tuple[IntVector, IntVector]:
    """Where each left record's group starts among the right records by group, and its size."""
    if left.groups is None or right.groups is None:
        return np.zeros(len(left), dtype=np.int64), np.full(len(left), len(right))
    ordered = right.groups[_by_group(right)]
    start = np.searchsorted(ordered, left.groups, side="left")
    return start, np.searchsorted(ordered, left.groups, side="right") - start


def _by_group(right: EncodedRecords) -> IntVector:
    if right.groups is None:
        return np.arange(len(right))
    return np.argsort(right.groups, kind="stable").astype(np.int64)
