"""Whether one side writes as negative what the other writes as positive.

A bank's statement has what was paid as -12.50, the books have it as 12.50.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["are_opposite", "negative_share"]

FEWEST = 10
"""Numbers of a side from which its share of negative ones says something."""

APART = 0.6
"""Difference of the shares of negative numbers from which one side's signs are turned: more than
half of its numbers would have the other's sign then, and less than half have it now."""


def negative_share(numbers: NDArray[np.float64]) -> float | None:
    """Return the share of negative numbers among those that are not 0; None for too few.

    Examples
    --------
    >>> negative_share(np.array([-5.0, -1.5, -3.0, 2.0, 0.0] * 4)), negative_share(np.array([-5.0]))
    (0.75, None)
    """
    signs = np.sign(numbers[np.isfinite(numbers) & (numbers != 0)])
    return float((signs < 0).mean()) if len(signs) >= FEWEST else None


def are_opposite(share: float | None, of_reference: float | None) -> bool:
    """Tell by the shares of negative numbers of both sides whether their signs are opposite."""
    if share is None or of_reference is None:
        return False
    return abs(share - of_reference) >= APART
