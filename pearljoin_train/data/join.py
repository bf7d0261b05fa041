"""A synthetic join: two lists of names, and which of them match."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Join"]


@dataclass(frozen=True, slots=True)
class Join:
    """Two columns and which of their values name the same thing.

    Attributes
    ----------
    source
        Where the names come from.
    left, right
        Distinct names; `right` is the reference.
    answers
        For each left name the right names that are right, none or several.
    """

    source: str
    left: list[str]
    right: list[str]
    answers: list[frozenset[str]]
