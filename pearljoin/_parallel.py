"""Work in threads on all processors: numpy, scipy and rapidfuzz release Python's lock."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from pearljoin._progress import advance

__all__ = ["PART", "in_parts", "processors", "side_by_side"]

PART, SMALL_PART = 65_536, 16_384
"""Largest part, which bounds the memory, and smallest part, since every part has a fixed cost."""

Batch = TypeVar("Batch")


def processors() -> int:
    """Number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def side_by_side(
    run: Callable[[Batch], None], batches: Sequence[Batch], threads: int
) -> Iterator[None]:
    """Run every batch in at most `threads` threads; yield once for each finished batch."""
    threads = min(threads, len(batches))
    if threads <= 1:
        yield from map(run, batches)
        return
    pool = ThreadPoolExecutor(threads)
    try:
        yield from pool.map(run, batches)
    finally:
        # After an error or an interrupt, do not run the batches that have not started.
        pool.shutdown(cancel_futures=True)


def in_parts(run: Callable[[slice], None], n: int) -> None:
    """Run a function on slices that cover ``range(n)``.

    Parameters
    ----------
    run
        Called with each slice, from several threads. The first slice is finished before the others
        start, so that they find what `run` computes once and caches.
    n
        Number of items.
    """
    size = min(PART, max(SMALL_PART, -(-n // (2 * processors()))))
    parts = [slice(start, min(n, start + size)) for start in range(0, n, size)]
    for part in parts[:1]:
        run(part)
        advance(1, len(parts))
    for done, _ in enumerate(side_by_side(run, parts[1:], processors()), 2):
        advance(done, len(parts))
