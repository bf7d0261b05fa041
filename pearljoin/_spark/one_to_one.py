"""One-to-one matches on a cluster: iterated mutual best.

A pair is taken when it is the best of those left for both of its sides; then both are out, and so
on until nothing changes. One machine chooses the pairs whose sum of scores is greatest; this is the
greedy choice, which takes the highest scores first, as a stable marriage does (Gale and Shapley
1962). Pairs of equal keys come first in both.

Left rows are told apart by what is compared and a number among rows of equal keys, in the order of
their content: numbers of Spark's own may change when a partition is computed again. Rows of equal
keys are one node with a count, so that duplicates take one round, not one each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from pyspark.sql import functions as sf
from pyspark.sql.window import Window

from pearljoin._spark.frames import batches_of, column, content_hash
from pearljoin._spark.jobs import described
from pearljoin._spark.worker import RIGHT_ROW, ROW, SCORE, Lookup

__all__ = [
    "CANDIDATE_SCHEMA",
    "CONTENT",
    "COUNT",
    "NODE",
    "PLACE_SCHEMA",
    "Candidates",
    "Places",
    "assigned_rows",
]

CONTENT, COUNT = "__pearljoin_content", "__pearljoin_count"
NODE, PLACE = "__pearljoin_node", "__pearljoin_place"

FEW_PAIRS = 200_000
"""Pairs up to which the rest is decided on the driver: a round on a cluster costs seconds."""

CANDIDATE_SCHEMA = (
    "node string, content bigint, record bigint, equality int, score float, n_left bigint, "
    "n_right bigint"
)
PLACE_SCHEMA = "record bigint, right_place bigint, right_row bigint"
ASSIGNED_SCHEMA = "node string, record bigint, score float, start bigint, place bigint, n bigint"


def assigned_rows(
    rows: Any,
    compared: Sequence[str],
    pairs_of: Callable[[Any], Any],
    places: Any,
    *,
    keeps: bool,
) -> Any:
    """Choose a reference row for each left row, no row twice.

    Parameters
    ----------
    rows
        Left rows, and the number of each in `ROW`.
    compared
        The columns that decide.
    pairs_of
        Finds the pairs of nodes and records that may match, as of `CANDIDATE_SCHEMA`. Nodes are the
        distinct values of the compared columns, with `NODE`, `COUNT` and `CONTENT`.
    places
        The reference's rows, as of `PLACE_SCHEMA`.
    keeps
        Whether rows without a match are kept, with nulls.

    Returns
    -------
    rows
        With the columns `RIGHT_ROW` and `SCORE`.
    """
    session = rows.sparkSession
    placed = _placed(rows, compared)
    first = [sf.first(column(name)).alias(name) for name in compared]
    counted = [sf.count(sf.lit(1)).alias(COUNT), sf.min(CONTENT).alias(CONTENT)]
    nodes = placed.groupBy(NODE).agg(*first, *counted)
    with described(session, "assign one to one"):
        assigned = _assign(session, pairs_of(nodes).localCheckpoint())
    each = assigned.select(
        sf.col("node").alias(NODE),
        "record",
        sf.col("score").alias(SCORE),
        (sf.col("start") + sf.col("step")).alias(PLACE),
        (sf.col("place") + sf.col("step")).alias("right_place"),
    )
    found = each.join(places, ["record", "right_place"]).select(
        NODE, PLACE, sf.col("right_row").alias(RIGHT_ROW), SCORE
    )
    joined = placed.join(found, [NODE, PLACE], "left" if keeps else "inner")
    return joined.select(*map(column, rows.columns), RIGHT_ROW, SCORE)


def _placed(rows: Any, compared: Sequence[str]) -> Any:
    """Left rows with their content hash, their node, and their place among its rows."""
    values = sf.struct(*map(column, compared))
    node = sf.sha2(sf.to_json(values, {"ignoreNullFields": "false"}), 256)
    order = Window.partitionBy(NODE).orderBy(CONTENT)
    hashed = rows.withColumn(CONTENT, content_hash(rows.drop(ROW))).withColumn(NODE, node)
    return hashed.withColumn(PLACE, sf.row_number().over(order).cast("long") - 1)


@dataclass(frozen=True)
class Candidates:
    """Called by ``mapInArrow``: yields the pairs of nodes that may match.

    Attributes
    ----------
    lookup
        How they match.
    """

    lookup: Lookup

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield pairs of a node and a record of the reference."""
        for batch in batches:
            if not batch.num_rows:
                continue
            nodes = pa.Table.from_batches([batch])
            result = self.lookup.match(nodes.drop_columns([NODE, COUNT, CONTENT]))
            comparison = result.comparison
            found = comparison.candidates
            found = found.take(found.score >= np.float32(self.lookup.threshold))
            # Nodes that are equal once read are one record, and each stands for itself.
            position, rows = comparison.left.rows_of(found.left)
            columns = {
                "node": nodes.column(NODE).take(pa.array(rows)),
                "content": nodes.column(CONTENT).take(pa.array(rows)),
                "record": pa.array(found.right[position]),
                "equality": pa.array(found.equality[position].astype(np.int32)),
                "score": pa.array(found.score[position]),
                "n_left": nodes.column(COUNT).take(pa.array(rows)),
                "n_right": pa.array(comparison.right.sizes[found.right[position]]),
            }
            yield from pa.table(columns).to_batches()


