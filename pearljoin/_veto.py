"""Which pairs a conflict in one column forbids."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np

from pearljoin._records import NULL, Field, Records
from pearljoin._text import normalise
from pearljoin._typing import BoolVector, IntVector

__all__ = ["conflicts"]


def conflicts(left: Records, right: Records, own: IntVector, others: IntVector) -> BoolVector:
    """Tell which pairs of records differ in a veto column; a null differs from nothing.

    Parameters
    ----------
    left, right
        Records of both sides, with as many veto columns.
    own, others
        int64 of shape (n_pairs,).
    """
    found = np.zeros(len(own), dtype=bool)
    for field, other_field in zip(left.vetoes, right.vetoes, strict=True):
        seen: dict[Hashable, int] = {}
        codes = _numbered(field, seen)[left.first_row[own]]
        other_codes = _numbered(other_field, seen)[right.first_row[others]]
        found |= (codes != other_codes) & (codes != NULL) & (other_codes != NULL)
    return found


def _numbered(field: Field, seen: dict[Hashable, int]) -> IntVector:
    """Each row's value by a number that means the same on both sides; `NULL` for null."""
    values = [normalise(str(v)) if field.kind == "text" else v for v in field.values]
    numbers = [seen.setdefault(value, len(seen)) for value in values]
    return np.array([*numbers, NULL], dtype=np.int64)[field.codes]
