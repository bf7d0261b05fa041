"""Compare two tables of records: candidate pairs, features and scores. No dataframes here."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from pearljoin._cached import cached_property
from pearljoin._candidates.blocking import LARGE, MOST_ALIKE, block_above
from pearljoin._candidates.combination_blocking import pair_rules
from pearljoin._candidates.exclusions import conflicts
from pearljoin._candidates.likeliest import likeliest_pairs
from pearljoin._candidates.rule_counts import count_rules
from pearljoin._comparison.blocked_pairs import blocked_pairs
from pearljoin._comparison.equal_pairs import with_all_equal
from pearljoin._comparison.null_records import knowing_null
from pearljoin._comparison.record_scores import RecordScores, score_records
from pearljoin._comparison.reference import Reference
from pearljoin._comparison.told_apart import tell_apart
from pearljoin._comparison.value_agreement import ValueAgreement, learn_values
from pearljoin._features.compute import CandidateFeatures, ComparedColumn
from pearljoin._features.profiled_texts import RecordTexts, parts_with_texts
from pearljoin._progress import stage
from pearljoin._ragged import places_of_each
from pearljoin._records.encoded import EncodedRecords
from pearljoin._records.missing_keys import NULL
from pearljoin._records.records import Records
from pearljoin._records.sampling import sample_records
from pearljoin._scoring.frozen_state import FrozenState, ScoreSample
from pearljoin._scoring.packed_candidates import join_parts
from pearljoin._scoring.ranking import Candidates, rank_candidates, with_rest
from pearljoin._scoring.record_evidence import compare_records
from pearljoin._scoring.record_features import RecordPairs
from pearljoin._scoring.record_model import learn_from_both
from pearljoin._scoring.record_networks import RecordNetworks
from pearljoin._scoring.scorer import Scorer, ScoreSteps
from pearljoin._typing import BoolVector, Constraint, FloatVector, IntVector, Pairs

__all__ = ["Candidates", "Comparison", "Reference"]

CALIBRATION_SAMPLE = 2_000
"""Left records that a calibration is learned from, at most."""

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
    ranked_sample
        Candidates of the sample that was calibrated on, where these are among `pairs`.
    """

    def __init__(
        self,
        left: Records,
        reference: Reference,
        state: FrozenState | None = None,
        pairs: Pairs | None = None,
        left_side: EncodedRecords | None = None,
        ranked_sample: Candidates | None = None,
    ) -> None:
        self.left = left
        self.right = reference.records
        self.reference = reference
        self.scorer: Scorer | None = reference.scorer
        self.networks: RecordNetworks | None = reference.networks
        self._state = state
        self._pairs = pairs
        self._left_side = left_side
        self._ranked_sample = ranked_sample

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

    @property
    def state(self) -> FrozenState:
        """What was learned beforehand."""
        return self.reference.state_alone if self._state is None else self._state

    @cached_property
    def candidate_pairs(self) -> Pairs:
        """Left and right records of the candidate pairs, ascending by left and then by right."""
        if self._pairs is not None:
            return self._pairs
        is_large = self.networks is not None and len(self.sides[1]) > LARGE
        return likeliest_pairs(*self.sides, self._blocked) if is_large else self._blocked

    @property
    def _is_crossed(self) -> bool | None:
        """As of `block_pairs`: None where records are not scored by columns."""
        return None if self.networks is None else (self._state or self.reference).is_crossed

    @cached_property
    def _blocked(self) -> Pairs:
        """All pairs that blocking finds; of a large reference only the likeliest are scored."""
        side, crossed = self.sides[0], self._is_crossed
        return blocked_pairs(self.left, side, self.reference, is_crossed=crossed)

    @stage("calibrate")
    def calibrated_on_left(self, may_drop: Collection[int] = ()) -> Comparison:
        """Return the comparison calibrated on a sample of distinct left records, by their content.

        Parameters
        ----------
        may_drop
            Places of key columns that are not to be compared if they say nothing. Where such are
            found, the state that is learned has them alone. Without left records, it stays.
        """
        if not len(self.sides[0]):
            return self
        sample = self.sample(CALIBRATION_SAMPLE)
        # All that blocking finds: among the likeliest alone, chance agreement would be too rare.
        left_at, right_at = self._blocked if self._pairs is None else self._pairs
        n_found, kept = len(left_at), np.isin(left_at, sample)
        left_at, right_at = left_at[kept], right_at[kept]
        known, state = None, FrozenState()
        if self.scorer is not None:
            pairs = self._features(*self._observed(left_at, right_at))
            null = self.reference.null_pairs
            learned, steps = self.scorer.calibrate_and_score(pairs, null, self.reference.n_known)
            learned = replace(learned, alternatives=self.reference.alternatives)
            state = FrozenState(calibration=learned)
            found = tell_apart(pairs, steps, self.sides, learned.alternatives).probability
            known = RecordScores(found, found, pairs.things)
        elif self.networks is not None:
            state = learn_values(self.sides[0].take(sample), self.reference)
            compared = self._with_state(state).compare(left_at, right_at)
            assert isinstance(compared, RecordPairs)
            both = learn_from_both(*self.sides, compared, sample, self.networks, may_drop)
            weights, silent = both
            if silent:
                return self._with_state(FrozenState(silent=silent))
            left = compared, len(sample)
            weights = knowing_null(weights, *left, self.reference, is_crossed=self._is_crossed)
            state = replace(state, match_weights=weights)
            known = score_records(compared, right_at, self.reference, weights)
        ranked = self._with_state(state)._ranked(left_at, right_at, known)
        sampled = ScoreSample.of(ranked, sample), ScoreSample.of(ranked.by_same(), sample)
        are_all = n_found == len(self.candidate_pairs[0])
        return self._with_state(state.with_sample(*sampled), ranked if are_all else None)

    def _with_state(self, state: FrozenState, ranked: Candidates | None = None) -> Comparison:
        """Return the same comparison with another state and the same candidate pairs."""
        known = self.candidate_pairs, self.sides[0], ranked
        return Comparison(self.left, self.reference, state, *known)

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
        search = partial(pair_rules, device=self.reference.device, is_crossed=self._is_crossed)
        return count_rules(*self.sides, left_at, right_at, search)

    def compute_features(self, records: IntVector | None = None) -> CandidateFeatures:
        """Compute the features of candidate pairs without a null.

        Parameters
        ----------
        records
            Left records, as of `pairs_of`; default: all.
        """
        pairs = self.candidate_pairs if records is None else self.pairs_of(records)
        return self._features(*self._observed(*pairs))

    @stage("features")
    def _features(
        self,
        left_at: IntVector,
        right_at: IntVector,
        written: IntVector | None = None,
        texts: RecordTexts | None = None,
    ) -> CandidateFeatures:
        written = self.sides[1].first_equals(right_at) if written is None else written
        texts = RecordTexts(*self.sides, left_at, written) if texts is None else texts
        known, column = texts.column(0), ComparedColumn(*self.sides, self.reference.middle)
        pairs = column.compute_features(left_at, written, known)
        return self.reference.merge_doubles(pairs._replace(right=right_at), known)

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
        return tell_apart(pairs, steps, self.sides, self.state.calibration.alternatives)

    @cached_property
    def candidates(self) -> Candidates:
        """The candidate pairs with their scores."""
        known, pairs = self._ranked_sample, self.candidate_pairs
        return self._ranked(*pairs) if known is None else with_rest(known, pairs, self._ranked)

    def _ranked(
        self,
        left_at: IntVector,
        right_at: IntVector,
        known: RecordScores | None = None,
    ) -> Candidates:
        """Score pairs and rank them; `known` are the scores of observed ones, if known already."""
        score, same, things = self._scores(left_at, right_at, known)
        return rank_candidates(*self.sides, left_at, right_at, score, same, things)

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
    def _scores(
        self,
        left_at: IntVector,
        right_at: IntVector,
        known: RecordScores | None,
    ) -> tuple[FloatVector, FloatVector | None, IntVector | None]:
        """Scores of pairs, probabilities of one entity, and entities, as of `Candidates`."""
        if not self.calibrated:
            return self.sides[0].score(self.sides[1], left_at, right_at), None, None
        scores, same = np.zeros((2, len(left_at)), dtype=np.float32)
        things = right_at.copy()
        compared = self.is_observed(left_at, right_at)
        at = np.arange(len(left_at)) if self.networks is not None else np.flatnonzero(compared)
        if known is not None:
            scores[at], same[at], things[at] = known
        else:
            written = self.sides[1].first_equals(right_at[at])
            pairs_at = left_at[at], written
            parts = parts_with_texts(*self.sides, pairs_at, left_at[at], PAIRS_AT_ONCE)
            for part, texts in parts:
                some = at[part]
                found = self._compare(left_at[some], right_at[some], written[part], texts)
                scored = self._probabilities(found, right_at[some])
                scores[some], same[some], things[some] = scored
        if self.networks is not None:
            return scores, same, things
        return scores, None, things if self.reference.text_networks is not None else None

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

    @cached_property
    def _agreement(self) -> ValueAgreement:
        return ValueAgreement(self.sides[0], self.reference, self.state)

    def _probabilities(
        self, pairs: CandidateFeatures | RecordPairs, right_at: IntVector
    ) -> RecordScores:
        """Score pairs; for one column of text both probabilities are the same."""
        if isinstance(pairs, CandidateFeatures):
            found = self.score_steps(pairs).probability
            return RecordScores(found, found, pairs.things)
        assert self.state.match_weights is not None
        return score_records(pairs, right_at, self.reference, self.state.match_weights)

    @property
    def calibrated(self) -> bool:
        """Whether a score is the probability of a match."""
        return self.reference.calibrated

    def is_observed(self, left_at: IntVector, right_at: IntVector) -> BoolVector:
        """Mark the pairs of which neither first key is null."""
        left, right = self.left.codes(0), self.reference.encoded.codes[0]
        nulls = (left[left_at] == NULL) | (right[right_at] == NULL)
        return np.asarray(~nulls, dtype=bool)

    def _observed(self, left_at: IntVector, right_at: IntVector) -> Pairs:
        kept = self.is_observed(left_at, right_at)
        return left_at[kept], right_at[kept]

    def candidates_above(self, threshold: float, k: int | None = None) -> Candidates:
        """Return pairs with scores of at least `threshold`, or each record's best.

        Among all pairs where a score is a plain similarity. A probability depends on the pair's
        rivals, so it is known for the candidates only.

        Parameters
        ----------
        threshold
            In [0, 1].
        k
            Pairs that a left record needs; more may be returned.
        """
        if not self.calibrated:
            # A record's best may all be forbidden, so with a veto none is left out for being worse.
            most = None if self.left.vetoes else k
            left_at, right_at = block_above(*self.sides, threshold, most)
            kept = ~conflicts(self.left, self.right, left_at, right_at)
            left_at, right_at = left_at[kept], right_at[kept]
            scores = self.sides[0].score(self.sides[1], left_at, right_at)
            found = rank_candidates(*self.sides, left_at, right_at, scores)
            return found.take(found.score >= np.float32(threshold))
        parts = self.candidate_parts("many_to_many")
        known = join_parts(part.take(part.score >= np.float32(threshold)) for part in parts)
        if not self.has_many_alike or (k is not None and k <= MOST_ALIKE):
            return known
        return with_all_equal(known, self.sides, (self.left, self.right), k)

    @property
    def has_many_alike(self) -> bool:
        """Whether more reference records have equal normalised keys than were compared."""
        return self.reference.encoded.equal_normalised.largest > MOST_ALIKE

    def equal_keys(self) -> tuple[IntVector, IntVector]:
        """Number the normalised keys of left and right records, below 0 where none is equal.

        int64 of shape (n_left_records,) and (n_right_records,).
        """
        left, index = self.sides[0], self.sides[1].equal_normalised
        return index.keys_of(left.values, left.codes, left.groups), index.keys
