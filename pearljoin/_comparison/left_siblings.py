"""Left records that share a candidate, compared with each other."""

from __future__ import annotations

import numpy as np

from pearljoin._comparison.reference import Reference
from pearljoin._matches import ranks_within
from pearljoin._records.encoded import EncodedRecords
from pearljoin._records.sampling import content_ranks, sample_records
from pearljoin._scoring.record_evidence import compare_records
from pearljoin._scoring.record_features import RecordPairs
from pearljoin._typing import FloatVector, IntVector, Pairs

__all__ = ["compare_sharing"]

BEST = 8
"""Best candidates of a left record by which others are found."""

ASKED = 600
"""Left records that are compared with others, at most."""

SHARING = 20
"""Left records that share a candidate and are compared with each other, at most."""


def compare_sharing(
    left: EncodedRecords, pairs: Pairs, shares: FloatVector, reference: Reference
) -> tuple[RecordPairs, IntVector]:
    """Compare left records that share one of their best candidates.

    Parameters
    ----------
    left
        The left side.
    pairs
        Left and right record of each candidate pair.
    shares
        float32 of shape (n_pairs,): what candidates are ranked by.
    reference
        The right side; it has networks over records.

    Returns
    -------
    pairs
        How they compare. The left ones are a sample, and no pair is of equal keys.
    asked
        int64 of shape (n_sampled,): this sample, of the records that have a candidate.
    """
    left_at, right_at = pairs
    records, places = np.unique(left_at, return_inverse=True)
    asked = records[sample_records(left.take(records), ASKED)]
    rank = content_ranks(left, records)[places.reshape(-1)]
    best = _first(left_at, (right_at, -shares), BEST)
    shared = reference.encoded.first_equals(right_at[best])
    kept = _first(shared, (rank[best], -shares[best]), SHARING)
    first, second = _within(left_at[best][kept], shared[kept])
    kept = np.isin(first, asked) & (left.first_equals(first) != left.first_equals(second))
    networks = reference.networks
    assert networks is not None
    counted = reference.encoded
    return compare_records(left, left, first[kept], second[kept], networks, counted), asked


def _first(groups: IntVector, keys: tuple[FloatVector | IntVector, ...], most: int) -> IntVector:
    """Places of the first members of each group, ordered by keys of which the last weighs most."""
    order = np.lexsort((*keys, groups))
    return order[ranks_within(groups[order]) < most]


def _within(records: IntVector, groups: IntVector) -> Pairs:
    """List the distinct pairs of records of one group, both orders of each, the first ascending.

    The groups ascend.
    """
    found = [np.zeros((2, 0), dtype=np.int64)]
    for step in range(1, SHARING):
        same = groups[step:] == groups[:-step]
        ends = np.stack((records[:-step][same], records[step:][same]))
        found += [ends, ends[::-1]]
    first, second = np.unique(np.concatenate(found, axis=1), axis=1)
    return first, second
