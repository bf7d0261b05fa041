"""Whether records have the same values in every key column.

Match weights say how much rarer agreement is by chance than among matches, which they learn from
these tables. Where many records are nearly alike they learn little: in a table of countries by
years the right country has as many records as there are years, and as many countries have the right
year; where one column says nothing, all weights are low. But two records match where all their
values are the same, unless others have these values, too; and whether two names are the same is
known from the names by themselves, as in a join by one column.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
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
from pearljoin._scoring.record_features import Agreement, RecordPairs
from pearljoin._typing import FloatVector, IntVector

__all__ = ["SameValues", "ValueAgreement", "learn_values"]

MOST = 0.99
"""Probability that two records match which agree in every column."""


class SameValues(NamedTuple):
    """Pairs of values of a column of text, and how likely each value names the other.

    Attributes
    ----------
    asked
        int64 of shape (n_asked,), ascending: the left values whose candidates these are.
    left, right
        int64 of shape (n_pairs,): the values. Pairs that are no candidates have probability 0.
    probability
        float32 of shape (n_pairs,).
    """

    asked: IntVector
    left: IntVector
    right: IntVector
    probability: FloatVector


@dataclass(frozen=True, eq=False)
class ValueAgreement:
    """Scores agreement of pairs of records in every key column.

    Attributes
    ----------
    left, reference
        The two sides.
    state
        What was learned.
    scored
        By the place of a column of text, what `learn_values` found for this state; empty where
        values of other records than its own are compared.
    """

    left: EncodedRecords
    reference: Reference
    state: FrozenState
    scored: Mapping[int, SameValues] = field(default_factory=dict)

    def added(self, pairs: RecordPairs, left_at: IntVector, right_at: IntVector) -> RecordPairs:
        """Add the log odds that records match for having the same values, where these are compared.

        Texts are the same with the probability that one names the other, other values where they
        are equal: else log odds are minus infinity. A missing value says nothing of a pair; but
        the fewer records the other columns tell apart, the more often these agree by chance.

        Parameters
        ----------
        pairs
            How pairs compare.
        left_at, right_at
            int64 of shape (n_pairs,): their records.
        """
        if not self.state.compares_values:
            return pairs
        networks, right = self.reference.networks, self.reference.encoded
        assert networks is not None
        chance = np.ones(len(left_at))
        is_known = np.ones((len(pairs.columns), len(left_at)), dtype=bool)
        for at, column in enumerate(pairs.columns):
            equal = n_knots_of(right, at, networks) - 1
            is_known[at] = ~np.isnan(column.position)
            same = (column.position >= equal).astype(np.float64)
            if at in self._same_values:
                unlike = np.flatnonzero(column.position < equal)
                values = self._same_values[at]
                codes = self.left.codes[at][left_at[unlike]], right.codes[at][right_at[unlike]]
                assert at not in self.scored or np.isin(codes[0], values.asked).all()
                place = find_pairs(values.left, values.right, *codes)
                same[unlike] = np.append(values.probability, np.float32(0))[place]
            chance *= np.where(is_known[at], same, 1)
        with np.errstate(divide="ignore"):
            log_odds = logit(MOST * chance).astype(np.float32)
        return replace(pairs, agreement=Agreement(log_odds, self._telling(is_known)))

    def _telling(self, is_known: NDArray[np.bool_]) -> FloatVector:
        """Share of the right records that the columns known of each pair tell from all others.

        float32 of shape (n_pairs,). The others' values say how often a record that is not there
        would have the values of one that is.
        """
        packed = np.packbits(is_known, axis=0)
        patterns, which = np.unique(_as_numbers(packed), return_inverse=True)
        first = np.unique(which, return_index=True)[1]
        shares = np.zeros(len(patterns), dtype=np.float32)
        for at, pair in enumerate(first.tolist()):
            columns = tuple(np.flatnonzero(is_known[:, pair]).tolist())
            shares[at] = self.reference.share_told_apart(columns)
        return shares[which]

    @cached_property
    def _same_values(self) -> dict[int, SameValues]:
        """By the place of a column of text, the pairs of its values."""
        found = {**self.scored}
        for at, calibration in self.state.of_values.items():
            if at in found:
                continue
            values = self.reference.of_values[at]
            assert values.scorer is not None
            asked, pairs = _value_pairs(self.left, at, values)
            evidence = pairs.features, pairs.left, pairs.tokens, calibration, pairs.things
            probability = values.scorer.steps(*evidence).probability
            found[at] = SameValues(asked, asked[pairs.left], pairs.right, probability)
        return found


def learn_values(
    left: EncodedRecords, reference: Reference
) -> tuple[FrozenState, dict[int, SameValues]]:
    """Learn from left records how their values match, and whether records are combinations of them.

    Parameters
    ----------
    left
        A sample of the left records.
    reference
        The right side.

    Returns
    -------
    state
        What was learned.
    scored
        By the place of a column of text, how likely the values of these records match.
    """
    if not reference.compares_values:
        return FrozenState(), {}
    learned, scored = {}, {}
    for at, values in reference.of_values.items():
        assert values.scorer is not None
        asked, pairs = _value_pairs(left, at, values)
        beside = values.null_pairs, values.n_known
        learned[at], steps = values.scorer.calibrate_and_score(pairs, *beside)
        scored[at] = SameValues(asked, asked[pairs.left], pairs.right, steps.probability)
    crossed = reference.is_crossed
    return FrozenState(is_crossed=crossed, compares_values=True, of_values=learned), scored


def _value_pairs(
    left: EncodedRecords, at: int, values: Reference
) -> tuple[IntVector, CandidateFeatures]:
    """Find and compare candidates of the left values of a column among the right ones.

    Returned are these left values, ascending, and their candidates; the left ones of these pairs
    are places among the values.
    """
    asked = known_values(left.codes[at])
    side = left.of_values(at).take(asked)
    found = block_nearest(side, values.encoded, device=values.device)
    column = ComparedColumn(side, values.encoded, values.middle)
    return asked, values.merge_doubles(column.compute_features(*found))


def _as_numbers(packed: NDArray[np.uint8]) -> IntVector:
    """One number for each column of bytes, equal for equal columns."""
    found = np.zeros(packed.shape[1], dtype=np.int64)
    for row in packed:
        found = np.unique(found * 256 + row, return_inverse=True)[1].astype(np.int64)
    return found
