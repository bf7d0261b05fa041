"""The rows of a reference in order, their phrases, and the sums over them that are learned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from pyspark.sql import functions as sf
from pyspark.sql import types as st
from pyspark.sql.window import Window

from pearljoin._encoders import CoverageEncoder
from pearljoin._records.column_statistics import ColumnStatistics
from pearljoin._records.missing_keys import NULL
from pearljoin._records.records import Field, Records
from pearljoin._search import tfidf
from pearljoin._spark.encode import loaded_encoder
from pearljoin._spark.frames import batches_of, column, content_hash, order_of, types_of
from pearljoin._spark.large.cells import Cells
from pearljoin._spark.settings import Settings
from pearljoin._spark.worker import ROW, tables_of
from pearljoin._tables.given_kinds import GivenKinds
from pearljoin._tables.keys import ColumnNames
from pearljoin._tables.kinds import ColumnKinds, read_records
from pearljoin._tables.read_table import Table, as_table
from pearljoin._text.normalise import as_encoded, mend, normalise
from pearljoin._text.term_weights import TermWeights

__all__ = [
    "GROUP",
    "NORMAL",
    "TEXT",
    "EncodePhrases",
    "Reading",
    "compared_table",
    "numbered_rows",
    "phrases_of",
    "statistics_of",
    "vectors_of",
    "with_firsts",
    "with_texts",
]

TEXT, NORMAL, GROUP = "__pearljoin_text", "__pearljoin_normal", "__pearljoin_group"
"""What a row's key is read as, the same normalised, and its `by` columns; null in rows that match
nothing."""

PHRASE = {TEXT: "text", NORMAL: "normal", GROUP: "group"}


class Reading(NamedTuple):
    """How the compared columns of one side are read; see `read_records`."""

    side: str
    names: ColumnNames
    kinds: ColumnKinds
    nulls_equal: bool
    given: GivenKinds

    def records(self, table: pa.Table) -> Records:
        """Read some rows."""
        return read_records(
            as_table(table, self.side),
            self.names,
            self.kinds,
            nulls_equal=self.nulls_equal,
            given=self.given,
        )

    def keys_of(self, table: pa.Table) -> dict[str, list[str | None]]:
        """Read what matches of some rows: null in those that match nothing.

        Returns
        -------
        read
            ``text``, what the key is read as; ``normal``, the same normalised; and ``group``, the
            `by` columns as one.
        """
        records = self.records(table)
        key, usable = records.fields[0], records.of_row != NULL
        groups: list[str | None] = [""] * table.num_rows
        if records.groups is not None:
            groups = _cells(records.groups, usable, repr)
        normal = _cells(key, usable, lambda value: normalise(mend(str(value))))
        return {"text": _cells(key, usable, str), "normal": normal, "group": groups}


def _cells(field: Field, usable: Any, shown: Any) -> list[str | None]:
    values = [shown(value) for value in field.values]
    codes = zip(field.codes.tolist(), usable.tolist(), strict=True)
    return [values[code] if kept else None for code, kept in codes]


@dataclass(frozen=True)
class ReadKeys:
    """Called by ``mapInArrow``: adds `TEXT`, `NORMAL` and `GROUP` to rows.

    Attributes
    ----------
    reading
        How the rows are read.
    types
        The columns of the result.
    """

    reading: Reading
    types: Any

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield the rows."""
        for rows in tables_of(batches):
            for cells, name in zip(self.reading.keys_of(rows).values(), PHRASE, strict=True):
                rows = rows.append_column(name, pa.array(cells, pa.string()))
            yield from batches_of(rows, self.types)


def with_texts(rows: Any, reading: Reading) -> Any:
    """Add what the key and the `by` columns of rows are read as."""
    added = [st.StructField(name, st.StringType()) for name in (TEXT, NORMAL, GROUP)]
    schema = st.StructType([*rows.schema.fields, *added])
    return rows.mapInArrow(ReadKeys(reading, types_of(schema)), schema)


def numbered_rows(frame: Any, settings: Settings) -> Any:
    """Number the rows of a reference in the order that their content decides, in `ROW`.

    As of `pearljoin._spark.frames.collect`. The numbers ascend and have gaps.
    """
    order = [column(name).asc_nulls_last() for name in order_of(frame, settings)]
    ordered = frame.orderBy(*order, content_hash(frame))
    return ordered.withColumn(ROW, sf.monotonically_increasing_id())


