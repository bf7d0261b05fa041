"""Background knowledge of words: how common they are in names at large, and which mean the same.

A reference of three rows says little about its words, and nothing about those of a query. The
background says that "GmbH" is common, that names are often written without it, and that "Bob" is
written for "Robert". It is counted on lists of names of open licence by
``python -m pearljoin_train background``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import numpy as np

from pearljoin._typing import FloatVector

__all__ = ["LEVELS_A_HALVING", "UNKNOWN", "Background", "bundled_background"]

LEVELS_A_HALVING = 8
"""Shares are stored as powers of two, in steps of an eighth of the exponent."""

UNKNOWN = 255
"""Stored where nothing is known."""


@dataclass(frozen=True)
class Background:
    """What is known of words and n-grams from names at large.

    Attributes
    ----------
    shares
        float32 of shape (n_columns,), columns as of `pearljoin._search.tfidf`: the share of names
        that have the n-gram or word; 0 for one that none has.
    unmatched
        float32 of shape (n_words,), the word columns alone: the share of names with the word of
        which another name of the same thing does without it; NaN where that is not known.
    equivalents
        Words that are written for a word, and how often they are, in (0, 1].
    """

    shares: FloatVector
    unmatched: FloatVector
    equivalents: Mapping[str, Mapping[str, float]]

    @cached_property
    def weights(self) -> FloatVector:
        """``1 - ln(share)`` of each column, infinite for one that no name has: float32."""
        with np.errstate(divide="ignore"):
            return np.asarray(1 - np.log(self.shares), dtype=np.float32)


@cache
def bundled_background() -> Background:
    """Return the background that ships with the package."""
    folder = Path(__file__).parent
    with np.load(folder / "background.npz", allow_pickle=False) as arrays:
        levels, unmatched = arrays["shares"], arrays["unmatched"]
        listed = json.loads(arrays["equivalents"].tobytes().decode())
    table = np.exp2(-np.arange(256, dtype=np.float32) / LEVELS_A_HALVING)
    table[UNKNOWN] = 0
    scale = np.linspace(0, 1, UNKNOWN, dtype=np.float32)
    equivalents: dict[str, dict[str, float]] = {}
    for first, second, strength in listed:
        equivalents.setdefault(first, {})[second] = strength
        equivalents.setdefault(second, {})[first] = strength
    scale = np.append(scale, np.float32(np.nan))
    # Every byte has its place in both tables: "clip" leaves out the check that it does.
    return Background(
        table.take(levels, mode="clip"), scale.take(unmatched, mode="clip"), equivalents
    )
