"""Cases: two tables and a call as plain values, drawn from a seed or read from a file."""

from __future__ import annotations

import datetime as dt
import json
import random
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

KEPT = Path(__file__).with_name("kept")
"""Inputs that once broke a law, one a file."""

Case = dict[str, Any]

WORDS = ["north", "South", "lodge", "house", "st.", "Street", "ÉTÉ", "ete", "9", "12", "a", "Acme"]
WORDS += ["GmbH", "Ltd", "The", "of", "New", "York", "x1", "Müller", "mueller", "№", "公司", "2008"]
ODD_TEXTS = ["", " ", "\t", "\x00", "\ud800", "💩", "e\u0301\u0323", "ﬃ", "9" * 50, "a" * 300, "()"]
ODD_TEXTS += ["nan", "None", "NULL", "-", "...", "\u200b", "=1+1", "\ufeff", "Ã©", "1e5", "0012"]
KINDS = ["pandas", "pandas-nullable", "pandas-arrow", "polars", "polars-lazy", "pyarrow"]
TYPES = ["text", "text", "text", "whole", "number", "date", "moment", "boolean", "category"]
TYPES += ["decimal", "duration", "objects"]
HOWS = ["left", "inner", "right", "full", "outer", "semi", "anti"]
INDICES = ["none", "none", "repeated", "text", "levels"]
CALLS = ["join", "join", "join", "match", "matcher", "deduplicate"]


def draw_case(seed: int) -> Case:
    """Draw a case; the same seed gives the same."""
    rng = random.Random(seed)
    names = ["key", *rng.sample(["g", "n", "code", "left key"], rng.randint(0, 3))]
    types = {name: rng.choice(TYPES) for name in names}
    types["key"] = rng.choice(["text"] * 8 + TYPES)
    texts = [_text(rng) for _ in range(rng.randint(1, 12))]
    sides = {side: _draw_table(rng, names, types, texts) for side in ("left", "right")}
    if rng.random() < 0.08:
        for side in sides.values():
            side["kind"] = "list"
    return {"seed": seed, "call": rng.choice(CALLS), **sides, "options": _draw_options(rng, names)}


def _draw_table(
    rng: random.Random, names: list[str], types: dict[str, str], texts: list[str]
) -> dict[str, Any]:
    n_rows = rng.choice([0, 1, 2, 3, 5, 8, 13, 30])
    # A column is of another type in one table now and then.
    own = {name: types[name] if rng.random() < 0.9 else rng.choice(TYPES) for name in names}
    columns = {
        name: {"type": own[name], "cells": [_cell(rng, own[name], texts) for _ in range(n_rows)]}
        for name in names
    }
    return {"kind": rng.choice(KINDS), "index": rng.choice(INDICES), "columns": columns}


def _text(rng: random.Random) -> str:
    if rng.random() < 0.15:
        return rng.choice(ODD_TEXTS)
    return " ".join(rng.choice(WORDS) for _ in range(rng.randint(1, 4)))


def _cell(rng: random.Random, kind: str, texts: list[str]) -> Any:
    """A cell as JSON holds it."""
    if rng.random() < 0.1:
        return None
    if kind == "objects":
        kind = rng.choice(["text", "whole", "number", "boolean", "date"])
        return {"type": kind, "cell": _cell(rng, kind, texts)}
    if kind in ("text", "category"):
        return _slipped(rng, rng.choice(texts))
    if kind == "boolean":
        return rng.random() < 0.5
    if kind == "number":
        return rng.choice([0.0, -1.5, 2.0, 1e308, 1e-9, round(rng.gauss(50, 20), 1)])
    if kind == "decimal":
        return rng.choice(["0", "1.50", "-2.25", "1e3"])
    return rng.choice([0, 1, -1, 2**53, rng.randint(0, 20), rng.randint(0, 30_000)])


def _slipped(rng: random.Random, text: str) -> str:
    """A text with a slip of the hand now and then."""
    if rng.random() < 0.5 or not text:
        return text
    at = rng.randrange(len(text))
    return rng.choice([text[:at] + text[at + 1 :], text.upper(), f" {text}", text[:at] + "x"])


def _draw_options(rng: random.Random, names: list[str]) -> dict[str, Any]:
    options: dict[str, Any] = {"on": "key", "how": rng.choice(HOWS)}
    options["encoder"] = "default" if rng.random() < 0.05 else "trigrams"
    options["threshold"] = rng.choice([0, 0.3, 0.5, 0.5, 0.8, 1, "auto"])
    options["constraint"] = rng.choice(["many_to_one"] * 2 + ["one_to_one", "many_to_many"])
    if options["constraint"] == "many_to_many" and rng.random() < 0.4:
        options["k"] = rng.choice([1, 2, 100, 2**40])
    others = names[1:]
    for name, share in (("by", 0.25), ("veto", 0.15)):
        if others and rng.random() < share:
            options[name] = rng.choice(others)
    if others and rng.random() < 0.15:
        options["on"] = ["key", rng.choice(others)]
        options["encoder"] = "default"
        if rng.random() < 0.3:
            options["weights"] = [1, rng.choice([0, 0.5, 2])]
    if rng.random() < 0.1:
        options["nulls_equal"] = True
    if rng.random() < 0.2:
        options["batch_size"] = rng.choice([1, 3, 1000])
    if rng.random() < 0.2:
        options["suffix"] = rng.choice(["", "_r", ["_l", "_r"]])
    if rng.random() < 0.1:
        options["score"] = rng.choice([None, "key", "s"])
    return options


