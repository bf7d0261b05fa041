"""Work on all processors at once, by threads: numpy, scipy and rapidfuzz give way to others."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

__all__ = ["PART", "in_parts", "processors", "side_by_side"]

PART, SMALL_PART = 65_536, 16_384
"""Worked on at a time, at most, which bounds the memory; and no fewer where there are many
processors, since every part costs the starting of some fifty operations."""

Batch = TypeVar("Batch")


def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def side_by_side(
    run: Callable[[Batch], None], batches: Sequence[Batch], threads: int
) -> Iterator[None]:
    """Run every batch, `threads` at a time at most; yields once for each that is done."""
    threads = min(threads, len(batches))
    if threads <= 1:
        yield from map(run, batches)
        return
    pool = ThreadPoolExecutor(threads)
    try:
        yield from pool.map(run, batches)
    finally:
        # An error or an interrupt must not wait for the batches that have not started.
        pool.shutdown(cancel_futures=True)


def in_parts(run: Callable[[slice], None], n: int) -> None:
    """Run a function on slices that cover ``range(n)``.

    Parameters
    ----------
    run
        Called with each slice, from several threads. It is called with the first one before the
        others, so that most of what it works out once and keeps is there for them.
    n
        How many there are of what is worked on.
    """
    size = min(PART, max(SMALL_PART, -(-n // (2 * processors()))))
    parts = [slice(start, min(n, start + size)) for start in range(0, n, size)]
    for part in parts[:1]:
        run(part)
    for _ in side_by_side(run, parts[1:], processors()):
        pass
