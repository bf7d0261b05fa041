"""find_duplicates() of a Spark frame: pairs, components and clusters on the cluster.

The compared columns are encoded on the driver and shipped, as a reference is. Blocking and scoring
run in the workers, a part of the records each; components are found by iterative joins; and the
clustering of one machine runs inside each component, which gives its result: linkage never crosses
components.
"""

from __future__ import annotations

from functools import cached_property, partial
from typing import Any

import numpy as np
import pyarrow as pa
from pyspark.sql import functions as sf

from pearljoin._clusters.limits import Limits, numbered
from pearljoin._clusters.missing_pairs import complete_clusters
from pearljoin._clusters.partition import Partition, least_log_odds
from pearljoin._clusters.scored_pairs import in_order
from pearljoin._clusters.table_pairs import TablePairs
from pearljoin._dedupe.differing_columns import warn_of_differing
from pearljoin._dedupe.options import ConstraintOptions
from pearljoin._dedupe.result import DedupeResult
from pearljoin._errors import InputError
from pearljoin._fitted.fit_table import fit_table
from pearljoin._options import MatchOptions
from pearljoin._progress import work
from pearljoin._spark.components import components
from pearljoin._spark.frames import check_key_types, collect, empty_table
from pearljoin._spark.jobs import check_open, described
from pearljoin._spark.pair_worker import BlockRecords, ClusterPairs, ScorePairs, scored_pairs
from pearljoin._spark.probe import check_executors
from pearljoin._spark.settings import read_settings
from pearljoin._spark.ship import ship
from pearljoin._tables.keys import KeyOptions, Keys, resolve_reference
from pearljoin._tables.read_table import ONLY, as_table
from pearljoin._tables.unequal_values import warn_of_case_within
from pearljoin._typing import FloatVector, IntVector

__all__ = ["SparkDedupeResult", "find_duplicates"]

MOST_PAIRS = 5_000_000
"""Pairs of one component, at most: one worker holds them."""

PAIRS_A_TASK = 40_000
"""Pairs inside clusters that a task compares."""

RECORDS_A_TASK = 2_000
"""Records whose candidates a task finds."""

PAIR_SCHEMA = "first bigint, second bigint"
SCORED_SCHEMA = "first bigint, second bigint, log_odds float"
ROW_SCHEMA = "row bigint, cluster bigint"


class SparkDedupeResult:
    """Clusters of the rows of a Spark frame: the counterpart of `DedupeResult`.

    Made by `find_duplicates`. The clusters are found at once, on the cluster; each method returns a
    Spark DataFrame. Row positions are those of ``rows``.

    Attributes
    ----------
    local
        The same result in this process: the table in the order of its content, its pairs, and
        every method of `DedupeResult`.
    """

    def __init__(self, session: Any, local: DedupeResult[Any]) -> None:
        self._session = session
        self.local = local

    def __repr__(self) -> str:
        return f"<Spark: {self.local!r}>"

    @property
    def keys(self) -> Keys:
        """The columns that were compared, and how."""
        return self.local.keys

    @property
    def threshold(self) -> float:
        """Lowest score, in [0, 1], to which two clusters are one thing on average."""
        return self.local.threshold

    @cached_property
    def rows(self) -> Any:
        """The table with the columns ``row`` (its position) and ``cluster``."""
        table = self.local.table("cluster")
        at = pa.array(np.arange(table.num_rows))
        return self._frame(table.append_column("row", at))

    def table(self, cluster: str = "cluster", canonical: str | None = None) -> Any:
        """Return the table with the cluster of each row; see `DedupeResult.table`."""
        return self._frame(self.local.table(cluster, canonical))

    def pairs(self, lowest: float | None = None) -> Any:
        """List compared pairs of rows with their scores; see `DedupeResult.pairs`."""
        return self._frame(self.local.pairs(lowest))

    def doubtful(self) -> Any:
        """List the weakest link of each cluster; see `DedupeResult.doubtful`."""
        return self._frame(self.local.doubtful())

    def golden(self, rules: Any = None, *, provenance: bool = False) -> Any:
        """Return one row for each cluster; see `DedupeResult.golden`."""
        return self._frame(self.local.golden(rules, provenance=provenance))

    def _frame(self, table: pa.Table) -> Any:
        check_open(self._session)
        return self._session.createDataFrame(table)


