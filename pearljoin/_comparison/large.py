"""A comparison of many left records, which are encoded and compared some at a time."""

from __future__ import annotations

import ctypes
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from pearljoin._cached import cached_property
from pearljoin._comparison.comparison import Comparison
from pearljoin._comparison.reference import Reference
from pearljoin._features.compute import CandidateFeatures
from pearljoin._progress import LOG
from pearljoin._records.equality import Values
from pearljoin._records.forecast import seconds_text
from pearljoin._records.records import Records
from pearljoin._records.sampling import lowest_hashes, record_hashes
from pearljoin._scoring.frozen_state import FrozenState
from pearljoin._scoring.packed_candidates import PackedCandidates
from pearljoin._scoring.ranking import Candidates
from pearljoin._scoring.record_features import RecordPairs
from pearljoin._typing import Constraint, IntVector, Pairs

__all__ = ["LEFT_AT_ONCE", "LargeComparison", "compare"]

LEFT_AT_ONCE = 65_536
"""Left records that are encoded and compared at a time. It bounds the memory; with fewer, the
reference's texts are profiled more often."""

LARGE_REFERENCE, LEFT_BESIDE_LARGE = 400_000, 8_192
"""Records of a reference beyond which fewer left records are compared at a time, and how many: the
candidates of several parts have few texts in common there."""

_C_LIBRARY = ctypes.CDLL(None) if os.name == "posix" else None


def compare(
    left: Records,
    reference: Reference,
    state: FrozenState | None = None,
    pairs: Pairs | None = None,
    values: Sequence[Values | None] = (),
) -> Comparison:
    """Compare left records with a reference.

    Candidates are found when they are asked for, and the left side is encoded at once, unless it is
    large.

    Parameters
    ----------
    left, reference, state, pairs
        As of `Comparison`.
    values
        As of `Reference.encode_left`.
    """
    if pairs is None and left.n_records > _at_once(reference):
        return LargeComparison(left, reference, state)
    return Comparison(left, reference, state, pairs, reference.encode_left(left, values))


class LargeComparison(Comparison):
    """A comparison that keeps only candidates and scores, and encodes records again for the rest.

    A left record's candidates and scores depend on it, the reference and the state alone, so they
    are those of a `Comparison`, whose parameters these are.
    """

    def part(self, records: IntVector) -> Comparison:
        """Compare some of the left records alone, numbered anew in that order."""
        return Comparison(self.left.part(records), self.reference, self._state)

    def sample(self, most: int) -> IntVector:
        """Choose left records by their content, as of `sample_records`."""
        return lowest_hashes(record_hashes(self.left), most)

    def sampled(self, most: int) -> tuple[Comparison, IntVector]:
        """Return a comparison of a sample of the left records alone, and their numbers in it."""
        sample = self.sample(most)
        return self.part(sample), np.arange(len(sample))

    @property
    def left_values(self) -> tuple[Values, ...]:
        """Nothing: left values are encoded some at a time, and not kept."""
        return ()

    def with_state(self, state: FrozenState) -> Comparison:
        """Return the same comparison with another state."""
        return LargeComparison(self.left, self.reference, state)

    @cached_property
    def candidates(self) -> Candidates:
        """The candidate pairs with their scores, in four times the memory of `candidate_parts`."""
        known = vars(self)
        known["candidates"] = found = self._packed.joined()
        # Dropped only now, so that a thread that asks meanwhile finds one of the two.
        known.pop("_packed", None)
        return found

    def candidate_parts(self, constraint: Constraint) -> Iterator[Candidates]:
        """Unpack the candidate pairs some left records at a time, as of `Comparison`."""
        known = vars(self)
        packed = known.get("_packed")
        if packed is None and "candidates" in known:
            yield self.candidates_for(constraint)
            return
        for part in self._packed if packed is None else packed:
            yield part.by_same() if constraint == "many_to_many" else part

    @cached_property
    def _packed(self) -> PackedCandidates:
        return PackedCandidates(self._scored_parts())

    def _scored_parts(self) -> Iterator[Candidates]:
        """Score part by part; the log says after the first one what all of them will take."""
        n_records, began = self.left.n_records, time.perf_counter()
        at_once = _at_once(self.reference)
        for start in range(0, n_records, at_once):
            records = np.arange(start, min(start + at_once, n_records))
            found = _scored(self.part(records))
            if start == 0:
                seconds = (time.perf_counter() - began) * n_records / len(records)
                LOG.info(
                    "%s left records in parts of %s: %s in all",
                    f"{n_records:,}",
                    f"{at_once:,}",
                    seconds_text(seconds),
                )
            yield replace(found, left=found.left + start)
        _release_memory()

    @cached_property
    def candidate_pairs(self) -> Pairs:
        """Left and right records of the candidate pairs, ascending by left and then by right."""
        order = np.lexsort((self.candidates.right, self.candidates.left))
        return self.candidates.left[order], self.candidates.right[order]

    def compute_features(self, records: IntVector | None = None) -> CandidateFeatures:
        """Compute the features of candidate pairs without a null, as of `Comparison`."""
        if records is None:
            return super().compute_features()
        pairs = self.part(records).compute_features()
        return pairs._replace(left=records[pairs.left])

    def compare(self, left_at: IntVector, right_at: IntVector) -> CandidateFeatures | RecordPairs:
        """Compare pairs of records by what they are scored with, as of `Comparison`."""
        records, places = np.unique(left_at, return_inverse=True)
        pairs = self.part(records).compare(places, right_at)
        if isinstance(pairs, RecordPairs):
            return replace(pairs, left=left_at)
        return pairs._replace(left=left_at)

    def count_rules(self, left_at: IntVector, right_at: IntVector) -> tuple[IntVector, int]:
        """Count the blocking rules that propose each of some pairs, as of `count_rules`."""
        records, places = np.unique(left_at, return_inverse=True)
        return self.part(records).count_rules(places, right_at)


def _at_once(reference: Reference) -> int:
    """Left records that are compared with a reference at a time."""
    is_large = reference.records.n_records > LARGE_REFERENCE
    return min(LEFT_AT_ONCE, LEFT_BESIDE_LARGE) if is_large else LEFT_AT_ONCE


def _scored(part: Comparison) -> Candidates:
    """Encode, search and score; memory that a step has freed is released before the next one."""
    steps = lambda: part.sides, lambda: part.candidate_pairs, lambda: part.candidates
    for step in steps:
        _release_memory()
        step()
    return part.candidates


def _release_memory() -> None:
    """Give freed memory back to the system, where the C library has to be asked (glibc)."""
    trim = getattr(_C_LIBRARY, "malloc_trim", None)
    if trim is not None:
        trim(0)
