"""Running the PEARL benchmark on a model: `python -m pearljoin_train evaluate`."""

from __future__ import annotations

import argparse
import hashlib
import inspect
import json
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from statistics import fmean
from typing import Any

from pearljoin import Encoder, InputError
from pearljoin._atomic import write_text
from pearljoin._progress import progress
from pearljoin_train.benchmark.baselines import BASELINES, load_model
from pearljoin_train.benchmark.tasks import (
    APART,
    COMPARABLE7,
    PAPER9,
    SETS,
    BenchmarkSet,
    Metrics,
    Ranker,
)
from pearljoin_train.common.cached_encoder import CachedEncoder
from pearljoin_train.common.dry_run import add_dry_run, in_words
from pearljoin_train.common.environment import commit
from pearljoin_train.data import data_folder

__all__ = ["Run", "average", "evaluate", "main", "run_task"]

ALL = "all"
KNOWN = {**SETS, **APART}
PAPERS_INDEX = {"yago": "top1_ivfpq", "umls": "top1_ivfpq"}
"""Metrics of the average over nine that are not the set's own: the paper's index compresses."""


@dataclass(frozen=True)
class Run:
    """A model's numbers, and what could not be measured."""

    model: str
    commit: str | None
    tasks: Mapping[str, Metrics | None]
    """By set name; None where the set is absent or the model cannot take part."""
    seconds: Mapping[str, float]
    """Time of each set that was run: reading, encoding what is new, measuring."""
    reasons: Mapping[str, str]
    """Why there is no number, by set name."""

    def to_json(self) -> dict[str, Any]:
        """Return it as the JSON file holds it: rates in [0, 1], null where there is none."""
        return {
            "model": self.model,
            "commit": self.commit,
            "tasks": dict(self.tasks),
            "average9": average(self.tasks, PAPER9),
            "average7": average(self.tasks, COMPARABLE7),
            # The first sentence says what is missing; the rest names places on this machine.
            "absent": {name: reason.partition(". ")[0] for name, reason in self.reasons.items()},
            "seconds": {name: round(seconds, 1) for name, seconds in self.seconds.items()},
        }


def average(tasks: Mapping[str, Metrics | None], names: Sequence[str]) -> float | None:
    """Return the mean of the sets' metrics; None where one is missing or a substitute.

    Parameters
    ----------
    tasks
        Metrics by set name.
    names
        The sets to average over, `PAPER9` or `COMPARABLE7`.

    Returns
    -------
    mean
        In [0, 1]. Nothing is filled in: an average over fewer or other sets is not the paper's.

    Examples
    --------
    >>> average({"turney": {"accuracy": 0.5}, "bird": {"pearson": 0.7}}, ["turney", "bird"])
    0.6
    >>> average({"turney": {"accuracy": 0.5}, "bird": None}, ["turney", "bird"]) is None
    True
    """
    values = []
    for name in names:
        metrics = tasks.get(name)
        value = None if metrics is None else metrics.get(PAPERS_INDEX.get(name, SETS[name].metric))
        if metrics is None or value is None or metrics.get("substitute"):
            return None
        values.append(float(value))
    return fmean(values)


def evaluate(
    model: Encoder | Ranker,
    *,
    name: str,
    tasks: Sequence[str] = tuple(SETS),
    folder: Path | None = None,
    cache: Path | None = None,
    verbose: bool | None = None,
) -> Run:
    """Measure a model on benchmark sets.

    Parameters
    ----------
    model
        An encoder, or a ranker, which takes part in the name-matching sets only.
    name
        What to call it in the result.
    tasks
        Keys of `pearljoin_train.benchmark.tasks.SETS`, or of `APART`.
    folder
        The data folder; by default the one in force.
    cache
        A folder to keep this model's embeddings in between runs; None keeps them in memory.
    verbose
        Progress bars: None shows them on a terminal only, True always, False never.

    Returns
    -------
    run
        The numbers. A set that is not in the data folder has none, and its reason.

    Raises
    ------
    InputError
        If a task is unknown, or a file of a set is missing or damaged.
    """
    for task in tasks:
        if task not in KNOWN:
            raise InputError(
                f"There is no such task. Got {task!r}. Hint: one of {', '.join(KNOWN)}, or {ALL}."
            )
    if not isinstance(model, Ranker):
        model = CachedEncoder(model, folder=cache, verbose=verbose)
    results: dict[str, Metrics | None] = {}
    seconds: dict[str, float] = {}
    reasons: dict[str, str] = {}
    for task in progress(tasks, total=len(tasks), label="benchmark", unit="set", verbose=verbose):
        chosen = KNOWN[task]
        reason = _reason(chosen, model, folder)
        if reason is not None:
            results[task], reasons[task] = None, reason
            continue
        start = time.perf_counter()
        results[task] = run_task(chosen, model, folder, verbose)
        seconds[task] = time.perf_counter() - start
    return Run(name, commit(), results, seconds, reasons)


