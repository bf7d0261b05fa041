"""Reference records looked up among the others, as left records without an answer would be."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from pearljoin._candidates.exclusions import conflicts
from pearljoin._comparison.blocked_pairs import blocked_pairs
from pearljoin._comparison.reference import Reference
from pearljoin._records.sampling import sample_records
from pearljoin._scoring.match_weights import MatchWeights
from pearljoin._scoring.null_shift import null_shift
from pearljoin._scoring.record_doubles import probability_same
from pearljoin._scoring.record_evidence import compare_records
from pearljoin._scoring.record_features import RecordPairs, record_features
from pearljoin._scoring.record_networks import RecordNetworks
from pearljoin._typing import FloatVector

__all__ = ["NULL_SAMPLE", "knowing_null"]

NULL_SAMPLE, FEWEST = 300, 30
"""Reference records that are looked up, at most, and beside few left records."""

FOR_EACH = 2
"""Reference records that are looked up for each left one, at most: they take as long."""

NO_CANDIDATE = -20.0
"""Log odds that a record without candidates has an answer."""


def knowing_null(
    weights: MatchWeights,
    pairs: RecordPairs,
    n_left: int,
    reference: Reference,
    *,
    is_crossed: bool | None,
) -> MatchWeights:
    """Return match weights with what reference records among the others say of likely answers.

    Parameters
    ----------
    weights
        The match weights.
    pairs
        How the candidate pairs of sampled left records compare.
    n_left
        Number of these records; some may have no pair.
    reference
        The right side; it has networks over records.
    is_crossed
        As of `blocked_pairs`.
    """
    networks, right = reference.networks, reference.encoded
    assert networks is not None
    sample = sample_records(right, min(NULL_SAMPLE, max(FEWEST, FOR_EACH * n_left)))
    side = right.take(sample)
    part = reference.records.part(sample)
    left_at, right_at = blocked_pairs(part, side, reference, is_crossed=is_crossed)
    own = right.first_equals(sample)[left_at]
    other = right.first_equals(right_at)
    left_at, own, other = (some[own != other] for some in (left_at, own, other))
    if not len(left_at) or not len(pairs):
        return weights
    is_double = probability_same(own, other, right, networks, weights) >= 0.5
    is_double &= ~conflicts(reference.records, reference.records, own, other)
    doubled = len(np.unique(left_at[is_double])) / len(sample)
    left_at, other = left_at[~is_double], other[~is_double]
    among = compare_records(side, right, left_at, other, networks)
    odds = partial(_answered, networks=networks, weights=weights)
    shift = null_shift(odds(pairs, n_left), odds(among, len(sample)), doubled)
    return replace(weights, null_shift=shift)


def _answered(
    pairs: RecordPairs, n_left: int, networks: RecordNetworks, weights: MatchWeights
) -> FloatVector:
    """Log odds that left records have an answer: float32 of shape (n_left,), in any order."""
    odds = np.full(n_left, NO_CANDIDATE, dtype=np.float32)
    if len(pairs):
        features, beyond = record_features(pairs, weights), weights.beyond_networks(pairs.columns)
        found = networks.answered_log_odds(features, pairs.left, weights.table, beyond)
        odds[: len(found)] = found
    return odds
