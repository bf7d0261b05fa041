"""Result files: one JSON object a method, with machine and versions."""

from __future__ import annotations

import json
import platform
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.autofj.methods import Method
from benchmarks.autofj.protocols import Rates, macro_average
from pearljoin._atomic import write_text
from pearljoin_train.common.environment import machine

__all__ = ["RESULTS", "Result", "load_results", "result_of", "save_results"]

RESULTS = Path(__file__).parent / "results"


@dataclass(frozen=True)
class Result:
    """A method's run over some of the tables."""

    method: str
    rule: str
    """How its join decides which pairs it returns."""
    precision_target: float
    commit: str
    """The commit it was made at, with ``+`` where the code had been changed since."""
    versions: Mapping[str, str]
    machine: Mapping[str, str | int]
    seconds: float
    notes: Sequence[str]
    """What a reader of the numbers should know about the run."""
    macro: Rates
    """Averages over `tables`."""
    tables: Mapping[str, Rates]

    def to_json(self) -> dict[str, Any]:
        """Return it as plain dictionaries, in this order."""
        return dict(vars(self))


def result_of(
    method: Method,
    tables: Mapping[str, Rates],
    *,
    precision: float,
    made_at: str,
    notes: Sequence[str] = (),
) -> Result:
    """Gather a method's rates with the circumstances they were measured in.

    Parameters
    ----------
    method
        The method that was run.
    tables
        What `evaluate_table` returned, by table name.
    precision
        The precision target of the run.
    made_at
        The `commit` when the run began: the code may change while it lasts.
    notes
        What a reader should know, a sentence each.
    """
    versions = {"python": platform.python_version(), **method.versions()}
    seconds = [rates["seconds"] for rates in tables.values()]
    return Result(
        method=method.name,
        rule=method.rule,
        precision_target=precision,
        commit=made_at,
        versions=dict(sorted(versions.items())),
        machine=machine(),
        seconds=sum(value for value in seconds if isinstance(value, int | float)),
        notes=list(notes),
        macro=macro_average(list(tables.values()), precision),
        tables=tables,
    )


def save_results(results: Iterable[Result], path: Path) -> None:
    """Write one object, or a list of them where there are several."""
    objects = [result.to_json() for result in results]
    content = objects[0] if len(objects) == 1 else objects
    write_text(path, json.dumps(content, indent=1, ensure_ascii=False) + "\n", what="result")


def load_results(folder: Path = RESULTS) -> list[Result]:
    """Read every JSON file of a folder, one object or a list each, in file-name order."""
    results = []
    for path in sorted(folder.glob("*.json")):
        content = json.loads(path.read_text(encoding="utf-8"))
        objects = content if isinstance(content, list) else [content]
        results += [Result(**each) for each in objects]
    return results


def safe_name(method: str) -> str:
    """Return a method's name in the letters that a file name may hold everywhere.

    Examples
    --------
    >>> safe_name("encoder:org/model")
    'encoder-org-model'
    """
    return re.sub(r"[^A-Za-z0-9._-]+", "-", method)


def result_file(method: str, folder: Path = RESULTS) -> Path:
    """Return the file that a method's whole run goes to."""
    return folder / f"{safe_name(method)}.json"
