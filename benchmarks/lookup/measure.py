"""Measuring lookups: seconds of one at a time, throughput of threads, equality of answers."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypedDict

import numpy as np

import pearljoin as pj
from benchmarks.lookup.names import Names

__all__ = ["Rates", "measure"]

WARM_UP = 20
"""Lookups before the first that is timed: they make what later ones share."""

ROUNDS = 3
"""How often all queries are asked by one thread and by several, by turns."""

Answer = tuple[int, float] | None


class Rates(TypedDict):
    """What was measured on one reference."""

    names: int
    queries: int
    found: int
    """Queries that got a match."""
    fit_seconds: float
    median_ms: float
    p95_ms: float
    threads: int
    one_thread_per_second: float
    threads_per_second: float
    speed_up: float
    """Throughput of the threads over that of one."""
    equal_answers: bool
    """Whether every answer in threads, row and score, was that of one thread."""


def measure(names: Names, threads: int) -> Rates:
    """Fit a matcher at default settings, and time lookups of one name each.

    Parameters
    ----------
    names
        The reference and the queries.
    threads
        How many look up at once.
    """
    start = time.perf_counter()
    matcher = pj.Matcher().fit(names.reference)
    fitted = time.perf_counter() - start

    def look_up(query: str) -> Answer:
        found = matcher.match([query]).matches()
        return (int(found.right[0]), float(found.score[0])) if len(found) else None

    for query in names.queries[:WARM_UP]:
        look_up(query)
    alone, milliseconds = [], []
    for query in names.queries:
        start = time.perf_counter()
        alone.append(look_up(query))
        milliseconds.append(1000 * (time.perf_counter() - start))
    equal, seconds = True, {1: 0.0, threads: 0.0}
    for _ in range(ROUNDS):
        for n_threads in seconds:
            answers, took = _ask(look_up, names.queries, n_threads)
            seconds[n_threads] += took
            equal &= answers == alone
    n_asked = ROUNDS * len(names.queries)
    return Rates(
        names=len(names.reference),
        queries=len(names.queries),
        found=sum(answer is not None for answer in alone),
        fit_seconds=fitted,
        median_ms=float(np.median(milliseconds)),
        p95_ms=float(np.quantile(milliseconds, 0.95)),
        threads=threads,
        one_thread_per_second=n_asked / seconds[1],
        threads_per_second=n_asked / seconds[threads],
        speed_up=seconds[1] / seconds[threads],
        equal_answers=equal,
    )


def _ask(
    look_up: Callable[[str], Answer], queries: Sequence[str], n_threads: int
) -> tuple[list[Answer], float]:
    """Ask every query once; return the answers and the seconds of all."""
    with ThreadPoolExecutor(n_threads) as pool:
        start = time.perf_counter()
        answers = list(pool.map(look_up, queries))
        return answers, time.perf_counter() - start
