"""Networks that score records of several columns, as plain numbers.

One takes the features of two texts, and says how likely they name the same thing, whatever else
does. The others take the features of pairs of records: one answers whether the pair is the answer
to its left record, beside its rivals; the other whether both name the same thing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from pearljoin._features.rival_groups import Groups
from pearljoin._scoring.answered import PairLogOdds, answered_features, mixed_log_odds
from pearljoin._scoring.compared import equal_values
from pearljoin._scoring.level_prior import LevelPrior
from pearljoin._scoring.match_weights import MatchWeights
from pearljoin._scoring.network import Network
from pearljoin._scoring.record_features import (
    PAIR_FEATURES,
    RECORD_FEATURES,
    Agreement,
    RecordPairs,
    features_within,
    record_features,
)
from pearljoin._scoring.record_table import RECORD_TABLE_FEATURES, describe_pairs
from pearljoin._scoring.siblings import Siblings
from pearljoin._scoring.text_siblings import ALIKE, describe_texts, text_pair_features, trust
from pearljoin._typing import FloatMatrix, FloatVector, IntVector

__all__ = ["RecordNetworks", "beside_siblings", "lowered", "with_table"]

WHICH_SHARE = 0.1
"""Share of the log odds by match weights alone in which candidate is the answer; the rest is the
network's, which knows how far columns depend on each other."""

FEW_RECORDS = 4.0
"""Left records for which what the candidate pairs say of the tables counts by half."""

LEARNED_SHARE = 0.85
"""Share of the log odds by the network in whether a left record has an answer. The rest is that
mixed without knowing the tables, of which some are unlike those that the network learned from."""

LARGEST = 9.0
"""Log odds by match weights are cut to plus or minus this."""

N_RECORDS = RECORD_TABLE_FEATURES.index("n_records")
TOTAL, N_RIGHT, MATCH_RATE = map(RECORD_FEATURES.index, ("total", "n_right", "match_rate"))