# Tables ---------------------------------------------------------------------------------------

NULLABLE = {"text": "string", "whole": "Int64", "number": "Float64", "boolean": "boolean"}
ARROW = {
    "text": pa.string(),
    "whole": pa.int64(),
    "number": pa.float64(),
    "boolean": pa.bool_(),
    "date": pa.date32(),
    "moment": pa.timestamp("us", "Asia/Kathmandu"),
    "duration": pa.duration("us"),
    "decimal": pa.decimal128(20, 5),
    "category": pa.dictionary(pa.int32(), pa.string()),
}


def value_of(kind: str, cell: Any) -> Any:
    """A cell of a case as the value that stands in the table."""
    if cell is None:
        return None
    match kind:
        case "objects":
            return value_of(cell["type"], cell["cell"])
        case "date":
            return dt.date(1970, 1, 1) + dt.timedelta(days=cell % 40_000)
        case "moment":
            return dt.datetime(1970, 1, 1, tzinfo=dt.UTC) + dt.timedelta(hours=cell % 10**6)
        case "duration":
            return dt.timedelta(seconds=cell % 10**9)
        case "decimal":
            return Decimal(cell)
    return cell


def make_table(described: dict[str, Any], row_name: str) -> Any:
    """Make the table that a case describes, with its row numbers in a column of that name.

    A list stands for a table of its first column. Raises what the table's library raises where it
    cannot hold the cells.
    """
    columns = {
        name: (column["type"], [value_of(column["type"], cell) for cell in column["cells"]])
        for name, column in described["columns"].items()
    }
    kind = described["kind"]
    n_rows = len(next(iter(columns.values()))[1])
    if kind == "list":
        return next(iter(columns.values()))[1]
    if kind in ("pandas", "pandas-nullable", "pandas-arrow"):
        series = {name: _pandas(kind, *column) for name, column in columns.items()}
        frame = pd.DataFrame({**series, row_name: np.arange(n_rows)})
        return _indexed(frame, described["index"])
    arrays = {name: _arrow(*column) for name, column in columns.items()}
    table = pa.table({**arrays, row_name: pa.array(range(n_rows), pa.int64())})
    if kind == "pyarrow":
        return table
    frame = pl.DataFrame(table)
    return frame.lazy() if kind == "polars-lazy" else frame


def _arrow(kind: str, cells: list[Any]) -> pa.Array:
    if kind == "objects":
        kind, cells = "text", [None if cell is None else str(cell) for cell in cells]
    if kind == "category":
        return pa.array(cells, pa.string()).dictionary_encode().cast(ARROW["category"])
    return pa.array(cells, ARROW[kind])


def _pandas(kind: str, cell_type: str, cells: list[Any]) -> pd.Series:
    if cell_type == "category":
        return pd.Series(cells, dtype=object).astype("category")
    if kind == "pandas-nullable" and cell_type in NULLABLE:
        return pd.Series(cells, dtype=NULLABLE[cell_type])
    if kind == "pandas-arrow" and cell_type in ARROW:
        return pd.Series(cells, dtype=pd.ArrowDtype(ARROW[cell_type]))
    if cell_type in ("text", "objects", "decimal", "date"):
        return pd.Series(cells, dtype=object)
    return pd.Series(cells)


def _indexed(frame: pd.DataFrame, index: str) -> pd.DataFrame:
    n_rows = len(frame)
    if index == "repeated":
        frame.index = pd.Index([7] * n_rows)
    elif index == "text":
        frame.index = pd.Index([f"row {row}" for row in range(n_rows)], name="key")
    elif index == "levels" and n_rows:
        frame.index = pd.MultiIndex.from_arrays([np.arange(n_rows), ["x"] * n_rows])
    return frame


# Files ----------------------------------------------------------------------------------------


def keep(case: Case, why: str) -> Path:
    """Write a case beside the others that are kept."""
    path = KEPT / f"{case['seed']}.json"
    path.write_text(json.dumps({"why": why[:300], **case}, indent=1), encoding="utf-8")
    return path


def kept_cases() -> dict[str, Case]:
    """The kept cases by name."""
    return {
        path.stem: json.loads(path.read_text(encoding="utf-8"))
        for path in sorted(KEPT.glob("*.json"))
    }
