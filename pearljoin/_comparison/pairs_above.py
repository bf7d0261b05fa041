"""Pairs whose scores reach a threshold."""

from __future__ import annotations

import numpy as np

from pearljoin._candidates.blocking import MOST_ALIKE, block_above
from pearljoin._candidates.exclusions import conflicts
from pearljoin._comparison.comparison import Comparison
from pearljoin._comparison.equal_pairs import has_many_alike, with_all_equal
from pearljoin._scoring.packed_candidates import join_parts
from pearljoin._scoring.ranking import Candidates, rank_candidates

__all__ = ["pairs_above"]


def pairs_above(comparison: Comparison, threshold: float, k: int | None = None) -> Candidates:
    """Return pairs with scores of at least `threshold`, or each record's best.

    Among all pairs where a score is a plain similarity. A probability depends on the pair's rivals,
    so it is known for the candidates only.

    Parameters
    ----------
    comparison
        The two sides.
    threshold
        In [0, 1].
    k
        Pairs that a left record needs; more may be returned.
    """
    if not comparison.calibrated:
        return _similar_pairs(comparison, threshold, k)
    parts = comparison.candidate_parts("many_to_many")
    known = join_parts(part.take(part.score >= np.float32(threshold)) for part in parts)
    if not has_many_alike(comparison) or (k is not None and k <= MOST_ALIKE):
        return known
    return with_all_equal(known, comparison, k)


def _similar_pairs(comparison: Comparison, threshold: float, k: int | None) -> Candidates:
    """Return the pairs of plain similarities, as of `pairs_above`."""
    sides, left = comparison.sides, comparison.left
    # A record's best may all be forbidden, so with a veto none is left out for being worse.
    left_at, right_at = block_above(*sides, threshold, None if left.vetoes else k)
    kept = ~conflicts(left, comparison.right, left_at, right_at)
    left_at, right_at = left_at[kept], right_at[kept]
    scores = sides[0].score(sides[1], left_at, right_at)
    found = rank_candidates(*sides, left_at, right_at, scores)
    return found.take(found.score >= np.float32(threshold))
