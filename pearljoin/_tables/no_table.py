"""What is no single table: how to tell, and what to make of it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from pearljoin._errors import TableTypeError

__all__ = ["ONLY", "are_several", "several_tables", "unreadable"]

ACCEPTED = (
    "a pandas DataFrame, a polars DataFrame or LazyFrame, a pyarrow Table, a single column of one "
    "of these, or a sequence of strings"
)
ONLY = "only"
"""The side of a table that has no other beside it."""

READERS = {
    ".csv": "read_csv",
    ".parquet": "read_parquet",
    ".tsv": "read_csv",
    ".xlsx": "read_excel",
}
"""Functions of pandas that read files, by their suffix."""


def are_several(data: Any) -> bool:
    """Tell whether a list of tables was given rather than one table or column."""
    return (
        isinstance(data, list | tuple)
        and len(data) > 0
        and all(hasattr(type(one), "columns") or hasattr(type(one), "to_frame") for one in data)
    )


def several_tables(tables: Any, side: str) -> TableTypeError:
    """Make the error for a list of tables in the place of one."""
    what = "What was given" if side == ONLY else f"The {side} side"
    return TableTypeError(
        f"{what} is a list of tables. Got {len(tables)}. Hint: put them below each other first; "
        "pandas.concat(tables, ignore_index=True) or polars.concat(tables) makes one table."
    )


def unreadable(data: Any, side: str) -> TableTypeError:
    """Make the error for what cannot be read as a table."""
    kind = type(data)
    what = "What was given" if side == ONLY else f"The {side} side"
    got, hint = (
        f"{kind.__module__}.{kind.__qualname__}",
        f"give {ACCEPTED}{_how_to_make_one(data)}.",
    )
    if kind is str:
        got = f"builtins.str {data[:60]!r}"
        reader = READERS.get(os.path.splitext(data.strip().lower())[1])
        hint = (
            f"put a single text in a list, [{data[:60]!r}], and read a file into a table first."
            if reader is None
            else f"read the file into a table first: pandas.{reader}({data[:60]!r})."
        )
    return TableTypeError(f"{what} cannot be read as a table. Got {got}. Hint: {hint}")


def _how_to_make_one(data: Any) -> str:
    """How errors say that a table is made of what is none."""
    if isinstance(data, os.PathLike):
        return "; pandas.read_csv(path) reads one"
    if isinstance(data, Mapping):
        lists = [value for value in data.values() if hasattr(value, "__len__")]
        is_row = all(isinstance(value, str) for value in lists)
        return f"; pandas.DataFrame({'[row]' if data and is_row else 'columns'}) makes one"
    if isinstance(data, list | tuple) or getattr(getattr(data, "dtype", None), "names", None):
        return "; pandas.DataFrame(rows) makes one of rows"
    if getattr(data, "ndim", None) == 2 and hasattr(data, "dtype"):
        return "; pandas.DataFrame(array, columns=[...]) makes one"
    if type(data).__name__ == "RecordBatch":
        return "; pyarrow.Table.from_batches([batch]) makes one"
    return "; relation.arrow() makes one" if hasattr(data, "arrow") else ""
