"""What runs in the workers: batches of left rows go in, batches of matches or joined rows come out.

Each class is called by ``mapInArrow`` with the batches of a partition. A row's answer depends on
that row and the shipped reference alone, so neither partitions nor batches change it, and a task
that runs again or twice gives the same rows.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from pearljoin._errors import PearljoinWarning
from pearljoin._matches import Matches
from pearljoin._records.records import Records
from pearljoin._result import MatchResult
from pearljoin._spark.frames import batches_of
from pearljoin._spark.ship import Shipment, open_matcher
from pearljoin._tables.keys import Keys
from pearljoin._tables.kinds import ColumnKinds
from pearljoin._tables.output import NO_ROW, assemble_rows, rounded, take_rows
from pearljoin._tables.read_table import Table, as_table
from pearljoin._typing import Constraint, How

__all__ = [
    "RIGHT_ROW",
    "ROW",
    "SCORE",
    "Attach",
    "DescribePairs",
    "FindMatches",
    "JoinRows",
    "Lookup",
    "TakeRight",
    "tables_of",
]

ROW, RIGHT_ROW, SCORE = "__pearljoin_row", "__pearljoin_right_row", "__pearljoin_score"
"""Columns beside those of the left frame: its row, the reference's row, and the score."""

Types = Sequence[tuple[str, pa.DataType]]
"""Names and Arrow types of the columns that a worker yields."""


@dataclass(frozen=True)
class Lookup:
    """How left rows are looked up in a shipped reference, and which matches are selected.

    Attributes
    ----------
    shipment
        The reference.
    keys, kinds
        The columns that are compared, and how.
    threshold, constraint, k
        The lowest score of a match, and how many a row may have.
    """

    shipment: Shipment
    keys: Keys
    kinds: ColumnKinds
    threshold: float
    constraint: Constraint
    k: int | None

    @property
    def right(self) -> Table:
        """The reference."""
        return open_matcher(self.shipment)._check_fitted().right

    def records(self) -> Records:
        """The records of the reference, as they are compared."""
        return open_matcher(self.shipment)._check_fitted().records_as(self.kinds)

    def match(self, left: pa.Table) -> MatchResult[Any]:
        """Look the rows of a batch up."""
        matcher = open_matcher(self.shipment)
        with warnings.catch_warnings():
            # What there is to warn of, the driver does; a batch is no table.
            warnings.simplefilter("ignore", PearljoinWarning)
            return matcher._match(as_table(left, "left"), self.keys, self.kinds)

    def matches(self, result: MatchResult[Any]) -> Matches:
        """Select the matches."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", PearljoinWarning)
            return result.matches(self.threshold, self.constraint, self.k)


def tables_of(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.Table]:
    """Batches as tables, without empty ones."""
    for batch in batches:
        if batch.num_rows:
            yield pa.Table.from_batches([batch])


@dataclass(frozen=True)
class JoinRows:
    """Joins left rows with the reference; for the joins in which each left row stands by itself.

    Attributes
    ----------
    lookup
        How to match.
    how
        ``"left"``, ``"inner"``, ``"semi"`` or ``"anti"``.
    suffix, score
        As of `fuzzy_join`.
    types
        The columns of the result.
    """

    lookup: Lookup
    how: How
    suffix: Any
    score: str | None
    types: Types

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield the joined rows."""
        for left in tables_of(batches):
            result = self.lookup.match(left)
            matches = self.lookup.matches(result)
            joined = result._tables.join(self.how, matches, self.suffix, self.score)
            yield from batches_of(joined, self.types)


@dataclass(frozen=True)
class FindMatches:
    """Yields left rows with the reference's row and the score of each match.

    Attributes
    ----------
    lookup
        How to match.
    types
        The columns of the result: those of the left rows, `RIGHT_ROW` and `SCORE`.
    keeps
        Whether a left row without a match is kept, with nulls.
    """

    lookup: Lookup
    types: Types
    keeps: bool

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield these rows."""
        for left in tables_of(batches):
            matches = self.lookup.matches(self.lookup.match(left))
            alone = np.zeros(0, dtype=np.int64)
            if self.keeps:
                alone = np.setdiff1d(np.arange(left.num_rows), matches.left)
            rows = left.take(pa.array(np.concatenate([matches.left, alone])))
            nothing = pa.nulls(len(alone), pa.int64()), pa.nulls(len(alone), pa.float32())
            right = pa.chunked_array([pa.array(matches.right), nothing[0]])
            score = pa.chunked_array([pa.array(matches.score), nothing[1]])
            rows = rows.append_column(RIGHT_ROW, right).append_column(SCORE, score)
            yield from batches_of(rows, self.types)


@dataclass(frozen=True)
class DescribePairs:
    """Yields matches with key values, probabilities and runner-up.

    Attributes
    ----------
    lookup
        How to match.
    types
        The columns of the result, as of ``MatchResult.pairs``.
    decided
        Whether the batches hold `RIGHT_ROW` and `SCORE` of matches that are selected already.
    """

    lookup: Lookup
    types: Types
    decided: bool

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield these rows."""
        for left in tables_of(batches):
            rows = left.column(ROW)
            if self.decided:
                right = left.column(RIGHT_ROW).to_numpy()
                score = left.column(SCORE).to_numpy()
                left = left.drop_columns([ROW, RIGHT_ROW, SCORE])
                result = self.lookup.match(left)
                matches = Matches(np.arange(left.num_rows), right, score)
            else:
                result = self.lookup.match(left.drop_columns([ROW]))
                matches = self.lookup.matches(result)
            found = result._tables.matches(matches, self.lookup.constraint)
            numbers = rows.take(pa.array(matches.left))
            yield from batches_of(found.set_column(0, "left_row", numbers), self.types)


@dataclass(frozen=True)
class Attach:
    """Adds the columns of the reference to left rows whose matches are known.

    Attributes
    ----------
    lookup
        Where the reference is.
    suffix, score
        As of `fuzzy_join`.
    left_names
        The columns of the left frame. Rows without a left one are null in `ROW`.
    types
        The columns of the result.
    """

    lookup: Lookup
    suffix: Any
    score: str | None
    left_names: Sequence[str]
    types: Types

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield the joined rows."""
        for rows in tables_of(batches):
            is_left = rows.column(ROW).is_valid().to_numpy()
            order = np.argsort(~is_left, kind="stable")
            rows, is_left = rows.take(pa.array(order)), is_left[order]
            left_rows = np.where(is_left, np.arange(len(order)), NO_ROW)
            right_rows = rows.column(RIGHT_ROW).fill_null(NO_ROW).to_numpy()
            scores = rounded(rows.column(SCORE).fill_null(np.nan).to_numpy())
            left = as_table(rows.select(list(self.left_names)), "left")
            found = left_rows, right_rows.astype(np.int64), scores
            right, keys = self.lookup.right, self.lookup.keys
            joined = assemble_rows(left, right, keys, found, self.suffix, self.score)
            yield from batches_of(joined, self.types)


@dataclass(frozen=True)
class TakeRight:
    """Yields rows of the reference by their positions, in the column ``id``.

    Attributes
    ----------
    lookup
        Where the reference is.
    types
        The columns of the result: those of the reference, and the row last where it is numbered.
    numbered
        Whether the positions are yielded, too.
    """

    lookup: Lookup
    types: Types
    numbered: bool = False

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield these rows."""
        for rows in tables_of(batches):
            at = rows.column("id")
            found = take_rows(self.lookup.right, at.to_numpy())
            if self.numbered:
                found = found.append_column("right_row", at)
            yield from batches_of(found, self.types)
