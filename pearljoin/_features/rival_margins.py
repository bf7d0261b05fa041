"""Rival margins: by how much a pair is ahead of the other pairs of its left or right record.

What a pair lacks means little by itself, and much where a rival has it: "Pacific Cup" may be the
"Pacific Nations Cup", but not if an "IRB Pacific Nations Cup" is among the candidates.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

import numpy as np

from pearljoin._typing import FloatVector

__all__ = [
    "BOTH_COVERAGES",
    "CENTRED",
    "COSINE",
    "LEFT_COVERAGE",
    "LEFT_PRESENT",
    "NUMBERS",
    "RIGHT_COVERAGE",
    "RIGHT_PRESENT",
    "SPELLING",
    "Measure",
    "RivalMargin",
]

Features: TypeAlias = Mapping[str, FloatVector]
"""Features of pairs by name, float32 of shape (n_pairs,) each."""


class Measure(NamedTuple):
    """A number by which rivals are compared; higher is better.

    Attributes
    ----------
    values
        Computes it from the features of the pairs: float32 of shape (n_pairs,).
    usual_rival
        What stands in for the rival of a pair that has none: what the second best candidate of a
        row usually reaches.
    """

    values: Callable[[Features], FloatVector]
    usual_rival: float


class RivalMargin(NamedTuple):
    """A feature that compares a pair with the other pairs of its left record.

    Attributes
    ----------
    measure
        What is compared.
    """

    measure: Measure


def _spelling(features: Features) -> FloatVector:
    """Mean of the two tf-idf cosines."""
    return ((features["ngrams"] + features["words"]) / 2).astype(np.float32)


def _centred(features: Features) -> FloatVector:
    """Centred cosine; spelling where a vector is not known."""
    known = features["vector_known"] > 0
    return np.where(known, features["centred"], _spelling(features))


COSINE = Measure(lambda features: features["cosine"], 0.4)
CENTRED = Measure(_centred, 0.3)
SPELLING = Measure(_spelling, 0.15)
LEFT_COVERAGE = Measure(lambda features: features["left_spelled"], 0.3)
RIGHT_COVERAGE = Measure(lambda features: features["right_spelled"], 0.3)
BOTH_COVERAGES = Measure(
    lambda features: np.sqrt(features["left_spelled"] * features["right_spelled"]), 0.3
)
LEFT_PRESENT = Measure(lambda features: -features["left_lacks"], -0.5)
RIGHT_PRESENT = Measure(lambda features: -features["right_lacks"], -0.5)
NUMBERS = Measure(lambda features: features["numbers_agree"] - features["numbers_conflict"], 0.0)
