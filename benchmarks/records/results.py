"""What runs leave behind: one JSON file a row of the table, grown set by set."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from benchmarks.records.evaluate import Outcome
from pearljoin._atomic import write_text
from pearljoin_train.common.environment import machine

__all__ = ["RESULTS", "Result", "add_outcome", "load_results", "mean_f1"]

RESULTS = Path(__file__).with_name("results")


@dataclass(frozen=True)
class Result:
    """A row of the table."""

    row: str
    method: str
    commit: str
    """The commit of the latest set; each set names its own."""
    versions: Mapping[str, str]
    machine: Mapping[str, str | int]
    sets: Mapping[str, Outcome] = field(default_factory=dict)
    """By name of the set; see `Outcome`."""


def add_outcome(
    row: str,
    method: str,
    name: str,
    outcome: Outcome,
    versions: Mapping[str, str],
    folder: Path = RESULTS,
) -> None:
    """Write what a method did on one set into its row's file, leaving its other sets.

    Parameters
    ----------
    row, method
        Which row, of which method.
    name
        The set.
    outcome
        What came of it.
    versions
        Of the packages that answered; where there are none, those of before stay.
    folder
        Where the files are.
    """
    path = folder / f"{row}.json"
    old = _read(path) if path.exists() else Result(row, method, "", {}, {})
    new = replace(
        old,
        commit=outcome["commit"],
        versions=dict(sorted(versions.items())) if versions else old.versions,
        machine=machine(),
        sets=dict(sorted({**old.sets, name: outcome}.items())),
    )
    text = json.dumps(vars(new), indent=1, ensure_ascii=False)
    write_text(path, text + "\n", what="result")


def load_results(folder: Path = RESULTS) -> dict[str, Result]:
    """Read every row's file of a folder, by name of the row."""
    results = [_read(path) for path in sorted(folder.glob("*.json"))]
    return {result.row: result for result in results}


def mean_f1(result: Result, names: Sequence[str]) -> float | None:
    """Return the mean F1 over sets, None where one of them is not measured."""
    values = [
        result.sets[name]["f1"]
        for name in names
        if name in result.sets and result.sets[name]["status"] == "measured"
    ]
    return sum(values) / len(values) if values and len(values) == len(names) else None


def _read(path: Path) -> Result:
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return Result(**content)
