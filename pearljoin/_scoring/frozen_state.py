"""What is learned of two tables before they are matched, and frozen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from pearljoin._scoring.calibration import Calibration
from pearljoin._scoring.match_weights import MatchWeights
from pearljoin._scoring.ranking import Candidates
from pearljoin._typing import Constraint, FloatVector, IntVector

__all__ = ["FrozenState", "ScoreSample"]


@dataclass(frozen=True)
class ScoreSample:
    """Scores of sampled left records, each distinct record once.

    Attributes
    ----------
    best, rivals
        float32 of shape (n_sampled,), in [0, 1]: best and second best score of each left record
        that equals no reference record; 0 where it has no such candidate.
    scores, ranks
        float32 and int64 of shape (n_pairs,): scores of candidates without equal keys, and the rank
        of each among its left record's candidates.
    n_equal
        Left records that equal a reference record.
    """

    best: FloatVector
    rivals: FloatVector
    scores: FloatVector
    ranks: IntVector
    n_equal: int = 0

    @property
    def n_left(self) -> int:
        """Number of sampled left records."""
        return len(self.best) + self.n_equal

    @classmethod
    def of(cls, candidates: Candidates, sample: IntVector) -> ScoreSample:
        """Take the scores of the sampled records from their candidates."""
        place = np.searchsorted(sample, candidates.left)
        best, rivals = np.zeros((2, len(sample)), dtype=np.float32)
        for rank, scores in enumerate((best, rivals)):
            at = np.flatnonzero(candidates.rank == rank)
            scores[place[at]] = candidates.score[at]
        equal = np.zeros(len(sample), dtype=bool)
        equal[place[candidates.equality > 0]] = True
        others = candidates.equality == 0
        return cls(
            best[~equal],
            rivals[~equal],
            candidates.score[others],
            candidates.rank[others],
            int(equal.sum()),
        )


_NONE = np.zeros(0, dtype=np.float32)
NO_SCORES = ScoreSample(_NONE, _NONE, _NONE, np.zeros(0, dtype=np.int64))


@dataclass(frozen=True)
class FrozenState:
    """State learned from a reference, and from a sample of left records.

    Attributes
    ----------
    calibration
        Of the match scorer, where there is one.
    match_weights
        Match weights of several key columns, where they are learned.
    sample
        Scores of the sampled left records; none where the reference alone is known.
    same_sample
        The same under many_to_many.
    neighbours
        Best scores of reference records among the others before rows were added, of shape
        (n_sampled,); None where none were added, and for calibrated scores.
    is_crossed
        Whether records are combinations of values; see `pearljoin._records.crossed`.
    compares_values
        Whether records also match for having the same values, each by itself.
    of_values
        By the place of a key column of text, the calibration of its values, where these are
        compared by themselves.
    """

    calibration: Calibration | None = None
    match_weights: MatchWeights | None = None
    sample: ScoreSample = NO_SCORES
    same_sample: ScoreSample = NO_SCORES
    neighbours: FloatVector | None = None
    is_crossed: bool = False
    compares_values: bool = False
    of_values: Mapping[int, Calibration] = field(default_factory=dict)

    def with_sample(self, sample: ScoreSample, same_sample: ScoreSample) -> FrozenState:
        """Return the state with the scores of a sample."""
        return replace(self, sample=sample, same_sample=same_sample)

    def sample_for(self, constraint: Constraint) -> ScoreSample:
        """Return the scores of the sampled left records under a constraint."""
        return self.same_sample if constraint == "many_to_many" else self.sample
