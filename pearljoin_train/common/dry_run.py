"""The option `--dry-run`, and durations for what it prints."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

__all__ = ["add_dry_run", "in_words", "seconds_a_text", "seconds_each", "spread", "timed"]

T = TypeVar("T")
SAMPLE = 64
"""Texts that are encoded to learn how long all take."""


def add_dry_run(parser: argparse.ArgumentParser) -> None:
    """Give a command the option `--dry-run`."""
    parser.add_argument(
        "--dry-run", action="store_true",
        help="say what would be read and done and how long it takes; do nothing",
    )  # fmt: skip


def timed(work: Callable[[], T]) -> float:
    """Return the seconds of some work, done once before."""
    work()
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def spread(items: Sequence[T], n: int) -> list[T]:
    """Return at most `n` items, evenly spread over all.

    Examples
    --------
    >>> spread(range(10), 3)
    [0, 3, 6]
    """
    return list(items[:: max(1, len(items) // n)][:n])


def seconds_each(work: Callable[[T], object], items: Iterable[T]) -> float:
    """Return the mean seconds of some work on an item; 0 without any.

    Examples
    --------
    >>> seconds_each(len, ["a", "b"]) < 1
    True
    """
    began, done = time.perf_counter(), 0
    for done, item in enumerate(items, 1):  # noqa: B007 - the number of items
        work(item)
    return (time.perf_counter() - began) / max(1, done)


def seconds_a_text(encode: Callable[[Sequence[str]], object], texts: Sequence[str]) -> float:
    """Return how long an encoder takes for a text, by a sample spread over all.

    Examples
    --------
    >>> seconds_a_text(lambda texts: None, ["a", "b"]) < 1
    True
    """
    sample = spread(texts, SAMPLE)
    return timed(lambda: encode(sample)) / max(1, len(sample))


def in_words(seconds: float) -> str:
    """Write a duration.

    Examples
    --------
    >>> in_words(42), in_words(600), in_words(9000)
    ('42 seconds', '10 minutes', '2.5 hours')
    """
    if seconds < 90:
        return f"{seconds:.0f} seconds"
    return f"{seconds / 60:.0f} minutes" if seconds < 5400 else f"{seconds / 3600:.1f} hours"
