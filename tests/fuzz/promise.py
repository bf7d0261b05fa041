"""What the checks share: a promise that is broken, and looks into tables."""

from __future__ import annotations

from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
from frames import columns_of

import pearljoin as pj

Pairs = list[tuple[int, int]]


class LawBrokenError(AssertionError):
    """What was promised does not hold."""


def law(holds: bool, what: str) -> None:
    """Say what is broken where it does not hold."""
    if not holds:
        raise LawBrokenError(what)


def cells_of(table: Any) -> str:
    """The cells, and the index of pandas, to be compared."""
    if isinstance(table, list):
        return repr(table)
    index = repr(table.index.tolist()) if isinstance(table, pd.DataFrame) else ""
    return repr(columns_of(table)) + index


def n_rows_of(table: Any) -> int:
    """Rows of a table or a list."""
    if isinstance(table, pl.LazyFrame):
        table = table.collect()
    return table.num_rows if isinstance(table, pa.Table) else len(table)


def part_of(table: Any, start: int, stop: int) -> Any:
    """Some rows of a table or a list."""
    if isinstance(table, pl.LazyFrame | pl.DataFrame | pa.Table):
        return table.slice(start, stop - start)
    return table[start:stop]


def pairs_of(result: pj.MatchResult) -> Pairs:
    """The matches of a result."""
    matches = result.matches()
    return list(zip(matches.left.tolist(), matches.right.tolist(), strict=True))
