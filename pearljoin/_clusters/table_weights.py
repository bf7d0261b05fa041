"""Match weights of one table, and the correction of its log odds, learned from its own pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pearljoin._cached import cached_property
from pearljoin._candidates.blocking import Pairs
from pearljoin._candidates.record_blocking import block_records
from pearljoin._clusters.decoys import (
    closest_donor,
    draw_decoys,
    draw_word_decoys,
    have_same_values,
    may_be_same,
    meets_donor,
)
from pearljoin._clusters.pair_scorer import PairScorer
from pearljoin._clusters.scored_pairs import NO_PAIRS, ScoredPairs
from pearljoin._comparison.reference import Reference
from pearljoin._records.encoded import EncodedRecords
from pearljoin._records.missing_keys import NULL
from pearljoin._records.records import Field, Records, factorize
from pearljoin._records.sampling import lowest_hashes, mix
from pearljoin._scoring.alternatives import (
    MOST_TEXTS,
    NO_ALTERNATIVES,
    Alternatives,
    find_alternatives,
)
from pearljoin._scoring.column_alternatives import ColumnAlternatives, learn_beside
from pearljoin._scoring.correction import SHARE, correct, fit_correction
from pearljoin._scoring.distinctions import with_distinctions
from pearljoin._scoring.match_weights import MatchWeights
from pearljoin._scoring.passing_words import find_passing
from pearljoin._scoring.record_features import RecordPairs
from pearljoin._scoring.record_model import learn_within
from pearljoin._scoring.series import days_of, holds_days, learn_step
from pearljoin._scoring.shared_columns import learn_shared
from pearljoin._scoring.text_correction import ScoredTexts, correct_texts
from pearljoin._typing import BoolVector, FloatVector, IntVector

__all__ = ["WeightLearner"]

MOST_DECOYS, DECOYS_A_RECORD = 2_000, 4
"""Most decoys that are drawn, and how many for each record of a smaller table."""

FEWEST_RECORDS = 20
"""Fewest records of a table for which decoys are drawn; fewer say nothing of chance agreement."""

LIKELY, MOST_PAIRS = -1.0, 50_000
"""Lowest log odds of the pairs from which it is learned which columns related records share; and
how many pairs these are, at most."""

USUAL_SIZE = 1_000.0
"""Records of the largest tables that the networks learned from."""

MOST_LEFT_OUT = 0.3
"""Largest share of the decoys' pairs that may be left out for decoys to raise log odds."""


