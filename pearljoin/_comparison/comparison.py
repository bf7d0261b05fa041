"""Compare two tables of records: candidate pairs, features and scores. No dataframes here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

import numpy as np

from pearljoin._cached import cached_property
from pearljoin._candidates.blocking import LARGE
from pearljoin._candidates.combination_blocking import pair_rules
from pearljoin._candidates.likeliest import likeliest_pairs
from pearljoin._candidates.rule_counts import count_rules
from pearljoin._comparison.blocked_pairs import blocked_pairs
from pearljoin._comparison.record_scores import RecordScores, score_records
from pearljoin._comparison.reference import Reference
from pearljoin._comparison.told_apart import tell_apart
from pearljoin._comparison.value_agreement import SameValues, ValueAgreement
from pearljoin._features.compute import CandidateFeatures, ComparedColumn
from pearljoin._features.profiled_texts import RecordTexts, parts_with_texts
from pearljoin._progress import stage
from pearljoin._ragged import places_of_each
from pearljoin._records.encoded import EncodedRecords
from pearljoin._records.equality import Values
from pearljoin._records.missing_keys import NULL
from pearljoin._records.records import Records
from pearljoin._records.sampling import sample_records
from pearljoin._scoring.frozen_state import FrozenState
from pearljoin._scoring.ranking import Candidates, rank_candidates, with_rest
from pearljoin._scoring.record_evidence import compare_records
from pearljoin._scoring.record_features import RecordPairs
from pearljoin._scoring.record_networks import RecordNetworks
from pearljoin._scoring.scorer import Scorer, ScoreSteps
from pearljoin._typing import BoolVector, Constraint, IntVector, Pairs

__all__ = ["Candidates", "Comparison", "Reference"]

PAIRS_AT_ONCE = 65_536
"""Pairs whose features are held at a time."""


class Comparison:
    """Left records beside a reference: candidate pairs, features and scores, each computed once.

    A left record's candidates and scores depend on it, the reference and the state alone. Of
    equally near reference records at the end of a list of candidates the first ones are kept, so
    the order of a reference of several columns changes scores, by less than .01.

    Parameters
    ----------
    left
        The left records.
    reference
        The right side.
    state
        What was learned beforehand. Default: what is learned from the reference alone.
    pairs
        The candidate pairs, where they are known already; as of `candidate_pairs`.
    left_side
        The left records, encoded; None: they are encoded when they are first needed.

    Attributes
    ----------
    ranked_sample
        Candidates of the sample that was calibrated on, where these are all its candidate pairs:
        they are not scored again.
    scored_values
        By the place of a column of text, how likely the values of the left records that are
        compared match, where that is known: where pairs of a sample alone are compared to learn.
    """

    def __init__(
        self,
        left: Records,
        reference: Reference,
        state: FrozenState | None = None,
        pairs: Pairs | None = None,
        left_side: EncodedRecords | None = None,
    ) -> None:
        self.left = left
        self.right = reference.records
        self.reference = reference
        self.scorer: Scorer | None = reference.scorer
        self.networks: RecordNetworks | None = reference.networks
        self._state = state
        self._pairs = pairs
        self._left_side = left_side
        self.ranked_sample: Candidates | None = None
        self.scored_values: Mapping[int, SameValues] = {}

    @cached_property
    def sides(self) -> tuple[EncodedRecords, EncodedRecords]:
        """Both sides, encoded."""
        if self._left_side is not None:
            return self._left_side, self.reference.encoded
        return self.reference.encode_left(self.left), self.reference.encoded

    def part(self, records: IntVector) -> Comparison:
        """Compare some of the left records alone, numbered anew in that order.

        Parameters
        ----------
        records
            int64 of shape (n,), ascending: record numbers.
        """
        side = self.sides[0].take(records)
        return Comparison(self.left.part(records), self.reference, self._state, left_side=side)

    def sample(self, most: int) -> IntVector:
        """Choose left records by their content, as of `sample_records`."""
        return sample_records(self.sides[0], most)

    def sampled(self, most: int) -> tuple[Comparison, IntVector]:
        """Return a comparison that holds a sample of the left records, and their numbers in it."""
        return self, self.sample(most)

    @property
    def left_values(self) -> tuple[Values, ...]:
        """By key column, the distinct left values, encoded; empty where they are not kept."""
        return self.sides[0].values

    @property
    def state(self) -> FrozenState:
        """What was learned beforehand."""
        return self.reference.state_alone if self._state is None else self._state

    @cached_property
    def candidate_pairs(self) -> Pairs:
        """Left and right records of the candidate pairs, ascending by left and then by right."""
        is_large = self.networks is not None and len(self.sides[1]) > LARGE
        if self._pairs is None and is_large:
            return likeliest_pairs(*self.sides, self.blocked)
        return self.blocked

    @property
    def is_crossed(self) -> bool | None:
        """As of `block_pairs`: None where records are not scored by columns."""
        return None if self.networks is None else (self._state or self.reference).is_crossed

    @cached_property
    def blocked(self) -> Pairs:
        """All pairs that blocking finds; of a large reference only the likeliest are scored.

        Where the candidate pairs are known already, these.
        """
        if self._pairs is not None:
            return self._pairs
        side, crossed = self.sides[0], self.is_crossed
        return blocked_pairs(self.left, side, self.reference, is_crossed=crossed)

    def with_state(self, state: FrozenState) -> Comparison:
        """Return the same comparison with another state and the same candidate pairs."""
        return Comparison(self.left, self.reference, state, self.candidate_pairs, self.sides[0])

    def pairs_of(self, records: IntVector) -> Pairs:
        """Return the candidate pairs of some left records.

        Parameters
        ----------
        records
            int64 of shape (n,), ascending: record numbers.
        """
        left_at, right_at = self.candidate_pairs
        at = places_of_each(left_at, records)[1]
        return left_at[at], right_at[at]

    def count_rules(self, left_at: IntVector, right_at: IntVector) -> tuple[IntVector, int]:
        """Count the blocking rules that propose each of some pairs, as of `count_rules`."""
        search = partial(pair_rules, device=self.reference.device, is_crossed=self.is_crossed)
        return count_rules(*self.sides, left_at, right_at, search)

    def compute_features(self, records: IntVector | None = None) -> CandidateFeatures:
        """Compute the features of candidate pairs without a null.

        Parameters
        ----------
        records
            Left records, as of `pairs_of`; default: all.
        """
        pairs = self.candidate_pairs if records is None else self.pairs_of(records)
        left_at, right_at = self.observed(*pairs)
        return self._features(left_at, right_at, self.sides[1].first_equals(right_at))

    @cached_property
    def candidates(self) -> Candidates:
        """The candidate pairs with their scores."""
        known, pairs = self.ranked_sample, self.candidate_pairs
        return self.rank(*pairs) if known is None else with_rest(known, pairs, self.rank)

    @cached_property
    def _same_candidates(self) -> Candidates:
        return self.candidates.by_same()

    def candidates_for(self, constraint: Constraint) -> Candidates:
        """Return the candidate pairs with the scores of a constraint.

        Under many_to_many a pair's score does not depend on its rivals, where several columns are
        scored together: it is the probability that both records are one entity.
        """
        return self._same_candidates if constraint == "many_to_many" else self.candidates

    def candidate_parts(self, constraint: Constraint) -> Iterator[Candidates]:
        """Return the pairs of `candidates_for` in parts; those of a left record are in one part.

        Decisions that need the pairs of one left record are made part by part, so that all pairs of
        a large left table are never held at once.
        """
        return iter([self.candidates_for(constraint)])

    @stage("scoring")
    def rank(
        self, left_at: IntVector, right_at: IntVector, known: RecordScores | None = None
    ) -> Candidates:
        """Score pairs and rank them.

        Parameters
        ----------
        left_at, right_at
            int64 of shape (n_pairs,), ascending: all candidates of some left records.
        known
            The scores of the observed ones, where they are known already.
        """
        if not self.calibrated:
            similarity = self.sides[0].score(self.sides[1], left_at, right_at)
            return rank_candidates(*self.sides, left_at, right_at, similarity)
        is_text = self.networks is None
        at = np.arange(len(left_at))
        if is_text:
            at = np.flatnonzero(self.is_observed(left_at, right_at))
        scores, same = np.zeros((2, len(left_at)), dtype=np.float32)
        things = right_at.copy()
        found = self._score(left_at[at], right_at[at]) if known is None else known
        scores[at], same[at], things[at] = found
        pairs = *self.sides, left_at, right_at, scores
        if not is_text:
            return rank_candidates(*pairs, same, things)
        has_things = self.reference.text_networks is not None
        return rank_candidates(*pairs, things=things if has_things else None)

    def _score(self, left_at: IntVector, right_at: IntVector) -> RecordScores:
        """Score observed pairs part by part; those of a left record are in one part."""
        scores, same = np.zeros((2, len(left_at)), dtype=np.float32)
        things = right_at.copy()
        written = self.sides[1].first_equals(right_at)
        parts = parts_with_texts(*self.sides, (left_at, written), left_at, PAIRS_AT_ONCE)
        for part, texts in parts:
            found = self._compare(left_at[part], right_at[part], written[part], texts)
            scores[part], same[part], things[part] = self._probabilities(found, right_at[part])
        return RecordScores(scores, same, things)

    def _probabilities(
        self, pairs: CandidateFeatures | RecordPairs, right_at: IntVector
    ) -> RecordScores:
        """Score pairs; for one column of text both probabilities are the same."""
        if isinstance(pairs, CandidateFeatures):
            found = self.score_steps(pairs).probability
            return RecordScores(found, found, pairs.things)
        assert self.state.match_weights is not None
        return score_records(pairs, right_at, self.reference, self.state.match_weights)

    def score_steps(self, pairs: CandidateFeatures) -> ScoreSteps:
        """Return the log odds of candidate pairs after each step of the scorer.

        Parameters
        ----------
        pairs
            As of `compute_features`.
        """
        assert self.scorer is not None
        assert self.state.calibration is not None
        known = pairs.features, pairs.left, pairs.tokens
        steps = self.scorer.steps(*known, self.state.calibration, pairs.things)
        return tell_apart(pairs, steps, self.sides, self.state.calibration)

    def compare(self, left_at: IntVector, right_at: IntVector) -> CandidateFeatures | RecordPairs:
        """Compute the features of pairs of records; equal right ones share theirs.

        Parameters
        ----------
        left_at, right_at
            int64 of shape (n_pairs,), `left_at` ascending.
        """
        return self._compare(left_at, right_at, self.sides[1].first_equals(right_at))

    def _compare(
        self,
        left_at: IntVector,
        right_at: IntVector,
        written: IntVector,
        texts: RecordTexts | None = None,
    ) -> CandidateFeatures | RecordPairs:
        """Compare pairs; `written` are their right records, as of `first_equals`."""
        if self.networks is None:
            return self._features(left_at, right_at, written, texts)
        with stage("features"):
            pairs = compare_records(*self.sides, left_at, written, self.networks, texts=texts)
            return self._agreement.added(pairs, left_at, written)

    @stage("features")
    def _features(
        self,
        left_at: IntVector,
        right_at: IntVector,
        written: IntVector,
        texts: RecordTexts | None = None,
    ) -> CandidateFeatures:
        """Compute the features of pairs of texts, as of `_compare`."""
        texts = RecordTexts(*self.sides, left_at, written) if texts is None else texts
        known, column = texts.column(0), ComparedColumn(*self.sides, self.reference.middle)
        pairs = column.compute_features(left_at, written, known)
        return self.reference.merge_doubles(pairs._replace(right=right_at), known)

    @cached_property
    def _agreement(self) -> ValueAgreement:
        return ValueAgreement(self.sides[0], self.reference, self.state, self.scored_values)

    @property
    def calibrated(self) -> bool:
        """Whether a score is the probability of a match."""
        return self.reference.calibrated

    def is_observed(self, left_at: IntVector, right_at: IntVector) -> BoolVector:
        """Mark the pairs of which neither first key is null."""
        left, right = self.left.codes(0), self.reference.encoded.codes[0]
        nulls = (left[left_at] == NULL) | (right[right_at] == NULL)
        return np.asarray(~nulls, dtype=bool)

    def observed(self, left_at: IntVector, right_at: IntVector) -> Pairs:
        """Keep the pairs of which neither first key is null."""
        kept = self.is_observed(left_at, right_at)
        return left_at[kept], right_at[kept]
