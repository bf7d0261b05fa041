"""Single cells: null values, kinds of values, and values as they are compared."""

from __future__ import annotations

import datetime as dt
import math
import numbers
import re
from collections.abc import Hashable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal, TypeAlias

import numpy as np

from pearljoin._errors import InputError
from pearljoin._kinds.calendar_numbers import day_of_number

__all__ = [
    "REFUSED",
    "ColumnKind",
    "Unreadable",
    "as_text",
    "boolean_of",
    "compared_value",
    "is_hashable",
    "is_null",
    "is_readable",
    "shown",
    "unusable",
    "value_kind",
]

ColumnKind: TypeAlias = Literal[
    "text",
    "code",
    "whole",
    "number",
    "date",
    "day",
    "boolean",
    "null",
    "number_text",
    "date_text",
    "boolean_text",
    "parsed_address",
    "parsed_boolean",
    "parsed_category",
    "parsed_code",
    "parsed_coordinate",
    "parsed_date",
    "parsed_email",
    "parsed_list",
    "parsed_number",
    "parsed_person",
    "parsed_phone",
    "parsed_postcode",
]
"""How the values of a column compare.

text         by meaning and spelling; exactly in `by` columns
code         short codes, exactly
whole        text that is all whole numbers: as text, and numbers are read as text beside it
number       by closeness; exactly in `by` columns
date         dates, times and durations, as seconds
day          dates and times by their day, as seconds
boolean      exactly
null         a `by` or veto column without a value
number_text  text beside numbers: as text, each number written in one way
date_text    text beside dates: as text, each date written in one way
boolean_text text or numbers beside booleans: as text, each boolean written in one way
parsed_...   by the parts of a kind of `pearljoin._kinds`, beside other key columns
"""

WHOLE_NUMBER = re.compile(r"0|-?[1-9][0-9]{0,99}")
"""A whole number as text, without leading zeros; of so few digits that Python reads it."""

PLAIN_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,99})(?:\.[0-9]{1,99})?")
"""A number as text: digits and a decimal point, without leading zeros."""

BOOLEANS = {
    **dict.fromkeys(("true", "t", "yes", "y", "1"), True),
    **dict.fromkeys(("false", "f", "no", "n", "0"), False),
}
"""Booleans as text, in lower case."""

REFUSED = (bytes, bytearray, memoryview, list, tuple, dict, set, frozenset, np.ndarray)
# Made once: cells of all columns are asked for these.
_FLOATS = (float, np.floating)
_TIMES = (np.datetime64, np.timedelta64)
EPOCH = dt.datetime(1970, 1, 1)


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A value that cannot be read as its column's kind, and equals no value that can.

    Attributes
    ----------
    value
        As it stands in the table.
    """

    value: Hashable


def is_null(value: Any) -> bool:
    """Tell whether a cell is missing: None, NaN, NA, NaT, and empty or blank text."""
    if value is None:
        return True
    if isinstance(value, str):
        return not value or value.isspace()
    if isinstance(value, _FLOATS):
        return math.isnan(value)
    if isinstance(value, _TIMES):
        return bool(np.isnat(value))
    if isinstance(value, Decimal):
        return value.is_nan()
    # pd.NA and NaT are recognised by name: pandas is not imported for it, and they equal nothing.
    return type(value).__name__ in {"NAType", "NaTType"}


def is_hashable(value: object) -> bool:
    """Tell whether a cell can be looked up; numpy's durations without a unit raise a ValueError."""
    try:
        hash(value)
    except (TypeError, ValueError):
        return False
    return True


def value_kind(value: object) -> ColumnKind:
    """Tell the kind of a single value."""
    if isinstance(value, bool | np.bool_):
        return "boolean"
    # Before numbers, since numpy's durations are whole numbers to Python.
    if isinstance(value, dt.date | dt.time | dt.timedelta | np.datetime64 | np.timedelta64):
        return "date"
    if isinstance(value, numbers.Number) and not isinstance(value, complex):
        return "number"
    return "text"


def is_readable(value: object, kind: ColumnKind) -> bool:
    """Tell whether a value of a `by` or veto column is of the kind that the reference has."""
    found = value_kind(value)
    if kind == "whole":
        return found in ("text", "number")
    if kind not in ("number", "boolean"):
        return found == kind
    if found == "text":
        return kind == "number" and bool(WHOLE_NUMBER.fullmatch(str(value)))
    return found != "date"


