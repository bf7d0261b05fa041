"""Which pairs to label: those that teach most."""

from __future__ import annotations

import numpy as np

from pearljoin._comparison import Candidates
from pearljoin._typing import IntVector

__all__ = ["sample_for_labelling"]


def sample_for_labelling(candidates: Candidates, threshold: float, n: int) -> IntVector:
    """Choose the pairs whose labels would teach most: near the threshold, and all over the scores.

    Takes turns: the unchosen pair whose score is nearest to the threshold; the one nearest to the
    next point of van der Corput's sequence (1/2, 1/4, 3/4, 1/8, ...) between the least and the
    greatest score. So the first pairs of a longer list are those of a shorter one.

    Parameters
    ----------
    candidates
        The pairs to choose from.
    threshold
        In [0, 1].
    n
        How many to choose.

    Returns
    -------
    positions
        int64 of shape (min(n, n_candidates),), without repetition, the most telling first.
    """
    score = candidates.score.astype(np.float64)
    free = np.ones(len(score), dtype=bool)
    low, high = (float(score.min()), float(score.max())) if len(score) else (0.0, 0.0)
    chosen: list[int] = []
    for turn in range(min(n, len(score))):
        target = threshold if turn % 2 == 0 else low + (high - low) * _van_der_corput(turn // 2 + 1)
        distance = np.where(free, np.abs(score - target), np.inf)
        chosen.append(int(np.argmin(distance)))
        free[chosen[-1]] = False
    return np.array(chosen, dtype=np.int64)


def _van_der_corput(number: int) -> float:
    """The binary digits of a number, mirrored at the point."""
    value, step = 0.0, 0.5
    while number:
        value += step * (number & 1)
        number, step = number >> 1, step / 2
    return value
