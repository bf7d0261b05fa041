"""Scores of reference records against the other records of the reference."""

from __future__ import annotations

import zlib
from collections.abc import Callable

import numpy as np

from pearljoin._records.encoded import EncodedRecords
from pearljoin._records.similarity import TextValues
from pearljoin._scoring.ranking import rank_candidates
from pearljoin._typing import FloatVector, IntVector

__all__ = ["neighbour_scores"]

SAMPLE = 2_000
"""Reference records that stand for all of them."""

Search = Callable[[EncodedRecords, EncodedRecords], tuple[IntVector, IntVector]]


def neighbour_scores(reference: EncodedRecords, search: Search) -> FloatVector:
    """Compute the best score of sampled reference records against the *other* records.

    It is what a left row without an answer would find. Records that are equal after normalisation
    do not count as others.

    Parameters
    ----------
    reference
        The reference.
    search
        Finds the candidate pairs of two sides.

    Returns
    -------
    scores
        float32 of shape (min(2000, n_records),), in [0, 1].
    """
    sample = _sample(reference)
    part = reference.take(sample)
    left_at, right_at = search(part, reference)
    scores = part.score(reference, left_at, right_at)
    scored = rank_candidates(part, reference, left_at, right_at, scores)
    others = scored.take((scored.equality == 0) & (sample[scored.left] != scored.right))
    best = np.zeros(len(sample), dtype=np.float32)
    np.maximum.at(best, others.left, others.score)
    return best


def _sample(side: EncodedRecords) -> IntVector:
    """Choose records by a hash of their values, so that the order of rows plays no part."""
    if len(side) <= SAMPLE:
        return np.arange(len(side))
    hashes = np.zeros(len(side), dtype=np.int64)
    for values, codes in zip(side.values, side.codes, strict=True):
        listed = values.texts if isinstance(values, TextValues) else values.listed
        by_value = [zlib.crc32(str(value).encode("utf-8", "surrogatepass")) for value in listed]
        hashes = (hashes * 31 + np.array([*by_value, 0], dtype=np.int64)[codes]) % (1 << 40)
    return np.sort(np.argsort(hashes, kind="stable")[:SAMPLE]).astype(np.int64)
