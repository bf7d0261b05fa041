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
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pearljoin._typing import FloatVector, IntVector

__all__ = ["LEVELS_A_HALVING", "UNKNOWN", "Background", "bundled_background"]

Columns: TypeAlias = "NDArray[np.integer[Any]]"

LEVELS_A_HALVING = 8
"""Shares are stored as powers of two, in steps of an eighth of the exponent."""

UNKNOWN = 255
"""Stored where nothing is known."""


@dataclass(frozen=True)
class Background:
    """What is known of words and n-grams from names at large.

    Shares are kept in the bytes that they are stored in: a small join asks for few of millions.

    Attributes
    ----------
    share_levels
        uint8 of shape (n_columns,), columns as of `pearljoin._search.tfidf`: how many names have
        the n-gram or word, in steps of `LEVELS_A_HALVING`; `UNKNOWN` for one that none has.
    unmatched_levels
        uint8 of shape (n_words,), the word columns alone: the share of names with the word of
        which another name of the same thing does without it, in steps of 1 / 254; `UNKNOWN` where
        that is not known.
    equivalents
        Words that are written for a word, and how often they are, in (0, 1].
    """

    share_levels: NDArray[np.uint8]
    unmatched_levels: NDArray[np.uint8]
    equivalents: Mapping[str, Mapping[str, float]]

    def shares(self, columns: IntVector) -> FloatVector:
        """Return the share of names that have an n-gram or word: float32, 0 where none has."""
        return _shares_of_levels()[self.share_levels[columns]]

    def unmatched(self, columns: IntVector) -> FloatVector:
        """Return how often words are left out: float32, NaN where that is not known.

        Parameters
        ----------
        columns
            int64, any shape: word columns.
        """
        levels = self.unmatched_levels[columns - len(self.unmatched_levels)]
        return _unmatched_of_levels()[levels]

    def weights(self, heaviest: np.float32, columns: Columns | None = None) -> FloatVector:
        """Return ``1 - ln(share)`` of some columns or of each, `heaviest` at most: float32."""
        with np.errstate(divide="ignore"):
            of_level = np.minimum(1 - np.log(_shares_of_levels()), heaviest)
        levels = self.share_levels if columns is None else self.share_levels[columns]
        # Every byte has its place in the table: "clip" leaves out the check that it does.
        weights: FloatVector = of_level.take(levels, mode="clip")
        return weights


@cache
def _shares_of_levels() -> FloatVector:
    """The share of names that each level stands for: float32 of shape (256,)."""
    shares = np.exp2(-np.arange(256, dtype=np.float32) / LEVELS_A_HALVING)
    shares[UNKNOWN] = 0
    return shares


@cache
def _unmatched_of_levels() -> FloatVector:
    """How often a word is left out, by level: float32 of shape (256,), NaN for `UNKNOWN`."""
    return np.append(np.linspace(0, 1, UNKNOWN, dtype=np.float32), np.float32(np.nan))


@cache
def bundled_background() -> Background:
    """Return the background that ships with the package."""
    folder = Path(__file__).parent
    with np.load(folder / "background.npz", allow_pickle=False) as arrays:
        levels, unmatched = arrays["shares"], arrays["unmatched"]
        listed = json.loads(arrays["equivalents"].tobytes().decode())
    equivalents: dict[str, dict[str, float]] = {}
    for first, second, strength in listed:
        equivalents.setdefault(first, {})[second] = strength
        equivalents.setdefault(second, {})[first] = strength
    return Background(levels, unmatched, equivalents)
