"""Lookups of several threads, compared together.

Threads that each look a name up contend for Python's global lock at every step, and eight of them
answer fewer lookups in a second than one. A left record's candidates and scores depend on it, the
reference and the state alone. So lookups that wait for one another are compared as one table, and
each gets the result that it would get by itself.

One thread at a time has the turn: it compares its own lookup and those that wait. A signal handler
may raise an error at any step of a thread, also while it hands its turn on. So each lookup holds a
lock of its own until it ends (CPython releases it in a `with`, whatever is raised), and a waiting
thread checks from time to time whether the lookup that it waits for has ended.
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
"""Most left records that are compared together; with more, the time for each falls no further."""

LONGEST_WAIT = 0.25
"""Seconds after which a waiting thread checks whether the lookup that it waits for has ended."""

_THREAD = threading.local()
"""The lookup that this thread is in: a lookup inside another one does not wait for its turn."""


def _taken_lock() -> threading.Lock:
    lock = threading.Lock()
    lock.acquire()
    return lock


@dataclass(eq=False)
class _Lookup:
    """The left records of one thread, and their comparison once another thread has made it.

    Attributes
    ----------
    left, comparison
        The left records, and their comparison.
    standing
        Lock that its thread holds from before the lookup is in the queue until it has left.
    asleep
        Lock that its thread waits for; released when the lookup is compared, or has the turn.
    beside
        The lookups that its thread took from the queue, to compare them with it.
    taker
        The lookup whose thread took it from the queue.
    """

    left: Records
    comparison: Comparison | None = None
    standing: threading.Lock = field(default_factory=threading.Lock)
    asleep: threading.Lock = field(default_factory=_taken_lock)
    beside: list[_Lookup] = field(default_factory=list)
    taker: _Lookup | None = None

    @property
    def stands(self) -> bool:
        """Whether its thread is still in the lookup."""
        return self.standing.locked()

    def wake(self) -> None:
        """Wake its thread; a second call does nothing."""
        with suppress(RuntimeError):
            self.asleep.release()


class LookupQueue:
    """Compares lookups with one reference; those that wait at the same time are compared together.

    The thread that has the turn compares its own lookup and those that wait, wakes their threads,
    and gives the turn to the first that came meanwhile. A copy, and a forked child, start with an
    empty queue.
    """

    def __init__(self) -> None:
        self.renew()
        _QUEUES.add(self)

    def renew(self) -> None:
        """Forget the waiting lookups, and which one has the turn."""
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
        inside = getattr(_THREAD, "lookup", None)
        if inside is not None and inside.stands:
            return _compared(left, reference, state)
        lookup = _Lookup(left)
        with lookup.standing:
            _THREAD.lookup = lookup
            try:
                self._wait(lookup)
                if self._at_turn is lookup:
                    self._answer(lookup, reference, state)
            finally:
                self._leave(lookup)
                _THREAD.lookup = None
        return lookup.comparison or _compared(left, reference, state)

    def _wait(self, lookup: _Lookup) -> None:
        """Return when a lookup is compared, or has the turn."""
        with self._guard:
            if self._take_turn(lookup):
                return
            self._waiting.append(lookup)
        while not lookup.asleep.acquire(timeout=LONGEST_WAIT):
            taker = lookup.taker
            if taker is not None and not taker.stands:
                return
            with self._guard:
                if taker is None and self._take_turn(lookup):
                    return

    def _take_turn(self, lookup: _Lookup) -> bool:
        """Give a lookup the turn, unless another one that is still in progress has it."""
        if self._at_turn is not None and self._at_turn is not lookup and self._at_turn.stands:
            return False
        self._at_turn = lookup
        return True

    def _leave(self, lookup: _Lookup) -> None:
        """Wake the lookups beside it, and pass the turn on; also after an error or an interrupt."""
        for other in lookup.beside:
            other.wake()
        with self._guard:
            self._waiting = [other for other in self._waiting if other is not lookup]
            if self._at_turn is lookup:
                standing = [other for other in self._waiting if other.stands]
                self._at_turn, self._waiting = next(iter(standing), None), standing[1:]
                if self._at_turn is not None:
                    self._at_turn.wake()

    def _answer(self, lookup: _Lookup, reference: Reference, state: FrozenState | None) -> None:
        """Compare a lookup, and the waiting ones whose key columns are read alike."""
        self._take_beside(lookup)
        if not lookup.beside:
            lookup.comparison = _compared(lookup.left, reference, state)
            return
        lookups = [lookup, *lookup.beside]
        try:
            _compare_together(lookups, reference, state)
        except Exception as error:
            # The error of one of them is raised again by its own thread, which compares it alone;
            # an error of this thread, such as a timeout, is raised here.
            if not _comes_of_one(error, lookups, reference, state):
                raise

    def _take_beside(self, lookup: _Lookup) -> None:
        """Take the lookups from the queue that are compared with a lookup."""
        form, n_records = _form(lookup.left), lookup.left.n_records
        left_over = []
        with self._guard:
            for other in self._waiting:
                if other is lookup or not other.stands:
                    continue
                if n_records < MOST_RECORDS and _form(other.left) == form:
                    other.taker = lookup
                    lookup.beside.append(other)
                    n_records += other.left.n_records
                else:
                    left_over.append(other)
            self._waiting = left_over


_QUEUES: WeakSet[LookupQueue] = WeakSet()


def _renew_queues() -> None:
    # A lock may be held by a thread that the child does not have.
    _THREAD.lookup = None
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
    _ = comparison.candidates  # computed now, while this thread has the turn
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


def _comes_of_one(
    error: Exception,
    lookups: Sequence[_Lookup],
    reference: Reference,
    state: FrozenState | None,
) -> bool:
    """Tell whether one of some lookups raises an error by itself, so that no signal handler did.

    The lookups before that one are compared.
    """
    if isinstance(error, PearljoinError | MemoryError):
        return True
    for lookup in lookups:
        try:
            lookup.comparison = _compared(lookup.left, reference, state)
        except Exception as found:  # noqa: BLE001 - its own thread raises it
            if type(found) is type(error):
                return True
    return False


def _part(whole: Comparison, left: Records, records: IntVector) -> Comparison:
    """The comparison of one lookup, whose left records are `records` of the whole comparison.

    It keeps nothing of the other lookups, so its left side is encoded again when it is needed.
    """
    first, second = whole.candidate_pairs
    position, at = places_of_each(first, records)
    found = Comparison(left, whole.reference, whole.state, (position, second[at]))
    position, at = places_of_each(whole.candidates.left, records)
    found.candidates = replace(whole.candidates.take(at), left=position)
    return found