def run_task(
    chosen: BenchmarkSet,
    model: Encoder | Ranker,
    folder: Path | None = None,
    verbose: bool | None = False,
) -> Metrics:
    """Load one set and measure a model on it."""
    task = chosen.load(folder)
    # Tasks that train a classifier show a bar of their own.
    takes_verbose = "verbose" in inspect.signature(task.evaluate).parameters
    options: dict[str, Any] = {"verbose": verbose} if takes_verbose else {}
    return task.evaluate(model, **options)  # type: ignore[arg-type]


def _reason(chosen: BenchmarkSet, model: Encoder | Ranker, folder: Path | None) -> str | None:
    if isinstance(model, Ranker) and not chosen.for_rankers:
        return "the method has no embeddings"
    return chosen.absence(folder)


def cache_for(name: str, root: Path) -> Path:
    """Return the folder for a model's embeddings: one a name, and for a folder one a content."""
    path = Path(name).expanduser()
    digest = hashlib.sha256(name.encode())
    if name not in BASELINES and path.is_dir():
        for file in sorted(file for file in path.rglob("*") if file.is_file()):
            digest.update(file.relative_to(path).as_posix().encode() + file.read_bytes())
    return root / f"{path.name or 'model'}-{digest.hexdigest()[:12]}"


def summary(run: Run) -> str:
    """Return the numbers as lines of text, in percent, with marks for what is not comparable."""
    lines = []
    for name, metrics in run.tasks.items():
        chosen = KNOWN[name]
        if metrics is None:
            lines.append(f"{chosen.title:<14} absent: {run.reasons[name]}")
            continue
        value = metrics[chosen.metric]
        shown = "none" if value is None else f"{100 * value:5.1f}"
        mark = "  (substitute data)" if metrics.get("substitute") else ""
        lines.append(f"{chosen.title:<14} {shown} {chosen.metric}{mark}")
    for title, names in (("average of 9", PAPER9), ("average of 7", COMPARABLE7)):
        mean = average(run.tasks, names)
        shown = "none: a set is absent or a substitute" if mean is None else f"{100 * mean:5.1f}"
        lines.append(f"{title:<14} {shown}")
    return "\n".join(lines) + "\n"


def main(arguments: list[str]) -> int:
    """Run the command; returns the exit code."""
    options = _parse(arguments)
    tasks = [task for part in options.tasks for task in part.split(",")]
    verbose = False if options.quiet else None
    folder = data_folder()
    if options.dry_run:
        sys.stdout.write(plan(list(SETS) if tasks == [ALL] else tasks, folder))
        return 0
    model = load_model(options.model, device=options.device)
    run = evaluate(
        model,
        name=options.model,
        tasks=list(SETS) if tasks == [ALL] else tasks,
        folder=folder,
        cache=options.cache and cache_for(options.model, options.cache),
        verbose=verbose,
    )
    sys.stdout.write(summary(run))
    if options.json is not None:
        write_text(options.json, json.dumps(run.to_json(), indent=1) + "\n", what="report")
    return 0


def plan(tasks: Sequence[str], folder: Path) -> str:
    """Say which sets would be measured, and how long they took the bundled model.

    Raises
    ------
    InputError
        If a task is unknown.
    """
    file = resources.files("pearljoin_train") / "results" / "pearl_benchmark" / "default.json"
    took: dict[str, float] = json.loads(file.read_text(encoding="utf-8"))["seconds"]
    lines = []
    for task in tasks:
        if task not in KNOWN:
            raise InputError(f"There is no such task. Got {task!r}. Hint: {', '.join(KNOWN)}.")
        absent = KNOWN[task].absence(folder)
        shown = f"about {in_words(took[task])}" if task in took else "time not known"
        lines.append(f"{KNOWN[task].title:<14} {'absent' if absent else shown}")
    there = [took.get(task, 0.0) for task in tasks if not KNOWN[task].absence(folder)]
    total = f"in all about {in_words(sum(there))} on two cores with the bundled model"
    return "\n".join([*lines, total]) + "\n"


def _parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m pearljoin_train evaluate",
        description="Measure a model on the PEARL benchmark.",
        epilog=f"tasks: {', '.join(KNOWN)}. models by name: default, {', '.join(BASELINES)}.",
    )
    parser.add_argument(
        "--model",
        default="default",
        help="a name below, a model's folder, a hub id, or words:<file of word vectors>",
    )
    parser.add_argument("--tasks", nargs="+", default=[ALL], help="all, or names of tasks")
    parser.add_argument("--json", type=Path, help="file to write the numbers to")
    parser.add_argument("--cache", type=Path, help="folder to keep embeddings in between runs")
    parser.add_argument(
        "--device", default="auto", choices=("auto", "cpu", "cuda"), help="where it encodes"
    )
    parser.add_argument("--quiet", action="store_true", help="no progress bars")
    add_dry_run(parser)
    return parser.parse_args(arguments)
