"""Compare two tables of records: candidate pairs, features and scores. No dataframes here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from pearljoin._candidates.blocking import block_above, block_nearest
from pearljoin._candidates.exclusions import block_permitted, conflicts
from pearljoin._encoders import Encoder
from pearljoin._features.compute import CandidateFeatures, compute_features
from pearljoin._progress import stage
from pearljoin._records.column_statistics import ColumnStatistics
from pearljoin._records.duplicates import repeated_rows
from pearljoin._records.encoded import EncodedRecords, encode_records, encode_values
from pearljoin._records.equality import Values
from pearljoin._records.missing_keys import NULL
from pearljoin._records.records import Records
from pearljoin._records.sampling import sample_records
from pearljoin._records.similarity import PhraseVectors
from pearljoin._scoring.comparison_levels import (
    comparison_levels,
    learn_record_model,
    learn_reference_model,
)
from pearljoin._scoring.frozen_state import FrozenState, ScoreSample
from pearljoin._scoring.neighbours import neighbour_scores, null_candidates
from pearljoin._scoring.ranking import Candidates, rank_candidates
from pearljoin._scoring.scorer import NullPairs, Scorer, ScoreSteps
from pearljoin._scoring.scorer_file import scorer_of
from pearljoin._typing import BoolVector, FloatVector, IntVector

__all__ = ["Candidates", "Comparison", "Reference"]

CALIBRATION_SAMPLE = 2_000
"""Left records that a calibration is learned from, at most."""

FALLBACK_THRESHOLD = 0.4
"""Threshold for small tables where the encoder has none of its own."""

PAIRS_AT_ONCE = 400_000
"""Pairs whose features are held at a time."""


class Reference:
    """The right side, encoded once, and what it says of itself.

    Parameters
    ----------
    records
        The reference's records.
    encoder
        Encoder of the key columns of text; None where there are none.
    weights
        float64 of shape (n_fields,), summing to 1: what each key column counts for.
    scored
        Whether to use the encoder's match scorer, where it has one.
    learned
        Whether match weights of several key columns are learned.
    device
        Where to search: ``"cpu"`` or ``"cuda"``.
    known
        For each key column, the values that are encoded already, if any.
    statistics
        Of the key columns; those of an earlier reference, where rows were added to it.
    """

    def __init__(
        self,
        records: Records,
        encoder: Encoder | None,
        *,
        weights: NDArray[np.float64],
        scored: bool = True,
        learned: bool = True,
        device: str = "cpu",
        known: Sequence[Values | PhraseVectors | None] | None = None,
        statistics: tuple[ColumnStatistics, ...] | None = None,
    ) -> None:
        self.records = records
        self.encoder = encoder
        self.device = device
        self.weights = weights
        self.scorer = scorer_of(encoder, records) if scored else None
        self.learned = learned and scored and len(records.fields) > 1
        self.values: tuple[Values, ...] = encode_values(records, encoder, known)
        if statistics is None:
            statistics = tuple(map(ColumnStatistics.of, self.values))
        self.statistics = statistics

    @property
    def calibrated(self) -> bool:
        """Whether a score is the probability of a match."""
        return self.scorer is not None or self.learned

    @property
    def fallback_threshold(self) -> float:
        """The threshold for similarities where nothing is known of the tables, in [0, 1]."""
        return float(getattr(self.encoder, "fallback_threshold", None) or FALLBACK_THRESHOLD)

    @cached_property
    def encoded(self) -> EncodedRecords:
        """The records, encoded."""
        return self._encode(self.records, self.values)

    def _encode(self, records: Records, values: tuple[Values, ...]) -> EncodedRecords:
        return encode_records(records, values, self.statistics, self.records, self.weights)

    @cached_property
    def repeated(self) -> tuple[tuple[int, ...], ...]:
        """Rows whose keys are equal, in groups: a match cannot tell which of them is meant."""
        return repeated_rows(self.records, self.values)

    @property
    def n_known(self) -> int:
        """Number of records whose first key is not null."""
        return int((self.encoded.codes[0] != NULL).sum())

    @property
    def middle(self) -> FloatVector:
        """The mean vector of texts at large; without a match scorer, that of the reference.

        float32 of shape (dim,), for a first key column of text.
        """
        if self.scorer is not None:
            return self.scorer.middle
        mean = self.statistics[0].mean
        assert mean is not None
        return mean

    @cached_property
    def null_pairs(self) -> NullPairs:
        """Candidates of sampled records among the others, with the log odds of the first step."""
        assert self.scorer is not None
        pairs = self.null_candidates()
        return NullPairs(self.scorer.pair.logit(pairs.features), pairs.left, pairs.tokens)

    def null_candidates(self) -> CandidateFeatures:
        """Compute the features of the candidates of sampled records among the others."""
        assert self.scorer is not None
        search = partial(block_nearest, device="cpu")
        return null_candidates(self.encoded, self.scorer.middle, search)

    @cached_property
    def state_alone(self) -> FrozenState:
        """What the reference alone says: null scores, table features, u probabilities.

        Learned when first asked for: a calibration on left records takes its place. Threads that
        ask at once get equal states.
        """
        with stage("calibrate"):
            return self._learn_alone()

    def _learn_alone(self) -> FrozenState:
        if self.scorer is not None:
            calibration = self.scorer.calibrate(None, self.null_pairs, self.n_known)
            return FrozenState(calibration=calibration)
        if self.learned:
            return FrozenState(record_model=learn_reference_model(self.encoded))
        return FrozenState()

    @cached_property
    def neighbour_scores(self) -> FloatVector:
        """The best score of sampled records against the other records.

        float32 of shape (n_sampled,), in [0, 1].
        """
        return neighbour_scores(self.encoded, partial(block_nearest, device="cpu"))

    def compare(self, left: Records, state: FrozenState | None = None) -> Comparison:
        """Encode the left side and compare it with the reference.

        Parameters
        ----------
        left
            The left records.
        state
            What was learned beforehand; None for what the reference alone says.

        Returns
        -------
        comparison
            The two sides; candidates are found when they are asked for.
        """
        values = encode_values(left, self.encoder, self.values)
        return Comparison(left, self, self._encode(left, values), state)


class Comparison:
    """Two encoded sides and their candidate pairs. Nothing here encodes again.

    A left record's candidates and scores depend on it, the reference and the state alone.

    Parameters
    ----------
    left
        The left records.
    reference
        The right side.
    left_side
        The left records, encoded.
    state
        What was learned beforehand; None for what the reference alone says.
    """

    def __init__(
        self,
        left: Records,
        reference: Reference,
        left_side: EncodedRecords,
        state: FrozenState | None,
    ) -> None:
        self.left = left
        self.right = reference.records
        self.reference = reference
        self.scorer: Scorer | None = reference.scorer
        self.learned = reference.learned
        self.sides = left_side, reference.encoded
        self._state = state

    @property
    def state(self) -> FrozenState:
        """What was learned beforehand."""
        return self.reference.state_alone if self._state is None else self._state

    @cached_property
    def _pairs(self) -> tuple[IntVector, IntVector]:
        """Left and right records of the candidate pairs, ascending by left and then by right."""
        search = partial(block_nearest, device=self.reference.device)
        if not self.left.vetoes:
            return search(*self.sides)
        forbidden = partial(conflicts, self.left, self.right)
        return block_permitted(*self.sides, search, forbidden)

    @stage("calibrate")
    def calibrated_on_left(self) -> Comparison:
        """Learn what a sample of the left records says, each distinct record counting once.

        The sample is drawn by the content of records, so that neither their order nor how often
        they are repeated plays a part.

        Returns
        -------
        comparison
            The same comparison with the state that was learned; with its own, where there is no
            left record.
        """
        if not len(self.sides[0]):
            return self
        sample = sample_records(self.sides[0], CALIBRATION_SAMPLE)
        left_at, right_at = self._pairs
        if len(sample) < len(self.sides[0]):
            kept = np.isin(left_at, sample)
            left_at, right_at = left_at[kept], right_at[kept]
        if self.scorer is not None:
            pairs = self._features(*self._observed(left_at, right_at))
            null = self.reference.null_pairs
            calibration = self.scorer.calibrate(pairs, null, self.reference.n_known)
            state = FrozenState(calibration=calibration)
        elif self.learned:
            model = learn_record_model(*self.sides, left_at, right_at, sample)
            state = FrozenState(record_model=model)
            pairs = None
        else:
            state, pairs = FrozenState(), None
        scores = self._with_state(state)._scores(left_at, right_at, pairs)
        ranked = rank_candidates(*self.sides, left_at, right_at, scores)
        found = self._with_state(state.with_sample(ScoreSample.of(ranked, sample)))
        if len(sample) == len(self.sides[0]):
            # All candidates are scored by now.
            found.__dict__["candidates"] = ranked
        return found

    def _with_state(self, state: FrozenState) -> Comparison:
        """Return the same comparison with another state and the same candidate pairs."""
        other = Comparison(self.left, self.reference, self.sides[0], state)
        other.__dict__["_pairs"] = self._pairs
        return other

    def compute_features(self) -> CandidateFeatures:
        """Compute the features of every candidate pair without a null."""
        return self._features(*self._observed(*self._pairs))

    @stage("features")
    def _features(self, left_at: IntVector, right_at: IntVector) -> CandidateFeatures:
        return compute_features(*self.sides, left_at, right_at, self.reference.middle)

    def score_steps(self, pairs: CandidateFeatures) -> ScoreSteps:
        """Return the log odds of candidate pairs after each step of the scorer.

        Parameters
        ----------
        pairs
            As of `compute_features`.
        """
        assert self.scorer is not None
        assert self.state.calibration is not None
        return self.scorer.steps(pairs.features, pairs.left, pairs.tokens, self.state.calibration)

    @cached_property
    def candidates(self) -> Candidates:
        """The candidate pairs with their scores."""
        scores = self._scores(*self._pairs)
        return rank_candidates(*self.sides, *self._pairs, scores)

    @stage("scoring")
    def _scores(
        self, left_at: IntVector, right_at: IntVector, pairs: CandidateFeatures | None = None
    ) -> FloatVector:
        """Scores of pairs, by left record; `pairs` are their features, if known already."""
        if self.learned:
            levels = comparison_levels(*self.sides, left_at, right_at)
            assert self.state.record_model is not None
            return self.state.record_model.probability(levels)
        if self.scorer is None:
            return self.sides[0].score(self.sides[1], left_at, right_at)
        scores = np.zeros(len(left_at), dtype=np.float32)
        observed = np.flatnonzero(self._is_observed(left_at, right_at))
        if pairs is not None:
            scores[observed] = self.score_steps(pairs).probability
            return scores
        for part in _whole_rows(left_at[observed], PAIRS_AT_ONCE):
            at = observed[part]
            found = self._features(left_at[at], right_at[at])
            scores[at] = self.score_steps(found).probability
        return scores

    @property
    def calibrated(self) -> bool:
        """Whether a score is the probability of a match."""
        return self.reference.calibrated

    def _is_observed(self, left_at: IntVector, right_at: IntVector) -> BoolVector:
        """Mark the pairs of which neither first key is null."""
        left, right = self.sides
        nulls = (left.codes[0][left_at] == NULL) | (right.codes[0][right_at] == NULL)
        return np.asarray(~nulls, dtype=bool)

    def _observed(self, left_at: IntVector, right_at: IntVector) -> tuple[IntVector, IntVector]:
        kept = self._is_observed(left_at, right_at)
        return left_at[kept], right_at[kept]

    def candidates_above(self, threshold: float, k: int | None = None) -> Candidates:
        """Return every pair that scores at least `threshold`; with `k`, each record's best `k`.

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
        else:
            found = self.candidates
        return found.take(found.score >= np.float32(threshold))


def _whole_rows(left_at: IntVector, most: int) -> Iterator[slice]:
    """Yield slices of about `most` pairs that do not divide a left record's pairs."""
    start = 0
    while start < len(left_at):
        end = start + most
        if end < len(left_at):
            end = int(np.searchsorted(left_at, left_at[end], side="left"))
            if end <= start:
                end = int(np.searchsorted(left_at, left_at[start], side="right"))
        yield slice(start, min(end, len(left_at)))
        start = end
