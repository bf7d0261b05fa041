"""Scores beside their threshold, as text."""

from __future__ import annotations

import numpy as np

__all__ = ["score_texts"]

MOST_DECIMALS = 9
"""Decimals that tell any two scores of float32 in [0.1, 1] apart."""


def score_texts(score: float, threshold: float, decimals: int = 2) -> tuple[str, str]:
    """Write a score and a threshold with as many decimals as tell them apart.

    Parameters
    ----------
    score, threshold
        In [0, 1]; they are compared as float32, as scores are.
    decimals
        How many at least.

    Examples
    --------
    >>> score_texts(0.63977, 0.64)
    ('0.6398', '0.6400')
    >>> score_texts(0.9, 0.64)
    ('0.90', '0.64')
    """
    values = float(np.float32(score)), float(np.float32(threshold))
    shown = f"{values[0]:.{decimals}f}", f"{values[1]:.{decimals}f}"
    if shown[0] != shown[1] or values[0] == values[1] or decimals >= MOST_DECIMALS:
        return shown
    return score_texts(score, threshold, decimals + 1)
