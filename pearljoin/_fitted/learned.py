"""A reference that is encoded, and what was learned: all that a lookup needs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from pearljoin._comparison.comparison import Comparison
from pearljoin._comparison.large import compare
from pearljoin._comparison.lookups import FEW_RECORDS, LookupQueue
from pearljoin._comparison.reference import Reference
from pearljoin._kinds.protocol import Comparer
from pearljoin._records.records import Records
from pearljoin._scoring.frozen_state import FrozenState
from pearljoin._typing import Pairs

__all__ = ["Learned"]


@dataclass(frozen=True)
class Learned:
    """A reference whose columns are read as some kinds, and what was learned.

    Attributes
    ----------
    reference
        The reference.
    kept
        What is kept; None for what the reference alone says, learned when `state` is first read.
    readers
        By column read, what reads the other side as it writes its values; empty if not known.
    lookups
        Those that threads wait for.
    """

    reference: Reference
    kept: FrozenState | None = None
    readers: tuple[Comparer[Any] | None, ...] = ()
    lookups: LookupQueue = field(default_factory=LookupQueue, compare=False)

    def compare(self, left: Records, pairs: Pairs | None = None) -> Comparison:
        """Compare left records with the reference; the parameters are those of `Comparison`."""
        if pairs is None and self.reference.calibrated and left.n_records <= FEW_RECORDS:
            return self.lookups.compare(left, self.reference, self.kept)
        return compare(left, self.reference, self.kept, pairs)

    @property
    def state(self) -> FrozenState:
        """What was learned."""
        return self.reference.state_alone if self.kept is None else self.kept

    @property
    def n_left(self) -> int:
        """Number of left records that it was calibrated on."""
        return 0 if self.kept is None else self.kept.sample.n_left
