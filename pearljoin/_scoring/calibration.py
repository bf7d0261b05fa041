"""What a match scorer has learned from two tables, or from the reference alone."""

from __future__ import annotations

from dataclasses import dataclass, field

from pearljoin._features.unmatched_tokens import NO_COUNTS, TokenCounts
from pearljoin._scoring.alternatives import NO_ALTERNATIVES, Alternatives
from pearljoin._scoring.qualifiers import NO_QUALIFIERS, Qualifiers
from pearljoin._typing import FloatVector

__all__ = ["Calibration"]


@dataclass(frozen=True)
class Calibration:
    """What a scorer has learned from two tables, or from the reference alone.

    Attributes
    ----------
    table
        float32 of shape (n_numbers,): the table features.
    counts
        How often tokens are unmatched.
    n_left
        Distinct left records that it was learned from; 0 for the reference alone.
    alternatives
        Words of the reference that name different things.
    qualifiers
        Words that it has with and without.
    names_people
        Whether its texts are names of people.
    """

    table: FloatVector
    counts: TokenCounts = field(default=NO_COUNTS, repr=False)
    n_left: int = 0
    alternatives: Alternatives = field(default=NO_ALTERNATIVES, repr=False)
    qualifiers: Qualifiers = field(default=NO_QUALIFIERS, repr=False)
    names_people: bool = field(default=False, repr=False)
