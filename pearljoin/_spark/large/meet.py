"""Rows of both sides that meet in a cell: those of the reference first, then the left ones.

They are sorted by cell and side, so that a worker holds one cell of the reference at a time, and
left rows stream past it, however many they are.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa
from pyspark.sql import functions as sf

from pearljoin._ragged import run_starts

__all__ = ["LEFT", "REFERENCE", "SIDE", "CellWorker", "Lookup", "bring_together", "meet"]

SIDE = "side"
REFERENCE, LEFT = 0, 1

Lookup = Callable[[pa.Table], pa.Table]


def meet(reference: Any, left: Any, worker: CellWorker, schema: str, n_tasks: int) -> Any:
    """Bring rows of both sides together, cell by cell.

    Parameters
    ----------
    reference, left
        With ``key``, ``id`` and columns of their own, of which those of one name have one type.
    worker
        What looks the left rows of a cell up.
    schema
        Of what it yields.
    n_tasks
        Tasks that the cells are shared out to.
    """
    sides = zip((reference, left), (REFERENCE, LEFT), strict=True)
    both = [frame.withColumn(SIDE, sf.lit(number)) for frame, number in sides]
    rows = both[0].unionByName(both[1], allowMissingColumns=True)
    return bring_together(rows, worker, schema, n_tasks)


def bring_together(rows: Any, worker: CellWorker, schema: str, n_tasks: int) -> Any:
    """Bring rows of both sides, told apart by `SIDE`, together; the rest is as of `meet`."""
    rows = rows.repartition(n_tasks, "key").sortWithinPartitions("key", SIDE, "id")
    return rows.mapInArrow(worker, schema)


class CellWorker(ABC):
    """Called by ``mapInArrow`` with rows as `meet` brings them."""

    @abstractmethod
    def open(self, reference: pa.Table) -> Lookup:
        """Prepare the reference's rows of a cell; return what looks left rows up in them."""

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield what is found."""
        key, waiting, look_up = None, list[pa.Table](), None
        for piece in _pieces(batches):
            if piece.column("key")[0].as_py() != key:
                key, waiting, look_up = piece.column("key")[0].as_py(), [], None
            if piece.column(SIDE)[0].as_py() == REFERENCE:
                waiting.append(piece)
                continue
            if waiting:
                look_up, waiting = self.open(pa.concat_tables(waiting)), []
            if look_up is not None:
                yield from look_up(piece).to_batches()


def _pieces(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.Table]:
    """Cut batches into pieces of one cell and one side."""
    for batch in batches:
        if not batch.num_rows:
            continue
        keys = batch.column("key").dictionary_encode().indices.to_numpy()
        starts = run_starts(2 * keys.astype(np.int64) + batch.column(SIDE).to_numpy())
        table = pa.Table.from_batches([batch])
        for start, end in zip(starts, [*starts[1:], batch.num_rows], strict=True):
            yield table.slice(start, end - start)