def find_duplicates(
    frame: Any, keys: KeyOptions, options: MatchOptions, constraints: ConstraintOptions
) -> SparkDedupeResult:
    """Find the rows of a Spark frame that name the same thing.

    Parameters
    ----------
    frame
        A Spark DataFrame.
    keys, options
        As `find_in_table` takes them.
    constraints
        Constraints on clusters.

    Raises
    ------
    InputError
        If an argument or what the table holds cannot be used, scores would be similarities, or a
        component is too large.
    TableTypeError
        If a column has no counterpart in Arrow.
    """
    session = frame.sparkSession
    settings = read_settings(session)
    for name in ("cannot_link", "must_link"):
        if len(getattr(constraints, name)):
            raise InputError(
                f"{name}= names rows by their positions, which rows of Spark do not have. Hint: "
                "one_per=, veto= or by= with columns, or collect the table."
            )
    empty = empty_table(frame, ONLY)
    check_executors(session, options, settings)
    if keys.on is not None:
        names, _ = resolve_reference(empty, keys)
        check_key_types(frame, (*names.keys, *names.by, *names.veto), ONLY)
    table = as_table(collect(frame), ONLY)
    limits = constraints.read(table)
    with work(options.verbose):
        fitted = fit_table(table, keys, options, one_table=True)
        reference = fitted.learned().reference
        if reference.networks is None:
            raise InputError(
                "On Spark duplicates are found where a score is a probability. Got weights= or an "
                "encoder without a match scorer. Hint: leave weights= out and encoder='default', "
                "or collect the table."
            )
        warn_of_case_within(reference.records, fitted.names.by)
        on, by, veto = fitted.names
        found = Keys(on, on, by, by, veto, veto, guessed=fitted.guessed)
        found = found.with_kinds(reference.records.fields)
        shipment = ship(session, found.as_options(keys), fitted, settings)
        cluster = _Cluster(session, shipment, TablePairs(reference))
        comparison = cluster.compared()
        rest = table, found, comparison, options, limits
        threshold = DedupeResult[Any](*rest).threshold
        labels = cluster.labels(threshold, limits)
        warn_of_differing(found, comparison, labels, threshold)
    return SparkDedupeResult(session, DedupeResult[Any](*rest, labels=labels))


