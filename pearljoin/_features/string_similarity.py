"""String similarity of pairs of texts, by rapidfuzz."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from pearljoin._typing import FloatVector

__all__ = ["fuzz_similarity", "jaro_winkler_similarity"]

Texts = NDArray[np.object_]


def fuzz_similarity(measure: str, left: Texts, right: Texts) -> FloatVector:
    """Compute a similarity of `rapidfuzz.fuzz`: float32 of shape (n_pairs,), in [0, 1].

    Parameters
    ----------
    measure
        Name of the function in `rapidfuzz.fuzz`.
    left, right
        Texts of shape (n_pairs,).
    """
    # Imported here, so that training runs on a machine without it.
    from rapidfuzz import fuzz

    return _compare(getattr(fuzz, measure), left, right) / np.float32(100)


def jaro_winkler_similarity(left: Texts, right: Texts) -> FloatVector:
    """Compute the Jaro-Winkler similarity: float32 of shape (n_pairs,), in [0, 1].

    Parameters
    ----------
    left, right
        Texts of shape (n_pairs,).
    """
    from rapidfuzz.distance import JaroWinkler

    return _compare(JaroWinkler.normalized_similarity, left, right)


def _compare(measure: Callable[..., float], left: Texts, right: Texts) -> FloatVector:
    from rapidfuzz import process

    return np.asarray(process.cpdist(left, right, scorer=measure, workers=1), dtype=np.float32)