@dataclass(frozen=True)
class RecordNetworks:
    """Networks over the evidence of several columns.

    Attributes
    ----------
    text
        From features of two texts to log odds that they name the same thing.
    text_features
        int64 of shape (n_inputs,): columns of `pearljoin.scoring.FEATURES` that it takes.
    knots
        float32 of shape (n,), ascending: log odds at the knots of a scale of text. Equality is one
        knot more.
    priors
        m and u probabilities by kind of column, and by its sorts.
    answer
        From features of a pair of records to log odds that it is the answer.
    answered
        From `ROW_FEATURES` and what the candidate pairs say of the tables to log odds that a left
        record has an answer.
    same
        From `PAIR_FEATURES` to log odds that both records are the same thing, of a pair by itself.
    same_in_table
        The same from these features, these log odds and what the candidate pairs say of the tables.
    same_within
        The same as `same`, of two records of one table of one column, and of doubles in a join.
    same_records
        From `WITHIN_FEATURES` to log odds that two records of several columns of one table are one
        entity; `same_within` where an older model folder has none.
    same_texts
        From `TEXT_PAIR_FEATURES` to log odds that two texts of one column of one table are one
        entity; `same_within` where an older model folder has none.
    text_correction
        From `INTERVAL_FEATURES` to log odds that two texts of one table in an interval match.
    middle
        float32 of shape (dim,): mean vector of names at large.
    usual_scores
        float32 of shape (n,): scores of left records' best candidates in tables at large.
    """

    text: Network
    text_features: IntVector
    knots: FloatVector
    priors: Mapping[str, LevelPrior]
    answer: Network
    answered: Network
    same: Network
    same_in_table: Network
    same_within: Network
    same_records: Network | None
    same_texts: Network | None
    text_correction: Network
    middle: FloatVector
    usual_scores: FloatVector

    @property
    def n_knots(self) -> int:
        """Number of knots of a scale of text."""
        return len(self.knots) + 1

    def text_logit(self, features: FloatMatrix) -> FloatVector:
        """Log odds that two texts name the same thing: float32 of shape (n_pairs,)."""
        return self.text.logit(features[:, self.text_features])

    def place(self, logit: FloatVector) -> FloatVector:
        """Place log odds on the scale of text: float32, from 0 to that of the last knot."""
        places = np.arange(len(self.knots))
        return np.asarray(np.interp(logit, self.knots, places), dtype=np.float32)

    def same_log_odds(self, features: FloatMatrix, table: FloatVector | None) -> FloatVector:
        """Log odds that the records of each pair match, regardless of rivals.

        Parameters
        ----------
        features
            float32 of shape (n_pairs, len(RECORD_FEATURES)).
        table
            As of `MatchWeights`: None where the reference alone is known.

        Returns
        -------
        log_odds
            float32 of shape (n_pairs,).
        """
        alone = features[:, : len(PAIR_FEATURES)]
        log_odds = self.same.logit(alone)
        if table is None:
            return log_odds
        told = self.same_in_table.logit(with_table(alone, log_odds, table))
        return log_odds + _told(table) * (told - log_odds)

    def within_log_odds(self, features: FloatMatrix) -> FloatVector:
        """Log odds that two records of one column, or doubles in a join, are one entity.

        `features` are those of `record_features`.
        """
        return self.same_within.logit(features[:, : len(PAIR_FEATURES)])

    def records_log_odds(self, pairs: RecordPairs, weights: MatchWeights) -> FloatVector:
        """Log odds that two records of one table are one entity, of any columns.

        One column that is no text, and match weights of before the usual ones were kept, are for
        `same_within`.
        """
        if len(pairs.columns) > 1 and self.same_records is not None and weights.usual:
            return self.same_records.logit(features_within(pairs, weights))
        plain = self.within_log_odds(record_features(pairs, weights))
        if self.same_texts is None or weights.texts is None:
            return plain
        asked = np.flatnonzero(plain > ALIKE)
        features = text_pair_features(plain[asked], pairs.take(asked), weights.texts)
        plain[asked] += trust(weights.texts) * (self.same_texts.logit(features) - plain[asked])
        return plain

    def knowing_texts(
        self, weights: MatchWeights, pairs: RecordPairs, n_records: int, n_sampled: int
    ) -> MatchWeights:
        """Return match weights with what pairs of one column of text say of the table.

        Parameters
        ----------
        weights
            The match weights.
        pairs
            How the candidate pairs of sampled records compare.
        n_records, n_sampled
            Records of the table, and how many of them are sampled.
        """
        if self.same_texts is None:
            return weights
        plain = self.within_log_odds(record_features(pairs, weights))
        (is_equal,) = equal_values(pairs.columns, [len(weights.columns[0].weight) - 1])
        texts = describe_texts(plain, pairs.whole, is_equal, n_records, n_sampled)
        return replace(weights, texts=texts)

    def knowing_pairs(
        self, weights: MatchWeights, pairs: RecordPairs, n_records: int
    ) -> MatchWeights:
        """Return match weights with table features of sampled candidate pairs.

        Parameters
        ----------
        weights
            The match weights.
        pairs
            How the pairs compare.
        n_records
            Number of sampled left records; some may have no pair.
        """
        features = record_features(pairs, weights)
        log_odds = self.same.logit(features[:, : len(PAIR_FEATURES)])
        table = describe_pairs(log_odds, features[:, TOTAL], pairs.left, n_records)
        return replace(weights, table=table)

    def probabilities(
        self,
        features: FloatMatrix,
        left: IntVector,
        table: FloatVector | None,
        agreement: Agreement | None = None,
        beyond: FloatVector | float = 0.0,
        null_shift: float = 0.0,
    ) -> tuple[FloatVector, FloatVector]:
        """Probability that each pair is the answer, and that it matches.

        The candidates of a left record share one unit of probability that they are the answer.

        Parameters
        ----------
        features
            float32 of shape (n_pairs, len(RECORD_FEATURES)).
        left
            int64 of shape (n_pairs,): the left record of each pair.
        table
            As of `MatchWeights`.
        agreement
            As of `RecordPairs`. So far as it goes, the answer is a record whose values are all the
            same.
        beyond
            As of `MatchWeights.beyond_networks`.
        null_shift
            As of `MatchWeights`.

        Returns
        -------
        answer, same
            float32 of shape (n_pairs,), in [0, 1].
        """
        rows = Groups(left).number
        odds = self._pair_log_odds(features, rows, table, beyond)
        which = expit((1 - WHICH_SHARE) * odds.answer + WHICH_SHARE * odds.weights)
        answered, same = self._answered(odds, rows, features, table) + null_shift, expit(odds.same)
        total = np.bincount(rows, weights=which, minlength=1)
        shared = (which / total[rows]) * expit(answered)[rows]
        if agreement is not None:
            # At most one record has all the values of the left one; if none has, the networks say.
            odds_of_values = np.exp(agreement.log_odds.astype(np.float64))
            in_all = 1 + np.bincount(rows, weights=odds_of_values, minlength=1)
            by_values = agreement.telling * odds_of_values / in_all[rows]
            others = 1 - np.bincount(rows, weights=by_values, minlength=1)
            shared = by_values + others[rows] * shared
            same = np.maximum(same, agreement.telling * expit(agreement.log_odds))
        return shared.astype(np.float32), same.astype(np.float32)

    def _answered(
        self,
        odds: PairLogOdds,
        rows: IntVector,
        features: FloatMatrix,
        table: FloatVector | None,
    ) -> NDArray[Any]:
        """Log odds that left records have an answer: of shape (n_rows,)."""
        mixed = mixed_log_odds(odds, rows)
        if table is None or not len(rows):
            return mixed
        learned = self.answered.logit(_answered_inputs(odds, rows, features, table))
        return mixed + _told(table) * LEARNED_SHARE * (learned - mixed)

    def answered_inputs(
        self, features: FloatMatrix, left: IntVector, table: FloatVector
    ) -> FloatMatrix:
        """Describe left records as the network `answered` takes them.

        The parameters are those of `probabilities`; the result is float32 of shape (n_rows,
        n_inputs).
        """
        rows = Groups(left).number
        return _answered_inputs(self._pair_log_odds(features, rows, table), rows, features, table)

    def _pair_log_odds(
        self,
        features: FloatMatrix,
        rows: IntVector,
        table: FloatVector | None,
        beyond: FloatVector | float = 0.0,
    ) -> PairLogOdds:
        learned = np.clip(_row_log_odds(features, rows, beyond), -LARGEST, LARGEST)
        return PairLogOdds(
            self.answer.logit(features) + beyond,
            learned.astype(np.float32),
            self.same_log_odds(features, table) + beyond,
        )


