"""Tables of every kind, read back as plain values, and an encoder that costs nothing."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

import pearljoin as pj

KINDS = ("pandas", "pandas-nullable", "polars", "polars-lazy", "pyarrow", "pandas-arrow")
"""Each and the third one after it differ much; a test has such two: `pytest_generate_tests`."""

NULLABLE = {
    pa.int64(): pd.Int64Dtype(),
    pa.float64(): pd.Float64Dtype(),
    pa.bool_(): pd.BooleanDtype(),
    pa.string(): pd.StringDtype(na_value=pd.NA),
}


class FrameMaker:
    """Makes tables of one kind from plain columns; a column without values is text."""

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def __call__(self, columns: Mapping[str, Sequence[Any]]) -> Any:
        arrays = {name: pa.array(list(cells)) for name, cells in columns.items()}
        table = pa.table(
            {n: a.cast(pa.string()) if a.type == pa.null() else a for n, a in arrays.items()}
        )
        return self.from_arrow(table)

    def from_arrow(self, table: pa.Table) -> Any:
        match self.kind:
            case "pandas":
                return table.to_pandas()
            case "pandas-nullable":
                return table.to_pandas(types_mapper=NULLABLE.get)
            case "pandas-arrow":
                return table.to_pandas(types_mapper=pd.ArrowDtype)
            case "polars":
                return pl.DataFrame(table)
            case "polars-lazy":
                return pl.DataFrame(table).lazy()
        return table

    @property
    def type(self) -> type:
        return type(self({"x": ["x"]}))


def columns_of(table: Any) -> dict[str, list[Any]]:
    """Columns as lists; None is null. A NaN that polars or Arrow holds stays NaN."""
    if isinstance(table, pl.LazyFrame):
        table = table.collect()
    if isinstance(table, pl.DataFrame):
        return table.to_dict(as_series=False)
    if isinstance(table, pa.Table):
        return table.to_pydict()
    return {name: [plain(cell) for cell in table[name].tolist()] for name in table.columns}


def plain(cell: Any) -> Any:
    """A pandas cell as a Python value."""
    if cell is None or cell is pd.NA or cell is pd.NaT or cell != cell:
        return None
    return cell.item() if isinstance(cell, np.generic) else cell


def rows_of(table: Any, *names: str) -> list[Any]:
    """Rows as tuples, or the cells of the one column that is named."""
    columns = columns_of(table)
    chosen = [columns[name] for name in names or columns]
    return chosen[0] if len(names) == 1 else list(zip(*chosen, strict=True))


class TrigramEncoder:
    """Hashed character trigrams with signs, so that cosines may be negative; counts its work."""

    def __init__(self, dim: int = 48) -> None:
        self.dim = dim
        self.calls = 0
        self.asked: list[str] = []

    def encode(self, phrases: Sequence[str]) -> np.ndarray:
        self.calls += 1
        self.asked += phrases
        vectors = np.zeros((len(phrases), self.dim), dtype=np.float32)
        for row, phrase in enumerate(phrases):
            padded = f"  {phrase.lower()} "
            for at in range(len(padded) - 2):
                code = zlib.crc32(padded[at : at + 3].encode("utf-8", "surrogatepass"))
                vectors[row, code % self.dim] += 1 if code & 0x10000 else -1
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors / np.where(lengths > 0, lengths, 1)


def join(left: Any, right: Any, **options: Any) -> Any:
    """fuzzy_join with the trigram encoder and a fixed threshold, unless told otherwise."""
    return pj.fuzzy_join(left, right, **{"encoder": TrigramEncoder(), "threshold": 0.35, **options})


def match(left: Any, right: Any, **options: Any) -> pj.MatchResult:
    return pj.match(left, right, **{"encoder": TrigramEncoder(), "threshold": 0.35, **options})


def match_records(left: Any, right: Any, **options: Any) -> pj.MatchResult:
    """Match by several columns with the bundled encoder: others have no scorer for them."""
    return pj.match(left, right, **{"threshold": 0.35, **options})


def pairs_of(matches: pj.Matches) -> list[tuple[int, int]]:
    return list(zip(matches.left.tolist(), matches.right.tolist(), strict=True))


def decided(result: pj.MatchResult) -> tuple[list[tuple[int, int]], list[float]]:
    """The matches as plain lists, to be compared."""
    matches = result.matches()
    return pairs_of(matches), matches.score.tolist()


def misspelt_names(n: int = 150) -> tuple[list[str], list[str]]:
    """Names, most of them misspelt, and the names of a reference."""
    parts = ["ran", "sto", "mer", "lin", "vak", "dol", "pex", "nor", "tig", "hub", "sal", "wen"]
    rng = np.random.default_rng(0)
    right = [" ".join("".join(rng.choice(parts, 2)) for _ in range(2)) for _ in range(n)]
    left = [name[: at % 11 + 1] + name[at % 11 + 2 :] for at, name in enumerate(right)]
    return left, right
