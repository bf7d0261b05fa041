"""Lookups of several threads, compared together.

Threads that each look a name up take Python's lock from one another at every step, and eight of
them answer fewer lookups in a second than one. A left record's candidates and scores depend on it,
the reference and the state alone. So lookups that wait for one another are compared as one table,
and each gets what it would get by itself.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakSet

import numpy as np

from pearljoin._comparison.comparison import Comparison
from pearljoin._comparison.reference import Reference
from pearljoin._ragged import items_of_rows
from pearljoin._records.records import Records, stack_records
from pearljoin._scoring.frozen_state import FrozenState
from pearljoin._typing import IntVector

__all__ = ["FEW_RECORDS", "LookupQueue"]

FEW_RECORDS = 16
"""Left records up to which a table is a lookup."""

MOST_RECORDS = 64
"""Left records that are compared together: more take the same time each."""


@dataclass(eq=False)
class _Lookup:
    """The left records of one thread, and their comparison once it is known.

    `is_done` without a comparison: they could not be compared with others.
    """

    left: Records
    comparison: Comparison | None = None
    is_done: bool = False


class LookupQueue:
    """Compares lookups with one reference, those that wait for each other together.

    The thread whose turn it is answers all that wait. A copy, and a forked child, start with an
    empty queue.
    """

    def __init__(self) -> None:
        self.renew()
        _QUEUES.add(self)

    def renew(self) -> None:
        """Forget who waits, and whose turn it is."""
        self._turn = threading.Lock()
        self._waiting: deque[_Lookup] = deque()

    def __reduce__(self) -> tuple[type[LookupQueue], tuple[()]]:
        return LookupQueue, ()

    def compare(self, left: Records, reference: Reference, state: FrozenState | None) -> Comparison:
        """Compare a lookup with a reference, and score its candidates.

        Parameters
        ----------
        left
            At most `FEW_RECORDS` records.
        reference, state
            As of `Comparison`; the same in every call.

        Returns
        -------
        comparison
            The left records alone.
        """
        lookup = _Lookup(left)
        self._waiting.append(lookup)
        while not lookup.is_done:
            with self._turn:
                if not lookup.is_done:
                    self._answer(reference, state)
        return lookup.comparison or _compared(left, reference, state)

    def _answer(self, reference: Reference, state: FrozenState | None) -> None:
        """Answer those that wait longest."""
        taken = [self._waiting.popleft()]
        n_records = taken[0].left.n_records
        while self._waiting and n_records < MOST_RECORDS:
            taken.append(self._waiting.popleft())
            n_records += taken[-1].left.n_records
        try:
            like = _form(taken[0].left)
            together = [lookup for lookup in taken if _form(lookup.left) == like]
            # What is wrong with a lookup is reported to its own thread, which compares it again.
            with suppress(Exception):
                _compare_together(together, reference, state)
        finally:
            for lookup in taken:
                lookup.is_done = True


_QUEUES: WeakSet[LookupQueue] = WeakSet()


def _renew_queues() -> None:
    # A thread that the child does not have may hold a lock.
    for queue in list(_QUEUES):
        queue.renew()


if hasattr(os, "register_at_fork"):  # not on Windows, which does not fork
    os.register_at_fork(after_in_child=_renew_queues)


def _form(left: Records) -> tuple[Any, ...]:
    """What the key columns of records that are compared together have in common."""
    columns = (*left.fields, *left.vetoes, *(() if left.groups is None else (left.groups,)))
    read = tuple((field.kind, id(field.comparer), field.columns) for field in columns)
    return len(left.fields), len(left.vetoes), left.nulls_equal, read


def _compared(left: Records, reference: Reference, state: FrozenState | None) -> Comparison:
    """Compare one lookup by itself."""
    comparison = Comparison(left, reference, state, None, reference.encode_left(left))
    _ = comparison.candidates  # now, not when another thread has its turn
    return comparison


def _compare_together(
    lookups: Sequence[_Lookup], reference: Reference, state: FrozenState | None
) -> None:
    """Compare lookups as one table, and give each its own part."""
    if len(lookups) == 1:
        lookups[0].comparison = _compared(lookups[0].left, reference, state)
        return
    stacked = stack_records([lookup.left for lookup in lookups])
    whole = _compared(stacked, reference, state)
    end = 0
    for lookup in lookups:
        start, end = end, end + lookup.left.n_records
        lookup.comparison = _part(whole, lookup.left, stacked.of_row[start:end])


def _part(whole: Comparison, left: Records, records: IntVector) -> Comparison:
    """The comparison of some left records, which stand in the whole one as `records`."""
    pairs = whole.candidate_pairs
    local, at = _pairs_of(pairs[0], records)
    side = whole.sides[0].take(records)
    found = Comparison(left, whole.reference, whole.state, (local, pairs[1][at]), side)
    local, at = _pairs_of(whole.candidates.left, records)
    found.candidates = replace(whole.candidates.take(at), left=local)
    return found


def _pairs_of(left: IntVector, records: IntVector) -> tuple[IntVector, IntVector]:
    """Position of each pair's record in `records`, and the places of the pairs."""
    start, end = (np.searchsorted(left, records, side=side) for side in ("left", "right"))
    return items_of_rows(start, end - start)
