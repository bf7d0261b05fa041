"""LargeMatchResult: the matches of a Spark frame with a reference that stays on the cluster."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Literal

from pyspark.sql import functions as sf
from pyspark.sql.window import Window

from pearljoin._decision.thresholds import Threshold
from pearljoin._errors import InputError
from pearljoin._spark.frames import column, empty_table
from pearljoin._spark.jobs import check_open
from pearljoin._spark.large.learn import LargeReference, encode_left
from pearljoin._spark.large.phrases import GROUP, TEXT, phrases_of, with_texts
from pearljoin._spark.large.score import DESCRIPTION, Scoring, scored
from pearljoin._spark.large.search import candidates
from pearljoin._spark.one_to_one import CONTENT, COUNT, NODE
from pearljoin._spark.result import SparkMatchResult, schema_of
from pearljoin._spark.sample import compared_names
from pearljoin._spark.settings import Settings
from pearljoin._spark.worker import RIGHT_ROW, ROW, SCORE, Lookup
from pearljoin._tables.keys import KeyOptions, Keys
from pearljoin._tables.output import SHOWN_DECIMALS, result_names
from pearljoin._tables.read_table import Table
from pearljoin._typing import ConstraintName, How

__all__ = ["LargeMatchResult"]

PHRASE_ID = "__pearljoin_phrase"


class LargeMatchResult(SparkMatchResult):
    """The matches of a Spark frame with one that is too large to be collected.

    Made by `match`. As `SparkMatchResult`, but for what is kept on the executors: the reference,
    encoded, until `unpersist` is called or the session ends.

    Parameters
    ----------
    left, right
        The Spark DataFrames.
    given, keys
        What names columns, and the columns.
    reference
        The reference and what was learned.
    settings
        What the session is set to.
    """

    def __init__(
        self,
        left: Any,
        right: Any,
        given: KeyOptions,
        keys: Keys,
        reference: LargeReference,
        settings: Settings,
    ) -> None:
        kinds = reference.readings[0].kinds
        super().__init__(left, given, keys, reference.fitted, kinds, settings)
        self._reference = reference
        self._right_frame = right

    def unpersist(self) -> None:
        """Free what the reference takes on the executors; it is made again when needed."""
        self._reference.rows.unpersist()
        self._reference.phrases.unpersist()

    @property
    def duplicates(self) -> tuple[tuple[int, ...], ...]:
        """Not known: raises InputError."""
        raise InputError(
            "Groups of reference rows with equal keys are not listed for a reference that stays on "
            f"the cluster. Got {self._n_right:,} rows. Hint: group the reference by its key."
        )

    @property
    def right(self) -> Any:
        """The reference with a column ``right_row``: what `matches` and `pairs` call its rows."""
        check_open(self._left.sparkSession)
        return self._reference.rows.select(*self._right_columns(), sf.col(ROW).alias("right_row"))

    def pairs(
        self,
        threshold: float | str | Threshold | None = None,
        constraint: ConstraintName | None = None,
    ) -> Any:
        """List the matches with their key values and probabilities; as of `SparkMatchResult`."""
        lookup = self._lookup(threshold, constraint)
        if lookup.constraint == "one_to_one":
            names = {"record": "id", "right_row": RIGHT_ROW}
            records = self._places(lookup).select(*names).withColumnsRenamed(names)
            found = self._read(self._found(lookup, whole=False, keeps=False))
            described = self._scored(lookup, describes=True).drop("score")
            described = described.withColumnRenamed("left", PHRASE_ID)
            rows = found.join(records, RIGHT_ROW).join(described, [PHRASE_ID, "id"])
        else:
            described = self._row_matches(lookup, describes=True)
            rows = self._read(self._numbered()).join(described, PHRASE_ID)
        own = {"left_row": ROW, "right_row": RIGHT_ROW, "score": SCORE}
        cells = {name: sf.col(shown) for name, shown in own.items()}
        cells["left"] = column(str(self.keys.left[0]))
        schema = schema_of(self._pair_types(lookup))
        return rows.select(
            *(
                cells.get(field.name, sf.col(field.name)).cast(field.dataType).alias(field.name)
                for field in schema.fields
            )
        )

    def unmatched(self, side: Literal["left", "right"] = "left") -> Any:
        """Select the rows without a match; as of `SparkMatchResult.unmatched`."""
        if side != "right":
            return super().unmatched(side)
        matched = self.matches().select(sf.col("right_row").alias(ROW))
        rows = self._reference.rows.join(matched, ROW, "left_anti")
        return rows.select(*self._right_columns())

    # Frames on the way ----------------------------------------------------------------------------

    @cached_property
    def _right(self) -> Table:
        return empty_table(self._right_frame, "right")

    @property
    def _n_right(self) -> int:
        return self._reference.n_rows

    def _right_columns(self) -> list[Any]:
        return [column(name) for name in self._right_frame.columns]

    def _right_rows(self) -> Any:
        return self._reference.rows.select(sf.col(ROW).alias("id"))

    def _scored(self, lookup: Lookup, *, describes: bool = False) -> Any:
        """The pairs of left phrases and the reference's that may be matches."""
        names, reference = compared_names(self.keys), self._reference
        read = with_texts(self._left.select(*map(column, names)), reference.readings[0])
        left = phrases_of(read, self.keys.left_by, _phrase_id())
        found = candidates(reference.phrases, left, encode_left(reference, left), reference.plan)
        scoring = Scoring(
            lookup.shipment,
            self.keys,
            self._kinds,
            reference.n_phrases,
            lookup.threshold,
            lookup.constraint,
            lookup.k,
            describes,
        )
        return scored(reference.phrases, left, found, scoring, reference.plan.n_tasks)

    def _row_matches(self, lookup: Lookup, *, describes: bool = False) -> Any:
        """The matches of left phrases: `PHRASE_ID`, `RIGHT_ROW` and `SCORE`, and what they are."""
        found = self._scored(lookup, describes=describes)
        if lookup.constraint == "many_to_many":
            rows = self._places(lookup).withColumnRenamed("record", "id")
            found = found.join(rows, "id").drop("id").withColumnRenamed("right_row", "id")
            if lookup.k is not None:
                order = sf.desc("equality"), sf.desc("score"), "id"
                place = sf.row_number().over(Window.partitionBy("left").orderBy(*order))
                found = found.withColumn("place", place).where(sf.col("place") <= lookup.k)
        names = {"left": PHRASE_ID, "id": RIGHT_ROW, "score": SCORE}
        kept = [*names, *DESCRIPTION] if describes else [*names]
        return found.select(*kept).withColumnsRenamed(names)

    def _read(self, rows: Any) -> Any:
        """Left rows with the numbers of their phrases."""
        read = with_texts(rows, self._reference.readings[0])
        return read.withColumn(PHRASE_ID, _phrase_id())

    def _found(self, lookup: Lookup, *, whole: bool, keeps: bool) -> Any:
        if lookup.constraint == "one_to_one":
            return super()._found(lookup, whole=whole, keeps=keeps)
        rows = self._numbered(whole=whole)
        how = "left" if keeps else "inner"
        joined = self._read(rows).join(self._row_matches(lookup), PHRASE_ID, how)
        return joined.select(*map(column, rows.columns), RIGHT_ROW, SCORE)

    def _joined_rows(
        self, lookup: Lookup, how: How, suffix: Any, score: str | None, schema: Any
    ) -> Any:
        if how in ("left", "inner"):
            found = self._found(lookup, whole=True, keeps=how == "left")
            return self._attached(found, lookup, suffix, score, schema)
        matched = self._row_matches(lookup).select(PHRASE_ID)
        rows = self._read(self._left).join(matched, PHRASE_ID, f"left_{how}")
        return rows.select(*map(column, self._left.columns))

    def _attached(
        self, found: Any, lookup: Lookup, suffix: Any, score: str | None, schema: Any
    ) -> Any:
        left_names, right_names = result_names(self._empty, self._right, self.keys, suffix, score)
        places = {name: f"__pearljoin_{at}" for at, name in enumerate(self._right_frame.columns)}
        there = [column(name).alias(place) for name, place in places.items()]
        rows = self._reference.rows.select(sf.col(ROW).alias(RIGHT_ROW), *there)
        joined = found.join(rows, RIGHT_ROW, "left")
        of_by = dict(zip(self.keys.left_by, self.keys.right_by, strict=True))
        shown = []
        for name, called in left_names.items():
            cells = column(str(name))
            if name in of_by:
                # Rows of the reference alone have its value.
                own = column(places[str(of_by[name])]).cast(self._left.schema[name].dataType)
                cells = sf.when(sf.col(ROW).isNull(), own).otherwise(cells)
            shown.append(cells.alias(str(called)))
        shown += [column(places[str(name)]).alias(str(to)) for name, to in right_names.items()]
        if score is not None:
            shown.append(sf.round(sf.col(SCORE).cast("double"), SHOWN_DECIMALS).alias(score))
        return joined.select(*shown)

    def _pairs_of_nodes(self, lookup: Lookup, nodes: Any) -> Any:
        read = self._read(nodes)
        counts = self._reference.phrases.select("id", sf.col("n").alias("n_right"))
        pairs = self._scored(lookup).join(counts, "id").withColumnRenamed("left", PHRASE_ID)
        return read.join(pairs, PHRASE_ID).select(
            sf.col(NODE).alias("node"),
            sf.col(CONTENT).alias("content"),
            sf.col("id").alias("record"),
            "equality",
            "score",
            sf.col(COUNT).alias("n_left"),
            "n_right",
        )

    def _places(self, lookup: Lookup) -> Any:
        first = Window.partitionBy(TEXT, GROUP)
        rows = self._reference.rows.where(sf.col(TEXT).isNotNull() & sf.col(GROUP).isNotNull())
        return rows.select(
            sf.min(ROW).over(first).alias("record"),
            (sf.row_number().over(first.orderBy(ROW)).cast("long") - 1).alias("right_place"),
            sf.col(ROW).alias("right_row"),
        )


def _phrase_id() -> Any:
    """Number phrases by their content: two of a billion have one number once in forty times."""
    return sf.when(sf.col(TEXT).isNotNull(), sf.xxhash64(TEXT, GROUP))
