"""Scored pairs of records, and their order."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from pearljoin._typing import FloatVector, IntVector

__all__ = ["ScoredPairs", "in_order"]

ScoredPairs: TypeAlias = tuple[IntVector, IntVector, FloatVector]
"""First and second records, int64 of shape (n_pairs,) each, and the log odds that both are the same
thing, float32 of that shape."""


def in_order(first: IntVector, second: IntVector, log_odds: FloatVector) -> ScoredPairs:
    """Sort scored pairs by their first and then their second record."""
    order = np.lexsort((second, first))
    return first[order], second[order], log_odds[order]
