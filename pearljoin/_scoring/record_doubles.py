"""Doubles of records of several columns: they share their probability."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from scipy.special import expit

from pearljoin._kinds.date import EventDateComparer
from pearljoin._records.encoded import EncodedRecords
from pearljoin._records.parsed_values import ParsedValues
from pearljoin._records.sampling import content_ranks
from pearljoin._scoring.best_candidates import BestCandidates
from pearljoin._scoring.match_weights import MatchWeights
from pearljoin._scoring.other_units import UNITS
from pearljoin._scoring.record_evidence import compare_records
from pearljoin._scoring.record_features import RecordPairs, record_features
from pearljoin._scoring.record_networks import RecordNetworks
from pearljoin._typing import BoolVector, Conflicts, FloatMatrix, FloatVector, IntVector

__all__ = ["Answers", "in_order", "probability_same", "with_doubles"]

MOST = 8
"""Candidates of a left record that are compared with each other, at most."""

LEAST = 0.02
"""Lowest probability of such candidates that they are the answer."""

STRETCH, SHIFT = 1.5, -4.0
"""What the log odds that two records are the same thing are multiplied by, and what is added then:
candidates of one record resemble each other more than two records of one table do, and siblings are
to stay rivals."""

APART = -4.0
"""Log odds of the texts of one column below which two candidates are no doubles: members of one
household, say, agree in all columns but that of given names."""

DAYS = {"event_date": ((0.0, EventDateComparer.levels.index("agree as far as known")),)}
NUMBERS = {"code": ((0.0, 1.5),), "address": (UNITS,)}
"""By kind of column, from where on its scale and up to where two values are others: two days, even
where one looks like a slip of the other; two codes; and two units of one building."""

ABOVE = np.float32(4e-6)
"""How far the probability of a candidate is above those of the same thing with smaller shares, at
least; scores are rounded to six decimals."""

TELLING = -0.75
"""Match weight of the lowest level up to which a column of such a kind names what a record is of:
left and right ones of one thing mostly agree in it."""


class Answers(NamedTuple):
    """What candidate pairs answer.

    Attributes
    ----------
    probability
        float32 of shape (n_pairs,), in [0, 1]: that the answer is the thing of each pair's right
        record.
    things
        int64 of shape (n_pairs,): the right record that stands for this thing.
    """

    probability: FloatVector
    things: IntVector


def with_doubles(
    answer: FloatVector,
    left: IntVector,
    right_at: IntVector,
    right: EncodedRecords,
    conflicts: Conflicts,
    networks: RecordNetworks,
    weights: MatchWeights,
) -> Answers:
    """Add the probabilities of its doubles to that of each pair.

    The candidates of a left record share one unit of probability that they are the answer. Where
    some of them are the same thing, each answers for all: with shares ``p``, and ``s`` the
    probabilities that two are the same thing, a pair's is ``p_i + sum(p_j * s_ij)`` over others.

    Parameters
    ----------
    answer
        float32 of shape (n_pairs,): these shares.
    left, right_at
        int64 of shape (n_pairs,): the records of each pair, all candidates of each left record.
    right
        The reference.
    conflicts
        Tells which pairs of its records, int64 arrays of one shape, a veto column keeps apart.
    networks, weights
        What two records are compared by.
    """
    likely = np.flatnonzero(answer >= LEAST)
    best = BestCandidates(left, right_at, answer, likely, MOST)
    first, second = best.pairs
    if not len(first):
        return Answers(answer, right_at)
    ends = right_at[first], right_at[second]
    same = probability_same(*ends, right, networks, weights)
    same[conflicts(*ends)] = 0
    shares = np.where(best.place >= 0, answer[best.place], 0)
    raised = shares + (best.matrix(same) * shares[:, None, :]).sum(axis=2)
    probability, things = answer.copy(), right_at.copy()
    things[best.at] = right_at[best.first_same(same >= 0.5)]
    raised = in_order(raised, np.where(best.place >= 0, things[best.place], -1))
    probability[best.at] = raised[best.row, best.rank]
    return Answers(probability, things)


def in_order(probability: FloatMatrix, things: IntVector) -> FloatMatrix:
    """Give no candidate less than those after it that are the same thing.

    Parameters
    ----------
    probability
        float32 of shape (n_rows, n), in [0, 1]: the one with the largest share comes first.
    things
        int64 of the same shape.

    Returns
    -------
    probability
        float32 of the same shape.
    """
    ordered = probability.copy()
    n = ordered.shape[1]
    for first in reversed(range(n - 1)):
        for later in range(first + 1, n):
            rival = np.minimum(ordered[:, later] + ABOVE, 1)
            is_less = (things[:, first] == things[:, later]) & (ordered[:, first] < rival)
            ordered[is_less, first] = rival[is_less]
    return ordered


def probability_same(
    first: IntVector,
    second: IntVector,
    right: EncodedRecords,
    networks: RecordNetworks,
    weights: MatchWeights,
    *,
    values_tell: bool = False,
) -> FloatVector:
    """Probability that two reference records are one entity, once a distinct pair.

    Records of equal keys are compared as the first of them, as candidate pairs are. Which of two
    counts as the left one depends on their content, and not on the order of the reference.

    Parameters
    ----------
    first, second
        int64 of shape (n_pairs,): the records.
    right, networks, weights
        As of `with_doubles`.
    values_tell
        Whether two codes, or units of a building, are of two entities, as two days are, where left
        and right ones of one entity mostly agree in them. Candidates of a left record may be of two
        lists with numbers of their own.
    """
    n_right, written = len(right), (right.first_equals(first), right.first_equals(second))
    records, places = np.unique(np.concatenate(written), return_inverse=True)
    rank = content_ranks(right, records)[places.reshape(-1)]
    swapped = rank[: len(first)] > rank[len(first) :]
    low, high = np.where(swapped, *written[::-1]), np.where(swapped, *written)
    distinct, which = np.unique(low * n_right + high, return_inverse=True)
    pairs = compare_records(right, right, *np.divmod(distinct, n_right), networks)
    log_odds = networks.within_log_odds(record_features(pairs, weights))
    log_odds += weights.beyond_networks(pairs.columns)
    log_odds += pairs.people_shift(log_odds, weights, is_rivalled=False)
    others = {**DAYS, **NUMBERS} if values_tell else DAYS
    may_be = pairs.is_compared & ~(pairs.logits < APART).any(axis=1)
    may_be &= ~_have_others(pairs, right, weights, others)
    same = np.where(may_be, expit(STRETCH * log_odds + SHIFT), 0).astype(np.float32)
    return same[which.reshape(-1)]


def _have_others(
    pairs: RecordPairs,
    right: EncodedRecords,
    weights: MatchWeights,
    others: Mapping[str, Sequence[tuple[float, float]]],
) -> BoolVector:
    """Mark pairs with two numbers of policies, say, by which records are known."""
    marked = np.zeros(len(pairs), dtype=bool)
    for values, compared, column in zip(right.values, pairs.columns, weights.columns, strict=True):
        kind = values.prior_kind if isinstance(values, ParsedValues) else ""
        if kind in others and column.weight[0] <= TELLING:
            for lowest, highest in others[kind]:
                marked |= (compared.position >= lowest) & (compared.position < highest)
    return marked
