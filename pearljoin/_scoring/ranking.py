"""Scored candidate pairs, ranked by left record."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pearljoin._cached import cached_property
from pearljoin._matches import ranks_within
from pearljoin._ragged import run_starts
from pearljoin._records.encoded import EncodedRecords
from pearljoin._records.similarity import BELOW_EQUAL
from pearljoin._typing import BoolVector, FloatVector, IntVector, Pairs

__all__ = ["Candidates", "rank_candidates", "with_rest"]

DECIMALS = 6
"""What scores are rounded to, so that rounding errors cannot change an order."""


@dataclass(frozen=True)
class Candidates:
    """Scored pairs of records, by left record, then best first.

    Attributes
    ----------
    left, right
        int64 of shape (n_pairs,): record numbers.
    score
        float32 of shape (n_pairs,), in [0, 1]; 1 for equal records only.
    equality
        int8 of shape (n_pairs,): 2 where the keys are equal as they stand, 1 where they are equal
        after normalisation, else 0. A higher level ranks above any score.
    same
        float32 of shape (n_pairs,), in [0, 1]: probability that both name the same thing, whatever
        else does; None where the score is not the probability of an answer.
    things
        int64 of shape (n_pairs,): the right record that stands for each pair's thing, equal for a
        left record's candidates that are doubles of each other; None where nothing tells.
    """

    left: IntVector
    right: IntVector
    score: FloatVector
    equality: NDArray[np.int8]
    same: FloatVector | None = None
    things: IntVector | None = None

    def __len__(self) -> int:
        return len(self.left)

    def take(self, positions: IntVector | BoolVector) -> Candidates:
        """Return the pairs at `positions` (integers or a mask), in that order."""
        return Candidates(
            self.left[positions],
            self.right[positions],
            self.score[positions],
            self.equality[positions],
            None if self.same is None else self.same[positions],
            None if self.things is None else self.things[positions],
        )

    def by_same(self) -> Candidates:
        """Return the pairs scored by the probability of being one entity."""
        if self.same is None:
            return self
        return replace(self, score=self.same).ranked()

    def merged(self, other: Candidates) -> Candidates:
        """Return the pairs of both, ranked."""
        return Candidates(
            np.concatenate([self.left, other.left]),
            np.concatenate([self.right, other.right]),
            np.concatenate([self.score, other.score]),
            np.concatenate([self.equality, other.equality]),
            _concatenated(self.same, other.same),
            _concatenated(self.things, other.things),
        ).ranked()

    def ranked(self) -> Candidates:
        """Return the pairs by left record, best first; ties go to the earlier right record."""
        return self.take(np.lexsort((self.right, -self.score, -self.equality, self.left)))

    @cached_property
    def rank(self) -> IntVector:
        """int64 of shape (n_pairs,): 0 for the best pair of a left record, 1 for the next, ..."""
        return ranks_within(self.left)

    @property
    def best(self) -> IntVector:
        """Positions of the best pair of each left record: int64 of shape (n_left_records,)."""
        return run_starts(self.left)

    @cached_property
    def is_first_of_thing(self) -> BoolVector:
        """Mark each left record's best pair of every thing: bool of shape (n_pairs,)."""
        first = np.ones(len(self), dtype=bool)
        if self.things is not None and len(self):
            ends = self.left * (int(self.things.max()) + 1) + self.things
            first[:] = False
            first[np.unique(ends, return_index=True)[1]] = True
        return first


def with_rest(
    known: Candidates, pairs: Pairs, rank: Callable[[IntVector, IntVector], Candidates]
) -> Candidates:
    """Add the pairs of further left records to those of some, which are scored already.

    Parameters
    ----------
    known
        All pairs of some left records.
    pairs
        Left and right records of all pairs.
    rank
        Function of such pairs that scores and ranks them.
    """
    left_at, right_at = pairs
    rest = ~np.isin(left_at, known.left)
    return known.merged(rank(left_at[rest], right_at[rest])) if rest.any() else known


def rank_candidates(
    left: EncodedRecords,
    right: EncodedRecords,
    left_at: IntVector,
    right_at: IntVector,
    scores: FloatVector,
    same: FloatVector | None = None,
    things: IntVector | None = None,
) -> Candidates:
    """Rank pairs of records by score, equal records first.

    Parameters
    ----------
    left, right
        Both sides.
    left_at, right_at
        int64 of shape (n_pairs,): the records of each pair.
    scores
        float32 of shape (n_pairs,), in [0, 1].
    same
        Likewise, probabilities of the same thing.
    things
        As of `Candidates`.

    Returns
    -------
    candidates
        The pairs; equal records score 1, and others less.
    """
    equality = np.zeros(len(left_at), dtype=np.int8)
    for index in (right.equal_as_is, right.equal_normalised):
        keys = index.keys_of(left.values, left.codes, left.groups)[left_at]
        equality += (keys >= 0) & (keys == index.keys[right_at])
    kept = None if same is None else _rounded(same, equality)
    found = Candidates(left_at, right_at, _rounded(scores, equality), equality, kept, things)
    return found.ranked()


def _concatenated(one: NDArray[Any] | None, other: NDArray[Any] | None) -> Any:
    return None if one is None or other is None else np.concatenate([one, other])


def _rounded(scores: FloatVector, equality: NDArray[np.int8]) -> FloatVector:
    """Scores of pairs: 1 for equal ones, and less for others."""
    rounded = np.round(np.minimum(scores, BELOW_EQUAL), DECIMALS)
    return np.where(equality > 0, 1, rounded).astype(np.float32)