@dataclass(frozen=True)
class WeightLearner:
    """Learns from the candidate pairs of sampled records.

    Attributes
    ----------
    reference
        The table.
    scorer
        What compares its records.
    sample
        int64 of shape (n_sampled,), ascending: the sampled records.
    searched
        The records in the order in which they are searched, and the number of each: see
        `in_content_order`.
    """

    reference: Reference
    scorer: PairScorer
    sample: IntVector
    searched: tuple[EncodedRecords, IntVector]

    def learn(self, first: IntVector, second: IntVector) -> tuple[MatchWeights, ScoredPairs]:
        """Learn from candidate pairs.

        Parameters
        ----------
        first, second
            int64 of shape (n_pairs,): all candidate pairs of sampled records.

        Returns
        -------
        weights
            The match weights, with a correction unless the records are too few for one.
        scored
            The log odds of these pairs before the correction; no pairs, where there is none.
        """
        compared, weights = self.compare(first, second)
        if not self.has_correction:
            if self.scorer.is_text:
                weights = replace(weights, alternatives=self._alternatives)
            return weights, NO_PAIRS  # few records say nothing of chance
        learn = self._learn_texts if self.scorer.is_text else self._learn_records
        is_equal = self._are_equal((first, second))
        weights, log_odds = learn(weights, compared, (first, second), is_equal)
        return weights, (first, second, np.where(is_equal, np.float32(np.inf), log_odds))

    @cached_property
    def has_correction(self) -> bool:
        """Whether decoys can be drawn: of several columns, or of a column of texts."""
        codes, sample = self.scorer.side.codes, self.sample
        is_known = len(codes) > 1 or (
            self.scorer.is_text and bool((codes[0][sample] != NULL).any())
        )
        return is_known and len(self.scorer.side) >= FEWEST_RECORDS

    def compare(self, first: IntVector, second: IntVector) -> tuple[RecordPairs, MatchWeights]:
        """Compare candidate pairs of sampled records, and learn match weights from them."""
        side, networks = self.scorer.side, self.scorer.networks
        compared = self.scorer.compare(first, second)
        weights = learn_within(side, first, second, compared, self.sample, networks)
        if self.scorer.is_text:
            usual, n_sampled = _of_usual_size(weights), len(self.sample)
            weights = networks.knowing_texts(usual, compared, len(side), n_sampled)
        return compared, weights

    def score_texts(
        self, first: IntVector, second: IntVector
    ) -> tuple[ScoredTexts, FloatVector, BoolVector]:
        """Score the pairs of a table of one column of text, and its decoys.

        Parameters
        ----------
        first, second
            As of `learn`.

        Returns
        -------
        texts
            The pairs that are not equal, and the decoys.
        log_odds
            float32 of shape (n_pairs,): of all pairs.
        is_equal
            bool of shape (n_pairs,): pairs of texts that are equal once normalised.
        """
        compared, weights = self.compare(first, second)
        is_equal = self._are_equal((first, second))
        (found,) = self._score_texts([weights], compared, (first, second), is_equal)
        return *found, is_equal

    def _are_equal(self, pairs: Pairs) -> BoolVector:
        return self.scorer.side.equal_normalised.equals(*pairs)

    def _learn_texts(
        self, weights: MatchWeights, compared: RecordPairs, pairs: Pairs, is_equal: BoolVector
    ) -> tuple[MatchWeights, FloatVector]:
        """Learn the correction of texts, and which words tell nothing or tell things apart.

        Also return the log odds before the correction.
        """
        # To a network that knows catalogues, what comes and goes in a text tells siblings apart:
        # which words pass is learned as if no table were one.
        scored_by = [weights, replace(weights, texts=None)]
        found = self._score_texts(scored_by, compared, pairs, is_equal)
        (texts, log_odds), (as_in_lists, likely) = found
        network = self.scorer.networks.text_correction
        correction = correct_texts(texts, network)
        likely = correct(likely, correct_texts(as_in_lists, network))
        likely = np.where(is_equal, np.float32(np.inf), likely)
        passing = find_passing(self.scorer.texts, *pairs, likely)
        # Departments of one institution stand in each other's place, too.
        alternatives = self._alternatives.without(passing)
        weights = replace(weights, passing=passing, alternatives=alternatives)
        if alternatives.pairs:
            log_odds = self.scorer.tell_texts_apart(log_odds, *pairs, weights)
            decoys, _, met, may_differ = self._decoys
            asked = met[0][may_differ], met[1][may_differ]
            of_decoys = self.scorer.tell_texts_apart(texts.of_decoys, *asked, weights, decoys)
            texts = replace(texts, log_odds=log_odds[~is_equal], of_decoys=of_decoys)
            correction = correct_texts(texts, network)
        return replace(weights, correction=correction), log_odds

    @property
    def _alternatives(self) -> Alternatives:
        """The alternatives of one column of text."""
        return self._words_of_columns.get(0, NO_ALTERNATIVES)

    @cached_property
    def _words_of_columns(self) -> dict[int, Alternatives]:
        """The alternatives of each column of text that has some, from a sample of its texts."""
        side, found = self.scorer.side, {}
        searched = lowest_hashes(mix(self.scorer.keys), MOST_TEXTS)
        for at in side.text_fields:
            normal, codes = side.normal_texts(at), side.codes[at][searched]
            found[at] = find_alternatives(normal[code] for code in codes[codes != NULL])
        return {at: words for at, words in found.items() if words.pairs}

    def _score_texts(
        self,
        weights: Sequence[MatchWeights],
        compared: RecordPairs,
        pairs: Pairs,
        is_equal: BoolVector,
    ) -> list[tuple[ScoredTexts, FloatVector]]:
        """Score pairs of texts and of decoys by each of the match weights.

        With the scored texts come the log odds of all pairs.
        """
        decoys, donors, met, may_differ = self._decoys
        first, second = (at[may_differ] for at in met)
        found = []
        of_decoys = self.scorer.log_odds_of_decoys(decoys, first, second, weights)
        for each, of_these in zip(weights, of_decoys, strict=True):
            plain = self.scorer.networks.records_log_odds(compared, each)
            log_odds = with_distinctions(plain, compared.whole)
            log_odds = log_odds + compared.people_shift(log_odds, each, is_rivalled=False)
            # Without distinctions: a decoy of a text is told from its like no more where the word
            # is gone that did it.
            like = *pairs, np.where(is_equal, np.float32(np.inf), plain)
            texts = ScoredTexts(
                n_records=len(self.scorer.side),
                n_sampled=len(self.sample),
                n_equal=int(is_equal.sum()),
                log_odds=log_odds[~is_equal],
                of_decoys=of_these,
                of_donors=closest_donor(len(self.scorer.side), like, donors, (first, second)),
                a_decoy=self._a_decoy,
            )
            found.append((texts, log_odds))
        return found

    @property
    def _a_decoy(self) -> float:
        """How many pairs of the table a pair of a decoy stands for."""
        n_sampled, n_decoys = len(self.sample), len(self._decoys[0])
        # A decoy meets all records, while a pair of two sampled records would be counted twice.
        return n_sampled / n_decoys * (1 - n_sampled / len(self.scorer.side) / 2)

    def _learn_records(
        self, weights: MatchWeights, compared: RecordPairs, pairs: Pairs, is_equal: BoolVector
    ) -> tuple[MatchWeights, FloatVector]:
        """Learn what related records share, and the correction; also return the log odds."""
        first, second = pairs
        weights = replace(
            weights,
            of_columns=self._alternatives_of(compared, pairs, weights),
            steps=self._steps_of(compared, pairs, weights),
        )
        weights, log_odds = self._score(_of_usual_size(weights), compared, pairs, is_equal)
        near = is_equal | may_be_same(log_odds, compared, weights)
        of_decoys, left_out = self._meet_decoys(weights, (first[near], second[near]))
        # Where many pairs are left out, that few decoys score high does not show that few pairs do.
        share = SHARE * (left_out <= MOST_LEFT_OUT)
        correction = fit_correction(log_odds[~is_equal], of_decoys, self._a_decoy, share)
        return replace(weights, correction=correction), log_odds

    def _score(
        self, weights: MatchWeights, compared: RecordPairs, pairs: Pairs, is_equal: BoolVector
    ) -> tuple[MatchWeights, FloatVector]:
        """Score pairs of several columns, and learn which columns related records share.

        Returned are the match weights with what related records share, and the log odds.
        """
        scorer = self.scorer
        log_odds = scorer.of_compared(compared, weights)
        likely = np.flatnonzero((log_odds > LIKELY) & ~is_equal)
        # Which pairs are left out, where they are many, must not depend on the order of rows.
        taught = compared.take(self._mixed(pairs, likely))
        weights = replace(weights, shared=learn_shared(weights.of_pairs(taught.columns)))
        log_odds = scorer.lowered(log_odds, compared, weights)
        return weights, scorer.tell_apart(log_odds, compared, pairs, weights)

    def _alternatives_of(
        self, compared: RecordPairs, pairs: Pairs, weights: MatchWeights
    ) -> dict[int, ColumnAlternatives]:
        """Learn how far the other columns agree beside the alternatives of each column of text."""
        found, side = {}, self.scorer.side
        for at, words in self._words_of_columns.items():
            codes = [side.codes[at][records] for records in pairs]
            some = self._mixed(pairs, np.flatnonzero((codes[0] != NULL) & (codes[1] != NULL)))
            others = weights.agreement(compared.take(some).columns, at)
            texts = side.normal_texts(at), codes[0][some], codes[1][some]
            found[at] = learn_beside(words, others, *texts)
        return {at: each for at, each in found.items() if each.beside}

    def _steps_of(
        self, compared: RecordPairs, pairs: Pairs, weights: MatchWeights
    ) -> dict[int, float]:
        """Learn the steps of the series in each column of dates."""
        side = self.scorer.side
        found = {
            at: learn_step(days_of(side, at), weights.agreement(compared.columns, at), *pairs)
            for at in range(len(side.codes))
            if holds_days(side, at)
        }
        return {at: step for at, step in found.items() if step is not None}

    def _mixed(self, pairs: Pairs, some: IntVector) -> IntVector:
        """Put some pairs into an order that hangs on their content; `MOST_PAIRS` at most."""
        first, second = (self.scorer.keys[records[some]] for records in pairs)
        return some[np.argsort(mix(first ^ second), kind="stable")[:MOST_PAIRS]]

    def _meet_decoys(self, weights: MatchWeights, near: Pairs) -> tuple[FloatVector, float]:
        """Score pairs of decoys and records.

        `near` are pairs of the sample that may be one entity. Returned are the log odds, and the
        share of the decoys' pairs that are left out, since a value of the decoy comes from the
        record or from one that may be the same.
        """
        decoys, donors, (first, second), may_differ = self._decoys
        is_donors = meets_donor(len(self.scorer.side), near, donors, (first, second))
        kept = may_differ & ~is_donors
        (scored,) = self.scorer.log_odds_of_decoys(decoys, first[kept], second[kept], [weights])
        return scored, 1 - float(kept.mean()) if len(kept) else 1.0

    @cached_property
    def _decoys(self) -> tuple[EncodedRecords, NDArray[np.int64], Pairs, BoolVector]:
        """Decoys, their donors, their candidate pairs with records, and which of these differ."""
        side = self.scorer.side
        n_decoys = min(MOST_DECOYS, DECOYS_A_RECORD * len(side))
        donors = self.sample[np.argsort(self.scorer.keys[self.sample], kind="stable")]
        decoys, donors = self._draw_decoys(donors, n_decoys)
        searched, order = self.searched
        first, second = block_records(decoys, searched, device=self.reference.device)
        second = order[second]
        return decoys, donors, (first, second), ~have_same_values(decoys, side, (first, second))

    def _draw_decoys(
        self, donors: IntVector, n_decoys: int
    ) -> tuple[EncodedRecords, NDArray[np.int64]]:
        """Draw decoys as `draw_decoys` does; texts of one column are encoded."""
        side = self.scorer.side
        if not self.scorer.is_text:
            return draw_decoys(side, donors, n_decoys, len(self.scorer.networks.middle))
        texts, donors = draw_word_decoys(side, donors, n_decoys)
        distinct, codes = factorize(texts)
        nulls_equal = self.reference.records.nulls_equal
        records = Records((Field("text", distinct, codes),), None, nulls_equal)
        found = self.reference.encode_left(records).take(records.of_row)
        groups = None if side.groups is None else side.groups[donors[0]]
        return replace(found, groups=groups), donors


def _of_usual_size(weights: MatchWeights) -> MatchWeights:
    """Let a larger table count for one of the largest that the networks learned from."""
    return replace(weights, n_right=min(weights.n_right, USUAL_SIZE))
