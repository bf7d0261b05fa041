"""Pairs of equal keys beyond those that were compared."""

from __future__ import annotations

import numpy as np

from pearljoin._candidates.blocking import MOST_ALIKE, block_equal
from pearljoin._candidates.exclusions import conflicts
from pearljoin._comparison.comparison import Comparison
from pearljoin._matches import find_pairs
from pearljoin._scoring.ranking import Candidates, rank_candidates
from pearljoin._typing import IntVector

__all__ = ["equal_keys", "has_many_alike", "with_all_equal"]


def has_many_alike(comparison: Comparison) -> bool:
    """Whether more reference records have equal normalised keys than were compared."""
    return comparison.reference.encoded.equal_normalised.largest > MOST_ALIKE


def equal_keys(comparison: Comparison) -> tuple[IntVector, IntVector]:
    """Number the normalised keys of left and right records, below 0 where none is equal.

    int64 of shape (n_left_records,) and (n_right_records,).
    """
    left, right = comparison.sides
    index = right.equal_normalised
    return index.keys_of(left.values, left.codes, left.groups), index.keys


def with_all_equal(known: Candidates, comparison: Comparison, k: int | None) -> Candidates:
    """Return pairs with all pairs of equal keys.

    Parameters
    ----------
    known
        Pairs with their scores.
    comparison
        The two sides.
    k
        Pairs that a left record needs; None: all.
    """
    sides, left = comparison.sides, comparison.left
    left_at, right_at = block_equal(*sides, None if left.vetoes else k)
    kept = find_pairs(known.left, known.right, left_at, right_at) < 0
    left_at, right_at = left_at[kept], right_at[kept]
    kept = ~conflicts(left, comparison.right, left_at, right_at)
    pairs = left_at[kept], right_at[kept]
    return known.merged(rank_candidates(*sides, *pairs, np.ones(kept.sum(), np.float32)))
