"""The protocol of a method, for pearljoin and its peers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from pearljoin._typing import FloatVector, IntVector

__all__ = ["Method", "MethodAbsentError", "Outcome", "Rule"]

Rule: TypeAlias = Literal["precision target", "fixed threshold", "accepts all"]
"""How the method's join decides which pairs it returns."""


class MethodAbsentError(Exception):
    """A method cannot run on this machine: a peer, a package or weights are not there."""


@dataclass(frozen=True)
class Outcome:
    """The result of a method on one table."""

    best: IntVector | None
    """int64 of shape (n_queries,): each query's best reference position, -1 for none at all.
    None where the method has no ranking."""
    score: FloatVector | None
    """float32 of shape (n_queries,): the score of `best`, higher is closer, on any scale."""
    pairs: list[tuple[int, int]]
    """What its join returns: (query position, reference position)."""
    seconds: float | None = None
    """How long it took, where the method knows better than a clock around the call."""


class Method(Protocol):
    """Matches queries to a reference, without labels."""

    @property
    def name(self) -> str:
        """The name it is asked for by, and shown under."""
        ...

    @property
    def rule(self) -> Rule:
        """The decision rule of its join."""
        ...

    def run(self, queries: Sequence[str], reference: Sequence[str], precision: float) -> Outcome:
        """Rank and join.

        Parameters
        ----------
        queries, reference
            Titles as published.
        precision
            The precision target, in (0, 1]; only methods whose rule it is look at it.
        """
        ...

    def versions(self) -> dict[str, str]:
        """Return the versions of the packages whose work this is, by name."""
        ...
