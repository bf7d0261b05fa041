"""The heart: records in, scored candidate pairs out. No table library here."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pearljoin._candidates import propose, propose_above
from pearljoin._encoders import Encoder
from pearljoin._records import Records
from pearljoin._scoring import BELOW_EQUAL, PhraseVectors, TextValues
from pearljoin._side import Side, Values, build_sides, encode_values, equality_keys
from pearljoin._typing import BoolVector, FloatVector, IntVector

__all__ = ["Candidates", "Comparison", "Reference"]

SAMPLE = 2_000
"""Reference records that stand for all of them when the reference is compared with itself."""

DECIMALS = 5
"""What a score is rounded to, so that rounding in its making cannot change an order."""


@dataclass(frozen=True)
class Candidates:
    """Scored pairs of records, by left record, then best first.

    Attributes
    ----------
    left, right
        int64 of shape (n_pairs,): record numbers.
    score
        float32 of shape (n_pairs,), in [0, 1]; 1 for equal records only.
    priority
        int64 of shape (n_pairs,): 2 where the keys are equal as they stand, 1 where they are equal
        after normalisation, else 0. A higher priority beats any score.
    """

    left: IntVector
    right: IntVector
    score: FloatVector
    priority: IntVector

    def __len__(self) -> int:
        return len(self.left)

    def take(self, positions: IntVector | BoolVector) -> Candidates:
        """Keep the pairs at `positions` (integers or a mask), in that order."""
        return Candidates(
            self.left[positions],
            self.right[positions],
            self.score[positions],
            self.priority[positions],
        )

    @cached_property
    def place(self) -> IntVector:
        """int64 of shape (n_pairs,): 0 for the best pair of a left record, 1 for the next, ..."""
        _, start, count = np.unique(self.left, return_index=True, return_counts=True)
        return np.arange(len(self)) - np.repeat(start, count)


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
        For each key column what is encoded already, if anything.
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
        self.values: tuple[Values, ...] = encode_values(records, encoder, known)

    def compare(self, left: Records, weights: NDArray[np.float64]) -> Comparison:
        """Encode the left side and put both on common ground."""
        values = encode_values(left, self.encoder, self.values)
        sides = build_sides(left, values, self.records, self.values, weights)
        return Comparison(left, self.records, *sides, device=self.device)


class Comparison:
    """Two encoded sides and what has been found between them. Nothing here encodes again."""

    def __init__(
        self, left: Records, right: Records, left_side: Side, right_side: Side, *, device: str
    ) -> None:
        self.left = left
        self.right = right
        self._left_side = left_side
        self._right_side = right_side
        self._device = device

    @cached_property
    def candidates(self) -> Candidates:
        """Every left record's best candidates."""
        pairs = propose(self._left_side, self._right_side, device=self._device)
        return _score(self._left_side, self._right_side, *pairs)

    def candidates_above(self, threshold: float) -> Candidates:
        """Every pair that scores at least `threshold`, however many there are."""
        pairs = propose_above(self._left_side, self._right_side, threshold)
        scored = _score(self._left_side, self._right_side, *pairs)
        return scored.take(scored.score >= np.float32(threshold))

    @cached_property
    def neighbour_scores(self) -> FloatVector:
        """Best score of sampled reference records against the *other* records of the reference.

        What a left row without an answer would find: its nearest wrong one. Records that are equal
        after normalisation do not count as others.

        Returns
        -------
        scores
            float32 of shape (min(2000, n_right_records),), in [0, 1].
        """
        side = self._right_side
        sample = _sample(side)
        scored = _score(side.take(sample), side, *propose(side.take(sample), side, device="cpu"))
        others = scored.take((scored.priority == 0) & (sample[scored.left] != scored.right))
        best = np.zeros(len(sample), dtype=np.float32)
        np.maximum.at(best, others.left, others.score)
        return best


def _score(left: Side, right: Side, own: IntVector, others: IntVector) -> Candidates:
    """Score pairs and put each left record's best first; ties go to the earlier right record."""
    as_is = _equal(left, right, own, others, normalised=False)
    normalised = _equal(left, right, own, others, normalised=True)
    priority = as_is.astype(np.int64) + normalised
    alike = np.round(np.minimum(left.score(right, own, others), BELOW_EQUAL), DECIMALS)
    score: FloatVector = np.where(priority > 0, 1, alike).astype(np.float32)
    order = np.lexsort((others, -score, -priority, own))
    return Candidates(own, others, score, priority).take(order)


def _equal(
    left: Side, right: Side, own: IntVector, others: IntVector, *, normalised: bool
) -> BoolVector:
    left_keys, right_keys = equality_keys(left, right, normalised=normalised)
    return np.asarray(left_keys[own] == right_keys[others], dtype=bool)


def _sample(side: Side) -> IntVector:
    """Choose records by a hash of what they say, so that the order of rows plays no part."""
    if len(side) <= SAMPLE:
        return np.arange(len(side))
    hashes = np.zeros(len(side), dtype=np.int64)
    for values, codes in zip(side.values, side.codes, strict=True):
        listed = values.texts if isinstance(values, TextValues) else values.listed
        by_value = [zlib.crc32(str(value).encode("utf-8", "surrogatepass")) for value in listed]
        hashes = (hashes * 31 + np.array([*by_value, 0], dtype=np.int64)[codes]) % (1 << 40)
    return np.sort(np.argsort(hashes, kind="stable")[:SAMPLE]).astype(np.int64)
