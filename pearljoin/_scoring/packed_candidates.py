"""Scored candidate pairs of many left records, packed until they are decided."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice

import numpy as np
from numpy.typing import NDArray

from pearljoin._ragged import Whole
from pearljoin._scoring.ranking import Candidates
from pearljoin._typing import FloatVector, IntVector

__all__ = ["PackedCandidates", "best_of_parts", "join_parts"]


class PackedCandidates:
    """Ranked pairs of consecutive left records, in a third of the memory of `Candidates`.

    Parameters
    ----------
    parts
        At least one; the pairs of no left record are divided. They are packed one by one, so that
        an iterator holds none of them.
    """

    def __init__(self, parts: Iterable[Candidates]) -> None:
        self._parts = [_Packed.of(part) for part in parts]

    def __iter__(self) -> Iterator[Candidates]:
        """Unpack the parts one after another."""
        for part in self._parts:
            yield Candidates(
                part.left(),
                part.right.astype(np.int64),
                part.score,
                part.equality,
                part.same,
                part.things(),
            )

    def joined(self) -> Candidates:
        """Return the pairs of all parts."""
        parts = self._parts
        # Column by column, since all of them twice would be the largest that a join holds.
        left = np.concatenate([part.left() for part in parts])
        right = np.concatenate([part.right for part in parts], dtype=np.int64)
        score = np.concatenate([part.score for part in parts])
        equality = np.concatenate([part.equality for part in parts])
        same = [part.same for part in parts if part.same is not None]
        things = [found for part in parts if (found := part.things()) is not None]
        return Candidates(
            left,
            right,
            score,
            equality,
            np.concatenate(same) if same else None,
            np.concatenate(things) if things else None,
        )


def join_parts(parts: Iterable[Candidates]) -> Candidates:
    """Join the ranked pairs of consecutive left records.

    Parameters
    ----------
    parts
        As of `PackedCandidates`.
    """
    listed = iter(parts)
    some = list(islice(listed, 2))
    return some[0] if len(some) == 1 else PackedCandidates(chain(some, listed)).joined()


def best_of_parts(parts: Iterable[Candidates]) -> Candidates:
    """Join the best pair of each left record, as of `join_parts`."""
    return join_parts(part.take(part.best) for part in parts)


@dataclass(frozen=True, slots=True)
class _Packed:
    """The columns of ranked pairs in as few bits as hold them.

    Attributes
    ----------
    first, sizes
        The first left record, and how many pairs it and each later one has.
    right, score, equality, same
        As of `Candidates`.
    moved, thing
        The pairs whose thing another right record stands for, and that record; None where nothing
        tells.
    """

    first: int
    sizes: Whole
    right: Whole
    score: FloatVector
    equality: NDArray[np.int8]
    same: FloatVector | None
    moved: Whole | None
    thing: Whole | None

    @classmethod
    def of(cls, part: Candidates) -> _Packed:
        """Pack a part."""
        first = int(part.left[0]) if len(part) else 0
        sizes = _narrow(np.bincount(part.left - first))
        columns = first, sizes, _narrow(part.right), part.score, part.equality, part.same
        if part.things is None:
            return cls(*columns, None, None)
        moved = np.flatnonzero(part.things != part.right)
        return cls(*columns, _narrow(moved), _narrow(part.things[moved]))

    def left(self) -> IntVector:
        return np.arange(self.first, self.first + len(self.sizes)).repeat(self.sizes)

    def things(self) -> IntVector | None:
        if self.moved is None or self.thing is None:
            return None
        things = self.right.astype(np.int64)
        things[self.moved] = self.thing
        return things


def _narrow(numbers: IntVector) -> Whole:
    """Whole numbers, none below 0, in as few bits as hold them."""
    largest = int(numbers.max(initial=0))
    for bits in (np.int8, np.int32):
        if largest <= np.iinfo(bits).max:
            return numbers.astype(bits)
    return numbers
