"""Sorted count files of phrases, and their streaming k-way merge."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from pearljoin._atomic import atomic_file
from pearljoin_train.corpus.phrases import Phrase

__all__ = ["COLUMNS", "merge", "read_rows", "write_rows"]

COLUMNS = ("phrase", "lexical_type", "entity_type", "count")
Row = tuple[str, str, str, int]

TYPE_COLUMN = pa.dictionary(pa.int8(), pa.string())
SCHEMA = pa.schema(
    [
        ("phrase", pa.string()),
        ("lexical_type", TYPE_COLUMN),
        ("entity_type", TYPE_COLUMN),
        ("count", pa.int64()),
    ]
)
ROWS_AT_ONCE = 50_000
# Files open at the same time; more are merged by this many first.
FAN_IN = 200


def write_rows(rows: Iterable[Row], path: Path) -> None:
    """Write rows to a Parquet file, whole or not at all."""
    remaining = iter(rows)
    with atomic_file(path) as temporary, pq.ParquetWriter(temporary, SCHEMA) as writer:
        while batch := list(islice(remaining, ROWS_AT_ONCE)):
            columns = zip(zip(*batch, strict=True), SCHEMA.types, strict=True)
            arrays = [pa.array(column, kind) for column, kind in columns]
            writer.write_table(pa.Table.from_arrays(arrays, schema=SCHEMA))


def read_rows(path: Path) -> Iterator[Row]:
    """Read the rows of a Parquet file in order, some at a time."""
    with pq.ParquetFile(path) as file:
        for batch in file.iter_batches(batch_size=ROWS_AT_ONCE // 10):
            columns: list[list[Any]] = [batch.column(name).to_pylist() for name in COLUMNS]
            yield from zip(*columns, strict=True)


def merge(shards: Sequence[Path], target: Path, *, min_count: int) -> int:
    """Add up sorted shards, and keep the phrases seen often enough.

    A phrase comes out once, with the pair of types it was seen with most often (the first in the
    alphabet among equals), and the count of all its occurrences.

    Parameters
    ----------
    shards
        Parquet files of rows sorted by phrase and types, each combination once.
    target
        The Parquet file to write: phrase, lexical_type, entity_type, count; sorted by phrase.
    min_count
        How often a phrase must occur; the paper's is 2.

    Returns
    -------
    n_phrases
        How many were kept.
    """
    paths, passing = list(shards), 0
    made: list[Path] = []
    while len(paths) > FAN_IN:
        groups = [paths[start : start + FAN_IN] for start in range(0, len(paths), FAN_IN)]
        paths = [target.with_name(f"{target.name}.{passing}-{n}.part") for n in range(len(groups))]
        for group, path in zip(groups, paths, strict=True):
            write_rows(_added_up(group), path)
        made += paths
        passing += 1
    kept = 0

    def counted() -> Iterator[Row]:
        nonlocal kept
        for phrase, rows in groupby(_added_up(paths), key=itemgetter(0)):
            row = _voted(phrase, list(rows))
            if row[3] >= min_count:
                kept += 1
                yield row

    write_rows(counted(), target)
    for path in made:
        path.unlink()
    return kept


def _added_up(paths: Sequence[Path]) -> Iterator[Row]:
    merged = heapq.merge(*(read_rows(path) for path in paths))
    for key, rows in groupby(merged, key=itemgetter(0, 1, 2)):
        yield (*key, sum(row[3] for row in rows))


def _voted(phrase: str, rows: list[Row]) -> Row:
    _, lexical, entity, _ = min(rows, key=lambda row: (-row[3], row))
    return phrase, lexical, entity, sum(row[3] for row in rows)


def sorted_rows(counts: Counter[Phrase]) -> list[Row]:
    """Return the rows of a shard."""
    return sorted((*phrase, count) for phrase, count in counts.items())
