"""Effects that add up: what each part of some evidence does to a number."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import permutations
from math import factorial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pearljoin._typing import FloatVector

__all__ = ["Effects", "additive_effects"]

ORDERS = 8
"""Orders in which the parts are added, at most."""

Masks = NDArray[np.bool_]


class Effects(NamedTuple):
    """What parts of the evidence do to a number.

    Attributes
    ----------
    base
        The number without any of them.
    by_part
        Name and effect of each part. The base and the effects add up to the number.
    """

    base: float
    by_part: tuple[tuple[str, float], ...]


def additive_effects(
    n_parts: int, evaluate: Callable[[Masks], FloatVector]
) -> tuple[float, NDArray[np.float64]]:
    """Return what each part adds, on average over orders in which the parts are added.

    This estimates the Shapley values of the parts (Štrumbelj and Kononenko 2014, section 3). The
    orders are few and fixed: each order and its reverse, or all orders where these are no more.

    Parameters
    ----------
    n_parts
        Number of parts, at least 1.
    evaluate
        Takes bool of shape (n_sets, n_parts), which parts are there; returns the numbers, of shape
        (n_sets,).

    Returns
    -------
    base, effects
        The number without any part, and float64 of shape (n_parts,). They add up to the number with
        all parts.

    Examples
    --------
    >>> base, effects = additive_effects(2, lambda there: 1 + 2 * there.all(axis=1))
    >>> base, effects.tolist()
    (1.0, [1.0, 1.0])
    """
    orders = _orders(n_parts)
    # Of each order: no part, then one part more at a time.
    place = np.argsort(orders, axis=1)
    sets = place[:, None, :] < np.arange(n_parts + 1)[None, :, None]
    distinct, which = np.unique(sets.reshape(-1, n_parts), axis=0, return_inverse=True)
    numbers = np.asarray(evaluate(distinct), dtype=np.float64)[which.reshape(sets.shape[:2])]
    added = np.take_along_axis(np.diff(numbers, axis=1), place, axis=1)
    return float(numbers[0, 0]), added.mean(axis=0)


@cache
def _orders(n_parts: int) -> NDArray[np.int64]:
    """Orders of the parts: int64 of shape (n_orders, n_parts)."""
    if factorial(n_parts) <= ORDERS:
        return np.array(list(permutations(range(n_parts))), dtype=np.int64)
    rng = np.random.default_rng(0)
    drawn = np.array([rng.permutation(n_parts) for _ in range(ORDERS // 2)], dtype=np.int64)
    return np.concatenate([drawn, drawn[:, ::-1]])
