"""Lookups of several threads, compared together.

Threads that each look a name up take Python's lock from one another at every step, and eight of
them answer fewer lookups in a second than one. A left record's candidates and scores depend on it,
the reference and the state alone. So lookups that wait for one another are compared as one table,
and each gets what it would get by itself.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any
from weakref import WeakSet

from pearljoin._comparison.comparison import Comparison
from pearljoin._comparison.reference import Reference
from pearljoin._errors import PearljoinError
from pearljoin._ragged import places_of_each
from pearljoin._records.records import Records, stack_records
from pearljoin._scoring.frozen_state import FrozenState
from pearljoin._typing import IntVector

__all__ = ["FEW_RECORDS", "LookupQueue"]

FEW_RECORDS = 16
"""Left records up to which a table is a lookup."""

MOST_RECORDS = 64
"""Left records that are compared together: more take the same time each."""

_THREAD = threading.local()
"""Whether this thread is in a queue: what a lookup itself looks up waits for nobody."""


@dataclass(eq=False)
class _Lookup:
    """The left records of one thread, and their comparison once another thread has made it.

    `woken` is set when it is made, or when it is this thread's turn. `beside` are the lookups that
    this thread has taken from the queue.
    """

    left: Records
    comparison: Comparison | None = None
    woken: threading.Event = field(default_factory=threading.Event)
    beside: list[_Lookup] = field(default_factory=list)


class LookupQueue:
    """Compares lookups with one reference, those that wait for each other together.

    The thread whose turn it is compares its own lookup and those that wait, wakes their threads,
    and gives its turn to the first that came meanwhile. A copy, and a forked child, start with an
    empty queue.
    """

    def __init__(self) -> None:
        self.renew()
        _QUEUES.add(self)

    def renew(self) -> None:
        """Forget who waits, and whose turn it is."""
        self._guard = threading.Lock()
        self._waiting: list[_Lookup] = []
        self._at_turn: _Lookup | None = None

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
        if getattr(_THREAD, "is_waiting", False):
            return _compared(left, reference, state)
        lookup = _Lookup(left)
        _THREAD.is_waiting = True
        try:
            self._wait(lookup)
            if self._at_turn is lookup:
                self._answer(lookup, reference, state)
        finally:
            self._leave(lookup)
            _THREAD.is_waiting = False
        return lookup.comparison or _compared(left, reference, state)

    def _wait(self, lookup: _Lookup) -> None:
        """Return when a lookup is answered, or when it is its turn."""
        with self._guard:
            if self._at_turn is None:
                self._at_turn = lookup
                return
            self._waiting.append(lookup)
        lookup.woken.wait()

    def _leave(self, lookup: _Lookup) -> None:
        """Wake the lookups beside it, and give the turn on; also after an error or an interrupt."""
        for other in lookup.beside:
            other.woken.set()
        with self._guard:
            if self._at_turn is lookup:
                self._at_turn = self._waiting.pop(0) if self._waiting else None
                if self._at_turn is not None:
                    self._at_turn.woken.set()
            elif lookup in self._waiting:
                self._waiting.remove(lookup)

    def _answer(self, lookup: _Lookup, reference: Reference, state: FrozenState | None) -> None:
        """Compare a lookup, and those beside it that wait and are read alike."""
        self._take_beside(lookup)
        if not lookup.beside:
            lookup.comparison = _compared(lookup.left, reference, state)
            return
        # What is wrong with one of them is found again by its own thread, which then compares it
        # alone.
        with suppress(PearljoinError, MemoryError):
            _compare_together([lookup, *lookup.beside], reference, state)

    def _take_beside(self, lookup: _Lookup) -> None:
        """Take those from the queue that are compared with a lookup."""
        form, n_records = _form(lookup.left), lookup.left.n_records
        left_over = []
        with self._guard:
            for other in self._waiting:
                if n_records < MOST_RECORDS and _form(other.left) == form:
                    lookup.beside.append(other)
                    n_records += other.left.n_records
                else:
                    left_over.append(other)
            self._waiting = left_over


_QUEUES: WeakSet[LookupQueue] = WeakSet()


def _renew_queues() -> None:
    # A thread that the child does not have may hold a lock.
    _THREAD.is_waiting = False
    for queue in list(_QUEUES):
        queue.renew()


if hasattr(os, "register_at_fork"):  # not on Windows, which does not fork
    os.register_at_fork(after_in_child=_renew_queues)


def _form(left: Records) -> tuple[Any, ...]:
    """What the key columns of records that are compared together have in common."""
    columns = (*left.fields, *left.vetoes, *(() if left.groups is None else (left.groups,)))
    read = tuple((column.kind, id(column.comparer), column.columns) for column in columns)
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
    stacked = stack_records([lookup.left for lookup in lookups])
    whole = _compared(stacked, reference, state)
    end = 0
    for lookup in lookups:
        start, end = end, end + lookup.left.n_records
        lookup.comparison = _part(whole, lookup.left, stacked.of_row[start:end])


def _part(whole: Comparison, left: Records, records: IntVector) -> Comparison:
    """The comparison of some left records, which stand in the whole one as `records`.

    It is encoded anew where that is asked for: it keeps nothing of the other lookups.
    """
    first, second = whole.candidate_pairs
    position, at = places_of_each(first, records)
    found = Comparison(left, whole.reference, whole.state, (position, second[at]))
    position, at = places_of_each(whole.candidates.left, records)
    found.candidates = replace(whole.candidates.take(at), left=position)
    return found
