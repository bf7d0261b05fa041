"""Rows of a left frame that stand for all of it: what one machine would learn from, and no more.

Two passes. The first finds rows that decide how the columns compare, and is left out where their
types do. The second finds the records of lowest content hash, from which one machine calibrates:
partitions play no part in either.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from pyspark.sql import types as st

from pearljoin._comparison.calibration import CALIBRATION_SAMPLE
from pearljoin._errors import InputError
from pearljoin._fitted.fitted_table import FittedTable
from pearljoin._records.missing_keys import NULL
from pearljoin._records.records import Records
from pearljoin._records.sampling import record_hashes
from pearljoin._spark.frames import HASH, column, empty_table
from pearljoin._spark.jobs import described
from pearljoin._tables.booleans import is_boolean, is_known, is_no_boolean
from pearljoin._tables.cells import ColumnKind, is_null, is_readable
from pearljoin._tables.columns import column_kind, is_code
from pearljoin._tables.given_kinds import GivenKinds
from pearljoin._tables.joint_kind import has_digit
from pearljoin._tables.key_kinds import KIND_OF
from pearljoin._tables.keys import ColumnNames, Keys
from pearljoin._tables.kinds import ColumnKinds, read_records
from pearljoin._tables.parsed_field import SideReading
from pearljoin._tables.read_table import Table, as_table
from pearljoin._tables.veto_columns import cell_kinds

__all__ = ["calibration_rows", "compared_names", "deciding_rows"]

IDENTITY = "__pearljoin_identity"

DIGEST_BYTES = 16

Test = Callable[[Any], bool]


def compared_names(keys: Keys) -> list[str]:
    """Names of the left columns that matching uses, each once."""
    listed = (*keys.left, *keys.left_by, *keys.left_veto)
    return [str(name) for name in dict.fromkeys(listed)]


def deciding_rows(frame: Any, fitted: FittedTable, keys: Keys) -> Table:
    """Collect rows that decide how the columns of a left frame compare.

    Parameters
    ----------
    frame
        The left frame.
    fitted, keys
        The reference, and what is compared.

    Returns
    -------
    rows
        A few rows for each partition; none where the types of the columns decide.
    """
    compared = frame.select(*map(column, compared_names(keys)))
    empty = empty_table(compared, "left")
    exact = [*zip(keys.left_by, fitted.kinds.by, strict=True)]
    of_cells = cell_kinds(fitted.right, keys.right_veto, fitted.kinds.veto)
    exact += zip(keys.left_veto, of_cells, strict=True)
    keys_decided = all(
        column_kind(empty.columns[left]) == _typed(fitted, right, kind)
        for left, right, kind in zip(keys.left, keys.right, fitted.kinds.keys, strict=True)
    )
    # A value that is of the reference's type is never refused.
    exact_decided = all(
        kind == "null" or column_kind(empty.columns[name]) == ("text" if kind == "whole" else kind)
        for name, kind in exact
    )
    if keys_decided and exact_decided:
        return empty
    asked = Deciding(keys.left, tuple(exact))
    with described(frame.sparkSession, "find how the columns compare"):
        return as_table(compared.mapInArrow(asked, compared.schema).toArrow(), "left")


def _typed(fitted: FittedTable, name: Any, kind: ColumnKind) -> ColumnKind:
    """The kind of a column of the reference by its type."""
    return column_kind(fitted.right.columns[name]) if kind in KIND_OF else kind


@dataclass(frozen=True)
class Deciding:
    """Called by ``mapInArrow``: yields the first row of a partition that passes each test.

    Attributes
    ----------
    keys
        Key columns.
    exact
        `by` and veto columns, and the kinds that the reference's have.
    """

    keys: Sequence[Any]
    exact: Sequence[tuple[Any, ColumnKind]]

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield these rows."""
        tests: list[tuple[Any, Test]] = [(name, test) for name in self.keys for test in TESTS]
        tests += [(name, _reads(kind)) for name, kind in self.exact]
        for batch in batches:
            open_tests, rows = [], set()
            for name, test in tests:
                cells = batch.column(name).to_pylist()
                found = (at for at, cell in enumerate(cells) if not is_null(cell) and test(cell))
                row = next(found, None)
                if row is None:
                    open_tests.append((name, test))
                else:
                    rows.add(row)
            tests = open_tests
            if rows:
                yield batch.take(pa.array(sorted(rows)))


def _is_there(cell: object) -> bool:
    return True


