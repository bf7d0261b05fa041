"""Distinctions: differences that make two similar texts a non-match."""

from __future__ import annotations

import numpy as np

from pearljoin._features.registry import REGISTRY
from pearljoin._typing import BoolVector, FloatMatrix, FloatVector

__all__ = ["are_numbered_apart", "only_adds", "with_distinctions"]

APART = -5.0
"""Highest log odds of texts that are told apart: below those that a table's pairs correct."""

COVERED = 0.98
"""Share of a text's tokens from which another text contains it."""


def only_adds(features: FloatMatrix) -> BoolVector:
    """Mark pairs of which one text only adds words, legal forms apart.

    Reserve teams, branches and models are named like that, and nothing tells them from a longer
    name of the same thing.

    Parameters
    ----------
    features
        float32 of shape (n_pairs, n_features), columns as `pearljoin.scoring.FEATURES`.
    """
    left, right = REGISTRY.columns(features, "left_spelled", "right_spelled")
    core, compact = REGISTRY.columns(features, "core_equal", "compact_equal")
    contained = (np.maximum(left, right) > COVERED) & (np.minimum(left, right) <= COVERED)
    return np.asarray(contained & (core == 0) & (compact == 0), dtype=bool)


def are_numbered_apart(features: FloatMatrix) -> BoolVector:
    """Mark pairs with different numbers, or equal but for an added number.

    So houses, sequels, models and age groups are named. A number elsewhere, such as the year in
    "Sander canadensis (Smith 1834)", rather belongs to a longer name of the same thing.

    Parameters
    ----------
    features
        As of `only_adds`.
    """
    conflict, missing, first, last = REGISTRY.columns(
        features, "numbers_conflict", "numbers_missing", "first_word", "last_word"
    )
    n_words = np.exp(np.stack(REGISTRY.columns(features, "left_words", "right_words")))
    is_one_more = np.rint(np.abs(n_words[0] - n_words[1])) == 1
    is_last = (first > 0) & (last == 0) & (missing > 0) & is_one_more & only_adds(features)
    return np.asarray((conflict > 0) | is_last, dtype=bool)


def with_distinctions(log_odds: FloatVector, features: FloatMatrix) -> FloatVector:
    """Lower the log odds of texts with a distinction to `APART`.

    Parameters
    ----------
    log_odds
        float32 of shape (n_pairs,).
    features
        As of `only_adds`.
    """
    lowered = np.where(are_numbered_apart(features), np.minimum(log_odds, APART), log_odds)
    return np.asarray(lowered, dtype=np.float32)
