"""Scores of candidates, computed in the left phrase's own cell by the library of one machine."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
from pyspark.sql import functions as sf

from pearljoin._comparison.comparison import Candidates, Comparison
from pearljoin._comparison.pairs_above import pairs_above
from pearljoin._comparison.reference_part import Part
from pearljoin._fitted.fitted_table import FittedTable
from pearljoin._fitted.learned import Learned
from pearljoin._matches import Matches
from pearljoin._records.column_statistics import ColumnStatistics
from pearljoin._records.similarity import PhraseVectors
from pearljoin._result_parts.tables import ResultTables
from pearljoin._spark.large.meet import (
    LEFT,
    REFERENCE,
    SIDE,
    CellWorker,
    Lookup,
    bring_together,
)
from pearljoin._spark.large.phrases import compared_table, vectors_of
from pearljoin._spark.ship import Shipment, open_matcher
from pearljoin._tables.keys import ColumnNames, Keys
from pearljoin._tables.kinds import ColumnKinds
from pearljoin._tables.read_table import Table
from pearljoin._typing import Constraint, IntVector

__all__ = ["DESCRIPTION", "Scoring", "pairs_of", "part_of", "scored"]

SCORED = "left bigint, id bigint, equality int, score float"
DESCRIPTION = {
    "p_answer": pa.float64(),
    "p_same": pa.float64(),
    "right": pa.string(),
    "runner_up": pa.string(),
    "margin": pa.float64(),
}
"""What `MatchResult.pairs` says of a match beside its rows and score."""

DESCRIBED = f"{SCORED}, p_answer double, p_same double, right string, runner_up string, "
DESCRIBED += "margin double"


HERE = "_here"


@dataclass(frozen=True)
class Scoring:
    """How candidates are scored, and which are kept.

    Attributes
    ----------
    shipment
        What was learned of the reference, with a few rows of it.
    keys, kinds
        The columns that are compared, and how.
    n_known
        Phrases of the reference.
    threshold, constraint, k
        The lowest score of a match, and how many a row may have.
    describes
        Whether matches are described, by `DESCRIPTION`.
    """

    shipment: Shipment
    keys: Keys
    kinds: ColumnKinds
    n_known: int
    threshold: float
    constraint: Constraint
    k: int | None
    describes: bool = False

    def describe(
        self, left: Table, right: Table, comparison: Comparison, found: Candidates
    ) -> dict[str, Any]:
        """Describe pairs of records that are rows of their tables, too."""
        tables: ResultTables[Any] = ResultTables(left, right, self.keys, comparison)
        matches = Matches(found.left, found.right, found.score)
        listed = tables.matches(matches, self.constraint)
        return {name: listed.column(name).cast(kind) for name, kind in DESCRIPTION.items()}

    def select(self, comparison: Comparison) -> Candidates:
        """Keep the candidates that may be matches; under one_to_one, all that are good enough."""
        if self.constraint == "many_to_many":
            found = pairs_above(comparison, self.threshold, self.k)
            return found if self.k is None else found.take(found.rank < self.k)
        found = comparison.candidates
        found = found.take(found.score >= np.float32(self.threshold))
        return found if self.constraint == "one_to_one" else found.take(found.rank == 0)


@dataclass(frozen=True)
class ScoreCell(CellWorker):
    """Yields the pairs that may be matches.

    Attributes
    ----------
    scoring
        How they are scored.
    """

    scoring: Scoring

    def open(self, reference: pa.Table) -> Lookup:
        """Read the candidates that were brought to a cell."""
        scoring = self.scoring
        fitted = open_matcher(scoring.shipment)._check_fitted()
        # The texts of left phrases are those that they stand for, which may be read otherwise.
        kinds = scoring.kinds.of_reference
        fitted = fitted.with_learned(kinds, fitted.learned())
        ids = reference.column("id").to_numpy()
        nothing = np.zeros(0, dtype=np.int64)
        statistics = fitted.learned().reference.learned_statistics
        part = Part(scoring.n_known, (nothing, nothing))
        names = scoring.keys.right_names
        there = part_of(fitted, reference, names, kinds, statistics, part)

        def look_up(left: pa.Table) -> pa.Table:
            pairs = pairs_of(left, np.arange(left.num_rows), ids)
            here = compared_table(left, "left", scoring.keys.left_names, HERE)
            comparison = there.compare(here, scoring.keys, kinds=kinds, pairs=pairs)
            found = scoring.select(comparison)
            columns = {
                "left": left.column("id").take(pa.array(found.left)),
                "id": ids[found.right],
                "equality": found.equality.astype(np.int32),
                "score": found.score,
            }
            if scoring.describes:
                columns |= scoring.describe(here, there.right, comparison, found)
            return pa.table(columns)

        return look_up


def pairs_of(left: pa.Table, numbers: IntVector, ids: IntVector) -> tuple[IntVector, IntVector]:
    """List the candidate pairs of left rows, ascending.

    Parameters
    ----------
    left
        With ``candidates``, the ids of each row's.
    numbers
        int64 of shape (n_left,): what the left rows are called.
    ids
        int64, ascending: a candidate is called by its place here.
    """
    listed = left.column("candidates").combine_chunks()
    left_at = np.repeat(numbers, listed.value_lengths().to_numpy())
    right_at = np.searchsorted(ids, listed.flatten().to_numpy())
    order = np.lexsort((right_at, left_at))
    return left_at[order], right_at[order]


def part_of(
    fitted: FittedTable,
    rows: pa.Table,
    names: ColumnNames,
    kinds: ColumnKinds,
    statistics: tuple[ColumnStatistics, ...],
    part: Part,
) -> FittedTable:
    """Make a reference of some phrases of a whole one, with what was learned of that.

    Parameters
    ----------
    fitted
        How the whole is read, and what was learned of it, if anything was.
    rows
        The phrases, ascending by ``id``, with ``text``, ``vector`` and ``covered``.
    names, kinds
        The columns that are compared, and how.
    statistics, part
        Of the whole.
    """
    texts = rows.column("text").to_pylist()
    # One text may be a phrase of several groups.
    places: dict[str, int] = {}
    for at, text in enumerate(texts):
        places.setdefault(text, at)
    first = np.array(list(places.values()), dtype=np.int64)
    covered = rows.column("covered").to_numpy()[first]
    vectors = PhraseVectors(list(places), vectors_of(rows)[first], covered)
    right = compared_table(rows, "right", names)
    there = replace(fitted, right=right, _learned={})
    reference = there.encode(kinds, known=[vectors], statistics=statistics, part=part)
    before = fitted._learned.get(kinds, Learned(reference))
    return there.with_learned(kinds, replace(before, reference=reference))


def scored(phrases: Any, left: Any, found: Any, scoring: Scoring, n_tasks: int) -> Any:
    """Score candidates, and keep those that may be matches.

    Parameters
    ----------
    phrases, left
        As of `pearljoin._spark.large.search.candidates`, with the `by` columns.
    found
        What that returns.
    scoring
        How they are scored.
    n_tasks
        Tasks that score.

    Returns
    -------
    scored
        ``left`` and ``id``; ``equality`` and ``score`` as of `Candidates`; what else is asked for.
    """
    by = [f"by_{at}" for at in range(len(scoring.keys.left_by))]
    # Each side has columns of its own, which may be of other types.
    own = {name: f"{name}{HERE}" for name in by}
    there = phrases.select("id", "text", "vector", "covered", *by)
    here = left.select("id", "text", *by).withColumnsRenamed(own)
    sides = there.withColumn(SIDE, sf.lit(REFERENCE)), here.withColumn(SIDE, sf.lit(LEFT))
    texts = sides[0].unionByName(sides[1], allowMissingColumns=True)
    rows = _asked(found).join(texts, [SIDE, "id"])
    schema = DESCRIBED if scoring.describes else SCORED
    return bring_together(rows, ScoreCell(scoring), schema, n_tasks)


def _asked(found: Any) -> Any:
    """Left phrases with their candidates, and the reference's phrases, of each cell.

    `found` is used once: what is used twice, such as in two frames that are joined, Spark computes
    twice, the search and all.

    Returns
    -------
    asked
        ``key``, `SIDE`, ``id`` and ``candidates``, without repetition.
    """
    nothing = sf.lit(None).cast("array<bigint>").alias("candidates")
    asker = sf.struct(sf.lit(LEFT).alias(SIDE), sf.col("left").alias("id"), "candidates")
    asked = sf.transform(
        sf.array_union("candidates", "firsts"),
        lambda phrase: sf.struct(sf.lit(REFERENCE).alias(SIDE), phrase.alias("id"), nothing),
    )
    each = sf.explode(sf.concat(sf.array(asker), asked)).alias("one")
    return found.select("key", each).select("key", "one.*").distinct()
