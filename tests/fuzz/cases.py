"""Cases: two tables and a call as plain values, drawn from a seed or read from a file."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fuzz.records import draw_columns, draw_value, type_of

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
CALLS = [*["join"] * 3, "match", "matcher", "deduplicate", "duplicates", "growing", "report"]
RECORDS_SHARE = 0.3
"""Of the cases, in which the columns are of the kinds that records have."""


def draw_case(seed: int, calls: Sequence[str] = CALLS) -> Case:
    """Draw a case; the same seed and calls give the same."""
    rng = random.Random(seed)
    call = rng.choice(calls)
    if rng.random() < RECORDS_SHARE:
        tables, options = _draw_records(rng)
    else:
        tables, options = _draw_plain(rng)
    names = list(tables["left"]["columns"])
    if call in ("duplicates", "growing"):
        options |= _draw_constraints(rng, names, tables, of_several=call == "duplicates")
    if call == "growing":  # which needs a match scorer, and mostly rows like those that are there
        if rng.random() < 0.9:
            tables["right"]["kind"] = tables["left"]["kind"]
        options["encoder"] = rng.choice(["pearl-nano", "pearl-nano", "default"])
    return {"seed": seed, "call": call, **tables, "options": options}


def _draw_plain(rng: random.Random) -> tuple[dict[str, Any], dict[str, Any]]:
    """Draw tables with a key and some other columns, and options."""
    names = ["key", *rng.sample(["g", "n", "code", "left key"], rng.randint(0, 3))]
    types = {name: rng.choice(TYPES) for name in names}
    types["key"] = rng.choice(["text"] * 8 + TYPES)
    texts = [_text(rng) for _ in range(rng.randint(1, 12))]
    sides = {side: _draw_table(rng, names, types, texts) for side in ("left", "right")}
    if rng.random() < 0.08:
        for side in sides.values():
            side["kind"] = "list"
    return sides, _draw_options(rng, names)


def _draw_records(rng: random.Random) -> tuple[dict[str, Any], dict[str, Any]]:
    """Draw tables of some things whose columns are of several kinds, and options."""
    columns, given = draw_columns(rng)
    things = [
        {
            name: _cell(rng, type_of(kind), ["red", "blue"])
            if " " in kind
            else draw_value(rng, kind)
            for name, kind in columns.items()
        }
        for _ in range(rng.randint(1, 8))
    ]
    sides = {}
    for side in ("left", "right"):
        rows = [rng.choice(things) for _ in range(rng.choice([1, 2, 3, 5, 8, 13, 30]))]
        cells = {
            name: {
                "type": type_of(kind),
                "cells": [_record_cell(rng, row[name]) for row in rows],
            }
            for name, kind in columns.items()
        }
        sides[side] = {"kind": rng.choice(KINDS), "index": rng.choice(INDICES), "columns": cells}
    options = {**_draw_options(rng, list(columns)), **given}
    options["encoder"] = rng.choice(["pearl-nano"] * 4 + ["default", "trigrams"])
    if rng.random() < 0.95 or isinstance(options["on"], str):
        options.pop("weights", None)
    return sides, options


def _record_cell(rng: random.Random, value: Any) -> Any:
    """A value as a row has it: now and then null, odd, or with a slip."""
    if rng.random() < 0.1:
        return None
    if isinstance(value, str) and rng.random() < 0.4:
        return rng.choice(ODD_TEXTS) if rng.random() < 0.1 else _slipped(rng, value)
    return value


def _draw_constraints(
    rng: random.Random, names: list[str], tables: dict[str, Any], *, of_several: bool
) -> dict[str, Any]:
    """Draw constraints on clusters of the left table, or of both tables as one."""
    options: dict[str, Any] = {}
    n_rows = [len(next(iter(side["columns"].values()))["cells"]) for side in tables.values()]
    if of_several and rng.random() < 0.2 and "list" not in [t["kind"] for t in tables.values()]:
        options["several"] = True
    most = sum(n_rows) if "several" in options else n_rows[0]
    for name, share in (("cannot_link", 0.2), ("must_link", 0.15)):
        if most and rng.random() < share:
            listed = [[rng.randrange(most), rng.randrange(most)] for _ in range(rng.randint(1, 3))]
            options[name] = [pair for pair in listed if pair[0] != pair[1]]
    if rng.random() < 0.15:
        options["one_per"] = "source" if "several" in options else rng.choice(names)
    if rng.random() < 0.15:
        options["max_size"] = rng.choice([1, 2, 3, 2**70])
    return options


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
