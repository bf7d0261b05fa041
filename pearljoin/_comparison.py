"""The heart: records in, scored candidate pairs out. No table library here."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from pearljoin._candidates.blocking import block_above, block_nearest
from pearljoin._candidates.exclusions import block_permitted, conflicts
from pearljoin._encoders import Encoder
from pearljoin._features.compute import CandidateFeatures, compute_features
from pearljoin._matches import ranks_within
from pearljoin._progress import stage
from pearljoin._records.duplicates import repeated_rows
from pearljoin._records.encoded import EncodedRecords, Values, encode_both, encode_values
from pearljoin._records.equality import equality_keys
from pearljoin._records.nulls import NULL
from pearljoin._records.records import Records
from pearljoin._records.similarity import BELOW_EQUAL, PhraseVectors, TextValues
from pearljoin._scoring.comparison_levels import comparison_levels, learn_record_model
from pearljoin._scoring.fellegi_sunter import RecordModel
from pearljoin._scoring.scorer import Scorer
from pearljoin._scoring.scorer_file import read_scorer
from pearljoin._typing import BoolVector, FloatVector, IntVector

__all__ = ["CandidateFeatures", "Candidates", "Comparison", "Reference"]

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
    equality
        int64 of shape (n_pairs,): 2 where the keys are equal as they stand, 1 where they are equal
        after normalisation, else 0. A higher level ranks above any score.
    """

    left: IntVector
    right: IntVector
    score: FloatVector
    equality: IntVector

    def __len__(self) -> int:
        return len(self.left)

    def take(self, positions: IntVector | BoolVector) -> Candidates:
        """Keep the pairs at `positions` (integers or a mask), in that order."""
        return Candidates(
            self.left[positions],
            self.right[positions],
            self.score[positions],
            self.equality[positions],
        )

    @cached_property
    def rank(self) -> IntVector:
        """int64 of shape (n_pairs,): 0 for the best pair of a left record, 1 for the next, ..."""
        return ranks_within(self.left)


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
        self.scorer = _scorer_of(encoder, records)
        self.values: tuple[Values, ...] = encode_values(records, encoder, known)

    @cached_property
    def repeated(self) -> tuple[tuple[int, ...], ...]:
        """Rows whose keys are equal, in groups: which of them a match means cannot be told."""
        return repeated_rows(self.records, self.values)

    def compare(
        self,
        left: Records,
        weights: NDArray[np.float64],
        *,
        scored: bool = True,
        learned: bool = False,
    ) -> Comparison:
        """Encode the left side and put both on common ground.

        Parameters
        ----------
        left
            The left records.
        weights
            float64 of shape (n_fields,), summing to 1.
        scored
            Whether to use the encoder's match scorer, where it has one.
        learned
            Whether to learn from the tables what each of several key columns says.
        """
        values = encode_values(left, self.encoder, self.values)
        sides = encode_both(left, values, self.records, self.values, weights)
        scorer = self.scorer if scored else None
        learned = learned and len(left.fields) > 1
        return Comparison(
            left, self.records, *sides, device=self.device, scorer=scorer, learned=learned
        )


