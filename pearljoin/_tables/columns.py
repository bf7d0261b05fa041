"""Columns to records: null values, kinds of values, and each distinct value once.

Narwhals in, arrays out.
"""

from __future__ import annotations

import datetime as dt
import math
import numbers
from collections.abc import Hashable, Sequence
from decimal import Decimal
from typing import Any, Literal, Protocol, TypeAlias

import narwhals.stable.v2 as nw
import numpy as np

from pearljoin._errors import InputError
from pearljoin._records.null_rule import NULL
from pearljoin._records.records import Field, FieldKind, factorize

__all__ = [
    "Cells",
    "ColumnKind",
    "as_text",
    "column_kind",
    "common_kind",
    "exact_field",
    "holds_codes",
    "is_null",
    "is_number",
    "is_text",
    "key_field",
    "value_kind",
]


class Cells(Protocol):
    """A column: a narwhals Series, or a plain sequence dressed as one."""

    @property
    def name(self) -> str: ...

    @property
    def dtype(self) -> Any: ...

    def to_list(self) -> list[Any]: ...


ColumnKind: TypeAlias = Literal["text", "code", "whole", "number", "date", "boolean", "null"]

FIELD_KINDS: dict[ColumnKind, FieldKind] = {
    "text": "text",
    "code": "exact",
    "whole": "text",
    "null": "text",
    "boolean": "exact",
    "number": "number",
    "date": "number",
}

LONGEST_CODE = 5
"""Capital letters and digits up to this length, in every cell of both columns, are short codes."""

REFUSED = (bytes, bytearray, memoryview, list, tuple, dict, set, frozenset, np.ndarray)
EPOCH = dt.datetime(1970, 1, 1)


def is_text(series: Cells) -> bool:
    """Tell whether a column holds text; an untyped one does with some text in it, or nothing.

    pandas types a column that was never filled as float, so an empty one of these counts too.
    """
    dtype = series.dtype
    if dtype == nw.Float64 and not series.to_list():
        return True
    if dtype.is_nested() or dtype == nw.Binary:
        return False
    if dtype != nw.Object:
        return column_kind(series) == "text"
    present = [value for value in series.to_list() if not is_null(value)]
    return not present or any(isinstance(value, str) for value in present)


def is_number(series: Cells) -> bool:
    """Tell whether a column is typed as numbers."""
    return bool(series.dtype.is_numeric())


def column_kind(series: Cells) -> ColumnKind:
    """Tell the kind of a column, from its type, or of untyped columns from the values."""
    dtype = series.dtype
    if dtype == nw.Boolean:
        return "boolean"
    if dtype.is_numeric():
        return "number"
    if dtype.is_temporal():
        return "date"
    if dtype != nw.Object:
        return "text"
    kinds = {value_kind(value) for value in series.to_list() if not is_null(value)}
    return kinds.pop() if len(kinds) == 1 else "text"


