"""Records: the distinct combinations of key values of one table, as codes."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

import numpy as np

from pearljoin._cached import cached_property
from pearljoin._kinds.protocol import Comparer
from pearljoin._kinds.record_roles import Role
from pearljoin._ragged import bounds_of, items_of_rows, sizes_of
from pearljoin._records.missing_keys import NULL, rows_with_keys
from pearljoin._typing import IntVector

__all__ = ["Field", "FieldKind", "Records", "factorize", "stack_records"]

FieldKind: TypeAlias = Literal["text", "number", "exact", "parsed"]
"""How two values are compared: by meaning and spelling, by closeness, by equality, or by parts."""


@dataclass(frozen=True)
class Field:
    """One key column of one table.

    Attributes
    ----------
    kind
        How its values are compared.
    values
        The distinct values in order of first appearance: str for text, float for numbers, anything
        hashable for exact.
    codes
        int64 of shape (n_rows,): position in `values`, or `NULL`.
    comparer
        Reads and compares the values, where the column is parsed; else None. In a veto column it
        read them, and `values` are what they are equal by.
    columns
        Positions of the key columns that are read as one; empty for a key column by itself.
    is_time
        Whether its numbers are points in time or durations, in seconds.
    is_date
        Whether they are dates, with or without a time of day.
    role
        What its name says of whom or what a record is of, as of
        `pearljoin._kinds.record_roles.person_or_thing`.
    romanised
        Whether texts of another script were written in Latin letters.
    unit
        The unit in which lengths were written that had another; None where none had.
    is_part
        Whether it is a part of the veto column before it, of which a conflict forbids a match, too.
    """

    kind: FieldKind
    values: Sequence[Hashable]
    codes: IntVector
    comparer: Comparer[Any] | None = None
    columns: tuple[int, ...] = ()
    is_time: bool = False
    is_date: bool = False
    role: Role | None = None
    romanised: bool = False
    unit: str | None = None
    is_part: bool = False

    @property
    def shown_kind(self) -> str:
        """What the log and `repr` call its kind."""
        own = "date" if self.is_date else self.kind
        kind = own if self.comparer is None else self.comparer.kind
        romanised = "romanised" if self.romanised else None
        lengths = f"lengths in {self.unit}" if self.unit else None
        return ", ".join(filter(None, (kind, romanised, lengths)))

    @cached_property
    def position(self) -> dict[Hashable, int]:
        """The position of each value."""
        return {value: code for code, value in enumerate(self.values)}

    def part(self, rows: IntVector) -> Field:
        """Return the column of some rows, with their values alone."""
        codes = self.codes[rows]
        known = codes != NULL
        listed, first, places = np.unique(codes[known], return_index=True, return_inverse=True)
        order = np.argsort(first)
        number = np.empty(len(order), dtype=np.int64)
        number[order] = np.arange(len(order))
        codes[known] = number[places]
        return replace(self, values=[self.values[code] for code in listed[order]], codes=codes)


@dataclass(frozen=True)
class Records:
    """The key columns of one table; a record is a distinct combination of their values.

    Records are numbered by first appearance, so a smaller number is an earlier row.

    Attributes
    ----------
    fields
        One entry for each key column, in the order of the keys.
    groups
        The exact-match (`by`) columns as one; None without such columns.
    nulls_equal
        Whether a null is a value that equals other nulls (see `pearljoin._records.missing_keys`).
    vetoes
        Columns in which two different values forbid a match, and parts of such columns.
    """

    fields: tuple[Field, ...]
    groups: Field | None = None
    nulls_equal: bool = False
    vetoes: tuple[Field, ...] = ()

    @property
    def n_rows(self) -> int:
        """Number of rows of the table."""
        return len(self.fields[0].codes)

    @property
    def columns_read(self) -> tuple[Field, ...]:
        """Key columns, and then veto columns: each may have been read by a comparer."""
        return *self.fields, *(veto for veto in self.vetoes if not veto.is_part)

    @property
    def comparers(self) -> tuple[Comparer[Any] | None, ...]:
        """By column of `columns_read`, what read it; None for one whose values have no parts."""
        return tuple(field.comparer for field in self.columns_read)

    @property
    def _columns(self) -> IntVector:
        """Codes of key, veto and exact-match columns: int64 of shape (n_rows, n_columns)."""
        columns = [field.codes for field in (*self.fields, *self.vetoes)]
        if self.groups is not None:
            columns.append(self.groups.codes)
        return np.stack(columns, axis=1)

    @cached_property
    def of_row(self) -> IntVector:
        """Record of each row: int64 of shape (n_rows,); `NULL` for a row that matches nothing."""
        columns = self._columns
        usable = rows_with_keys(
            [field.codes for field in self.fields],
            None if self.groups is None else self.groups.codes,
            nulls_equal=self.nulls_equal,
        )
        records = np.full(len(columns), NULL, dtype=np.int64)
        if columns.shape[1] == 1:
            _, first, inverse = np.unique(
                columns[usable, 0], return_index=True, return_inverse=True
            )
        else:
            _, first, inverse = np.unique(
                columns[usable], axis=0, return_index=True, return_inverse=True
            )
        rank = np.empty(len(first), dtype=np.int64)
        rank[np.argsort(first, kind="stable")] = np.arange(len(first))
        records[usable] = rank[inverse.reshape(-1)]
        return records

    @cached_property
    def first_row(self) -> IntVector:
        """First row of each record: int64 of shape (n_records,)."""
        records, first = np.unique(self.of_row, return_index=True)
        return np.asarray(first[records != NULL], dtype=np.int64)

    @property
    def n_records(self) -> int:
        """Number of records."""
        return len(self.first_row)

    @cached_property
    def sizes(self) -> IntVector:
        """Number of rows of each record: int64 of shape (n_records,)."""
        return np.bincount(self.of_row[self.of_row != NULL], minlength=self.n_records)

    def of_columns(self, places: Sequence[int]) -> Records:
        """Return the same rows with some of the key columns alone."""
        return replace(self, fields=tuple(self.fields[at] for at in places))

    def part(self, records: IntVector) -> Records:
        """Return some records, each as one row, in that order.

        Parameters
        ----------
        records
            int64 of shape (n,), ascending: record numbers.
        """
        rows = self.first_row[records]
        return replace(
            self,
            fields=tuple(field.part(rows) for field in self.fields),
            groups=None if self.groups is None else self.groups.part(rows),
            vetoes=tuple(field.part(rows) for field in self.vetoes),
        )

    def beside(self, left: Records) -> tuple[Field, ...]:
        """Return the key columns as the log and `repr` show those of both sides."""
        return tuple(
            replace(
                field,
                romanised=field.romanised or other.romanised,
                unit=field.unit or other.unit,
            )
            for field, other in zip(self.fields, left.fields, strict=True)
        )

    def codes(self, field: int) -> IntVector:
        """Codes of one field by record: int64 of shape (n_records,)."""
        return self.fields[field].codes[self.first_row]

    def group_codes(self) -> IntVector | None:
        """Group of each record, int64 of shape (n_records,); None without `by` columns."""
        return None if self.groups is None else self.groups.codes[self.first_row]

    def rows_of(self, records: IntVector, most: int | None = None) -> tuple[IntVector, IntVector]:
        """List the rows of each of `records`; of each at most the first `most`.

        Returns
        -------
        position, row
            Aligned int64 arrays: `row` belongs to ``records[position]``; rows ascend within one.
        """
        order = np.argsort(self.of_row, kind="stable")
        order = order[self.of_row[order] != NULL]
        bounds = bounds_of(np.bincount(self.of_row[order], minlength=self.n_records))
        counts = sizes_of(bounds)[records]
        if most is not None:
            counts = np.minimum(counts, most)
        position, place = items_of_rows(bounds[records], counts)
        return position, order[place].astype(np.int64)


def stack_records(tables: Sequence[Records]) -> Records:
    """Put the records of several tables below each other, each record as one row.

    Parameters
    ----------
    tables
        At least one, with the same columns, which are read alike.
    """
    first = tables[0]
    groups = [table.groups for table in tables if table.groups is not None]
    return replace(
        first,
        fields=_stack_columns([table.fields for table in tables], tables),
        groups=_stack(groups, tables) if groups else None,
        vetoes=_stack_columns([table.vetoes for table in tables], tables),
    )


def _stack_columns(
    columns: Sequence[tuple[Field, ...]], tables: Sequence[Records]
) -> tuple[Field, ...]:
    return tuple(_stack(parts, tables) for parts in zip(*columns, strict=True))


def _stack(parts: Sequence[Field], tables: Sequence[Records]) -> Field:
    """One column of the records of all tables."""
    numbers: dict[tuple[type, Hashable], int] = {}
    codes = []
    for part, table in zip(parts, tables, strict=True):
        # Equal values of two types, such as True and 1, stay two values.
        known = [numbers.setdefault((type(one), one), len(numbers)) for one in part.values]
        codes.append(np.array([*known, NULL], dtype=np.int64)[part.codes[table.first_row]])
    return replace(parts[0], values=[value for _, value in numbers], codes=np.concatenate(codes))


def factorize(values: Sequence[Hashable]) -> tuple[list[Hashable], IntVector]:
    """Number distinct values by first appearance; None becomes `NULL`.

    Examples
    --------
    >>> factorize(["b", None, "a", "b"])
    (['b', 'a'], array([ 0, -1,  1,  0]))
    """
    distinct = dict.fromkeys(values)
    distinct.pop(None, None)
    number: dict[Hashable, int] = dict(zip(distinct, range(len(distinct)), strict=True))
    number[None] = NULL
    codes = np.fromiter(map(number.__getitem__, values), dtype=np.int64, count=len(values))
    return list(distinct), codes
