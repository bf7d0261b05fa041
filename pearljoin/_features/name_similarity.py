"""Similarity of the parts of people's names."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pearljoin._features.text_profiles import TextProfile
from pearljoin._ragged import places_of
from pearljoin._typing import BoolVector, FloatVector, IntVector

__all__ = ["NameSimilarity", "name_similarity"]


class NameSimilarity(NamedTuple):
    """How the names of two people compare; of shape (n_pairs,) each.

    Attributes
    ----------
    family, given
        float32 in [0, 1]: similarity of the family names, and of the given names.
    initial
        bool: whether one given name is the initial of the other.
    swapped
        float32 in [0, 1]: similarity if one of the names has family and given name exchanged.
    """

    family: FloatVector
    given: FloatVector
    initial: BoolVector
    swapped: FloatVector


def name_similarity(
    left: TextProfile, right: TextProfile, left_at: IntVector, right_at: IntVector
) -> NameSimilarity:
    """Compare the texts of pairs as names of people.

    Parameters
    ----------
    left, right
        Profiles of both sides' texts.
    left_at, right_at
        int64 of shape (n_pairs,): positions of each pair's texts in the profiles.
    """
    shapes = left.shapes
    family = left.family_name[left_at], right.family_name[right_at]
    given = left.given_name[left_at], right.given_name[right_at]

    def similarity(one: IntVector, other: IntVector) -> FloatVector:
        found = np.zeros(len(one), dtype=np.float32)
        both = places_of((one >= 0) & (other >= 0))
        found[both] = shapes.compare(one[both], other[both]).spelled
        return found

    crossed = similarity(family[0], given[1]), similarity(given[0], family[1])
    initial = np.zeros(len(left_at), dtype=bool)
    both = places_of((given[0] >= 0) & (given[1] >= 0))
    initial[both] = shapes.is_initial(given[0][both], given[1][both])
    return NameSimilarity(similarity(*family), similarity(*given), initial, np.minimum(*crossed))
