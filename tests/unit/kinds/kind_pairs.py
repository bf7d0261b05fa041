"""Comparing lists of pairs, for the tests of kinds."""

import numpy as np

from pearljoin._kinds.protocol import Compared, Comparer


def compare(comparer: Comparer, pairs: list, other: Comparer | None = None) -> Compared:
    """Compare values pair by pair."""
    left = comparer.read([pair[0] for pair in pairs])
    right = (other or comparer).read([pair[1] for pair in pairs])
    at = np.arange(len(pairs))
    return comparer.compare(left, right, at, at)


def level(comparer: Comparer, one, two, other: Comparer | None = None) -> str:
    """Name of the level of one pair."""
    found = int(compare(comparer, [(one, two)], other).level[0])
    return "missing" if found < 0 else comparer.levels[found]


def similarity(comparer: Comparer, one, two) -> float:
    return float(compare(comparer, [(one, two)]).similarity[0])
