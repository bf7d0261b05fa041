"""Whether records agree in every key column, where they are combinations of values.

In a table of countries by years the right country has as many records as there are years, and as
many countries have the right year: no column is rare enough to tell a match from chance. But two
records are the same where all their values are, and whether two names are the same is known from
the names by themselves.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.special import logit

from pearljoin._candidates.blocking import block_nearest
from pearljoin._comparison.reference import Reference
from pearljoin._features.compute import CandidateFeatures, compute_features
from pearljoin._matches import find_pairs
from pearljoin._records.encoded import EncodedRecords
from pearljoin._records.missing_keys import NULL
from pearljoin._scoring.calibration import Calibration
from pearljoin._scoring.frozen_state import FrozenState
from pearljoin._scoring.record_evidence import n_knots_of
from pearljoin._scoring.record_features import RecordPairs
from pearljoin._typing import FloatVector, IntVector

__all__ = ["learn_values", "with_agreement"]

MOST = 0.99
"""Probability that two records match which agree in every column."""


def with_agreement(
    pairs: RecordPairs,
    left: EncodedRecords,
    reference: Reference,
    left_at: IntVector,
    right_at: IntVector,
    state: FrozenState,
) -> RecordPairs:
    """Add the log odds that pairs of records have the same values in every key column.

    They are below 0 without end where values differ or are missing.

    Parameters
    ----------
    pairs
        How the pairs compare.
    left, reference
        The two sides.
    left_at, right_at
        int64 of shape (n_pairs,): the pairs.
    state
        What was learned. Of values without a calibration the reference's own is taken.

    Returns
    -------
    pairs
        The same ones where records are no combinations of values.
    """
    if not state.is_crossed:
        return pairs
    assert reference.networks is not None
    of_values, right = reference.of_values, reference.encoded
    chance = np.ones(len(left_at))
    for at, column in enumerate(pairs.columns):
        equal = n_knots_of(right, at, reference.networks) - 1
        same = (column.position >= equal).astype(np.float64)
        if at in of_values:
            unlike = np.flatnonzero(column.position < equal)
            codes = left.codes[at][left_at[unlike]], right.codes[at][right_at[unlike]]
            same[unlike] = _probability_same(
                left, at, *codes, of_values[at], state.of_values.get(at)
            )
        chance *= same
    with np.errstate(divide="ignore"):
        return replace(pairs, agreement=logit(MOST * chance).astype(np.float32))


def learn_values(left: EncodedRecords, reference: Reference) -> FrozenState:
    """Learn whether records are combinations of values, and from left records how these match.

    Parameters
    ----------
    left
        A sample of the left records.
    reference
        The right side.
    """
    if not reference.is_crossed:
        return FrozenState()
    found = {}
    for at, values in reference.of_values.items():
        assert values.scorer is not None
        pairs = _value_pairs(left, at, _known(left.codes[at]), values)
        found[at] = values.scorer.calibrate(pairs, values.null_pairs, values.n_known)
    return FrozenState(is_crossed=True, of_values=found)


def _probability_same(
    left: EncodedRecords,
    at: int,
    left_codes: IntVector,
    right_codes: IntVector,
    values: Reference,
    calibration: Calibration | None,
) -> FloatVector:
    """Probability that texts of one column name the same thing, 0 where they are no candidates."""
    assert values.scorer is not None
    calibration = values.state_alone.calibration if calibration is None else calibration
    assert calibration is not None
    known = _known(left_codes)
    pairs = _value_pairs(left, at, known, values)
    asked = pairs.features, pairs.left, pairs.tokens, calibration, pairs.things
    scored = values.scorer.steps(*asked).probability
    place = find_pairs(pairs.left, pairs.right, np.searchsorted(known, left_codes), right_codes)
    return np.append(scored, np.float32(0))[place]


def _known(codes: IntVector) -> IntVector:
    """The distinct values of records, ascending."""
    return np.unique(codes[codes != NULL])


def _value_pairs(
    left: EncodedRecords, at: int, known: IntVector, values: Reference
) -> CandidateFeatures:
    """Find and compare candidates of some left values of a column among the right ones."""
    side = left.of_values(at).take(known)
    found = block_nearest(side, values.encoded, device=values.device)
    return values.merge_doubles(compute_features(side, values.encoded, *found, values.middle))
