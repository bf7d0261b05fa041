"""Scores of candidate pairs of records of several columns."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np
from scipy.special import logit

from pearljoin._candidates.exclusions import conflicts
from pearljoin._comparison.reference import Reference
from pearljoin._scoring.lone_values import differ_alone
from pearljoin._scoring.match_weights import MatchWeights
from pearljoin._scoring.record_doubles import with_doubles
from pearljoin._scoring.record_features import RecordPairs, record_features
from pearljoin._scoring.record_networks import LARGEST, beside_siblings, lowered
from pearljoin._typing import FloatVector, IntVector

__all__ = ["RecordScores", "score_records"]


class RecordScores(NamedTuple):
    """Scores of pairs of records.

    Attributes
    ----------
    answer
        float32 of shape (n_pairs,), in [0, 1]: the probability that the entity of the right record
        is the answer to the left one, whose candidates share one unit of probability.
    same
        Likewise, that both records are one entity, whatever the other candidates are.
    things
        int64 of shape (n_pairs,): the right record that stands for the entity of the pair.
    """

    answer: FloatVector
    same: FloatVector
    things: IntVector


def score_records(
    pairs: RecordPairs, right_at: IntVector, reference: Reference, weights: MatchWeights
) -> RecordScores:
    """Score pairs of records of several columns.

    Parameters
    ----------
    pairs
        How all candidates of some left records compare.
    right_at
        int64 of shape (n_pairs,): their right records.
    reference
        The right side; it has networks over records.
    weights
        Match weights of the key columns.
    """
    networks = reference.networks
    assert networks is not None
    features = record_features(pairs, weights)
    beyond = weights.beyond_networks(pairs.columns)
    known = features, pairs.left, weights.table, pairs.agreement
    shares, same = networks.probabilities(*known, beyond, weights.null_shift)
    log_odds = logit(np.maximum(shares, same))
    people = pairs.people_shift(log_odds, weights, is_rivalled=True)
    shares, same = lowered(shares, people), lowered(same, people)
    if weights.siblings is not None:
        log_odds = np.minimum(logit(np.maximum(shares, same)), LARGEST)
        told = pairs.siblings_told(weights, log_odds)
        shares = beside_siblings(shares, pairs.left, weights.siblings, told)
        same = lowered(same, weights.siblings.shift(told, np.minimum(logit(same), LARGEST)))
    # Where no column has a value on both sides, nothing was compared.
    may_match = pairs.is_compared & ~differ_alone(pairs, reference.encoded)
    shares, same = shares * may_match, same * may_match
    apart = partial(conflicts, reference.records, reference.records)
    of_right = reference.encoded, apart, networks, weights
    answer, things = with_doubles(shares, pairs.left, right_at, *of_right)
    return RecordScores(answer, same, things)
