"""One table compared with itself: candidate pairs and their log odds."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from pearljoin._cached import cached_property
from pearljoin._candidates.blocking import Pairs
from pearljoin._candidates.exclusions import block_permitted, conflicts
from pearljoin._candidates.record_blocking import block_records
from pearljoin._clusters.content_order import content_keys, in_content_order
from pearljoin._clusters.decoys import (
    draw_decoys,
    draw_word_decoys,
    have_same_values,
    may_be_same,
    meets_donor,
)
from pearljoin._clusters.limits import Limits
from pearljoin._clusters.missing_pairs import complete_clusters
from pearljoin._clusters.partition import Partition
from pearljoin._clusters.scored_pairs import (
    NO_PAIRS,
    ScoredPairs,
    each_once,
    look_up,
    probabilities,
)
from pearljoin._comparison.reference import Reference
from pearljoin._features.profiled_texts import RecordTexts, parts_with_texts
from pearljoin._progress import stage
from pearljoin._records.encoded import EncodedRecords
from pearljoin._records.missing_keys import NULL
from pearljoin._records.records import Field, Records, factorize
from pearljoin._records.sampling import lowest_hashes
from pearljoin._records.similarity import TextValues
from pearljoin._scoring.correction import SHARE, SHARE_OF_WORDS, correct, fit_correction
from pearljoin._scoring.distinctions import APART, with_distinctions
from pearljoin._scoring.match_weights import MatchWeights
from pearljoin._scoring.passing_words import FLOOR, differ_in_passing, find_passing
from pearljoin._scoring.record_evidence import compare_records
from pearljoin._scoring.record_features import RecordPairs, record_features
from pearljoin._scoring.record_model import learn_within
from pearljoin._scoring.shared_columns import learn_shared
from pearljoin._typing import BoolVector, FloatVector, IntVector

__all__ = ["TablePairs"]

SAMPLE = 2_000
"""Records whose candidate pairs match weights are learned from, at most."""

VALUES_AT_ONCE = 200_000
"""Pairs of values whose features are held at a time."""

MOST_DECOYS, DECOYS_A_RECORD = 2_000, 4
"""Decoys that are drawn: so many, and fewer for small tables."""

FEWEST_RECORDS = 20
"""Records from which the values of decoys are drawn; fewer say nothing of chance."""

LIKELY, MOST_PAIRS = -1.0, 50_000
"""Log odds of pairs that teach which columns related ones share; and how many do, at most."""

MOST_LEFT_OUT = 0.3
"""Share of decoys' pairs that may be left out where log odds may rise by them."""


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
        Match weights that were learned before. Default: those that the table teaches.
    counted
        The records among which values are counted. Default: the table's own.
    """

    calibrated = True
    least = 0.0
    """Lowest probability of the pairs that are listed where all are asked for."""

    def __init__(
        self,
        reference: Reference,
        weights: MatchWeights | None = None,
        counted: EncodedRecords | None = None,
    ) -> None:
        assert reference.networks is not None
        self.reference = reference
        self.records = reference.records
        self.side = reference.encoded
        self.networks = reference.networks
        self._weights = weights
        self._counted = reference.encoded if counted is None else counted
        self._partition: tuple[Limits, Partition] | None = None
        self._taught = NO_PAIRS  # what the network says of the pairs that taught

    def with_scores(self, scored: ScoredPairs, completed: ScoredPairs) -> TablePairs:
        """Return the same table with pairs that were found and scored elsewhere.

        Parameters
        ----------
        scored, completed
            What `pairs` and `log_odds` hold, and `completed`; in order.
        """
        other = TablePairs(self.reference, self._weights, self._counted)
        first, second, other.log_odds = scored
        other.pairs, other.completed = (first, second), completed
        return other

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
            int64 of shape (n,), ascending. Others may find further pairs with these.
        """
        search = partial(block_records, device=self.reference.device)
        part = self.side if len(records) == len(self.side) else self.side.take(records)
        searched, order = self._searched
        if self.records.vetoes:

            def forbidden(left: IntVector, right: IntVector) -> BoolVector:
                return conflicts(self.records, self.records, records[left], order[right])

            first, second = block_permitted(part, searched, search, forbidden)
        else:
            first, second = search(part, searched)
        return each_once(records[first], order[second], len(self.side))

    @cached_property
    def _searched(self) -> tuple[EncodedRecords, IntVector]:
        return in_content_order(self.side, self.keys)

    @cached_property
    def weights(self) -> MatchWeights:
        """Match weights of the key columns, learned from the candidate pairs of a sample."""
        return self.learn_from(*self.pairs) if self._weights is None else self._weights

    @stage("calibrate")
    def learn_from(self, first: IntVector, second: IntVector) -> MatchWeights:
        """Learn match weights and the correction of log odds from sampled pairs.

        Parameters
        ----------
        first, second
            The candidate pairs, as of `pairs`; those of `sample` suffice.
        """
        sample = self.sample
        if len(sample) < len(self.side):
            is_sampled = np.zeros(len(self.side), dtype=bool)
            is_sampled[sample] = True
            kept = is_sampled[first] | is_sampled[second]
            first, second = first[kept], second[kept]
        compared = self.compare(first, second)
        weights = learn_within(self.side, first, second, compared, sample, self.networks)
        if len(self.side) < FEWEST_RECORDS or not self._has_decoys:
            return weights  # few records say nothing of chance
        is_equal = self.side.equal_normalised.equals(first, second)
        log_odds = self._judge(compared, weights)
        if not self._is_text:
            likely = np.flatnonzero((log_odds > LIKELY) & ~is_equal)
            # Which pairs are left out, where they are many, must not depend on the order of rows.
            mixed = self.keys[first[likely]] ^ self.keys[second[likely]]
            taught = compared.take(likely[np.argsort(mixed, kind="stable")[:MOST_PAIRS]])
            weights = replace(weights, shared=learn_shared(weights.of_pairs(taught.columns)))
            log_odds = self._lowered(log_odds, compared, weights)
        self._taught = first, second, np.where(is_equal, np.float32(np.inf), log_odds)
        near = is_equal | may_be_same(log_odds, None if self._is_text else compared, weights)
        of_decoys, a_decoy, left_out = self._meet_decoys(weights, (first[near], second[near]))
        # Decoys that were left out for what they resemble cannot tell that little resembles.
        share = (SHARE_OF_WORDS if self._is_text else SHARE) * (left_out <= MOST_LEFT_OUT)
        correction = fit_correction(log_odds[~is_equal], of_decoys, a_decoy, share)
        passing: tuple[str, ...] = ()
        if self._is_text:
            log_odds = np.where(is_equal, np.float32(np.inf), correct(log_odds, correction))
            passing = find_passing(self._texts, first, second, log_odds)
        return replace(weights, correction=correction, passing=passing)

    def _meet_decoys(self, weights: MatchWeights, near: Pairs) -> tuple[FloatVector, float, float]:
        """Score pairs of decoys and records; count the pairs each represents.

        `near` are pairs of the sample that may be one thing. The third is the share of such pairs
        that were left out, since a value comes from the record or from what may be the same thing.
        """
        n_records, n_sampled = len(self.side), len(self.sample)
        n_decoys = min(MOST_DECOYS, DECOYS_A_RECORD * n_records)
        donors = self.sample[np.argsort(self.keys[self.sample], kind="stable")]
        decoys, donors = self._draw_decoys(donors, n_decoys)
        searched, order = self._searched
        first, second = block_records(decoys, searched, device=self.reference.device)
        second = order[second]
        own = meets_donor(n_records, near, donors, (first, second))
        kept = ~own & ~have_same_values(decoys, self.side, (first, second))
        scored = self._network_log_odds(first[kept], second[kept], weights, decoys)
        # A decoy meets all records; a pair of two sampled records is one pair, and meets twice.
        a_decoy = n_sampled / n_decoys * (1 - n_sampled / n_records / 2)
        return scored, a_decoy, 1 - float(kept.mean()) if len(kept) else 1.0

    @property
    def _is_text(self) -> bool:
        """Whether one column of text is compared, and no other."""
        return len(self.side.codes) == 1 and isinstance(self.side.values[0], TextValues)

    @cached_property
    def _texts(self) -> list[str]:
        """The text of each record of one column of text, normalised; "" where it is null."""
        values = self.side.values[0]
        assert isinstance(values, TextValues)
        normal = [*values.normal, ""]
        return [normal[code] for code in self.side.codes[0].tolist()]

    @property
    def _has_decoys(self) -> bool:
        """Whether decoys can be drawn: of several columns, or of a column of texts."""
        column = self.side.codes[0][self.sample]
        return len(self.side.codes) > 1 or (self._is_text and bool((column != NULL).any()))

    def _draw_decoys(
        self, donors: IntVector, n_decoys: int
    ) -> tuple[EncodedRecords, NDArray[np.int64]]:
        """Draw decoys as `draw_decoys` does; texts of one column are encoded."""
        if not self._is_text:
            return draw_decoys(self.side, donors, n_decoys, len(self.networks.middle))
        texts, donors = draw_word_decoys(self.side, donors, n_decoys)
        distinct, codes = factorize(texts)
        records = Records((Field("text", distinct, codes),), None, self.records.nulls_equal)
        found = self.reference.encode_left(records).take(records.of_row)
        groups = None if self.side.groups is None else self.side.groups[donors[0]]
        return replace(found, groups=groups), donors

    @cached_property
    def sample(self) -> IntVector:
        """The records that teach match weights: int64 of shape (n_sampled,), ascending."""
        return lowest_hashes(self.keys, SAMPLE)

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
        found = compare_records(*sides, *pairs, self.networks, self._counted, texts)
        back = np.argsort(order)
        return RecordPairs(
            left=left,
            columns=tuple(column.take(back) for column in found.columns),
            logits=found.logits[back],
            whole_logit=found.whole_logit[back],
            whole=found.whole[back],
        )

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
        weights = self.weights
        log_odds, unknown = look_up(first, second, self._taught)
        log_odds[unknown] = self._network_log_odds(first[unknown], second[unknown], weights)
        may_rise = log_odds > APART
        if weights.correction is not None:
            log_odds = correct(log_odds, weights.correction)
        if weights.passing:
            asked = np.flatnonzero(may_rise & (log_odds < FLOOR))
            differ = differ_in_passing(self._texts, first[asked], second[asked], weights.passing)
            log_odds[asked[differ]] = FLOOR
        return log_odds

    def _network_log_odds(
        self,
        first: IntVector,
        second: IntVector,
        weights: MatchWeights,
        decoys: EncodedRecords | None = None,
    ) -> FloatVector:
        """Log odds as the network gives them; of decoys, `first` are these."""
        found = np.zeros(len(first), dtype=np.float32)
        step = max(1, VALUES_AT_ONCE // len(self.side.codes))
        sides, at = (self.side if decoys is None else decoys, self.side), np.arange(len(first))
        for part, texts in parts_with_texts(*sides, (first, second), at, step):
            ends = first[part], second[part]
            if decoys is None:
                pairs = self.compare(*ends, texts)
            else:
                pairs = compare_records(*sides, *ends, self.networks, self._counted, texts)
            found[part] = self._judge(pairs, weights)
        if decoys is None:
            found[self.side.equal_normalised.equals(first, second)] = np.inf
        return found

    def _judge(self, pairs: RecordPairs, weights: MatchWeights) -> FloatVector:
        """Log odds of the network, lowered for pairs with a distinction.

        Texts of one column are by a number, records by what related pairs of the table share.
        """
        log_odds = self.networks.within_log_odds(record_features(pairs, weights))
        if self._is_text:
            return with_distinctions(log_odds, pairs.whole)
        return self._lowered(log_odds, pairs, weights)

    @staticmethod
    def _lowered(log_odds: FloatVector, pairs: RecordPairs, weights: MatchWeights) -> FloatVector:
        """Lower the log odds of pairs that share columns as related ones do."""
        if weights.shared is None:
            return log_odds
        return weights.shared.lower(log_odds, weights.of_pairs(pairs.columns))

    @cached_property
    def keys(self) -> IntVector:
        """A hash of each record: int64 of shape (n_records,)."""
        return content_keys(self.side, self.records)
