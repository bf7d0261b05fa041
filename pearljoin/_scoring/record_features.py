"""Features of pairs of records of several columns: summed evidence of columns.

They do not depend on the order of the columns, nor on how many there are: sums, extremes and counts
of match weights, what the columns of text and the whole records say, and the margins of these over
the left record's other candidates.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pearljoin._features.registry import REGISTRY
from pearljoin._features.rival_groups import Groups
from pearljoin._scoring.compared import Compared, equal_values, known_values
from pearljoin._scoring.match_weights import MatchWeights
from pearljoin._scoring.other_people import UNLIKELY, NamedPairs
from pearljoin._typing import BoolVector, FloatMatrix, FloatVector, IntVector

__all__ = [
    "PAIR_FEATURES",
    "RECORD_FEATURES",
    "WITHIN_FEATURES",
    "Agreement",
    "RecordPairs",
    "features_within",
    "record_features",
]

LARGEST = 12.0
"""Log odds are cut to plus or minus this."""

HIGHEST_RATE = 0.0
"""Log odds of the match rate of one table, at most: a higher one is as often that of a table whose
rows are all related as of one that has everything twice."""

USUAL_RIVAL = -5.0
"""Log odds that stand in for the rival of a pair that has none."""

WHOLE_FEATURES = (
    "cosine",
    "centred",
    "ngrams",
    "words",
    "token_set",
    "left_covered",
    "right_covered",
    "left_spelled",
    "right_spelled",
    "left_lacks",
    "right_lacks",
    "numbers_agree",
    "numbers_conflict",
    "numbers_missing",
    "codes_agree",
    "codes_conflict",
    "family_name",
    "given_name",
    "first_word",
    "last_word",
    "length_ratio",
)
"""Features of the whole records as one text that count by themselves."""

SUMS = (
    "total",
    "positive",
    "negative",
    "largest",
    "second_largest",
    "smallest",
    "second_smallest",
)
"""Sums and extremes of match weights."""

PAIR_FEATURES = (
    *SUMS,
    "possible",
    "worst",
    "share",
    "n_known",
    "n_missing",
    "n_equal",
    "whole",
    "text_mean",
    "text_most",
    "text_least",
    *(f"whole_{name}" for name in WHOLE_FEATURES),
    "n_right",
    "match_rate",
    "spread",
    "largest_spread",
)
"""Names of the features of a pair by itself."""

RECORD_FEATURES = (*PAIR_FEATURES, "total_lead", "whole_lead", "text_lead", "words_lead")
"""Names of all features: those of a pair by itself, and its margins over its rivals."""

WITHIN_FEATURES = (*PAIR_FEATURES, *(f"usual_{name}" for name in SUMS))
"""Names of the features of two records of one table: those of a pair by itself, and what it would
weigh by the usual m probabilities. Where many records are related, those that are learned from the
table are of related ones, too."""

_WHOLE = [REGISTRY.names.index(name) for name in WHOLE_FEATURES]


@dataclass(frozen=True)
class Agreement:
    """Whether pairs of records have the same values, each compared by itself.

    Attributes
    ----------
    log_odds
        float32 of shape (n_pairs,): that all values known of both are the same.
    telling
        float32 of shape (n_pairs,), in [0, 1]: probability that records which have the same values
        in these columns match.
    """

    log_odds: FloatVector
    telling: FloatVector

    def take(self, pairs: IntVector) -> Agreement:
        """Return that of some pairs."""
        return Agreement(self.log_odds[pairs], self.telling[pairs])


@dataclass(frozen=True)
class RecordPairs:
    """How candidate pairs of records compare.

    Attributes
    ----------
    left
        int64 of shape (n_pairs,), ascending: the left record of each pair.
    columns
        By key column.
    logits
        float32 of shape (n_pairs, n_columns): log odds that two texts name the same thing; NaN for
        a column that is not text, and for a missing value.
    whole_logit
        float32 of shape (n_pairs,): the same of the whole records.
    whole
        float32 of shape (n_pairs, n_features): features of the whole records as one text, columns
        as `pearljoin.scoring.FEATURES`, without rivals.
    named
        The names of people in them; None where these are not asked for.
    agreement
        Whether values are the same; None where they are not compared by themselves. See
        `pearljoin._comparison.value_agreement`.
    """

    left: IntVector
    columns: tuple[Compared, ...]
    logits: FloatMatrix
    whole_logit: FloatVector
    whole: FloatMatrix
    named: NamedPairs | None = None
    agreement: Agreement | None = None

    def __len__(self) -> int:
        return len(self.left)

    def take(self, pairs: IntVector) -> RecordPairs:
        """Return those of some pairs."""
        columns = tuple(column.take(pairs) for column in self.columns)
        rest = self.logits[pairs], self.whole_logit[pairs], self.whole[pairs]
        named = None if self.named is None else self.named.take(pairs)
        agreement = None if self.agreement is None else self.agreement.take(pairs)
        return RecordPairs(self.left[pairs], columns, *rest, named, agreement)

    def siblings_told(self, weights: MatchWeights, log_odds: NDArray[Any]) -> NDArray[np.float64]:
        """Log odds that pairs are answers rather than siblings, as of `Siblings.told`.

        Another way of writing a given name is no other one; names are read where it matters to
        `log_odds`, of shape (n_pairs,): that pairs are answers, but for siblings.
        """
        siblings = weights.siblings
        assert siblings is not None
        known = known_values(self.columns)
        told = siblings.told(self.columns, known)
        if self.named is None or not weights.people.are_named:
            return told
        asked = (siblings.shift(told, log_odds) < 0) & (log_odds > UNLIKELY)
        named = weights.people.of(self.named)
        written = np.flatnonzero(named.are_written_otherwise(asked))
        pairs, others = self.take(written), known[written]
        others[:, named.names] = False
        told[written] = siblings.told(pairs.columns, others)
        return told

    def people_shift(
        self, log_odds: NDArray[Any], weights: MatchWeights, *, is_rivalled: bool
    ) -> FloatVector:
        """What pairs of two given names lose of these log odds, as of `People.shift`."""
        if self.named is None or not weights.people.are_named:
            return np.zeros(len(self), dtype=np.float32)
        known = self.named, self._are_equal(weights), log_odds
        return weights.people.shift(*known, is_rivalled=is_rivalled)

    def identified(self, weights: MatchWeights) -> BoolVector:
        """Mark pairs of one name and one value of its own, as of `People.identified`."""
        if self.named is None or not weights.people.own:
            return np.zeros(len(self), dtype=bool)
        return weights.people.identified(self.named, self._are_equal(weights))

    def _are_equal(self, weights: MatchWeights) -> list[BoolVector]:
        """Whether both values of pairs are equal, by key column."""
        return equal_values(self.columns, [len(each.weight) - 1 for each in weights.columns])

    @property
    def is_compared(self) -> BoolVector:
        """Bool of shape (n_pairs,): pairs that have both values in some key column."""
        known = [~np.isnan(column.position) for column in self.columns]
        return np.asarray(np.any(known, axis=0), dtype=bool)


def record_features(pairs: RecordPairs, weights: MatchWeights) -> FloatMatrix:
    """Compute the features of pairs of records.

    Parameters
    ----------
    pairs
        How they compare; all candidates of each left record.
    weights
        Match weights of the key columns.

    Returns
    -------
    features
        float32 of shape (n_pairs, len(RECORD_FEATURES)).
    """
    alone = _pair_features(pairs, weights)
    named = dict(zip(PAIR_FEATURES, alone, strict=True))
    rows, words = Groups(pairs.left), pairs.whole[:, REGISTRY.names.index("words")]
    leads = [
        *(rows.margin(_single(named[one]), USUAL_RIVAL) for one in ("total", "whole", "text_mean")),
        rows.margin(words, 0.0),
    ]
    return np.column_stack([*alone, *leads]).astype(np.float32)


def _pair_features(pairs: RecordPairs, weights: MatchWeights) -> list[NDArray[Any]]:
    """Compute `PAIR_FEATURES`, each of shape (n_pairs,)."""
    found = weights.of_pairs(pairs.columns)
    known = known_values(pairs.columns)
    equal = [
        column.position >= len(weight.weight) - 1
        for column, weight in zip(pairs.columns, weights.columns, strict=True)
    ]
    ends = np.array([(column.weight[-1], column.weight[0]) for column in weights.columns])
    spread = ends[:, 0] - ends[:, 1]
    sums = _sums(found, known)
    total, possible = sums[0], known @ ends[:, 0]
    text = _text_evidence(pairs.logits, spread)
    whole = np.clip(pairs.whole_logit, -LARGEST, LARGEST)
    n_pairs = len(pairs)
    return [
        *sums,
        possible,
        known @ ends[:, 1],
        total / np.maximum(possible, 1),
        known.sum(axis=1),
        (~known).sum(axis=1),
        np.sum(equal, axis=0),
        whole,
        *text,
        *pairs.whole[:, _WHOLE].T,
        np.full(n_pairs, np.log(max(1.0, weights.n_right))),
        np.full(n_pairs, np.log(weights.match_rate) - np.log(1 - weights.match_rate)),
        np.full(n_pairs, spread.sum()),
        np.full(n_pairs, spread.max()),
    ]


def features_within(pairs: RecordPairs, weights: MatchWeights) -> FloatMatrix:
    """Compute the features of pairs of records of one table.

    Parameters
    ----------
    pairs, weights
        As of `record_features`; the match weights know the usual ones.

    Returns
    -------
    features
        float32 of shape (n_pairs, len(WITHIN_FEATURES)).
    """
    alone = dict(zip(PAIR_FEATURES, _pair_features(pairs, weights), strict=True))
    alone["match_rate"] = np.minimum(alone["match_rate"], HIGHEST_RATE)
    sums = _sums(weights.usual_of_pairs(pairs.columns), known_values(pairs.columns))
    return np.column_stack([*alone.values(), *sums]).astype(np.float32)


def _sums(weights: NDArray[np.float64], known: BoolVector) -> list[NDArray[np.float64]]:
    """Compute `SUMS` of match weights of shape (n_pairs, n_columns); those not known count as 0."""
    ordered = np.sort(np.where(known, weights, 0), axis=1)
    second = min(1, ordered.shape[1] - 1)
    return [
        weights.sum(axis=1),
        np.maximum(weights, 0).sum(axis=1),
        np.minimum(weights, 0).sum(axis=1),
        ordered[:, -1],
        ordered[:, -1 - second],
        ordered[:, 0],
        ordered[:, second],
    ]


def _text_evidence(logits: FloatMatrix, spread: FloatVector) -> tuple[FloatVector, ...]:
    """Mean (weighted by spread), highest and lowest log odds of text columns."""
    is_text = ~np.isnan(logits)
    kept = np.clip(np.where(is_text, logits, 0), -LARGEST, LARGEST)
    share = np.where(is_text, np.maximum(spread, 0), 0)
    mean = (kept * share).sum(axis=1) / np.maximum(share.sum(axis=1), 1e-6)
    some = is_text.any(axis=1)
    most = np.where(some, np.where(is_text, kept, -np.inf).max(axis=1, initial=-np.inf), 0)
    least = np.where(some, np.where(is_text, kept, np.inf).min(axis=1, initial=np.inf), 0)
    return _single(mean), _single(most), _single(least)


def _single(values: NDArray[Any]) -> FloatVector:
    return np.asarray(values, dtype=np.float32)
