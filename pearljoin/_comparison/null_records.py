"""Reference records looked up among the others, as left records without an answer would be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from pearljoin._candidates.exclusions import conflicts
from pearljoin._comparison.blocked_pairs import blocked_pairs
from pearljoin._comparison.left_siblings import compare_sharing
from pearljoin._comparison.reference import Reference
from pearljoin._features.rival_groups import Groups
from pearljoin._records.encoded import EncodedRecords
from pearljoin._records.missing_keys import NULL
from pearljoin._records.sampling import sample_records
from pearljoin._scoring.level_prior import LevelPrior
from pearljoin._scoring.match_weights import MatchWeights
from pearljoin._scoring.mixture import BestPairs
from pearljoin._scoring.null_shift import null_shift
from pearljoin._scoring.record_doubles import probability_same
from pearljoin._scoring.record_evidence import compare_records
from pearljoin._scoring.record_features import RecordPairs, record_features
from pearljoin._scoring.record_model import prior_of
from pearljoin._scoring.record_networks import RecordNetworks, beside_siblings, lowered
from pearljoin._scoring.siblings import learn_siblings
from pearljoin._scoring.untold_doubles import chance_of_double
from pearljoin._typing import FloatVector, IntVector, Pairs

__all__ = ["NULL_SAMPLE", "knowing_null"]

NULL_SAMPLE, FEWEST = 300, 30
"""Reference records that are looked up, at most, and beside few left records."""

FOR_EACH = 2
"""Reference records that are looked up for each left one, at most: they take as long."""

LEAST = 1e-6
"""Probabilities are kept this far from 0 and 1, so that their log odds are finite."""

NO_CANDIDATE = -20.0
"""Log odds that a record without candidates has an answer."""


def knowing_null(
    weights: MatchWeights,
    pairs: RecordPairs,
    right_at: IntVector,
    left: EncodedRecords,
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
    pairs, right_at
        How the candidate pairs of sampled left records compare, and int64 of shape (n_pairs,): the
        right record of each.
    left, n_left
        The left side, and the number of these records; some may have no pair.
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
    left_at, found_at = blocked_pairs(part, side, reference, is_crossed=is_crossed)
    own = right.first_equals(sample)[left_at]
    other = right.first_equals(found_at)
    left_at, own, other = (some[own != other] for some in (left_at, own, other))
    if not len(left_at) or not len(pairs):
        return weights
    known = own, other, right, networks, weights
    is_double = probability_same(*known, values_tell=True) >= 0.5
    is_double &= ~conflicts(reference.records, reference.records, own, other)
    doubled = len(np.unique(left_at[is_double])) / len(sample)
    left_at, other = left_at[~is_double], other[~is_double]
    among = compare_records(side, right, left_at, other, networks)
    of_left, of_null = (_shares(some, networks, weights) for some in (pairs, among))
    best = _best(pairs, of_left), _best(among, of_null)
    prior = [prior_of(right, at, networks) for at in range(len(right.values))]
    ranked = (pairs.left, right_at), of_left
    is_single = 1 - _doubles(best, *ranked, left, reference, weights, prior)
    best = best[0], replace(best[1], log_odds=_thinned(best[1].log_odds, is_single))
    siblings = learn_siblings(*best, prior, _covered(right), doubled)
    if siblings is not None:
        weights = replace(weights, siblings=siblings)
        of_left, of_null = (
            _beside_siblings(*some, weights) for some in ((pairs, of_left), (among, of_null))
        )
    found = _with_others(_answered(pairs, of_left), n_left)
    null = _with_others(_thinned(_answered(among, of_null), is_single), len(sample))
    return replace(weights, null_shift=null_shift(found, null, doubled))


def _shares(pairs: RecordPairs, networks: RecordNetworks, weights: MatchWeights) -> FloatVector:
    """Probability that each pair is the answer."""
    features, beyond = record_features(pairs, weights), weights.beyond_networks(pairs.columns)
    known = features, pairs.left, weights.table
    shares, _ = networks.probabilities(*known, beyond=beyond)
    return lowered(shares, pairs.people_shift(logit(shares), weights, is_rivalled=True))


def _doubles(
    best: tuple[BestPairs, BestPairs],
    pairs: Pairs,
    shares: FloatVector,
    left: EncodedRecords,
    reference: Reference,
    weights: MatchWeights,
    prior: Sequence[LevelPrior],
) -> NDArray[np.float64]:
    """Chance that reference records found a double, told by what left ones find on their side."""
    networks = reference.networks
    assert networks is not None
    sharing, asked = compare_sharing(left, pairs, shares, reference)
    among_left = _best(sharing, _shares(sharing, networks, weights))
    found, null = best
    return chance_of_double(null, among_left, found, len(asked), prior)


def _beside_siblings(
    pairs: RecordPairs, shares: NDArray[Any], weights: MatchWeights
) -> NDArray[Any]:
    assert weights.siblings is not None
    told = pairs.siblings_told(weights, logit(shares))
    return beside_siblings(shares, pairs.left, weights.siblings, told)


def _answered(pairs: RecordPairs, shares: NDArray[Any]) -> NDArray[np.float64]:
    """Log odds that each left record with a candidate has an answer."""
    total = np.bincount(Groups(pairs.left).number, weights=shares)
    return np.asarray(logit(np.clip(total, LEAST, 1 - LEAST)), dtype=np.float64)


def _thinned(log_odds: NDArray[np.float64], kept: NDArray[np.float64]) -> NDArray[np.float64]:
    """Log odds of what is `kept` of probabilities."""
    return np.asarray(logit(np.clip(expit(log_odds) * kept, LEAST, 1 - LEAST)), dtype=np.float64)


def _best(pairs: RecordPairs, shares: FloatVector) -> BestPairs:
    """Return the best candidate of each left record that has one."""
    columns = pairs.take(Groups(pairs.left).best(shares)).columns
    positions = np.column_stack([column.position for column in columns])
    return BestPairs(_answered(pairs, shares), positions)


def _covered(right: EncodedRecords) -> NDArray[np.float64]:
    """By key column, the share of records whose value others have."""
    found = []
    for values, codes in zip(right.values, right.codes, strict=True):
        numbers = values.numbers[codes[codes != NULL]]
        found.append((np.bincount(numbers)[numbers] > 1).mean() if len(numbers) else 0.0)
    return np.array(found, dtype=np.float64)


def _with_others(odds: NDArray[np.float64], n_records: int) -> FloatVector:
    """Add the log odds of the records without candidates: float32 of shape (n_records,)."""
    others = np.full(n_records - len(odds), NO_CANDIDATE)
    return np.concatenate([odds, others]).astype(np.float32)
