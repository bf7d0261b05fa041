"""SparkMatchResult: the matches of a Spark frame, found when they are asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any, Literal

import numpy as np
import pyarrow as pa
from pyspark.sql import functions as sf
from pyspark.sql import types as st

from pearljoin._decision.score_distribution import TableScores
from pearljoin._decision.thresholds import FixedThreshold, Threshold, as_threshold
from pearljoin._errors import InputError
from pearljoin._fitted.fitted_table import FittedTable
from pearljoin._matches import Matches
from pearljoin._options import MatchOptions, read_how
from pearljoin._result_parts.tables import ResultTables
from pearljoin._spark.frames import column, empty_table, spark_field, types_of
from pearljoin._spark.jobs import check_open
from pearljoin._spark.one_to_one import (
    CANDIDATE_SCHEMA,
    PLACE_SCHEMA,
    Candidates,
    Places,
    assigned_rows,
)
from pearljoin._spark.sample import compared_names
from pearljoin._spark.settings import Settings
from pearljoin._spark.ship import Shipment, ship
from pearljoin._spark.worker import (
    RIGHT_ROW,
    ROW,
    SCORE,
    Attach,
    DescribePairs,
    FindMatches,
    JoinRows,
    Lookup,
    TakeRight,
)
from pearljoin._tables.keys import KeyOptions, Keys
from pearljoin._tables.kinds import ColumnKinds
from pearljoin._tables.output import check_result, frame_of
from pearljoin._tables.read_table import Table
from pearljoin._typing import ConstraintName, How, HowName

__all__ = ["SparkMatchResult", "schema_of"]

MATCH_TYPES = (("left_row", pa.int64()), ("right_row", pa.int64()), ("score", pa.float32()))


class SparkMatchResult:
    """The matches of a Spark frame with a reference: the lazy counterpart of `MatchResult`.

    Made by `match` and ``Matcher.match``. The reference is fitted; every method returns a Spark
    DataFrame whose rows are found when it is used, and again when it is used again: ``cache()`` it
    where that matters.

    Attributes
    ----------
    keys
        The columns that are compared.

    Examples
    --------
    >>> from pearljoin.spark import local_session
    >>> import pearljoin as pj
    >>> with local_session() as spark:  # doctest: +SKIP
    ...     left = spark.createDataFrame([("NY Times",), ("Le Monde",)], ["name"])
    ...     papers = ["The New York Times", "Le Monde", "Die Zeit"]
    ...     pj.match(left, papers, left_on="name").pairs().show()
    """

    def __init__(
        self,
        left: Any,
        given: KeyOptions,
        keys: Keys,
        fitted: FittedTable,
        kinds: ColumnKinds,
        settings: Settings,
    ) -> None:
        self._left = left
        self._given = given
        self.keys = keys.with_kinds(fitted.records_as(kinds).fields, *kinds.left_out_and_read)
        self._fitted = fitted
        self._kinds = kinds
        self._settings = settings
        self._empty = empty_table(left, "left")

    @property
    def _right(self) -> Table:
        """A table with the columns of the reference."""
        return self._fitted.right

    @property
    def _n_right(self) -> int:
        """Rows of the reference."""
        return self._fitted.right.n_rows

    def __repr__(self) -> str:
        on = ", ".join(f"{a} = {b}" for a, b in zip(self.keys.left, self.keys.right, strict=True))
        rows = f"{self._n_right:,} reference rows"
        return (
            f"<SparkMatchResult: a Spark frame against {rows} on {on}; "
            f"{self._options.constraint}, threshold {self.threshold:.4g}>"
        )

    @property
    def _options(self) -> MatchOptions:
        return self._fitted.options

    @property
    def _session(self) -> Any:
        session = self._left.sparkSession
        check_open(session)
        return session

    @cached_property
    def threshold(self) -> float:
        """Lowest score of a match, in [0, 1], as chosen by the threshold rule."""
        return self._choose(self._options.threshold, self._options)

    def _choose(self, threshold: Threshold, options: MatchOptions) -> float:
        learned = self._fitted.learned()
        scores = TableScores(learned.reference, learned.state, options.constraint, options.k)
        return FixedThreshold(threshold.choose(scores)).value

    @property
    def calibrated(self) -> bool:
        """Whether a score is a calibrated probability of a match, and not a similarity."""
        return self._fitted.learned().reference.calibrated

    @property
    def duplicates(self) -> tuple[tuple[int, ...], ...]:
        """Groups of reference rows with equal keys, as of `MatchResult`."""
        return self._fitted.learned().reference.repeated

    @cached_property
    def _shipment(self) -> Shipment:
        return ship(self._session, self._given, self._fitted, self._settings)

    def _lookup(
        self,
        threshold: float | str | Threshold | None = None,
        constraint: ConstraintName | None = None,
        k: int | None = None,
    ) -> Lookup:
        """How workers match; the parameters are those of `matches`."""
        check_open(self._left.sparkSession)
        options = self._options
        lowest = self.threshold if (threshold, constraint, k) == (None, None, None) else None
        if lowest is None:
            options = options.with_decision(constraint, k)
            rule = options.threshold if threshold is None else as_threshold(threshold)
            lowest = self._choose(rule, options)
        return Lookup(self._shipment, self.keys, self._kinds, lowest, options.constraint, options.k)

    @property
    def left(self) -> Any:
        """The left frame with a column ``left_row``: what `matches` and `pairs` call its rows.

        Spark numbers rows by their partition, as ``monotonically_increasing_id`` does: the numbers
        hold as long as the frame gives its rows in the same partitions and order.
        """
        check_open(self._left.sparkSession)
        return self._left.withColumn("left_row", sf.monotonically_increasing_id())

    @cached_property
    def right(self) -> Any:
        """The reference with a column ``right_row``: what `matches` and `pairs` call its rows."""
        types = [*self._right_types(), ("right_row", pa.int64())]
        taken = TakeRight(self._lookup(), types, numbered=True)
        return self._right_rows().mapInArrow(taken, schema_of(types))

    def matches(
        self,
        threshold: float | str | Threshold | None = None,
        constraint: ConstraintName | None = None,
        k: int | None = None,
    ) -> Any:
        """Select the matches.

        Parameters
        ----------
        threshold, constraint, k
            As of `MatchResult.matches`.

        Returns
        -------
        matches
            ``left_row`` and ``right_row`` (as of `left` and `right`), int64, and ``score``, float32
            in [0, 1].

        Raises
        ------
        InputError
            If an argument is not understood.
        """
        found = self._found(self._lookup(threshold, constraint, k), whole=False, keeps=False)
        named = zip((ROW, RIGHT_ROW, SCORE), MATCH_TYPES, strict=True)
        return found.select(*(sf.col(name).alias(shown) for name, (shown, _) in named))

    def pairs(
        self,
        threshold: float | str | Threshold | None = None,
        constraint: ConstraintName | None = None,
    ) -> Any:
        """List the matches with their key values and probabilities.

        Parameters
        ----------
        threshold, constraint
            As of `MatchResult.matches`, and so are its errors.

        Returns
        -------
        table
            The columns of `MatchResult.pairs`, of which ``left_row`` is as of `left`.
        """
        lookup = self._lookup(threshold, constraint)
        decided = lookup.constraint == "one_to_one"
        rows = self._numbered()
        if decided:
            rows = self._found(lookup, whole=False, keeps=False)
        types = self._pair_types(lookup)
        return rows.mapInArrow(DescribePairs(lookup, types, decided), schema_of(types))

    def join(
        self,
        how: HowName = "left",
        *,
        suffix: str | Sequence[str] = "_right",
        score: str | None = "match_score",
    ) -> Any:
        """Join the left frame with the reference on the matches.

        Parameters
        ----------
        how, suffix, score
            As of `MatchResult.join`.

        Returns
        -------
        table
            A Spark DataFrame, in no particular order.

        Raises
        ------
        InputError
            If an argument is not understood, or two columns would have the same name.
        """
        how = read_how(how)
        check_result(self._empty, self._right, self.keys, how=how, suffix=suffix, score=score)
        lookup = self._lookup()
        schema = self._joined_schema(how, suffix, score)
        by_row = how in ("left", "inner", "semi", "anti")
        if by_row and lookup.constraint != "one_to_one":
            return self._joined_rows(lookup, how, suffix, score, schema)
        found = self._found(lookup, whole=True, keeps=how in ("left", "full", "anti"))
        if how in ("semi", "anti"):
            is_matched = sf.col(RIGHT_ROW).isNotNull()
            return found.where(is_matched if how == "semi" else ~is_matched).select(
                *map(column, self._left.columns)
            )
        if how in ("right", "full"):
            found = self._with_right_rows(found, how)
        return self._attached(found, lookup, suffix, score, schema)

    def _joined_rows(
        self, lookup: Lookup, how: How, suffix: Any, score: str | None, schema: Any
    ) -> Any:
        """Join left rows, of which each stands by itself."""
        return self._left.mapInArrow(JoinRows(lookup, how, suffix, score, types_of(schema)), schema)

    def _attached(
        self, found: Any, lookup: Lookup, suffix: Any, score: str | None, schema: Any
    ) -> Any:
        """Add the reference's columns to left rows whose matches are found."""
        names = tuple(self._left.columns)
        attach = Attach(lookup, suffix, score, names, types_of(schema))
        return found.mapInArrow(attach, schema)

    def unmatched(self, side: Literal["left", "right"] = "left") -> Any:
        """Select the rows without a match.

        Parameters
        ----------
        side
            Which table's rows, ``"left"`` or ``"right"``.

        Raises
        ------
        InputError
            If it is neither.
        """
        if side == "left":
            return self.join("anti")
        if side != "right":
            raise InputError(f"side= is not understood. Got {side!r}. Hint: 'left' or 'right'.")
        matched = self.matches().select(sf.col("right_row").alias("id"))
        types = self._right_types()
        rows = self._right_rows().join(matched, "id", "left_anti")
        return rows.mapInArrow(TakeRight(self._lookup(), types), schema_of(types))

    # Frames on the way ----------------------------------------------------------------------------

    def _numbered(self, *, whole: bool = False) -> Any:
        """The compared left columns, or all, with `ROW`."""
        names = self._left.columns if whole else compared_names(self.keys)
        number = sf.monotonically_increasing_id().alias(ROW)
        return self._left.select(*map(column, names), number)

    def _found(self, lookup: Lookup, *, whole: bool, keeps: bool) -> Any:
        """Left rows with `ROW`, `RIGHT_ROW` and `SCORE` of their matches.

        The compared columns, or the `whole` row; `keeps` those without a match.
        """
        numbered = self._numbered(whole=whole)
        if lookup.constraint == "one_to_one":
            # Equally good rows are told by all that they hold, whatever is asked for.
            rows, pairs_of = self._numbered(whole=True), partial(self._pairs_of_nodes, lookup)
            names, places = compared_names(self.keys), self._places(lookup)
            found = assigned_rows(rows, names, pairs_of, places, keeps=keeps)
            return found.select(*map(column, numbered.columns), RIGHT_ROW, SCORE)
        schema = _with_match(numbered.schema)
        return numbered.mapInArrow(FindMatches(lookup, types_of(schema), keeps), schema)

    def _pairs_of_nodes(self, lookup: Lookup, nodes: Any) -> Any:
        """The pairs of nodes and records that may match, as of `assigned_rows`."""
        return nodes.mapInArrow(Candidates(lookup), CANDIDATE_SCHEMA)

    def _places(self, lookup: Lookup) -> Any:
        """The record of each row of the reference, and its place among its rows."""
        return self._right_rows().mapInArrow(Places(lookup), PLACE_SCHEMA)

    def _with_right_rows(self, found: Any, how: str) -> Any:
        """Add the reference's rows that no left row has."""
        # Left rows without a match go to any partition, not all to that of null.
        alone = -1 - sf.col(ROW)
        keyed = found.withColumn("__pearljoin_key", sf.coalesce(RIGHT_ROW, alone))
        rows = self._right_rows().withColumnRenamed("id", "__pearljoin_id")
        kind = "right" if how == "right" else "full"
        joined = keyed.join(rows, sf.col("__pearljoin_key") == sf.col("__pearljoin_id"), kind)
        names = [*map(column, self._left.columns), sf.col(ROW)]
        return joined.select(*names, sf.col("__pearljoin_id").alias(RIGHT_ROW), sf.col(SCORE))

    def _right_rows(self) -> Any:
        """The rows of the reference, by their positions."""
        return self._session.range(self._n_right)

    # Schemas --------------------------------------------------------------------------------------

    def _right_types(self) -> list[tuple[str, pa.DataType]]:
        schema = frame_of(self._right).to_native().schema
        return [(field.name, field.type) for field in schema]

    def _joined_schema(self, how: str, suffix: Any, score: str | None) -> Any:
        """The schema of a join: left columns keep their types."""
        if how in ("semi", "anti"):
            return self._left.schema
        joined = self._tables().join("left", _no_matches(), suffix, score)
        fields = [spark_field(field) for field in joined.schema]
        for at, field in enumerate(self._left.schema.fields):
            fields[at] = st.StructField(fields[at].name, field.dataType, True)
        return st.StructType(fields)

    def _pair_types(self, lookup: Lookup) -> list[tuple[str, pa.DataType]]:
        found = self._tables().matches(_no_matches(), lookup.constraint)
        return [(field.name, field.type) for field in found.schema]

    def _tables(self) -> Any:
        """What makes tables of no rows at all."""
        fitted = replace(self._fitted, right=self._right)
        comparison = fitted.compare(self._empty, self.keys, kinds=self._kinds)
        kinds = self._kinds
        keys = self.keys.with_kinds(comparison.right.fields, *kinds.left_out_and_read)
        tables: ResultTables[Any] = ResultTables(self._empty, self._right, keys, comparison)
        return tables


def _no_matches() -> Matches:
    rows = np.zeros(0, dtype=np.int64)
    return Matches(rows, rows, np.zeros(0, dtype=np.float32))


def schema_of(types: Sequence[tuple[str, pa.DataType]]) -> Any:
    """The schema of a Spark frame by names and Arrow types."""
    return st.StructType([spark_field(pa.field(name, kind)) for name, kind in types])


def _with_match(schema: Any) -> Any:
    """A schema with the columns of a match."""
    added = [st.StructField(RIGHT_ROW, st.LongType()), st.StructField(SCORE, st.FloatType())]
    return st.StructType([*schema.fields, *added])
