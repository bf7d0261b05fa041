"""Pairs of records of one table, compared and scored by the networks over records."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias

import numpy as np

from pearljoin._cached import cached_property
from pearljoin._candidates.blocking import Pairs
from pearljoin._features.profiled_texts import RecordTexts, parts_with_texts
from pearljoin._records.encoded import EncodedRecords
from pearljoin._records.similarity import TextValues
from pearljoin._scoring.distinctions import with_distinctions
from pearljoin._scoring.lone_values import differ_alone
from pearljoin._scoring.match_weights import MatchWeights
from pearljoin._scoring.other_people import IDENTIFIED
from pearljoin._scoring.other_units import units_shift
from pearljoin._scoring.record_evidence import compare_records
from pearljoin._scoring.record_features import RecordPairs
from pearljoin._scoring.record_networks import RecordNetworks
from pearljoin._scoring.series import apart_by_step, days_of
from pearljoin._typing import FloatMatrix, FloatVector, IntVector

__all__ = ["PairScorer", "Stages"]

Stages: TypeAlias = list[tuple[str, FloatVector]]
"""Stages of the scoring: the name of each, and the log odds of pairs after it."""

VALUES_AT_ONCE = 200_000
"""Pairs of values whose features are held at a time."""


@dataclass(frozen=True)
class PairScorer:
    """Log odds that two records of one table are one entity, as the network gives them.

    Attributes
    ----------
    side
        The records.
    networks
        The networks that score pairs of texts and of records.
    counted
        The records in which values are counted, for the term-frequency adjustment.
    keys
        int64 of shape (n_records,): a hash of the content of each record.
    """

    side: EncodedRecords
    networks: RecordNetworks
    counted: EncodedRecords
    keys: IntVector

    @property
    def is_text(self) -> bool:
        """Whether one column of text is compared, and no other."""
        return len(self.side.codes) == 1 and isinstance(self.side.values[0], TextValues)

    @cached_property
    def texts(self) -> list[str]:
        """The text of each record of one column of text, normalised; "" where it is null."""
        return _texts(self.side)

    def compare(
        self, first: IntVector, second: IntVector, texts: RecordTexts | None = None
    ) -> RecordPairs:
        """Compare pairs of records in every key column, and as whole records.

        Which of two records counts as the left one depends on their content.

        Parameters
        ----------
        first, second
            int64 of shape (n_pairs,): the records.
        texts
            The texts of these pairs and of others. Default: of these.
        """
        swapped = self.keys[first] > self.keys[second]
        left, right = np.where(swapped, second, first), np.where(swapped, first, second)
        order = np.argsort(left, kind="stable")
        pairs = left[order], right[order]
        sides = self.side, self.side
        found = compare_records(*sides, *pairs, self.networks, self.counted, texts)
        back = np.argsort(order)
        return replace(found.take(back), left=left)

    def log_odds(self, first: IntVector, second: IntVector, weights: MatchWeights) -> FloatVector:
        """Score pairs of records.

        Parameters
        ----------
        first, second
            int64 of shape (n_pairs,): the records.
        weights
            Match weights of the key columns.

        Returns
        -------
        log_odds
            float32 of shape (n_pairs,); infinite for keys that are equal once normalised.
        """
        scored = self._score_in_parts(self.side, first, second, [weights], self.compare)
        found: FloatVector = scored[0]
        found[self.side.equal_normalised.equals(first, second)] = np.inf
        return found

    def log_odds_of_decoys(
        self,
        decoys: EncodedRecords,
        first: IntVector,
        second: IntVector,
        weights: Sequence[MatchWeights],
    ) -> FloatMatrix:
        """Score pairs of a decoy, which is the left record, and a record: as `log_odds`.

        They are compared once, and scored by each of the match weights: the result is float32 of
        shape (n_weights, n_pairs).
        """
        compare = partial(
            compare_records, decoys, self.side, networks=self.networks, counted=self.counted
        )
        return self._score_in_parts(decoys, first, second, weights, compare)

    def _score_in_parts(
        self,
        left: EncodedRecords,
        first: IntVector,
        second: IntVector,
        weights: Sequence[MatchWeights],
        compare: Callable[..., RecordPairs],
    ) -> FloatMatrix:
        """Compare and score pairs, in parts whose features fit into memory."""
        found = np.zeros((len(weights), len(first)), dtype=np.float32)
        step = max(1, VALUES_AT_ONCE // len(self.side.codes))
        rows = np.arange(len(first))
        for part, texts in parts_with_texts(left, self.side, (first, second), rows, step):
            compared = compare(first[part], second[part], texts=texts)
            pairs = first[part], second[part]
            for row, each in zip(found, weights, strict=True):
                plain = self.of_compared(compared, each)
                row[part] = self.tell_apart(plain, compared, pairs, each, left)
        return found

    def of_compared(self, pairs: RecordPairs, weights: MatchWeights) -> FloatVector:
        """Log odds of compared pairs, lowered for those that only resemble matches.

        In a table of one column of text these are texts with different numbers, else records that
        agree in the columns that related records of the table share.
        """
        return self._stages(pairs, weights)[-1][1]

    def stages(
        self, compared: RecordPairs, first: IntVector, second: IntVector, weights: MatchWeights
    ) -> Stages:
        """Score compared pairs of records, stage by stage.

        Parameters
        ----------
        compared
            What `compare` says of the pairs.
        first, second, weights
            As of `log_odds`.
        """
        found = self._stages(compared, weights)
        known = compared, (first, second), weights, self.side
        return [*found, *self._stages_apart(found[-1][1], *known)]

    def _stages(self, pairs: RecordPairs, weights: MatchWeights) -> Stages:
        plain = self.networks.records_log_odds(pairs, weights)
        if self.is_text:
            apart = with_distinctions(plain, pairs.whole)
            named = apart + pairs.people_shift(apart, weights, is_rivalled=False)
            return [("whole record", plain), ("numbers", apart), ("given names", named)]
        plain += weights.beyond_networks(pairs.columns)
        apart = np.where(differ_alone(pairs, self.side), np.float32(-np.inf), plain)
        lowered = self.lowered(apart, pairs, weights)
        named = lowered + pairs.people_shift(lowered, weights, is_rivalled=False)
        return [
            ("whole record", plain),
            ("lone value", apart),
            ("related rows", lowered),
            ("given names", named),
            ("units", named + units_shift(pairs.columns, self.side, weights)),
        ]

    def tell_texts_apart(
        self,
        log_odds: FloatVector,
        first: IntVector,
        second: IntVector,
        weights: MatchWeights,
        left: EncodedRecords | None = None,
    ) -> FloatVector:
        """Lower the log odds of texts that differ in alternatives; `left` has the first of each."""
        if not weights.alternatives.pairs:
            return log_odds  # the texts of all records need not be listed
        texts = self.texts if left is None or left is self.side else _texts(left)
        return weights.alternatives.lower(log_odds, texts, self.texts, first, second)

    def tell_apart(
        self,
        log_odds: FloatVector,
        compared: RecordPairs,
        pairs: Pairs,
        weights: MatchWeights,
        left: EncodedRecords | None = None,
    ) -> FloatVector:
        """Lower the log odds of records that differ in alternatives, or by a step of a series.

        People who agree in what hardly two people share are one, whatever else differs.

        Parameters
        ----------
        log_odds
            float32 of shape (n_pairs,): before.
        compared
            What `compare` says of the pairs.
        pairs
            The records of each, as `first` and `second` of `log_odds`.
        weights
            As of `log_odds`.
        left
            The records of which the first of each pair is one. Default: those of the table.
        """
        left = self.side if left is None else left
        return self._stages_apart(log_odds, compared, pairs, weights, left)[-1][1]

    def _stages_apart(
        self,
        log_odds: FloatVector,
        compared: RecordPairs,
        pairs: Pairs,
        weights: MatchWeights,
        left: EncodedRecords,
    ) -> Stages:
        """Do as `tell_apart`, stage by stage."""
        sides = left, self.side
        if self.is_text:
            log_odds = self.tell_texts_apart(log_odds, *pairs, weights, left)
        for at, alternatives in weights.of_columns.items():
            codes = [side.codes[at][records] for side, records in zip(sides, pairs, strict=True)]
            log_odds = alternatives.lower(
                log_odds,
                compared.logits[:, at],
                weights.agreement(compared.columns, at),
                (sides[0].normal_texts(at), sides[1].normal_texts(at)),
                (codes[0], codes[1]),
            )
        found: Stages = [("alternatives", log_odds)]
        for at, step in weights.steps.items():
            one, other = (days_of(*each) for each in zip(sides, (at, at), pairs, strict=True))
            others = weights.agreement(compared.columns, at)
            log_odds = apart_by_step(log_odds, np.abs(one - other), others, step)
        found.append(("series", log_odds))
        known = compared.identified(weights)
        return [*found, ("own value", np.where(known, np.maximum(log_odds, IDENTIFIED), log_odds))]

    @staticmethod
    def lowered(log_odds: FloatVector, pairs: RecordPairs, weights: MatchWeights) -> FloatVector:
        """Lower the log odds of pairs that agree in the columns that related records share."""
        if weights.shared is None:
            return log_odds
        return weights.shared.lower(log_odds, weights.of_pairs(pairs.columns))


def _texts(side: EncodedRecords) -> list[str]:
    """The text of each record of one column of text, normalised; "" where it is null."""
    normal = [*side.normal_texts(0), ""]
    return [normal[code] for code in side.codes[0].tolist()]