def compared_value(value: Any, kind: ColumnKind, name: str) -> Hashable:
    """One cell as the value that is compared.

    Parameters
    ----------
    value
        The cell.
    kind
        How the column compares.
    name
        The column's name in errors.

    Returns
    -------
    value
        None for null; an `Unreadable` where the cell has no value of the kind.

    Raises
    ------
    InputError
        If the cell holds bytes, a list, a dict or anything else that is not a plain value.
    """
    if is_null(value):
        return None
    if isinstance(value, np.generic):
        value = _plain(value)
    if isinstance(value, (*REFUSED, np.datetime64, np.timedelta64)):
        raise unusable(name, value)
    if kind == "number_text" or (kind == "whole" and value_kind(value) == "number"):
        return _number_text(value)
    if kind == "date_text":
        return _date_text(value)
    if kind == "boolean_text":
        return _boolean_text(value)
    if kind == "day":
        value, kind = value.date() if isinstance(value, dt.datetime) else value, "date"
    if kind not in ("number", "boolean", "date"):
        return as_text(value)
    if not is_readable(value, kind):
        return Unreadable(value)
    if kind == "date":
        try:
            return _seconds(value)
        except NotImplementedError as error:  # pandas: years beyond 9999 with a time zone
            raise unusable(name, value) from error
    return int(str(value)) if value_kind(value) == "text" else value


def as_text(value: Any) -> str:
    """A cell as text: whole numbers without a decimal point, so that 5.0 reads as "5"."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, dt.datetime):
        # The day is a word of its own, as that of a date.
        is_day = value.time() == dt.time()
        return value.date().isoformat() if is_day else value.isoformat(sep=" ")
    return value.isoformat() if isinstance(value, dt.date | dt.time) else str(value)


def _number_text(value: Any) -> str:
    """A cell of text or numbers as text: "1.50", 1.5 and Decimal("1.500") as "1.5"."""
    text = as_text(value) if value_kind(value) != "number" else str(value)
    if isinstance(value, str) and not PLAIN_NUMBER.fullmatch(text.strip()):
        return text
    try:
        plain = format(Decimal(text.strip()), "f")
    except ArithmeticError:
        return text
    if "." in plain:
        plain = plain.rstrip("0").rstrip(".")
    return "0" if plain == "-0" else plain


def _date_text(value: Any) -> str:
    """A cell of text, dates or their numbers as text: "2024-02-29 00:00" as "2024-02-29"."""
    if isinstance(value, str):
        try:
            value = dt.datetime.fromisoformat(value.strip())
        except ValueError:
            return str(value)
    text = as_text(value)
    return day_of_number(text) or text


def boolean_of(value: object) -> bool | None:
    """Read a cell as a boolean; None where it is none.

    Examples
    --------
    >>> boolean_of("Yes"), boolean_of(0.0), boolean_of("maybe")
    (True, False, None)
    """
    return BOOLEANS.get(as_text(value).strip().casefold())


def _boolean_text(value: Any) -> str:
    """A cell as text: "Y", 1 and True as "true"."""
    found = boolean_of(value)
    return as_text(value) if found is None else str(found).lower()


def _seconds(value: Any) -> float:
    """A date, time or duration as seconds: dates since 1970 (UTC where a zone is known)."""
    if isinstance(value, dt.timedelta):
        return value.total_seconds()
    if isinstance(value, dt.time):
        value = dt.datetime.combine(EPOCH.date(), value)
    elif not isinstance(value, dt.datetime):
        value = dt.datetime(value.year, value.month, value.day)
    ahead = value.utcoffset() or dt.timedelta()
    # Not by astimezone: the last day of year 9999 may be a day of year 10000 in UTC.
    return float((value.replace(tzinfo=None) - EPOCH).total_seconds() - ahead.total_seconds())


def _plain(value: np.generic) -> Any:
    """A scalar of numpy as Python's; itself where Python has none, as for a far date."""
    if isinstance(value, np.datetime64):
        plain = value.astype("datetime64[us]").item()  # of nanoseconds, numpy makes a whole number
        return value if isinstance(plain, int) else plain
    if isinstance(value, np.timedelta64):
        unit = np.datetime_data(value.dtype)[0]
        # Months and years have no length, and a duration without a unit has none either.
        plain = None if unit in ("Y", "M", "generic") else value.astype("timedelta64[us]").item()
        return plain if isinstance(plain, dt.timedelta) else value
    return value.item()


def shown(value: object) -> str:
    """A cell as errors and explanations show it."""
    try:
        return str(value)
    except (NotImplementedError, ValueError, OverflowError):
        return f"a {type(value).__name__}"  # pandas cannot write dates of years beyond 9999


def unusable(name: str, value: object) -> InputError:
    """Make the error for a cell that cannot be compared."""
    text = f"{value!r:.60}" if isinstance(value, REFUSED) else shown(value)[:60]
    hint = "turn the column into one of these."
    if isinstance(value, list | tuple | set | frozenset | np.ndarray):
        hint = (
            "write a list as text, '; '.join(cell): beside other key columns such text is "
            "compared by its entries."
        )
    return InputError(
        f"The key column {name!r} holds a value that cannot be compared. "
        f"Got {text} of type {type(value).__name__}. "
        f"Hint: keys are text, numbers, dates or booleans; {hint}"
    )