@dataclass(frozen=True)
class Places:
    """Called by ``mapInArrow``: yields each reference row's record, and its place among its rows.

    Attributes
    ----------
    lookup
        Where the reference is.
    """

    lookup: Lookup

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield these rows for the positions in the column ``id``."""
        places: tuple[Any, Any] | None = None
        for batch in batches:
            if not batch.num_rows:
                continue
            if places is None:
                places = self._places()
            at = batch.column("id").to_numpy()
            kept = at[places[0][at] >= 0]
            table = pa.table([places[0][kept], places[1][kept], kept], names=["a", "b", "c"])
            kinds = [(name, pa.int64()) for name in ("record", "right_place", "right_row")]
            yield from batches_of(table, kinds)

    def _places(self) -> tuple[Any, Any]:
        records = self.lookup.records()
        of, rows = records.rows_of(np.arange(records.n_records))
        place = np.zeros(records.n_rows, dtype=np.int64)
        starts = np.cumsum(records.sizes) - records.sizes
        place[rows] = np.arange(len(rows)) - starts[of]
        return records.of_row, place


def _assign(session: Any, pairs: Any) -> Any:
    """Assign nodes to records; a row for each row that is assigned, in ``step``."""
    pairs = pairs.withColumn("free_left", sf.col("n_left")).withColumn(
        "free_right", sf.col("n_right")
    )
    taken = []
    while pairs.count() > FEW_PAIRS:
        best, pairs = _one_round(pairs)
        taken.append(best)
    found = _greedy(pairs.toArrow())
    last = session.createDataFrame(found, ASSIGNED_SCHEMA)
    for part in taken:
        last = last.unionByName(part)
    return last.withColumn("step", sf.explode(sf.sequence(sf.lit(0), sf.col("n") - 1)))


def _one_round(pairs: Any) -> tuple[Any, Any]:
    """Take the pairs that are the best of both sides; return them, and what is left."""
    rank = sf.struct("equality", "score", -sf.col("content"), -sf.col("record"), "node")
    ranked = pairs.withColumn("rank", rank)
    for side in ("node", "record"):
        best = sf.max("rank").over(Window.partitionBy(side))
        ranked = ranked.withColumn(f"best_{side}", best)
    is_best = (sf.col("rank") == sf.col("best_node")) & (sf.col("rank") == sf.col("best_record"))
    best = ranked.where(is_best).select(
        "node",
        "record",
        "score",
        (sf.col("n_left") - sf.col("free_left")).alias("start"),
        (sf.col("n_right") - sf.col("free_right")).alias("place"),
        sf.least("free_left", "free_right").alias("n"),
    )
    best = best.localCheckpoint()
    for side, free in (("node", "free_left"), ("record", "free_right")):
        used = best.select(side, sf.col("n").alias("used"))
        left = sf.col(free) - sf.coalesce("used", sf.lit(0))
        pairs = pairs.join(used, side, "left").withColumn(free, left).drop("used")
    pairs = pairs.where((sf.col("free_left") > 0) & (sf.col("free_right") > 0))
    return best, pairs.localCheckpoint()


def _greedy(pairs: pa.Table) -> pa.Table:
    """Take pairs by falling rank: what rounds come to, since both sides rank alike."""
    ordered = pairs.sort_by(
        [
            ("equality", "descending"),
            ("score", "descending"),
            ("content", "ascending"),
            ("record", "ascending"),
            ("node", "descending"),
        ]
    )
    free_left: dict[str, int] = {}
    free_right: dict[int, int] = {}
    rows: list[tuple[Any, ...]] = []
    for row in ordered.to_pylist():
        left = free_left.setdefault(row["node"], row["free_left"])
        right = free_right.setdefault(row["record"], row["free_right"])
        n = min(left, right)
        if n:
            start, place = row["n_left"] - left, row["n_right"] - right
            rows.append((row["node"], row["record"], row["score"], start, place, n))
            free_left[row["node"]] -= n
            free_right[row["record"]] -= n
    names = ["node", "record", "score", "start", "place", "n"]
    kinds = [pa.string(), pa.int64(), pa.float32(), pa.int64(), pa.int64(), pa.int64()]
    columns = zip(*rows, strict=True) if rows else [[] for _ in names]
    return pa.table(
        [pa.array(list(cells), kind) for cells, kind in zip(columns, kinds, strict=True)],
        names=names,
    )