def phrases_of(rows: Any, by: Sequence[Any], number: Any) -> Any:
    """List the distinct phrases of rows that are read.

    Parameters
    ----------
    rows
        As of `with_texts`.
    by
        The `by` columns.
    number
        An expression that numbers rows, or phrases; a phrase has the lowest number of its rows.

    Returns
    -------
    phrases
        ``text``, ``normal``, ``group``, ``id``, ``n`` (how many rows have it), and ``by_0``,
        ``by_1``, ...: the `by` columns of one of its rows.
    """
    first = [sf.first(column(str(name))).alias(f"by_{at}") for at, name in enumerate(by)]
    known = rows.where(sf.col(TEXT).isNotNull() & sf.col(GROUP).isNotNull())
    keys = [sf.col(name).alias(to) for name, to in PHRASE.items()]
    counted = [sf.min(number).alias("id"), sf.count(sf.lit(1)).alias("n")]
    return known.groupBy(*keys).agg(*counted, *first)


def with_firsts(phrases: Any) -> Any:
    """Add ``first``: the lowest id of the phrases of a group with the same normalised text.

    One machine compares reference records of equal keys as the first of them.
    """
    alike = Window.partitionBy("group", "normal")
    return phrases.withColumn("first", sf.min("id").over(alike))


@dataclass(frozen=True)
class EncodePhrases:
    """Called by ``mapInArrow``: adds vectors to phrases, and the cells that they go to.

    Attributes
    ----------
    encoder
        A bundled model.
    cells
        Where phrases go.
    is_left
        Whether these are left phrases: their cells are listed by key, in ``cells``, the first of
        them their own. A phrase of the reference has one, in ``cell``.
    types
        The columns of the result.
    """

    encoder: str
    cells: Cells
    is_left: bool
    types: Any

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield the phrases."""
        for rows in tables_of(batches):
            encoder = loaded_encoder(self.encoder)
            texts = [as_encoded(text) for text in rows.column("text").to_pylist()]
            groups = rows.column("group").to_pylist()
            vectors = np.ascontiguousarray(encoder.encode(texts), dtype=np.float32)
            added: dict[str, Any] = {"vector": [row.tobytes() for row in vectors]}
            if self.is_left:
                ids = rows.column("id").to_numpy()
                added["cells"] = self.cells.keys_of(vectors, groups, ids)
            else:
                covered = np.ones(len(texts), dtype=bool)
                if isinstance(encoder, CoverageEncoder):
                    covered = encoder.covers(texts)
                added |= {"covered": covered, "cell": self.cells.nearest(vectors, groups)}
            kinds = dict(self.types)
            for name, values in added.items():
                rows = rows.append_column(name, pa.array(values, kinds[name]))
            yield from batches_of(rows.select(list(kinds)), self.types)


@dataclass(frozen=True)
class SumPhrases:
    """Called by ``mapInArrow``: sums over the phrases of a partition.

    Yields ``column`` and ``total``: how many texts have each column of
    `pearljoin._search.tfidf`, and, as columns below 0, the sums of the vectors' columns.
    """

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield the sums."""
        counts = np.zeros(tfidf.N_COLUMNS, dtype=np.float64)
        sums: Any = 0.0
        for rows in tables_of(batches):
            columns, texts = tfidf.present_columns(tfidf.count(rows.column("normal").to_pylist()))
            counts[columns] += texts
            sums = sums + vectors_of(rows).sum(axis=0, dtype=np.float64)
        if np.ndim(sums):
            present = np.flatnonzero(counts)
            at = np.concatenate([present, -1 - np.arange(len(sums))])
            yield pa.RecordBatch.from_pydict(
                {"column": at, "total": np.concatenate([counts[present], sums])}
            )


def statistics_of(phrases: Any, n_texts: int) -> ColumnStatistics:
    """Add up what a reference's key column says of itself, on the cluster.

    Parameters
    ----------
    phrases
        A row for each distinct text, with ``normal`` and ``vector``.
    n_texts
        How many there are.
    """
    sums = phrases.mapInArrow(SumPhrases(), "column bigint, total double")
    found = sums.groupBy("column").agg(sf.sum("total").alias("total")).toArrow()
    columns, totals = found.column("column").to_numpy(), found.column("total").to_numpy()
    order = np.argsort(columns)
    columns, totals = columns[order], totals[order]
    is_term = columns >= 0
    terms = TermWeights(columns[is_term], totals[is_term].astype(np.float32), n_texts)
    mean = (totals[~is_term][::-1] / n_texts).astype(np.float32)
    return ColumnStatistics(terms, mean)


def compared_table(rows: pa.Table, side: str, names: ColumnNames, suffix: str = "") -> Table:
    """The compared columns of phrases as a table of one side; `suffix` ends the `by` columns."""
    cells = {str(name): rows.column(f"by_{at}{suffix}") for at, name in enumerate(names.by)}
    return as_table(pa.table({str(names.keys[0]): rows.column("text"), **cells}), side)


def vectors_of(rows: pa.Table) -> Any:
    """The vectors of rows: float32 of shape (n_rows, dim)."""
    joined = np.frombuffer(b"".join(rows.column("vector").to_pylist()), dtype=np.float32)
    return joined.reshape(rows.num_rows, -1)
