"""What is learned of a reference that stays on the cluster, before left rows are looked up.

Frequencies and means are sums over all phrases. The state is learned on the driver from the sampled
left records and sampled phrases of the reference that one machine takes, too, each with its
candidates among all phrases: these are searched in every cell, so that the state is that of one
machine. They also tell how many cells other left phrases are looked up in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
from pyspark.sql import functions as sf
from pyspark.sql import types as st

from pearljoin._candidates.blocking import DEPTH, LARGE, depth_among
from pearljoin._comparison.comparison import Comparison
from pearljoin._comparison.reference_part import Part
from pearljoin._fitted.calibrated_table import calibrate_table
from pearljoin._fitted.encoder_source import AUTO, EncoderSource, chosen_by_size
from pearljoin._fitted.fitted_table import FittedTable
from pearljoin._records.column_statistics import ColumnStatistics
from pearljoin._scoring.neighbours import NULL_SAMPLE
from pearljoin._spark.encode import FEW_PHRASES, encode_phrases, loaded_encoder
from pearljoin._spark.frames import types_of
from pearljoin._spark.jobs import described
from pearljoin._spark.large.cells import (
    LEFT_A_TASK,
    SAMPLE_A_CELL,
    WHOLE,
    Cells,
    Shares,
    cell_of,
    train_cells,
)
from pearljoin._spark.large.phrases import (
    EncodePhrases,
    Reading,
    numbered_rows,
    phrases_of,
    statistics_of,
    vectors_of,
    with_firsts,
    with_texts,
)
from pearljoin._spark.large.sampled import Sampled, look_up
from pearljoin._spark.large.score import part_of
from pearljoin._spark.large.search import CandidatePlan
from pearljoin._spark.large.telling import telling_of_phrases
from pearljoin._spark.sample import calibration_rows
from pearljoin._spark.settings import Settings
from pearljoin._spark.worker import ROW
from pearljoin._tables.keys import Keys
from pearljoin._tables.kinds import ColumnKinds
from pearljoin._tables.read_table import as_table
from pearljoin._text.normalise import as_encoded
from pearljoin._typing import FloatMatrix, IntVector

__all__ = ["LargeReference", "encode_left", "learn"]

SHARD_PHRASES = 500_000
"""Phrases of the reference in a shard, in which spelling is searched, at most."""

SHIPPED = 100
"""Phrases that are sent to workers with what was learned: a reference has some."""


@dataclass(frozen=True)
class LargeReference:
    """A reference on the cluster, and what was learned of it.

    Attributes
    ----------
    rows
        Its rows, numbered in `ROW`, with what they are read as; kept on the executors.
    phrases
        Its phrases, encoded; likewise.
    n_rows, n_phrases
        How many there are.
    fitted
        A few of its phrases, with what was learned of all.
    readings
        How the left side and the reference are read.
    encoder
        A bundled model.
    plan
        How candidates are found.
    """

    rows: Any
    phrases: Any
    n_rows: int
    n_phrases: int
    fitted: FittedTable
    readings: tuple[Reading, Reading]
    encoder: str
    plan: CandidatePlan


def learn(
    left: Any,
    right: Any,
    keys: Keys,
    fitted: FittedTable,
    kinds: ColumnKinds,
    settings: Settings,
) -> LargeReference:
    """Encode a reference on the cluster, and learn of it.

    Where this fails or is cancelled, nothing stays on the executors.

    Parameters
    ----------
    left, right
        Spark DataFrames.
    keys, kinds
        The columns that are compared, and how: one of text, and `by` columns.
    fitted
        Some rows of the reference, not encoded.
    settings
        What the session is set to.
    """
    session = left.sparkSession
    rest = kinds, fitted.options.nulls_equal, fitted.given
    readings = Reading("left", keys.left_names, *rest), Reading("right", keys.right_names, *rest)
    # Freed where this fails; else kept for the result, whose own they are from then on.
    with ExitStack() as kept:
        with described(session, "encode the reference on the cluster"):
            rows = with_texts(numbered_rows(right, settings), readings[1]).persist()
            kept.callback(rows.unpersist)
            named = with_firsts(phrases_of(rows, keys.right_by, sf.col(ROW)))
            n_rows, counted = rows.count(), named.groupBy("group").count().where("count > 0")
            n_phrases, sizes = _sizes(counted, min(LARGE, settings.cell_phrases))
            n_texts = named.select("text").distinct().count() if keys.right_by else n_phrases
            fitted = _with_encoder(fitted, n_texts)
            encoder = str(fitted.options.encoder)
            large = {group: size for group, size in sizes.items() if size > settings.cell_phrases}
            n_cells = {group: -(-size // settings.cell_phrases) for group, size in large.items()}
            cells = train_cells(_sampled(session, named, n_cells, encoder), n_cells)
            phrases = _encoded(named, encoder, cells, is_left=False).persist()
            kept.callback(phrases.unpersist)
            cells = replace(cells, shares=Shares(_parts(phrases, settings.cell_phrases)))
        with described(session, "add up what the reference says of itself"):
            texts = phrases.dropDuplicates(["text"]) if keys.right_by else phrases
            statistics = statistics_of(texts, n_texts)
        assert statistics.terms is not None
        parts = {(name, WHOLE): -(-size // SHARD_PHRASES) for name, size in large.items()}
        n_tasks = int(session.conf.get("spark.sql.shuffle.partitions"))
        depths = {name: depth_among(size) for name, size in sizes.items()}
        plan = CandidatePlan(cells, Shares(parts), depths, statistics.terms, n_tasks)
        known = LargeReference(rows, phrases, n_rows, n_phrases, fitted, readings, encoder, plan)
        with described(session, "calibrate on sampled phrases"):
            sample = calibration_rows(left, fitted, keys, kinds)
            found = _calibrated(known, sample, keys, statistics, left.count(), settings.cell_recall)
        kept.pop_all()
    return found


def _with_encoder(fitted: FittedTable, n_texts: int) -> FittedTable:
    """Choose the encoder of a reference of so many distinct texts, where that is asked for."""
    if fitted.options.encoder != AUTO:
        return fitted
    options = replace(fitted.options, encoder=chosen_by_size(n_texts))
    return replace(fitted, options=options, source=EncoderSource(options), _learned={})


def _sizes(counted: Any, most: int) -> tuple[int, dict[str, int]]:
    """Count phrases, and those of each group of more than so many."""
    total = counted.agg(sf.sum("count")).collect()[0][0] or 0
    large = counted.where(sf.col("count") > most).collect()
    return int(total), {row["group"]: int(row["count"]) for row in large}


def _sampled(
    session: Any, phrases: Any, n_cells: Mapping[str, int], encoder: str
) -> dict[str, FloatMatrix]:
    """Encode phrases of each large group, for its centroids: those of the lowest hashes."""
    found = {}
    for group, n in n_cells.items():
        here = phrases.where(sf.col("group") == group).orderBy(sf.crc32("text"), "text")
        some = here.limit(SAMPLE_A_CELL * n).select("text").toArrow()
        texts = some.column("text").to_pylist()
        if len(texts) > FEW_PHRASES:
            found[group] = np.asarray(encode_phrases(session, encoder, texts).vectors)
        else:
            found[group] = loaded_encoder(encoder).encode([as_encoded(text) for text in texts])
    return found


def _encoded(phrases: Any, encoder: str, cells: Cells, *, is_left: bool) -> Any:
    added = [st.StructField("vector", st.BinaryType())]
    if is_left:
        added.append(st.StructField("cells", st.ArrayType(st.StringType())))
        phrases = phrases.select("id", "text", "group")
    else:
        added.append(st.StructField("covered", st.BooleanType()))
        added.append(st.StructField("cell", st.LongType()))
    schema = st.StructType([*phrases.schema.fields, *added])
    worker = EncodePhrases(encoder, cells, is_left, types_of(schema))
    return phrases.mapInArrow(worker, schema)


def encode_left(reference: LargeReference, phrases: Any) -> Any:
    """Encode left phrases, and list the cells that they are looked up in."""
    return _encoded(phrases, reference.encoder, reference.plan.cells, is_left=True)


def _parts(phrases: Any, each: int) -> dict[tuple[str, int], int]:
    """Split cells of too many phrases."""
    counts = phrases.groupBy("group", "cell").count().where(sf.col("count") > 2 * each).collect()
    return {(row["group"], row["cell"]): -(-row["count"] // each) for row in counts}


def _calibrated(
    known: LargeReference,
    sample: pa.Table,
    keys: Keys,
    statistics: ColumnStatistics,
    n_left: int,
    recall: float,
) -> LargeReference:
    """Learn the state from sampled left records and sampled phrases, and how to search."""
    phrases, names, (reading, right) = known.phrases, keys.right_names, known.readings
    null = phrases.orderBy(sf.crc32("text"), "id").limit(NULL_SAMPLE).drop("cell").toArrow()
    telling = telling_of_phrases(phrases, names.keys[0])
    rounds: list[tuple[Sampled, Part]] = []

    def compare_as(kinds: ColumnKinds) -> Comparison:
        read_so = reading._replace(kinds=kinds)
        found = look_up(phrases, known.plan, known.encoder, read_so, sample, null)
        part = Part(known.n_phrases, found.null_pairs, telling)
        rounds.append((found, part))
        there = part_of(known.fitted, found.there, names, kinds, (statistics,), part)
        return there.compare(as_table(found.left, "left"), keys, kinds=kinds, pairs=found.pairs)

    table = as_table(sample, "left")
    _, fitted = calibrate_table(
        known.fitted, table, keys, kinds=reading.kinds, compare_as=compare_as
    )
    found, part = rounds[-1]
    kinds, few = fitted.frozen_kinds, found.there.slice(0, SHIPPED)
    fitted = part_of(fitted, few, names, kinds, (statistics,), part)
    cells = known.plan.cells
    if cells.centroids:
        n_probe = _n_probe(known.plan, found.queries, found.there, found.all_pairs, recall)
        cells = replace(cells, n_probe=n_probe)
    asked = found.queries.slice(0, found.left.num_rows)
    plan = _with_copies(replace(known.plan, cells=cells), asked, n_left)
    readings = reading._replace(kinds=kinds), right
    return replace(known, fitted=fitted, readings=readings, plan=plan)


def _n_probe(
    plan: CandidatePlan,
    queries: pa.Table,
    there: pa.Table,
    pairs: tuple[IntVector, IntVector],
    recall: float,
) -> int:
    """Find how many cells hold the nearest of sampled phrases, but for a share of them."""
    left, right = vectors_of(queries), vectors_of(there)
    groups, cell_of = queries.column("group").to_pylist(), there.column("cell").to_numpy()
    left_at, right_at = pairs
    cosines = np.einsum("ij,ij->i", left[left_at], right[right_at])
    order = np.lexsort((-cosines, left_at))
    at = np.arange(len(order)) - np.searchsorted(left_at, left_at)
    depths = np.array([plan.depths.get(group, DEPTH) for group in groups], dtype=np.int64)
    order = order[at < depths[left_at[order]]]
    ranks = []
    for group, centroids in plan.cells.centroids.items():
        here = order[np.array([groups[q] == group for q in left_at[order].tolist()], dtype=bool)]
        nearness = left[left_at[here]] @ centroids.T
        own = np.take_along_axis(nearness, cell_of[right_at[here]][:, None], axis=1)
        ranks.append((nearness > own).sum(axis=1))
    every = np.concatenate(ranks)
    return 1 + int(np.quantile(every, recall, method="higher")) if len(every) else 1


def _with_copies(plan: CandidatePlan, sampled: pa.Table, n_left: int) -> CandidatePlan:
    """Copy cells and shards that many left phrases come to, by the share of sampled ones."""
    vectors, groups = vectors_of(sampled), sampled.column("group").to_pylist()
    if not groups:
        return plan
    listed = plan.cells.keys_of(vectors, groups, np.arange(len(groups)))
    rows = list(zip(groups, listed, strict=True))
    asked = Counter(cell for group, keys in rows for cell in {cell_of(group, k) for k in keys})
    own = Counter(cell_of(group, keys[0]) for group, keys in rows)
    each = n_left / len(groups) / LEFT_A_TASK
    counts = asked, own, Counter((group, WHOLE) for group in groups)
    copies, own_copies, by_group = (
        {cell: int(np.ceil(n * each)) for cell, n in sorted(count.items())} for count in counts
    )
    shares = replace(plan.cells.shares, copies=copies, own_copies=own_copies)
    cells = replace(plan.cells, shares=shares)
    return replace(plan, cells=cells, shards=replace(plan.shards, copies=by_group))
