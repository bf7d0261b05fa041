"""One progress bar for everything that takes more than a few seconds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")

SECONDS_BEFORE_SHOWN = 3.0


def progress(
    items: Iterable[T], *, total: int, label: str, unit: str, verbose: bool | None
) -> Iterator[T]:
    """Iterate over `items` behind a progress bar on standard error.

    Parameters
    ----------
    items
        What to iterate over.
    total
        How many items there are.
    label, unit
        What is being done, and to what: ``"encoding"``, ``"batch"``.
    verbose
        None: only on a terminal, and only once it has taken a few seconds. True: always.
        False: never.
    """
    from tqdm.auto import tqdm

    bar: Iterable[T] = tqdm(
        items,
        total=total,
        desc=label,
        unit=unit,
        leave=False,
        disable=None if verbose is None else not verbose,
        delay=0.0 if verbose else SECONDS_BEFORE_SHOWN,
    )
    yield from bar
