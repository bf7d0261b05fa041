"""Columns to records: kinds of columns, and each distinct value once.

Narwhals in, arrays out.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Hashable, Iterator, Sequence
from typing import Any, Protocol

import narwhals.stable.v2 as nw
import numpy as np

from pearljoin._kinds.record_roles import person_or_thing
from pearljoin._records.missing_keys import NULL
from pearljoin._records.records import Field, FieldKind, factorize
from pearljoin._tables.cells import (
    ColumnKind,
    compared_value,
    is_hashable,
    is_null,
    unusable,
    value_kind,
)
from pearljoin._text.normalise import mend, normalise

__all__ = [
    "Cells",
    "column_kind",
    "common_kind",
    "distinct_values",
    "exact_field",
    "holds_codes",
    "is_code",
    "is_number",
    "is_plain_text",
    "is_text",
    "key_field",
    "present_cells",
    "present_kinds",
    "texts_of",
    "veto_text",
]

_BESIDE_DIGIT = re.compile(r"(?<=\d) (?=[^\W\d_])|(?<=[^\W\d_]) (?=\d)")
"""A blank between a digit and a letter, which is written or not: "250 g", "250g"."""


class Cells(Protocol):
    """A column: a narwhals Series, or a plain sequence dressed as one."""

    @property
    def name(self) -> str: ...

    @property
    def dtype(self) -> Any: ...

    def to_list(self) -> list[Any]: ...

    def cell(self, row: int) -> Any: ...

    def cells(self, rows: Sequence[int]) -> list[Any]: ...


FIELD_KINDS: dict[ColumnKind, FieldKind] = {
    "text": "text",
    "code": "exact",
    "whole": "text",
    "null": "text",
    "number_text": "text",
    "date_text": "text",
    "boolean_text": "text",
    "boolean": "exact",
    "number": "number",
    "date": "number",
    "day": "number",
}

LONGEST_CODE = 5
"""Capital letters and digits up to this length, in every cell of both columns, are short codes."""


def is_text(series: Cells) -> bool:
    """Tell whether a column holds text; an untyped one does with some text in it, or nothing.

    pandas types a column that was never filled as float, so an empty one of these counts too.
    """
    dtype = series.dtype
    if dtype == nw.Float64 and not series.to_list():
        return True
    if dtype.is_nested() or dtype == nw.Binary:
        return False
    if dtype not in (nw.Object, nw.Unknown):
        return column_kind(series) == "text"
    present = list(present_cells(series))
    return not present or any(isinstance(value, str) for value in present)


def is_number(series: Cells) -> bool:
    """Tell whether a column is typed as numbers."""
    return bool(series.dtype.is_numeric())


def column_kind(series: Cells) -> ColumnKind:
    """Tell the kind of a column: the kind of all its values, else text.

    A type of numbers, dates, booleans or text says it; the values of untyped columns and of
    categories do.
    """
    typed = _typed_kind(series)
    if typed is not None:
        return typed
    kinds = present_kinds(series)
    return kinds.pop() if len(kinds) == 1 else "text"


def present_kinds(series: Cells) -> set[ColumnKind]:
    """List the kinds of the values of a column; none where all are null."""
    present = present_cells(series)
    typed = _typed_kind(series)
    if typed is None and is_plain_text(series.to_list()):
        typed = "text"
    if typed is None:
        return set(map(value_kind, present))
    return set() if next(present, None) is None else {typed}


def is_plain_text(cells: list[Any]) -> bool:
    """Whether all cells are text or None; their types alone are asked, which is quick."""
    return {str, type(None)}.issuperset(map(type, cells))


def present_cells(series: Cells) -> Iterator[Any]:
    """Iterate over the cells that are not null."""
    cells = series.to_list()
    if is_plain_text(cells):
        # As `is_null` says, which takes long to ask of each cell of a large table.
        return (text for text in cells if text and not text.isspace())
    return (cell for cell in cells if not is_null(cell))


def _typed_kind(series: Cells) -> ColumnKind | None:
    """The kind of a column by its type; None where only the values can tell."""
    dtype = series.dtype
    if dtype == nw.Boolean:
        return "boolean"
    if dtype.is_numeric():
        return "number"
    if dtype.is_temporal():
        return "date"
    untyped = (nw.Object, nw.Unknown, nw.Categorical, nw.Enum)
    return None if dtype in untyped else "text"


def holds_codes(series: Cells) -> bool:
    """Tell whether every cell of a text column is a short code, such as "FR" or "A12"."""
    texts = set(map(str, present_cells(series)))
    return bool(texts) and all(map(is_code, texts))


def common_kind(left: ColumnKind, right: ColumnKind) -> ColumnKind:
    """Choose how two columns compare: as the kind of both, else as text."""
    if left == right:
        return left
    return "number" if {left, right} == {"number", "boolean"} else "text"


def key_field(series: Cells, kind: ColumnKind, name: str) -> Field:
    """Read a key column.

    Parameters
    ----------
    series
        The column.
    kind
        How its values compare.
    name
        Its name.

    Returns
    -------
    field
        Distinct values and codes. Nulls, NaN, empty and blank strings have the code `NULL`.

    Raises
    ------
    InputError
        If a cell holds bytes, a list, a dict or anything else that is not a plain value.
    """
    values, codes = distinct_values(series, kind, name)
    is_time, role = kind in ("date", "day"), person_or_thing(name)
    is_date = is_time and _holds_dates(series)
    return Field(FIELD_KINDS[kind], values, codes, is_time=is_time, is_date=is_date, role=role)


def _holds_dates(series: Cells) -> bool:
    """Tell whether a column of times is of dates, rather than of durations or times of day."""
    if series.dtype.is_temporal():
        return series.dtype in (nw.Date, nw.Datetime)
    return all(isinstance(cell, dt.date | np.datetime64) for cell in present_cells(series))


def veto_text(value: object) -> str:
    """Return what a text is compared as in a veto column."""
    return _BESIDE_DIGIT.sub("", normalise(mend(str(value))))


def exact_field(
    columns: Sequence[Cells], kinds: Sequence[ColumnKind], *, nulls_equal: bool
) -> Field:
    """Read exact-match columns together: a value is the tuple of a row's cells.

    A row with a null among them has the code `NULL`, unless `nulls_equal`.
    """
    read = [
        distinct_values(column, kind, column.name)
        for column, kind in zip(columns, kinds, strict=True)
    ]
    rows = zip(*(codes.tolist() for _, codes in read), strict=True)
    tuples, codes = factorize(list(rows))
    # In the other table the same value has another code, so the values themselves are compared.
    named = [
        tuple(
            values[code] if code != NULL else None
            for code, (values, _) in zip(row, read, strict=True)  # type: ignore[call-overload]
        )
        for row in tuples
    ]
    has_null = np.array([None in row and not nulls_equal for row in named], dtype=bool)
    if len(codes):
        codes = np.where(has_null[codes], NULL, codes)
    return Field("exact", named, codes)


def distinct_values(
    series: Cells, kind: ColumnKind, name: str
) -> tuple[list[Hashable], np.ndarray[Any, np.dtype[np.int64]]]:
    """Distinct converted values and codes; a value is converted once."""
    raw = series.to_list()
    if kind == "text" and is_plain_text(raw):
        # Plain text is compared as it stands, as most columns of large tables are.
        return factorize([text if text and not text.isspace() else None for text in raw])
    try:
        distinct, codes = factorize([_typed(value) for value in raw])
    except (TypeError, ValueError) as error:
        raise unusable(name, next(v for v in raw if not is_hashable(v))) from error
    converted = [compared_value(value[1], kind, name) for value in distinct]  # type: ignore[index]
    values, merged = factorize(converted)
    return values, np.append(merged, NULL)[codes]


def _typed(value: object) -> tuple[type, object] | None:
    """Keep apart values that Python holds equal, such as 1, 1.0 and True."""
    return None if value is None else (type(value), value)


def is_code(value: object) -> bool:
    """Tell whether a value is a short code, such as "FR" or "A12"."""
    text = str(value)
    return len(text) <= LONGEST_CODE and text.isalnum() and text == text.upper()


def texts_of(series: Cells) -> list[str]:
    """Distinct texts of a column, in order of appearance; empty where it does not hold text."""
    if column_kind(series) != "text":
        return []
    return [str(value) for value in distinct_values(series, "text", str(series.name))[0]]
