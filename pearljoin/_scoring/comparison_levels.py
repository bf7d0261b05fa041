"""How far the records of two sides agree, column by column, and what that says of a match."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pearljoin._records.encoded import EncodedRecords
from pearljoin._records.equality import value_numbers
from pearljoin._records.records import NULL
from pearljoin._records.similarity import ExactValues, NumberValues
from pearljoin._scoring.fellegi_sunter import (
    MISSING,
    ComparisonLevels,
    RecordModel,
    learn,
    level_shares,
)
from pearljoin._typing import BoolVector, FloatVector, IntVector

__all__ = ["comparison_levels", "learn_record_model"]

TEXT_STEPS = np.array([0.25, 0.4, 0.55, 0.7, 0.85])
NUMBER_STEPS = np.array([0.05, 0.3, 0.7, 0.9, 0.98])
"""Similarities at which a level begins; below them all is conflict, above them equality."""

EQUAL = len(TEXT_STEPS) + 1

USUAL = {
    "text": (0.04, 0.03, 0.03, 0.05, 0.05, 0.10, 0.70),
    "number": (0.06, 0.04, 0.05, 0.05, 0.05, 0.05, 0.70),
    "exact": (0.10, 1e-6, 1e-6, 1e-6, 1e-6, 1e-6, 0.90),
}
"""How often values of one thing agree so far, in tables at large."""

USUAL_CHANCE = {
    "text": (0.70, 0.15, 0.07, 0.04, 0.02, 0.01, 0.01),
    "number": (0.55, 0.20, 0.10, 0.07, 0.05, 0.02, 0.01),
    "exact": (0.80, 1e-6, 1e-6, 1e-6, 1e-6, 1e-6, 0.20),
}
"""How often values of two things do."""

PRIOR_PAIRS = 10.0
SAMPLE = 100_000
"""Pairs from which it is learned how often values agree by chance."""

LEARNED_FROM = 10_000
"""Left records that are enough to learn from."""


def learn_record_model(
    left: EncodedRecords, right: EncodedRecords, own: IntVector, others: IntVector
) -> RecordModel:
    """Learn from two sides' candidates what agreement in each key column says.

    Parameters
    ----------
    left, right
        The two sides.
    own, others
        int64 of shape (n_pairs,), `own` ascending: the candidate pairs of records.
    """
    records = np.unique(own)
    if len(records) > LEARNED_FROM:
        chosen = records[np.linspace(0, len(records) - 1, LEARNED_FROM).astype(np.int64)]
        kept = np.isin(own, chosen)
        own, others = own[kept], others[kept]
    usual, usual_chance = (
        np.array([table[_kind(left, at)] for at in range(len(left.values))])
        for table in (USUAL, USUAL_CHANCE)
    )
    by_chance = comparison_levels(left, right, *_any_pairs(left, right))
    among_all = level_shares(
        by_chance.levels, np.ones(len(by_chance.left)), PRIOR_PAIRS * usual_chance
    )
    n_left = min(len(left), LEARNED_FROM)
    return learn(
        comparison_levels(left, right, own, others), n_left, among_all, usual, usual_chance
    )


def comparison_levels(
    left: EncodedRecords, right: EncodedRecords, own: IntVector, others: IntVector
) -> ComparisonLevels:
    """Tell how far pairs of records agree, column by column.

    Parameters
    ----------
    left, right
        The two sides.
    own, others
        int64 of shape (n_pairs,), `own` ascending: pairs of records.
    """
    n_fields = len(left.values)
    levels = np.empty((len(own), n_fields), dtype=np.int8)
    rarity = np.zeros((len(own), n_fields), dtype=np.float32)
    for at in range(n_fields):
        levels[:, at] = _levels(left, right, at, own, others)
        if not isinstance(left.values[at], NumberValues):
            rarity[:, at] = _rarity(left, right, at, own, others)
    return ComparisonLevels(
        levels, rarity, own, _could_meet(left, right)[1][own].astype(np.float64)
    )


def _kind(side: EncodedRecords, at: int) -> str:
    values = side.values[at]
    if isinstance(values, NumberValues):
        return "number"
    return "exact" if isinstance(values, ExactValues) else "text"


def _levels(
    left: EncodedRecords, right: EncodedRecords, at: int, own: IntVector, others: IntVector
) -> IntVector:
    """Level of agreement of each pair in one key column."""
    own_codes, other_codes = left.codes[at][own], right.codes[at][others]
    own_null, other_null = own_codes == NULL, other_codes == NULL
    known: BoolVector = ~(own_null | other_null)
    steps = NUMBER_STEPS if _kind(left, at) == "number" else TEXT_STEPS
    levels = np.full(len(own), MISSING, dtype=np.int64)
    if left.nulls_equal:
        levels = np.where(own_null & other_null, EQUAL, 0)
    similarity = _similarity(left, right, at, own_codes[known], other_codes[known])
    own_numbers, other_numbers = value_numbers(left.values[at], right.values[at], normalised=True)
    equal = own_numbers[own_codes[known]] == other_numbers[other_codes[known]]
    near = np.searchsorted(steps, similarity, side="right")
    levels[known] = np.where(equal, EQUAL, near if _kind(left, at) != "exact" else 0)
    return levels


def _similarity(
    left: EncodedRecords, right: EncodedRecords, at: int, own: IntVector, others: IntVector
) -> FloatVector:
    """Similarity of pairs of values, worked out once for each distinct pair."""
    if not len(own):
        return np.zeros(0, dtype=np.float32)
    size = int(others.max()) + 1
    distinct, which = np.unique(own * size + others, return_inverse=True)
    similarity = left.similarity(right, at, distinct // size, distinct % size)
    return np.asarray(similarity[which.reshape(-1)], dtype=np.float32)


def _rarity(
    left: EncodedRecords, right: EncodedRecords, at: int, own: IntVector, others: IntVector
) -> NDArray[np.float64]:
    """Log of how much rarer the commoner of two values is than what records usually share.

    A value's frequency is its share of the right records; what records usually share is the chance
    that two of them, one of either side, have the same value.
    """
    numbers = value_numbers(left.values[at], right.values[at], normalised=True)
    null = 1 + max(int(listed.max(initial=NULL)) for listed in numbers)
    own_numbers, other_numbers = (
        np.where(side.codes[at] == NULL, null, listed[side.codes[at]])
        for listed, side in zip(numbers, (left, right), strict=True)
    )
    own_counts, other_counts = (
        np.bincount(listed, minlength=null + 1).astype(np.float64)
        for listed in (own_numbers, other_numbers)
    )
    if not left.nulls_equal:
        own_counts[null] = other_counts[null] = 0
    share = (other_counts + 0.5) / (other_counts.sum() + 1)
    usual = float(own_counts @ share) / max(1.0, float(own_counts.sum()))
    commoner = np.maximum(share[own_numbers[own]], share[other_numbers[others]])
    return np.asarray(np.log(usual or 1.0) - np.log(commoner), dtype=np.float64)


def _any_pairs(left: EncodedRecords, right: EncodedRecords) -> tuple[IntVector, IntVector]:
    """Pairs of records that could meet, by left record: all, or a sample of them."""
    start, count = _could_meet(left, right)
    order = _by_group(right)
    if int(count.sum()) <= SAMPLE:
        own = np.repeat(np.arange(len(left)), count)
        within = np.arange(len(own)) - np.repeat(np.cumsum(count) - count, count)
    else:
        rng = np.random.default_rng(0)
        own = np.sort(rng.choice(np.flatnonzero(count), SAMPLE))
        within = (rng.random(SAMPLE) * count[own]).astype(np.int64)
    return own.astype(np.int64), order[start[own] + within]


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