def lowered(probability: NDArray[Any], shift: FloatVector | float) -> NDArray[Any]:
    """Add to the log odds of probabilities, cut to `LARGEST`, what is below 0.

    Parameters
    ----------
    probability
        Of shape (n_pairs,).
    shift
        float32 of shape (n_pairs,), or one for all, at most 0.

    Returns
    -------
    probability
        Of the same shape.
    """
    log_odds = np.minimum(logit(probability), LARGEST)
    return np.where(np.less(shift, 0), expit(log_odds + shift), probability)


def beside_siblings(
    shares: NDArray[Any], left: IntVector, siblings: Siblings, told: NDArray[Any]
) -> NDArray[Any]:
    """Lower the probabilities that pairs are answers by how siblings compare.

    What a candidate loses goes to the others of its left record, which may gain by it, and to that
    it has no answer; but none gets more than what it has beside siblings.

    Parameters
    ----------
    shares
        Of shape (n_pairs,): the probability that each pair is the answer.
    left
        int64 of shape (n_pairs,): the left record of each pair; all candidates of it are there.
    siblings
        How siblings compare.
    told
        float64 of shape (n_pairs,): as of `Siblings.told`.

    Returns
    -------
    shares
        Of the same shape.
    """
    if not len(left):
        return shares
    rows = Groups(left).number
    none = np.maximum(1 - np.bincount(rows, weights=shares), expit(-LARGEST))[rows]
    # The odds of a candidate against no answer, whatever the others are.
    log_odds = np.log(np.maximum(shares, np.finfo(np.float32).tiny)) - np.log(none)
    shift = siblings.shift(told, log_odds)
    kept = shares * np.exp(shift)
    some = np.bincount(rows, weights=kept)[rows]
    is_lowered = (np.bincount(rows, weights=shift) < 0)[rows]
    return np.where(is_lowered, kept / (none + some), shares)


def _told(table: FloatVector) -> np.float32:
    """How far counts what table features say, in (0, 1): little where few left records say it."""
    n_records = np.exp(table[N_RECORDS])
    return np.float32(n_records / (n_records + FEW_RECORDS))


def _answered_inputs(
    odds: PairLogOdds, rows: IntVector, features: FloatMatrix, table: FloatVector
) -> FloatMatrix:
    known = answered_features(odds, rows, features[:, N_RIGHT], features[:, MATCH_RATE])
    return np.column_stack([known, np.tile(table, (len(known), 1))])


def with_table(features: FloatMatrix, log_odds: FloatVector, table: FloatVector) -> FloatMatrix:
    """Concatenate features of pairs, their log odds and table features."""
    return np.column_stack([features, log_odds, np.tile(table, (len(features), 1))])


def _row_log_odds(
    features: FloatMatrix, rows: IntVector, beyond: FloatVector | float = 0.0
) -> NDArray[np.float64]:
    """Log odds that pairs are answers by their match weights alone (Fellegi and Sunter 1969).

    The candidates of a record share one unit of probability with the chance that it has no answer.
    """
    total, n_right, rate = features[:, [TOTAL, N_RIGHT, MATCH_RATE]].astype(np.float64).T
    joint = total + beyond - n_right + rate
    highest = np.zeros(int(rows.max(initial=-1)) + 1)
    np.maximum.at(highest, rows, joint)
    mass = np.exp(joint - highest[rows])
    rest = np.bincount(rows, weights=mass, minlength=len(highest)) + np.exp(-highest)
    # The others of the row, and no answer.
    others = np.maximum(rest[rows] - mass, np.finfo(np.float64).tiny)
    return np.asarray(np.log(np.maximum(mass, np.finfo(np.float64).tiny)) - np.log(others))