class _Cluster:
    """Pairs of one table on a cluster, step by step.

    Parameters
    ----------
    session, shipment
        The session, and the encoded table.
    pairs
        The same table on the driver, which has compared nothing yet.
    """

    def __init__(self, session: Any, shipment: Any, pairs: TablePairs) -> None:
        self._session = session
        self._shipment = shipment
        self._pairs = pairs

    def compared(self) -> TablePairs:
        """Block and score on the cluster; return the table with what was found."""
        pairs, n_records = self._pairs, len(self._pairs.side)
        n_tasks = max(1, -(-n_records // RECORDS_A_TASK))
        with described(self._session, "find candidate pairs of the table"):
            records = self._session.range(0, n_records, 1, n_tasks)
            blocked = records.mapInArrow(BlockRecords(self._shipment), PAIR_SCHEMA)
            blocked = blocked.distinct().localCheckpoint()
        with described(self._session, "learn match weights from sampled records"):
            pairs = TablePairs(pairs.reference, self._learn(blocked))
        with described(self._session, "score candidate pairs of the table"):
            self._completed = self._score(blocked, pairs)
            scored = in_order(*scored_pairs(self._completed.toArrow()))
        with described(self._session, "compare pairs inside clusters"):
            score = partial(self._log_odds_of, pairs)
            completed = complete_clusters(scored, pairs.keys, score, pairs.permitted)
            self._components = components(self._completed.where("log_odds >= 0"))
            return pairs.with_scores(scored, completed)

    def _log_odds_of(self, pairs: TablePairs, first: IntVector, second: IntVector) -> FloatVector:
        """Score further pairs, which are in order, and keep them beside the others."""
        listed = self._session.createDataFrame(pa.table({"first": first, "second": second}))
        n_tasks = max(1, -(-len(first) // PAIRS_A_TASK))
        found = self._score(listed.repartition(n_tasks), pairs)
        self._completed = self._completed.unionByName(found)
        return in_order(*scored_pairs(found.toArrow()))[2]

    def _learn(self, blocked: Any) -> Any:
        """Learn match weights from the candidate pairs of sampled records."""
        sample = self._pairs.sample
        if len(sample) < len(self._pairs.side):
            chosen = self._session.createDataFrame(pa.table({"sampled": sample}))
            blocked = blocked.join(
                sf.broadcast(chosen),
                (sf.col("first") == sf.col("sampled")) | (sf.col("second") == sf.col("sampled")),
                "left_semi",
            )
        found = blocked.toArrow()
        first, second = (found.column(name).to_numpy() for name in ("first", "second"))
        order = np.lexsort((second, first))
        return self._pairs.learn_from(first[order], second[order])

    def _score(self, blocked: Any, pairs: TablePairs) -> Any:
        scored = blocked.mapInArrow(ScorePairs(self._shipment, pairs.weights), SCORED_SCHEMA)
        return scored.localCheckpoint()

    def labels(self, threshold: float, limits: Limits) -> IntVector:
        """Cluster inside components: int64 of shape (n_rows,), numbered by first appearance."""
        lowest = least_log_odds(threshold)
        found = self._components
        with described(self._session, "cluster inside components"):
            if lowest <= 0:
                # Less likely pairs connect, too.
                found = components(self._completed.where(sf.col("log_odds") >= lowest - 1e-3))
            inside = self._completed.join(found.toDF("first", "component"), "first").join(
                found.toDF("second", "other"), "second"
            )
            inside = inside.where("component = other").drop("other").localCheckpoint()
            self._refuse_giants(inside)
            grouped = inside.repartition("component").select("first", "second", "log_odds")
            work_of = ClusterPairs(self._shipment, limits, threshold)
            rows = grouped.mapInArrow(work_of, ROW_SCHEMA).toArrow()
        labels = np.arange(self._pairs.records.n_rows)
        labels = self._equal_rows(labels, limits)
        labels[rows.column("row").to_numpy()] = rows.column("cluster").to_numpy()
        return numbered(labels)

    def _equal_rows(self, labels: IntVector, limits: Limits) -> IntVector:
        """The clusters that rows of equal keys make where their record is in no pair."""
        nothing = np.zeros(0, dtype=np.int64)
        odds = np.zeros(0, dtype=np.float32)
        pairs = self._pairs
        alone = Partition(pairs.records, nothing, nothing, odds, limits, pairs.keys).at(0.5)
        return labels[np.unique(alone, return_index=True)[1]][alone]

    def _refuse_giants(self, inside: Any) -> None:
        """Refuse components that one worker cannot hold."""
        counts = inside.groupBy("component").count().where(sf.col("count") > MOST_PAIRS)
        giants = counts.orderBy(sf.desc("count")).limit(3).collect()
        if not giants:
            return
        records = self._pairs.records
        shown = []
        for giant in giants:
            field = records.fields[0]
            value = field.values[field.codes[records.first_row[giant["component"]]]]
            shown.append(f"{giant['count']:,} pairs around {value!r}")
        raise InputError(
            "Components of likely pairs are too large to be clustered by one worker. Got "
            f"{'; '.join(shown)}. Hint: by= or veto= with a column that tells their rows apart, a "
            "higher threshold, or rows without such values."
        )
