"""Candidates of left phrases in a reference on the cluster: as of `block_nearest` on one machine.

Meaning is searched in the cells that are nearest. Spelling is searched in all shards of the
reference, by the n-grams that are rare in the whole of it: so what is found does not hang on
vectors alone, and equals what one machine finds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from pyspark.sql import functions as sf
from pyspark.sql.window import Window

from pearljoin._candidates.blocking import DEPTH, MOST_ALIKE
from pearljoin._search import dense, tfidf
from pearljoin._spark.large.cells import (
    WHOLE,
    Cell,
    Cells,
    Shares,
    copied,
    group_of,
    is_whole,
    probed,
)
from pearljoin._spark.large.meet import CellWorker, Lookup, meet
from pearljoin._spark.large.phrases import vectors_of
from pearljoin._text.term_weights import TermWeights
from pearljoin._typing import IntVector

__all__ = ["CandidatePlan", "candidates"]

MISSED = 1e-4
"""Probability that a shard holds more of the nearest than it is asked for, at most."""

FOUND = "left bigint, id bigint, first bigint, rule int, similarity float, depth int, key string"

MEANING, SPELLING, ALL = 0, 1, 2
"""Rules by which a candidate is found. Of the last, all are kept."""


@dataclass(frozen=True)
class CandidatePlan:
    """How candidates are found.

    Attributes
    ----------
    cells
        Where meaning is searched.
    shards
        By group, where spelling is searched; in one shard where nothing is said.
    depths
        By group, how many of the nearest are candidates; `DEPTH` where nothing is said.
    terms
        Term weights of the whole reference.
    n_tasks
        Tasks of a search.
    """

    cells: Cells
    shards: Shares
    depths: Mapping[str, int]
    terms: TermWeights
    n_tasks: int


@dataclass(frozen=True)
class SearchMeaning(CellWorker):
    """Yields the nearest of a cell by their vectors.

    Attributes
    ----------
    shares
        Of the cells.
    depths
        As of `CandidatePlan`.
    """

    shares: Shares
    depths: Mapping[str, int]

    def open(self, reference: pa.Table) -> Lookup:
        """Take the vectors of a cell."""
        named, vectors = reference.select(["id", "first"]), vectors_of(reference)
        key = reference.column("key")[0].as_py()
        # So small a group that none is left out.
        is_small = len(vectors) <= 2 * DEPTH and is_whole(key)
        rule = ALL if is_small else MEANING
        depth = self.depths.get(group_of(key), DEPTH)
        k = len(vectors) if rule == ALL else depth

        def look_up(left: pa.Table) -> pa.Table:
            rows, cosines = dense.nearest(vectors_of(left), vectors, k)
            numbers, width = left.column("id").to_numpy(), rows.shape[1]
            # The nearest of a row alone says where that is.
            first = np.arange(len(numbers) * width) % width > 0
            own = self.shares.own_keys(key, numbers)
            own = own.take(pa.array(np.arange(len(numbers)).repeat(width), mask=first))
            found = np.repeat(numbers, width), named.take(pa.array(rows.reshape(-1)))
            return _found(*found, rule, cosines.reshape(-1), depth, own)

        return look_up


@dataclass(frozen=True)
class SearchSpelling(CellWorker):
    """Yields the nearest of a shard by their n-grams and words.

    Attributes
    ----------
    terms
        Of the whole reference.
    is_alone
        Whether a shard's own frequencies count, since it holds all of its group.
    parts, depths
        Shards of a group, and as of `CandidatePlan`.
    """

    terms: TermWeights
    is_alone: bool
    parts: Mapping[Cell, int]
    depths: Mapping[str, int]

    def open(self, reference: pa.Table) -> Lookup:
        """Index the texts of a shard."""
        # Ties go to the smaller row, as they do where the shards meet again.
        reference = reference.sort_by("id")
        named, terms = reference.select(["id", "first"]), self.terms
        known = tfidf.Frequencies(terms.columns, terms.texts.astype(np.int64), terms.n_texts)
        matrix = tfidf.weigh(tfidf.count(reference.column("normal").to_pylist()), terms)
        group = group_of(reference.column("key")[0].as_py())
        depth = self.depths.get(group, DEPTH)
        k = depth_of_part(depth, self.parts.get((group, WHOLE), 1))
        index = tfidf.Index(matrix, whole=None if self.is_alone else known)

        def look_up(left: pa.Table) -> pa.Table:
            queries = tfidf.weigh(tfidf.count(left.column("normal").to_pylist()), terms)
            query, row, product = index.nearest(queries, k)
            numbers = left.column("id").to_numpy()[query]
            return _found(numbers, named.take(pa.array(row)), SPELLING, product, depth)

        return look_up


def _found(
    left: IntVector,
    named: pa.Table,
    rule: int,
    similarity: Any,
    depth: int,
    key: pa.Array | None = None,
) -> pa.Table:
    columns = {
        "left": pa.array(left),
        "id": named.column("id"),
        "first": named.column("first"),
        "rule": pa.array(np.full(len(left), rule, dtype=np.int32)),
        "similarity": pa.array(similarity, pa.float32()),
        "depth": pa.array(np.full(len(left), depth, dtype=np.int32)),
        "key": pa.nulls(len(left), pa.string()) if key is None else key,
    }
    return pa.table(columns)


def candidates(phrases: Any, left: Any, probes: Any, plan: CandidatePlan) -> Any:
    """Find the candidates of left phrases.

    Parameters
    ----------
    phrases
        Of the reference: ``id``, ``first``, ``group``, ``text``, ``normal``, ``cell`` and
        ``vector``.
    left
        ``id``, ``group``, ``text`` and ``normal``.
    probes
        The same phrases by ``id``, with ``vector`` and the keys of their ``cells``.
    plan
        Where they are looked for.

    Returns
    -------
    candidates
        ``left``; ``candidates``, an array of distinct ids; ``firsts``, one of those that they are
        compared as, where these are others; and ``key``, the cell of the nearest.
    """
    by_meaning = meet(
        copied(phrases.select("id", "first", "group", "cell", "vector"), plan.cells.shares).select(
            "key", "id", "first", "vector"
        ),
        probes.select(sf.explode("cells").alias("key"), "id", "vector"),
        SearchMeaning(plan.cells.shares, plan.depths),
        FOUND,
        plan.n_tasks,
    )
    found = by_meaning.unionByName(_by_spelling(phrases, left, plan))
    best = Window.partitionBy("left", "rule").orderBy(sf.desc("similarity"), "id")
    ranked = found.withColumn("rank", sf.row_number().over(best))
    kept = ranked.where((sf.col("rank") <= sf.col("depth")) | (sf.col("rule") == ALL))
    kept = kept.drop("rank", "depth")
    every = kept.unionByName(_equal(phrases, left), allowMissingColumns=True)
    nearness = sf.when(sf.col("key").isNotNull(), sf.col("similarity"))
    other = sf.when(sf.col("first") != sf.col("id"), sf.col("first"))
    return every.groupBy("left").agg(
        sf.collect_set("id").alias("candidates"),
        sf.collect_set(other).alias("firsts"),
        sf.max_by("key", nearness).alias("key"),
    )


def _by_spelling(phrases: Any, left: Any, plan: CandidatePlan) -> Any:
    """Search in all shards: groups of one by their own frequencies, others by those of all."""
    named = [name for (name, _), n_parts in plan.shards.parts.items() if n_parts > 1]
    is_large = sf.col("group").isin(named) if named else sf.lit(False)
    found = None
    for is_alone in (True, False):
        if not is_alone and not named:
            continue
        here = ~is_large if is_alone else is_large
        whole = sf.lit(WHOLE).cast("long").alias("cell")
        there, rows = (
            send(side.where(here).select(*columns, whole), plan.shards)
            for side, send, columns in (
                (phrases, copied, ("id", "first", "group", "normal")),
                (left, probed, ("id", "group", "normal")),
            )
        )
        worker = SearchSpelling(plan.terms, is_alone, plan.shards.parts, plan.depths)
        sides = there.select("key", "id", "first", "normal"), rows.select("key", "id", "normal")
        some = meet(sides[0], sides[1], worker, FOUND, plan.n_tasks)
        found = some if found is None else found.unionByName(some)
    return found


def depth_of_part(depth: int, n_parts: int) -> int:
    """Return how many of the nearest a shard is asked for, so that hardly one is missed."""
    if n_parts == 1:
        return depth
    from scipy.stats import binom  # takes a second, which most workers can do without

    return min(depth, 1 + int(binom.isf(MISSED, depth, 1 / n_parts)))


def _equal(phrases: Any, left: Any) -> Any:
    """Phrases of equal normalised text: of each left one the first, and its very own."""
    there = phrases.select("id", "first", "group", "normal", sf.col("text").alias("own"))
    here = left.select(sf.col("id").alias("left"), "group", "normal", "text")
    pairs = here.join(there, ["group", "normal"])
    first = Window.partitionBy("left").orderBy("id")
    placed = pairs.withColumn("place", sf.row_number().over(first))
    is_own = sf.col("text") == sf.col("own")
    return placed.where((sf.col("place") <= MOST_ALIKE) | is_own).select("left", "id", "first")
