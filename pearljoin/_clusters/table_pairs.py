"""One table compared with itself: candidate pairs and their log odds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pearljoin._cached import cached_property
from pearljoin._candidates.blocking import Pairs
from pearljoin._candidates.combination_blocking import block_combinations
from pearljoin._candidates.exclusions import block_permitted, conflicts
from pearljoin._candidates.record_blocking import block_records
from pearljoin._clusters.content_order import content_keys, in_content_order
from pearljoin._clusters.limits import Limits
from pearljoin._clusters.missing_pairs import complete_clusters
from pearljoin._clusters.pair_scorer import PairScorer, Stages
from pearljoin._clusters.partition import Partition
from pearljoin._clusters.same_values import compare_combinations
from pearljoin._clusters.scored_pairs import (
    NO_PAIRS,
    ScoredPairs,
    each_once,
    look_up,
    probabilities,
)
from pearljoin._clusters.table_weights import WeightLearner
from pearljoin._comparison.reference import Reference
from pearljoin._progress import stage
from pearljoin._records.crossed import are_crossed
from pearljoin._records.encoded import EncodedRecords
from pearljoin._records.sampling import lowest_hashes, mix
from pearljoin._scoring.correction import correct
from pearljoin._scoring.distinctions import APART
from pearljoin._scoring.match_weights import MatchWeights
from pearljoin._scoring.passing_words import FLOOR, differ_in_passing
from pearljoin._scoring.record_features import RecordPairs
from pearljoin._typing import BoolVector, FloatVector, IntVector

__all__ = ["TablePairs"]

SAMPLE = 2_000
"""Records whose candidate pairs match weights are learned from, at most."""


class TablePairs:
    """Candidate pairs of distinct records of one table, each pair once.

    A record is a distinct combination of key values, so rows with equal keys are one record. The
    score of a pair depends on its two records and the match weights alone, not on other pairs. The
    order of rows changes neither pairs nor scores, but for rounding (1e-5), in a table of at most
    50,000 distinct records; larger ones are searched approximately.

    Parameters
    ----------
    reference
        The table, encoded with record networks (``one_table=True``).
    weights
        Match weights that were learned before. Default: they are learned from the table.
    counted
        The records in which values are counted, for the term-frequency adjustment. Default: those
        of `base`.
    base
        The table that the match weights are learned from. Default: the table itself.
    """

    calibrated = True
    least = 0.0
    """Lowest probability of the pairs that are listed where all are asked for."""

    def __init__(
        self,
        reference: Reference,
        weights: MatchWeights | None = None,
        counted: EncodedRecords | None = None,
        base: Reference | None = None,
    ) -> None:
        self.reference = reference
        self.base = reference if base is None else base
        self.records = reference.records
        self.side = reference.encoded
        self._weights = weights
        self._counted = self.base.encoded if counted is None else counted
        self._partition: tuple[Limits, Partition] | None = None
        self._taught = NO_PAIRS  # log odds, before correction, of the pairs learned from

    def with_scores(self, scored: ScoredPairs, completed: ScoredPairs) -> TablePairs:
        """Return the same table with pairs that were found and scored elsewhere.

        Parameters
        ----------
        scored, completed
            What `pairs` and `log_odds` hold, and `completed`; in order.
        """
        other = TablePairs(self.reference, self._weights, self._counted, self.base)
        first, second, other.log_odds = scored
        other.pairs, other.completed = (first, second), completed
        return other

    @cached_property
    def keys(self) -> IntVector:
        """A hash of each record: int64 of shape (n_records,)."""
        return content_keys(self.side, self.records)

    @cached_property
    def scorer(self) -> PairScorer:
        """Compares and scores pairs of records."""
        assert self.reference.networks is not None
        return PairScorer(self.side, self.reference.networks, self._counted, self.keys)

    @cached_property
    def pairs(self) -> Pairs:
        """Candidate pairs, each once: ``first < second``.

        Aligned int64 arrays of shape (n_pairs,), ascending by the first and then the second.
        """
        return self._pairs_from(np.arange(len(self.side)))

    def _pairs_from(self, records: IntVector) -> Pairs:
        """Find candidate pairs of some records with any other, each once: as `pairs`.

        Parameters
        ----------
        records
            int64 of shape (n,), ascending. The candidates of other records may hold more pairs with
            these.
        """
        part = self.side if len(records) == len(self.side) else self.side.take(records)
        searched, order = self._searched
        if self.records.vetoes:

            def forbidden(left: IntVector, right: IntVector) -> BoolVector:
                return conflicts(self.records, self.records, records[left], order[right])

            first, second = block_permitted(part, searched, self.block, forbidden)
        else:
            first, second = self.block(part, searched)
        return each_once(records[first], order[second], len(self.side))

    def block(self, left: EncodedRecords, right: EncodedRecords) -> Pairs:
        """List candidate pairs of some records of the table and others."""
        device = self.reference.device
        if self.is_crossed:
            return block_combinations(left, right, device=device, one_table=True)
        return block_records(left, right, device=device)

    @cached_property
    def is_crossed(self) -> bool:
        """Whether records are combinations of values, as far as is known of the base."""
        if self._weights is not None:
            return self._weights.of_values is not None
        return are_crossed(self.base.encoded.codes)

    @cached_property
    def of_values(self) -> dict[int, TablePairs]:
        """By the place of each key column of text, its distinct values compared with each other."""
        known = {} if self._weights is None else self._weights.of_values or {}
        before = self.base.of_values
        learned = {at: values.learned_statistics for at, values in before.items()}
        grown = before if self.base is self.reference else self.reference.values_by(learned)
        return {at: TablePairs(grown[at], known.get(at), base=before[at]) for at in before}

    @cached_property
    def _searched(self) -> tuple[EncodedRecords, IntVector]:
        return in_content_order(self.side, self.keys)

    @cached_property
    def weights(self) -> MatchWeights:
        """Match weights of the key columns, learned from the candidate pairs of a sample."""
        if self._weights is not None:
            return self._weights
        weights, self._taught = self._learn(*self.pairs)
        return weights

    def learn_from(self, first: IntVector, second: IntVector) -> MatchWeights:
        """Learn match weights and the correction of log odds from sampled pairs.

        Parameters
        ----------
        first, second
            The candidate pairs, as of `pairs`; those of `sample` suffice.
        """
        return self._learn(first, second)[0]

    @stage("calibrate")
    def _learn(self, first: IntVector, second: IntVector) -> tuple[MatchWeights, ScoredPairs]:
        """Learn as `learn_from` does; also return the log odds of the pairs before correction."""
        weights, scored = self.learner.learn(*self.of_sample(first, second))
        if self.is_crossed:
            of_values = {at: values.weights for at, values in self.of_values.items()}
            weights = replace(weights, of_values=of_values)
        return weights, scored

    @property
    def learner(self) -> WeightLearner:
        """Learns match weights from the candidate pairs of the sample."""
        return WeightLearner(self.reference, self.scorer, self.sample, self._searched)

    def of_sample(self, first: IntVector, second: IntVector) -> Pairs:
        """Keep the pairs that have a sampled record."""
        is_sampled = np.zeros(len(self.side), dtype=bool)
        is_sampled[self.sample] = True
        kept = is_sampled[first] | is_sampled[second]
        return first[kept], second[kept]

    @cached_property
    def sample(self) -> IntVector:
        """Records that match weights are learned from: int64 of shape (n_sampled,), ascending."""
        return lowest_hashes(mix(self.keys), SAMPLE)

    @cached_property
    def log_odds(self) -> FloatVector:
        """Log odds that both records of each candidate pair are one entity.

        float32 of shape (n_pairs,).
        """
        return self.log_odds_of(*self.pairs)

    @cached_property
    def completed(self) -> ScoredPairs:
        """Candidate pairs, and pairs inside clusters that blocking missed.

        Aligned arrays (first, second, log_odds), in order; see `complete_clusters`.
        """
        scored = (*self.pairs, self.log_odds)
        return complete_clusters(scored, self.keys, self.log_odds_of, self.permitted)

    def permitted(self, first: IntVector, second: IntVector) -> Pairs:
        """Keep the pairs that no veto forbids."""
        kept = ~conflicts(self.records, self.records, first, second)
        return first[kept], second[kept]

    def compare(self, first: IntVector, second: IntVector) -> RecordPairs:
        """Compare pairs of records in every key column: see `PairScorer.compare`."""
        return self.scorer.compare(first, second)

    def above(self, threshold: float) -> tuple[IntVector, IntVector, FloatVector]:
        """List the compared pairs with at least a probability of a match.

        Parameters
        ----------
        threshold
            In [0, 1].

        Returns
        -------
        first, second, score
            Aligned arrays of shape (n_pairs,): int64, int64 and float32, ``first < second``.
        """
        first, second, log_odds = self.completed
        score = probabilities(log_odds)
        kept = score >= np.float32(threshold)
        return first[kept], second[kept], score[kept]

    def score(self, first: IntVector, second: IntVector) -> FloatVector:
        """Probability that both records of each pair are one entity."""
        return probabilities(self.log_odds_of(first, second))

    def clusters(self, threshold: float, limits: Limits) -> IntVector:
        """Cluster the rows by average linkage: see `Partition.at`."""
        if self._partition is None or self._partition[0] is not limits:
            partition = Partition(self.records, *self.completed, limits, self.keys)
            self._partition = limits, partition
        return self._partition[1].at(threshold)

    @stage("scoring")
    def log_odds_of(self, first: IntVector, second: IntVector) -> FloatVector:
        """Return the log odds that the records of each pair match.

        Parameters
        ----------
        first, second
            int64 of shape (n_pairs,): the records.

        Returns
        -------
        log_odds
            float32 of shape (n_pairs,); infinite for keys that are equal once normalised.
        """
        if not self.is_crossed:
            return self._of_whole(first, second)
        of_texts = {at: values.log_odds_of for at, values in self.of_values.items()}
        may_be, log_odds = compare_combinations(self.side, of_texts, first, second)
        whole = self._of_whole(first[may_be], second[may_be])
        log_odds[may_be] = np.maximum(log_odds[may_be], whole)
        log_odds[self.side.equal_normalised.equals(first, second)] = np.inf
        return log_odds

    def _of_whole(self, first: IntVector, second: IntVector) -> FloatVector:
        """Log odds by what all columns of the records say together."""
        weights = self.weights  # learned first, which teaches the pairs that are looked up
        log_odds, unknown = look_up(first, second, self._taught)
        log_odds[unknown] = self.scorer.log_odds(first[unknown], second[unknown], weights)
        return self._later_stages(log_odds, first, second)[-1][1]

    def stages(self, compared: RecordPairs, first: IntVector, second: IntVector) -> Stages:
        """Score compared pairs by all their columns, stage by stage.

        Parameters
        ----------
        compared, first, second
            As of `PairScorer.stages`.
        """
        found = self.scorer.stages(compared, first, second, self.weights)
        return [*found, *self._later_stages(found[-1][1], first, second)]

    def _later_stages(self, log_odds: FloatVector, first: IntVector, second: IntVector) -> Stages:
        """What the table as a whole does to log odds, and the words that pass in it."""
        correction = self.weights.correction
        corrected = log_odds if correction is None else correct(log_odds, correction)
        raised = self._with_passing(corrected, log_odds, first, second)
        return [("tables", corrected), ("passing words", raised)]

    def _with_passing(
        self, corrected: FloatVector, log_odds: FloatVector, first: IntVector, second: IntVector
    ) -> FloatVector:
        """Raise the log odds of texts that differ in passing words alone."""
        passing = self.weights.passing
        if not passing:
            return corrected
        asked = np.flatnonzero((log_odds > APART) & (corrected < FLOOR))
        differ = differ_in_passing(self.scorer.texts, first[asked], second[asked], passing)
        raised = corrected.copy()
        raised[asked[differ]] = FLOOR
        return raised
