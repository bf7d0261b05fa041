"""`python -m benchmarks.scale`: time, memory and accuracy by the number of rows.

Every method runs in a process of its own, on the same names and under the same time limit. Prints
one line a method and size, then each method's slope: 1 where time grows as the rows do.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from benchmarks.peers.client import peer_names
from benchmarks.scale.names import read_scale_names
from benchmarks.scale.people import read_scale_people
from benchmarks.scale.plot import draw, slope
from benchmarks.scale.process import METHODS, Run, method_named, run
from pearljoin._atomic import write_text
from pearljoin._errors import InputError
from pearljoin_train.common.commands import exit_code
from pearljoin_train.common.environment import commit, machine

__all__ = ["main"]

LIMIT = 1_800.0

TASKS = {
    "names": read_scale_names,
    "records": read_scale_people,
    "duplicates": read_scale_names,
}
"""What is measured, and where its rows come from."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return the exit code.

    Returns
    -------
    code
        2 where the arguments or the data are wrong, 1 where a method of this project failed, 130
        after Ctrl-C, else 0.
    """
    return exit_code(lambda: _run(_parser().parse_args(arguments)), wrong=2)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale", description=__doc__)
    parser.add_argument(
        "--rows", type=_numbers, default=[1_000, 10_000], help="left rows; default: 1000,10000"
    )
    parser.add_argument(
        "--reference",
        type=int,
        help="names of the reference; default: all there are, more than half a million",
    )
    parser.add_argument(
        "--task",
        choices=TASKS,
        default="names",
        help="match aliases with names; match records of people in five columns; or find the "
        "duplicates in one table of names and aliases. Default: names",
    )
    parser.add_argument(
        "--methods",
        type=lambda text: text.split(","),
        default=["pearljoin"],
        help=f"of {', '.join((*METHODS, *peer_names()))}; default: pearljoin",
    )
    parser.add_argument("--limit", type=float, default=LIMIT, help="seconds; default: 1800")
    parser.add_argument("--json", type=Path, help="write the results here")
    parser.add_argument(
        "--read", type=Path, nargs="+", help="run nothing: draw what --json wrote, of some files"
    )
    parser.add_argument("--plot", type=Path, help="draw seconds and memory here (PNG or SVG)")
    return parser


def _numbers(text: str) -> list[int]:
    return [int(part) for part in text.split(",")]


def _run(options: argparse.Namespace) -> int:
    if options.read:
        if options.plot is None:
            raise InputError("--read draws what was written. Hint: give --plot, too.")
        draw(_read(options.read), options.plot)
        return 0
    if options.limit <= 0 or not options.rows or min(options.rows) < 1:
        raise InputError("--rows and --limit must be above 0.")
    methods = [method_named(name, options.task) for name in options.methods]
    results: dict[str, dict[int, Run]] = {method.name: {} for method in methods}
    print(_line(["method", "rows", "seconds", "MiB", "beside", "right %", "held out %", "stages"]))
    for rows in sorted(options.rows):
        names = TASKS[options.task](rows, options.reference)
        for method in methods:
            found = run(method, names, limit=options.limit)
            results[method.name][rows] = found
            print(_line(_cells(method.name, rows, found)), flush=True)
    for name, runs in results.items():
        grown = slope({rows: run.seconds for rows, run in runs.items() if run.error is None})
        if grown is not None:
            print(f"{name}: seconds grow by rows to the power of {grown:.2f}")
    if options.json:
        listed = {
            name: {n: asdict(run) for n, run in runs.items()} for name, runs in results.items()
        }
        content = {
            "commit": commit(),
            "machine": machine(),
            "task": options.task,
            "reference": len(names.reference),
        }
        text = json.dumps(content | {"results": listed}, indent=1)
        write_text(options.json, text + "\n", what="result")
    if options.plot:
        draw(results, options.plot)
    failed = any(
        run.error for name, runs in results.items() for run in runs.values() if name in METHODS
    )
    return 1 if failed else 0


def _read(paths: Sequence[Path]) -> dict[str, dict[int, Run]]:
    """Read results that were written; those of a later file are added to a method's."""
    results: dict[str, dict[int, Run]] = {}
    for path in paths:
        listed = json.loads(path.read_text(encoding="utf-8"))["results"]
        for name, runs in listed.items():
            results.setdefault(name, {}).update({int(n): Run(**run) for n, run in runs.items()})
    return results


def _cells(name: str, rows: int, found: Run) -> list[str]:
    if found.error is not None:
        return [name, f"{rows:,}", found.error.replace("\n", " ")[-80:]]
    stages = ", ".join(f"{stage} {seconds:.1f}" for stage, seconds in found.stages.items())
    held_out = "" if found.held_out is None else f"{100 * found.held_out:.1f}"
    memory = [f"{found.peak_mib:.0f}", f"{found.peak_mib - found.tables_mib:.0f}"]
    figures = [f"{found.seconds:.2f}", *memory, f"{100 * found.accuracy:.1f}"]
    return [name, f"{rows:,}", *figures, held_out, stages]


def _line(cells: Sequence[str]) -> str:
    widths = (16, 10, 10, 8, 8, 8, 11, 0)
    return " ".join(
        f"{cell:<{width}}" if at in (0, 7) else f"{cell:>{width}}"
        for at, (cell, width) in enumerate(zip(cells, widths, strict=False))
    ).rstrip()


if __name__ == "__main__":
    sys.exit(main())