def holds_codes(series: Cells) -> bool:
    """Tell whether every cell of a text column is a short code, such as "FR" or "A12"."""
    texts = {str(value) for value in series.to_list() if not is_null(value)}
    return bool(texts) and all(map(_is_code, texts))


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
        Its name in errors.

    Returns
    -------
    field
        Distinct values and codes. Nulls, NaN, empty and blank strings have the code `NULL`.

    Raises
    ------
    InputError
        If a cell holds bytes, a list, a dict or anything else that is not a plain value.
    """
    return Field(FIELD_KINDS[kind], *_distinct(series, kind, name))


def exact_field(
    columns: Sequence[Cells], kinds: Sequence[ColumnKind], *, nulls_equal: bool
) -> Field:
    """Read exact-match columns together: a value is the tuple of a row's cells.

    A row with a null among them has the code `NULL`, unless `nulls_equal`.
    """
    read = [
        _distinct(column, kind, column.name) for column, kind in zip(columns, kinds, strict=True)
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


def _distinct(
    series: Cells, kind: ColumnKind, name: str
) -> tuple[list[Hashable], np.ndarray[Any, np.dtype[np.int64]]]:
    """Distinct converted values and codes; a value is converted once."""
    raw = series.to_list()
    try:
        distinct, codes = factorize([_typed(value) for value in raw])
    except TypeError as error:
        raise _unusable(name, next(v for v in raw if not _is_hashable(v))) from error
    converted = [_convert(value[1], kind, name) for value in distinct]  # type: ignore[index]
    values, merged = factorize(converted)
    return values, np.append(merged, NULL)[codes]


def _is_hashable(value: object) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _typed(value: object) -> tuple[type, object] | None:
    """Keep apart values that Python holds equal, such as 1, 1.0 and True."""
    return None if value is None else (type(value), value)


def _convert(value: Any, kind: ColumnKind, name: str) -> Hashable:
    """One cell as the value that is compared; None for null."""
    if is_null(value):
        return None
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, REFUSED):
        raise _unusable(name, value)
    if kind in ("text", "code"):
        return as_text(value)
    if kind == "boolean":
        return bool(value)
    if kind == "date":
        return _seconds(value)
    # Text beside numbers is read as numbers only where all of it is whole numbers.
    return int(value) if isinstance(value, str) else value


def is_null(value: Any) -> bool:
    """Tell whether a cell is missing: None, NaN, NA, NaT, and empty or blank text."""
    if value is None:
        return True
    if isinstance(value, str):
        return not value or value.isspace()
    if isinstance(value, np.datetime64 | np.timedelta64):
        return bool(np.isnat(value))
    if isinstance(value, float | np.floating):
        return math.isnan(value)
    if isinstance(value, Decimal):
        return value.is_nan()
    # pd.NA and NaT are recognised by name: pandas is not imported for it, and they equal nothing.
    return type(value).__name__ in {"NAType", "NaTType"}


def value_kind(value: object) -> ColumnKind:
    """Tell the kind of a single value."""
    if isinstance(value, bool | np.bool_):
        return "boolean"
    if isinstance(value, numbers.Number) and not isinstance(value, complex):
        return "number"
    if isinstance(value, dt.date | dt.time | dt.timedelta | np.datetime64 | np.timedelta64):
        return "date"
    return "text"


def as_text(value: Any) -> str:
    """A cell as text: whole numbers without a decimal point, so that 5.0 reads as "5"."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, dt.datetime) and value.time() == dt.time():
        return value.date().isoformat()
    return value.isoformat() if isinstance(value, dt.date | dt.time) else str(value)


def _seconds(value: Any) -> float:
    """A date, time or duration as seconds: dates since 1970 (UTC where a zone is known)."""
    if isinstance(value, dt.timedelta):
        return value.total_seconds()
    if isinstance(value, dt.time):
        value = dt.datetime.combine(EPOCH.date(), value)
    elif not isinstance(value, dt.datetime):
        value = dt.datetime(value.year, value.month, value.day)
    if value.tzinfo is not None:
        value = value.astimezone(dt.UTC).replace(tzinfo=None)
    return float((value - EPOCH).total_seconds())


def _is_code(value: object) -> bool:
    text = str(value)
    return len(text) <= LONGEST_CODE and text.isalnum() and text == text.upper()


def _unusable(name: str, value: object) -> InputError:
    shown = repr(value)
    return InputError(
        f"The key column {name!r} holds a value that cannot be compared. "
        f"Got {shown[:60]} of type {type(value).__name__}. "
        "Hint: keys are text, numbers, dates or booleans; turn the column into one of these."
    )


def texts_of(series: Cells) -> list[str]:
    """Distinct texts of a column, in order of appearance; empty where it does not hold text."""
    if column_kind(series) != "text":
        return []
    return [str(value) for value in _distinct(series, "text", str(series.name))[0]]
