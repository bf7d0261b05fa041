"""Slices over many pairs of rows, so that what is computed per pair fits in memory."""

from __future__ import annotations

from collections.abc import Iterator

__all__ = ["pair_chunks"]

PAIR_CHUNK = 100_000


def pair_chunks(n_pairs: int) -> Iterator[slice]:
    """Yield slices of at most 100,000 that cover ``range(n_pairs)`` in order.

    Examples
    --------
    >>> list(pair_chunks(150_000))
    [slice(0, 100000, None), slice(100000, 200000, None)]
    """
    for start in range(0, n_pairs, PAIR_CHUNK):
        yield slice(start, start + PAIR_CHUNK)