def _is_no_digits(cell: object) -> bool:
    return not str(cell).strip().isdigit()


def _is_no_code(cell: object) -> bool:
    return not is_code(cell)


def _reads(kind: ColumnKind) -> Test:
    return lambda cell: is_readable(cell, kind)


TESTS: tuple[Test, ...] = (
    *(_is_there, is_known, has_digit, is_boolean),
    *(is_no_boolean, _is_no_digits, _is_no_code),
)
"""Of key columns: what one cell decides of how they compare."""


def calibration_rows(frame: Any, fitted: FittedTable, keys: Keys, kinds: ColumnKinds) -> pa.Table:
    """Collect a row of each of the records from which the left side is calibrated.

    Parameters
    ----------
    frame
        The left frame.
    fitted, keys, kinds
        The reference, what is compared, and how.

    Returns
    -------
    rows
        The compared columns, of at most `CALIBRATION_SAMPLE` distinct records.
    """
    names = compared_names(keys)
    odd = [name for name in names if "." in name or "`" in name]
    if odd:
        raise InputError(
            "Spark loses columns whose name holds a dot or a backtick on its way through Python. "
            f"Got {odd[0]!r}. Hint: rename it."
        )
    compared = frame.select(*map(column, names))
    readings = tuple(map(SideReading, fitted.records_as(kinds).comparers))
    lowest = LowestHashes(
        keys.left_names, kinds, fitted.options.nulls_equal, fitted.given, readings
    )
    added = st.StructType(
        [
            *compared.schema.fields,
            st.StructField(HASH, st.LongType()),
            st.StructField(IDENTITY, st.BinaryType()),
        ]
    )
    with described(frame.sparkSession, "sample left rows for the calibration"):
        found = compared.mapInArrow(lowest, added).dropDuplicates([HASH, IDENTITY])
        rows = found.orderBy(HASH, IDENTITY).limit(CALIBRATION_SAMPLE).toArrow()
    return rows.drop_columns([HASH, IDENTITY])


@dataclass(frozen=True)
class LowestHashes:
    """Called by ``mapInArrow``: yields the records of a partition with the lowest content hashes.

    Attributes
    ----------
    names, kinds, nulls_equal, given, readings
        How the left rows are read: see `read_records`.
    most
        How many records are kept.
    """

    names: ColumnNames
    kinds: ColumnKinds
    nulls_equal: bool
    given: GivenKinds
    readings: Sequence[SideReading]
    most: int = CALIBRATION_SAMPLE

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield these records, each by its first row, with hash and identity."""
        kept: pa.Table | None = None
        for batch in batches:
            if not batch.num_rows:
                continue
            found = self._lowest_of(pa.Table.from_batches([batch]))
            kept = found if kept is None else self._lowest(pa.concat_tables([kept, found]))
        if kept is not None:
            yield from kept.to_batches()

    def _lowest_of(self, table: pa.Table) -> pa.Table:
        """The records of lowest hash of a batch."""
        records = read_records(
            as_table(table, "left"),
            self.names,
            self.kinds,
            nulls_equal=self.nulls_equal,
            given=self.given,
            other=self.readings,
        )
        hashes = record_hashes(records)
        lowest = np.argsort(hashes, kind="stable")[: self.most]
        rows = table.take(pa.array(records.first_row[lowest]))
        identities = [_identity(records, record) for record in lowest.tolist()]
        rows = rows.append_column(HASH, pa.array(hashes[lowest], pa.int64()))
        return rows.append_column(IDENTITY, pa.array(identities, pa.binary()))

    def _lowest(self, table: pa.Table) -> pa.Table:
        """The records of lowest hash, each once."""
        hashes, identities = table[HASH].to_pylist(), table[IDENTITY].to_pylist()
        ranked = sorted(range(len(hashes)), key=lambda row: (hashes[row], identities[row], row))
        chosen: dict[tuple[int, bytes], int] = {}
        for row in ranked:
            chosen.setdefault((hashes[row], identities[row]), row)
        return table.take(pa.array(list(chosen.values())[: self.most], pa.int64()))


def _identity(records: Records, record: int) -> bytes:
    """What tells a record from others, in whichever partition it is."""
    row = records.first_row[record]
    fields = (*records.fields, *records.vetoes)
    fields = fields if records.groups is None else (*fields, records.groups)
    values = [
        None if field.codes[row] == NULL else field.values[field.codes[row]] for field in fields
    ]
    text = repr(values).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(text, digest_size=DIGEST_BYTES).digest()
