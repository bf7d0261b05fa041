"""Work in threads on all processors: numpy, scipy and rapidfuzz release Python's lock.

Threads of Python are started anew in each process, so they survive a fork. The pools of OpenMP
(faiss, sparse_dot_topn, torch) do not: a forked child that asks them for several threads waits for
ever for those of its parent. `openmp_threads` is for them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from pearljoin._progress import advance

__all__ = [
    "PART",
    "in_forked_child",
    "in_parts",
    "openmp_threads",
    "processors",
    "run_parts",
    "side_by_side",
]

PART, SMALL_PART = 65_536, 16_384
"""Largest part, which bounds the memory, and smallest part, since every part has a fixed cost."""

Batch = TypeVar("Batch")


_forked = False
"""Whether this process was forked from one that had imported this module."""


def _after_fork() -> None:
    global _forked
    _forked = True


if hasattr(os, "register_at_fork"):  # not on Windows, which does not fork
    os.register_at_fork(after_in_child=_after_fork)


def processors() -> int:
    """Number of threads to compute in, at least 1.

    The processors that this process may use, by its affinity mask; no more than OMP_NUM_THREADS
    says, where that is set.
    """
    if hasattr(os, "sched_getaffinity"):
        available = len(os.sched_getaffinity(0))
    else:
        available = os.cpu_count() or 1
    # One number, or one for each level of nesting: "4,2".
    wanted = os.environ.get("OMP_NUM_THREADS", "").split(",")[0].strip()
    return min(available, int(wanted)) if wanted.isdecimal() and int(wanted) else available


def in_forked_child() -> bool:
    """Whether this process was forked from one that may have used OpenMP."""
    return _forked


def openmp_threads() -> int:
    """Number of threads to ask OpenMP for: that of `processors`, and 1 in a forked child."""
    return 1 if in_forked_child() else processors()


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
    # Of few items there is one part, however many processors there are: to ask takes time.
    few = min(PART, SMALL_PART)
    size = few if n <= few else min(PART, max(SMALL_PART, -(-n // (2 * processors()))))
    run_parts(run, [slice(start, min(n, start + size)) for start in range(0, n, size)])


def run_parts(run: Callable[[slice], None], parts: Sequence[slice]) -> None:
    """Run a function on slices, as `in_parts` does."""
    for part in parts[:1]:
        run(part)
        advance(1, len(parts))
    if len(parts) < 2:
        return
    for done, _ in enumerate(side_by_side(run, parts[1:], processors()), 2):
        advance(done, len(parts))