class Comparison:
    """Two encoded sides and what has been found between them. Nothing here encodes again.

    Attributes
    ----------
    left, right
        The records of both sides.
    scorer
        What turns evidence into a probability of a match.
    learned
        Whether that is learned from the tables, for several key columns. With neither, a score is
        the plain similarity of `pearljoin._records.similarity`.
    both_ways
        Whether the candidates are those of the left records and those of the right ones.
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
        both_ways: bool = False,
    ) -> None:
        self.left = left
        self.right = right
        self.scorer = scorer
        self.learned = learned
        self.both_ways = both_ways
        self._left_side = left_side
        self._right_side = right_side
        self._device = device

    @cached_property
    def _pairs(self) -> tuple[IntVector, IntVector]:
        own, others = self._proposed(self._left_side, self._right_side)
        n_right = len(self._right_side)
        if self.both_ways and len(own) < len(self._left_side) * n_right:
            to, back = self._proposed(self._right_side, self._left_side)
            pairs = np.union1d(own * n_right + others, back * n_right + to)
            own, others = pairs // n_right, pairs % n_right
        return own, others

    def _proposed(
        self, seeking: EncodedRecords, sought: EncodedRecords
    ) -> tuple[IntVector, IntVector]:
        search = partial(block_nearest, device=self._device)
        if not self.left.vetoes:
            return search(seeking, sought)
        records = self.left, self.right
        if seeking is not self._left_side:
            records = self.right, self.left
        return block_permitted(seeking, sought, search, partial(conflicts, *records))

    def described(self) -> CandidateFeatures:
        """Evidence on every candidate pair without a null."""
        return self._described(*self._pairs)

    @stage("features")
    def _described(self, own: IntVector, others: IntVector) -> CandidateFeatures:
        told = ~self._one_is_null(own, others)
        own, others = own[told], others[told]
        return compute_features(self._left_side, self._right_side, own, others)

    @cached_property
    def candidates(self) -> Candidates:
        """Every left record's best candidates; both ways, every right record's too."""
        return self._scored(*self._pairs)

    @cached_property
    def mutual(self) -> Comparison:
        """The same both ways: who is no left record's candidate may find a partner."""
        if self.both_ways:
            return self
        return Comparison(
            self.left,
            self.right,
            self._left_side,
            self._right_side,
            device=self._device,
            scorer=self.scorer,
            learned=self.learned,
            both_ways=True,
        )

    @stage("scoring")
    def _scored(self, own: IntVector, others: IntVector) -> Candidates:
        if self.learned:
            agreement = comparison_levels(self._left_side, self._right_side, own, others)
            scores = self.record_model.probability(agreement)
        elif self.scorer is None:
            scores = self._left_side.score(self._right_side, own, others)
        else:
            scores = np.zeros(len(own), dtype=np.float32)
            told = ~self._one_is_null(own, others)
            scores[told] = self.scorer.probability(*self._described(own, others))
        return _rank(self._left_side, self._right_side, own, others, scores)

    @property
    def calibrated(self) -> bool:
        """Whether a score is the probability of a match."""
        return self.scorer is not None or self.learned

    @property
    def sides(self) -> tuple[EncodedRecords, EncodedRecords]:
        """Both sides with everything that scoring looks at."""
        return self._left_side, self._right_side

    @cached_property
    def record_model(self) -> RecordModel:
        """What agreement in each of several key columns says, learned from the candidates."""
        return learn_record_model(self._left_side, self._right_side, *self._pairs)

    def _one_is_null(self, own: IntVector, others: IntVector) -> BoolVector:
        nulls = self._left_side.codes[0][own] == NULL
        return np.asarray(nulls | (self._right_side.codes[0][others] == NULL), dtype=bool)

    def candidates_above(self, threshold: float, k: int | None = None) -> Candidates:
        """Every pair that scores at least `threshold`; with `k`, each record's best `k` at least.

        Among all pairs where a score is a plain similarity. A probability is worked out for the
        candidates only: it depends on how a pair stands among its rivals.
        """
        if not self.calibrated:
            # A record's best may all be forbidden, so with a veto none is left out for being worse.
            most = None if self.left.vetoes else k
            own, others = block_above(self._left_side, self._right_side, threshold, most)
            kept = ~conflicts(self.left, self.right, own, others)
            own, others = own[kept], others[kept]
            scores = self._left_side.score(self._right_side, own, others)
            scored = _rank(self._left_side, self._right_side, own, others, scores)
        else:
            scored = self.candidates
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
        part = side.take(sample)
        own, other = block_nearest(part, side, device="cpu")
        scored = _rank(part, side, own, other, part.score(side, own, other))
        others = scored.take((scored.equality == 0) & (sample[scored.left] != scored.right))
        best = np.zeros(len(sample), dtype=np.float32)
        np.maximum.at(best, others.left, others.score)
        return best


def _scorer_of(encoder: Encoder | None, records: Records) -> Scorer | None:
    """The encoder's match scorer, which judges one key column of text."""
    content = getattr(encoder, "scorer", None)
    if not isinstance(content, bytes) or [field.kind for field in records.fields] != ["text"]:
        return None
    return read_scorer(content, str(getattr(encoder, "name", "the encoder")))


def _rank(
    left: EncodedRecords,
    right: EncodedRecords,
    own: IntVector,
    others: IntVector,
    scores: FloatVector,
) -> Candidates:
    """Put each left record's best pair first; ties go to the earlier right record."""
    as_is = _equal(left, right, own, others, normalised=False)
    normalised = _equal(left, right, own, others, normalised=True)
    equality = as_is.astype(np.int64) + normalised
    alike = np.round(np.minimum(scores, BELOW_EQUAL), DECIMALS)
    score: FloatVector = np.where(equality > 0, 1, alike).astype(np.float32)
    order = np.lexsort((others, -score, -equality, own))
    return Candidates(own, others, score, equality).take(order)


def _equal(
    left: EncodedRecords,
    right: EncodedRecords,
    own: IntVector,
    others: IntVector,
    *,
    normalised: bool,
) -> BoolVector:
    left_keys, right_keys = equality_keys(left, right, normalised=normalised)
    return np.asarray(left_keys[own] == right_keys[others], dtype=bool)


def _sample(side: EncodedRecords) -> IntVector:
    """Choose records by a hash of what they say, so that the order of rows plays no part."""
    if len(side) <= SAMPLE:
        return np.arange(len(side))
    hashes = np.zeros(len(side), dtype=np.int64)
    for values, codes in zip(side.values, side.codes, strict=True):
        listed = values.texts if isinstance(values, TextValues) else values.listed
        by_value = [zlib.crc32(str(value).encode("utf-8", "surrogatepass")) for value in listed]
        hashes = (hashes * 31 + np.array([*by_value, 0], dtype=np.int64)[codes]) % (1 << 40)
    return np.sort(np.argsort(hashes, kind="stable")[:SAMPLE]).astype(np.int64)
