"""Whether records agree in every key column, where they are combinations of values.

In a table of countries by years the right country has as many records as there are years, and as
many countries have the right year: no column is rare enough to tell a match from chance. But two
records are the same where all their values are, and whether two names are the same is known from
the names by themselves.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.special import logit

from pearljoin._cached import cached_property
from pearljoin._candidates.blocking import block_nearest
from pearljoin._comparison.reference import Reference
from pearljoin._features.compute import CandidateFeatures, ComparedColumn
from pearljoin._matches import find_pairs
from pearljoin._records.encoded import EncodedRecords
from pearljoin._records.missing_keys import known_values
from pearljoin._scoring.frozen_state import FrozenState
from pearljoin._scoring.record_evidence import n_knots_of
from pearljoin._scoring.record_features import RecordPairs
from pearljoin._typing import FloatVector, IntVector

__all__ = ["ValueAgreement", "learn_values"]

MOST = 0.99
"""Probability of a match of two records that agree in every column."""


@dataclass(frozen=True, eq=False)
class ValueAgreement:
    """Scores agreement of pairs of records in every key column.

    Attributes
    ----------
    left, reference
        The two sides.
    state
        What was learned. A column of text without a calibration in it has that of the reference.
    """

    left: EncodedRecords
    reference: Reference
    state: FrozenState

    def added(self, pairs: RecordPairs, left_at: IntVector, right_at: IntVector) -> RecordPairs:
        """Add the log odds that records are the same in all columns, where they are crossed.

        They are minus infinity where values differ or are missing.

        Parameters
        ----------
        pairs
            How pairs compare.
        left_at, right_at
            int64 of shape (n_pairs,): their records.
        """
        if not self.state.is_crossed:
            return pairs
        networks, right = self.reference.networks, self.reference.encoded
        assert networks is not None
        chance = np.ones(len(left_at))
        for at, column in enumerate(pairs.columns):
            equal = n_knots_of(right, at, networks) - 1
            same = (column.position >= equal).astype(np.float64)
            if at in self._same_values:
                unlike = np.flatnonzero(column.position < equal)
                one, other, probability = self._same_values[at]
                codes = self.left.codes[at][left_at[unlike]], right.codes[at][right_at[unlike]]
                place = find_pairs(one, other, *codes)
                same[unlike] = np.append(probability, np.float32(0))[place]
            chance *= same
        with np.errstate(divide="ignore"):
            return replace(pairs, agreement=logit(MOST * chance).astype(np.float32))

    @cached_property
    def _same_values(self) -> dict[int, tuple[IntVector, IntVector, FloatVector]]:
        """By the place of a column of text, left and right values and the probability of each pair.

        Pairs of values that are no candidates are absent: they have probability 0.
        """
        found = {}
        for at, values in self.reference.of_values.items():
            assert values.scorer is not None
            calibration = self.state.of_values.get(at) or values.state_alone.calibration
            assert calibration is not None
            known = known_values(self.left.codes[at])
            pairs = _value_pairs(self.left, at, known, values)
            asked = pairs.features, pairs.left, pairs.tokens, calibration, pairs.things
            scored = values.scorer.steps(*asked).probability
            found[at] = known[pairs.left], pairs.right, scored
        return found


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
        pairs = _value_pairs(left, at, known_values(left.codes[at]), values)
        found[at] = values.scorer.calibrate(pairs, values.null_pairs, values.n_known)
    return FrozenState(is_crossed=True, of_values=found)


def _value_pairs(
    left: EncodedRecords, at: int, known: IntVector, values: Reference
) -> CandidateFeatures:
    """Find and compare candidates of some left values of a column among the right ones."""
    side = left.of_values(at).take(known)
    found = block_nearest(side, values.encoded, device=values.device)
    column = ComparedColumn(side, values.encoded, values.middle)
    return values.merge_doubles(column.compute_features(*found))
