"""Compare two tables of records: candidate pairs, features and scores. No dataframes here."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pearljoin._candidates.blocking import block_above, block_nearest
from pearljoin._candidates.exclusions import block_permitted, conflicts
from pearljoin._encoders import Encoder
from pearljoin._features.compute import CandidateFeatures, add_candidates, compute_features
from pearljoin._progress import stage
from pearljoin._records.duplicates import repeated_rows
from pearljoin._records.encoded import EncodedRecords, Values, encode_both, encode_values
from pearljoin._records.null_rule import NULL
from pearljoin._records.records import Records
from pearljoin._records.similarity import PhraseVectors
from pearljoin._scoring.comparison_levels import comparison_levels, learn_record_model
from pearljoin._scoring.fellegi_sunter import RecordModel
from pearljoin._scoring.neighbours import neighbour_scores
from pearljoin._scoring.ranking import Candidates, rank_candidates
from pearljoin._scoring.scorer import Calibration, Scorer, ScoreSteps
from pearljoin._scoring.scorer_file import scorer_of
from pearljoin._typing import BoolVector, Constraint, FloatVector, IntVector

__all__ = ["Candidates", "Comparison", "Reference"]


class Reference:
    """The right side, encoded once.

    Parameters
    ----------
    records
        The reference's records.
    encoder
        Encoder of the key columns of text; None where there are none.
    device
        Where to search: ``"cpu"`` or ``"cuda"``.
    known
        For each key column, the values that are encoded already, if any.
    """

    def __init__(
        self,
        records: Records,
        encoder: Encoder | None,
        *,
        device: str = "cpu",
        known: Sequence[Values | PhraseVectors | None] | None = None,
    ) -> None:
        self.records = records
        self.encoder = encoder
        self.device = device
        self.scorer = scorer_of(encoder, records)
        self.values: tuple[Values, ...] = encode_values(records, encoder, known)

    @cached_property
    def repeated(self) -> tuple[tuple[int, ...], ...]:
        """Rows whose keys are equal, in groups: a match cannot tell which of them is meant."""
        return repeated_rows(self.records, self.values)

    def compare(
        self,
        left: Records,
        weights: NDArray[np.float64],
        *,
        scored: bool = True,
        learned: bool = False,
    ) -> Comparison:
        """Encode the left side and compare it with the reference.

        Parameters
        ----------
        left
            The left records.
        weights
            float64 of shape (n_fields,), summing to 1.
        scored
            Whether to use the encoder's match scorer, where it has one.
        learned
            Whether to learn the match weights of several key columns from the tables.

        Returns
        -------
        comparison
            The two sides; candidates are found when they are asked for.
        """
        values = encode_values(left, self.encoder, self.values)
        sides = encode_both(left, values, self.records, self.values, weights)
        scorer = self.scorer if scored else None
        learned = learned and len(left.fields) > 1
        return Comparison(
            left, self.records, *sides, device=self.device, scorer=scorer, learned=learned
        )


class _Scored(NamedTuple):
    """Scored candidates, and what calibrated their scores, if a scorer made them."""

    candidates: Candidates
    calibration: Calibration | None


class Comparison:
    """Two encoded sides and their candidate pairs. Nothing here encodes again.

    The candidates are those of the left records, whatever the constraint. One to one needs more:
    see `BidirectionalComparison`.

    Parameters
    ----------
    left, right
        The records of both sides.
    left_side, right_side
        The same, encoded.
    device
        Where to search: ``"cpu"`` or ``"cuda"``.
    scorer
        The match scorer, if there is one.
    learned
        Whether match weights are learned from the tables, for several key columns. With neither, a
        score is the plain similarity of `pearljoin._records.similarity`.
    """

    def __init__(
        self,
        left: Records,
        right: Records,
        left_side: EncodedRecords,
        right_side: EncodedRecords,
        *,
        device: str,
        scorer: Scorer | None,
        learned: bool = False,
    ) -> None:
        self.left = left
        self.right = right
        self.scorer = scorer
        self.learned = learned
        self.sides = left_side, right_side
        self.device = device
        self._scored: _Scored | None = None

    @property
    def left_to_right(self) -> Comparison:
        """The comparison with the candidates of the left records alone."""
        return self

    @cached_property
    def mutual(self) -> BidirectionalComparison:
        """The comparison with the candidates of the right records, too."""
        return self if isinstance(self, BidirectionalComparison) else BidirectionalComparison(self)

    def for_constraint(self, constraint: Constraint) -> Comparison:
        """Return the comparison whose candidates a constraint chooses from."""
        return self.mutual if constraint == "one_to_one" else self.left_to_right

    @cached_property
    def _pairs(self) -> tuple[IntVector, IntVector]:
        """Left and right records of the candidate pairs, ascending by left and then by right."""
        return self._nearest(*self.sides)

    def _nearest(
        self, queries: EncodedRecords, reference: EncodedRecords
    ) -> tuple[IntVector, IntVector]:
        search = partial(block_nearest, device=self.device)
        if not self.left.vetoes:
            return search(queries, reference)
        records = self.left, self.right
        if queries is not self.sides[0]:
            records = self.right, self.left
        return block_permitted(queries, reference, search, partial(conflicts, *records))

    @stage("features")
    def compute_features(self) -> CandidateFeatures:
        """Compute the features of every candidate pair without a null."""
        return compute_features(*self.sides, *self._observed(*self._pairs))

    def score_steps(self, pairs: CandidateFeatures) -> ScoreSteps:
        """Return the log odds of the candidate pairs after each step of the scorer.

        Parameters
        ----------
        pairs
            As of `compute_features`.
        """
        assert self.scorer is not None
        return self.scorer.steps(*pairs)

    @property
    def candidates(self) -> Candidates:
        """The candidate pairs with their scores."""
        return self._score().candidates

    def _score(self, pairs: CandidateFeatures | None = None) -> _Scored:
        """Score the candidates, once; `pairs` are their features, if these are computed already."""
        if self._scored is None:
            scores, calibration = self._compute_scores(pairs)
            self._scored = _Scored(rank_candidates(*self.sides, *self._pairs, scores), calibration)
        return self._scored

    @stage("scoring")
    def _compute_scores(
        self, pairs: CandidateFeatures | None
    ) -> tuple[FloatVector, Calibration | None]:
        """Scores of the candidates, in the order of `_pairs`."""
        left_at, right_at = self._pairs
        if self.learned:
            levels = comparison_levels(*self.sides, left_at, right_at)
            return self.record_model.probability(levels), None
        if self.scorer is None:
            return self.sides[0].score(self.sides[1], left_at, right_at), None
        scores = np.zeros(len(left_at), dtype=np.float32)
        steps = self.score_steps(self.compute_features() if pairs is None else pairs)
        scores[self._is_observed(left_at, right_at)] = steps.probability
        return scores, steps.calibration

    @property
    def calibrated(self) -> bool:
        """Whether a score is the probability of a match."""
        return self.scorer is not None or self.learned

    @cached_property
    def record_model(self) -> RecordModel:
        """The match weights of several key columns, learned from the candidates."""
        return learn_record_model(*self.sides, *self._pairs)

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

    @cached_property
    def neighbour_scores(self) -> FloatVector:
        """Best score of sampled reference records against the *other* records of the reference.

        float32 of shape (min(2000, n_right_records),), in [0, 1].
        """
        return neighbour_scores(self.sides[1], partial(block_nearest, device="cpu"))


class BidirectionalComparison(Comparison):
    """A comparison with the candidates of its right records, too, for one-to-one matches.

    The candidates of the left records keep their scores. What is added is scored with all of them
    as rivals, by the calibration, or the match weights, that the left records' candidates gave. So
    the score of a pair does not depend on the constraint.

    Parameters
    ----------
    left_to_right
        The comparison with the candidates of the left records.
    """

    def __init__(self, left_to_right: Comparison) -> None:
        super().__init__(
            left_to_right.left,
            left_to_right.right,
            *left_to_right.sides,
            device=left_to_right.device,
            scorer=left_to_right.scorer,
            learned=left_to_right.learned,
        )
        self._left_to_right = left_to_right

    @property
    def left_to_right(self) -> Comparison:
        """The comparison with the candidates of the left records alone."""
        return self._left_to_right

    @cached_property
    def _pairs(self) -> tuple[IntVector, IntVector]:
        n_right = len(self.sides[1])
        forward = self._numbered(*self._left_to_right._pairs)
        if len(forward) == len(self.sides[0]) * n_right:
            return self._left_to_right._pairs
        backward = self._numbered(*self._nearest(*self.sides[::-1])[::-1])
        pairs = np.union1d(forward, backward)
        return pairs // n_right, pairs % n_right

    def _numbered(self, left_at: IntVector, right_at: IntVector) -> IntVector:
        """A number for each pair of records."""
        return left_at * len(self.sides[1]) + right_at

    @cached_property
    def _is_added(self) -> BoolVector:
        """Which of `_pairs` are no candidates of the left records."""
        forward = self._numbered(*self._left_to_right._pairs)
        return np.isin(self._numbered(*self._pairs), forward, invert=True)

    @property
    def _added(self) -> tuple[IntVector, IntVector]:
        """Left and right records of these."""
        left_at, right_at = self._pairs
        return left_at[self._is_added], right_at[self._is_added]

    @cached_property
    def record_model(self) -> RecordModel:
        """The match weights, learned from the candidates of the left records."""
        return self._left_to_right.record_model

    def compute_features(self) -> CandidateFeatures:
        """Compute the features of every candidate pair without a null.

        Those of the left records' candidates are the same as without the others.
        """
        return self._with_added(self._left_to_right.compute_features())

    @stage("features")
    def _with_added(self, forward: CandidateFeatures) -> CandidateFeatures:
        return add_candidates(forward, *self.sides, *self._observed(*self._added))

    def score_steps(self, pairs: CandidateFeatures) -> ScoreSteps:
        """Return the log odds of the pairs after each step; meant for the added ones."""
        assert self.scorer is not None
        return self.scorer.steps(*pairs, calibration=self._left_to_right._score().calibration)

    def _score(self, pairs: CandidateFeatures | None = None) -> _Scored:
        if self._scored is not None:
            return self._scored
        if not self._is_added.any():
            self._scored = self._left_to_right._score()
            return self._scored
        features = None
        if self.scorer is not None:
            # These serve both comparisons, and are too large to be kept.
            forward = self._left_to_right.compute_features()
            self._left_to_right._score(forward)
            features = self._with_added(forward)
        scores = self._compute_scores(features)[0][self._is_added]
        candidates, calibration = self._left_to_right._score()
        candidates = candidates.merged(rank_candidates(*self.sides, *self._added, scores))
        self._scored = _Scored(candidates, calibration)
        return self._scored
