"""Batches with their token ids, made ahead of the steps by other processes.

A batch of thousands of rows takes a processor as long as a GPU needs for several steps. A batch is
a function of its number, so any process can make it.
"""

from __future__ import annotations

import dataclasses
import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
from torch.utils.data import DataLoader, Dataset

from pearljoin_train.models.token_ids import TokenIds
from pearljoin_train.training.batches import Batch, Batches

__all__ = ["Prefetched"]

AHEAD = 4
"""Batches that each process makes ahead."""
LAST_STEP = 2**40


class Prefetched:
    """Batches of consecutive steps from worker processes.

    Parameters
    ----------
    batches
        Makes them. What it reads must be in memory: the workers have no GPU to encode with.
    tokenise
        Texts to token ids.
    workers
        Processes; 0 makes each batch when it is asked for.
    first
        The step of the first batch that will be asked for.
    """

    def __init__(
        self,
        batches: Batches,
        tokenise: Callable[[Sequence[str]], TokenIds],
        *,
        workers: int,
        first: int = 0,
    ) -> None:
        self._made: _Made = _Made(batches, tokenise)
        self._next = first
        self._batches: Iterator[Batch] | None = None
        if workers:
            # Forked processes share the texts, which take as long to send as to read.
            forked = "fork" in multiprocessing.get_all_start_methods()
            loader: DataLoader[Batch] = DataLoader(
                self._made,
                batch_size=None,
                sampler=range(first, LAST_STEP),
                num_workers=workers,
                prefetch_factor=AHEAD,
                collate_fn=_as_it_is,
                worker_init_fn=_one_thread,
                multiprocessing_context="fork" if forked else None,
            )
            self._batches = iter(loader)

    def batch(self, step: int) -> Batch:
        """Return the batch of a step: the next one, where processes make them.

        Raises
        ------
        ValueError
            If it is another one.
        """
        if self._batches is None:
            return self._made[step]
        if step != self._next:
            raise ValueError(f"Batches come in order. Got step {step}, expected {self._next}.")
        self._next += 1
        return next(self._batches)

    def close(self) -> None:
        """End the processes."""
        self._batches = None


class _Made(Dataset[Batch]):
    """Batches by step, as torch's loader asks for them."""

    def __init__(self, batches: Batches, tokenise: Callable[[Sequence[str]], TokenIds]) -> None:
        self._batches = batches
        self._tokenise = tokenise

    def __getitem__(self, step: int) -> Batch:
        batch = self._batches.batch(step)
        return dataclasses.replace(batch, tokens=self._tokenise(batch.texts))


def _as_it_is(batch: Any) -> Any:
    return batch


def _one_thread(worker: int) -> None:
    """Keep a worker to one thread: there are as many workers as there are cores for them."""
    torch.set_num_threads(1)
