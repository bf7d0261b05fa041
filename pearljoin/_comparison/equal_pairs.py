"""Pairs of equal keys beyond those that were compared."""

from __future__ import annotations

import numpy as np

from pearljoin._candidates.blocking import block_equal
from pearljoin._candidates.exclusions import conflicts
from pearljoin._matches import find_pairs
from pearljoin._records.encoded import EncodedRecords
from pearljoin._records.records import Records
from pearljoin._scoring.ranking import Candidates, rank_candidates

__all__ = ["with_all_equal"]


def with_all_equal(
    known: Candidates,
    sides: tuple[EncodedRecords, EncodedRecords],
    records: tuple[Records, Records],
    k: int | None,
) -> Candidates:
    """Return pairs with all pairs of equal keys.

    Parameters
    ----------
    known
        Pairs with their scores.
    sides, records
        Left and right, encoded and as they are.
    k
        Pairs that a left record needs; None: all.
    """
    left_at, right_at = block_equal(*sides, None if records[0].vetoes else k)
    kept = find_pairs(known.left, known.right, left_at, right_at) < 0
    left_at, right_at = left_at[kept], right_at[kept]
    kept = ~conflicts(*records, left_at, right_at)
    pairs = left_at[kept], right_at[kept]
    return known.merged(rank_candidates(*sides, *pairs, np.ones(kept.sum(), np.float32)))
