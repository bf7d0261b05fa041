"""`python -m benchmarks.trials`: what the library finds in tables that it was never shown.

Prints one line a table and one a kind of tables, and keeps both in ``benchmarks/trials/results/``,
one JSON file an encoder.
"""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import pearljoin as pj
from benchmarks.trials.measure import Found, deduplicate, join, pooled
from benchmarks.trials.tables import FOLDER, JOINS, read_duplicates, read_joins
from pearljoin._atomic import write_text
from pearljoin_train.common.commands import exit_code
from pearljoin_train.common.environment import commit

RESULTS = Path(__file__).with_name("results")
ENCODERS = ("pearl-mini", "pearl-nano")
KINDS = (*JOINS, "duplicates")
NOTHING_THERE = "without any"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return the exit code.

    Returns
    -------
    code
        2 where the arguments or the tables are wrong, 130 after Ctrl-C, else 0.
    """
    return exit_code(lambda: _run(_parser().parse_args(arguments)), wrong=2)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.trials",
        description="Link and deduplicate tables that people wrote by hand, at default settings.",
    )
    parser.add_argument(
        "--encoder", nargs="+", default=ENCODERS, metavar="NAME", help="names or model folders"
    )
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS, help="default: all")
    parser.add_argument(
        "--tables", type=Path, default=FOLDER, metavar="FOLDER", help="other tables of this form"
    )
    parser.add_argument(
        "--results", type=Path, metavar="FOLDER",
        help="where results are kept; default: beside the tables of the benchmark, if all are run",
    )  # fmt: skip
    return parser


def _run(options: argparse.Namespace) -> int:
    results: Path | None = options.results
    if results is None and options.tables == FOLDER and set(options.kinds) == set(KINDS):
        results = RESULTS
    made_at = commit() or "unknown"
    for name in options.encoder:
        print(_line(name, ["there", "returned", "right", "P", "expected", "R", "F1"]))
        encoder = pj.load_encoder(name)
        found = {kind: dict(_measured(kind, encoder, options.tables)) for kind in options.kinds}
        content = {
            "commit": made_at,
            "kinds": {kind: _summed(of_tables) for kind, of_tables in found.items()},
        }
        if results is not None:
            text = json.dumps(content, indent=1, ensure_ascii=False) + "\n"
            write_text(results / f"{Path(name).name}.json", text, what="result")
    return 0


def _measured(kind: str, encoder: pj.Encoder, folder: Path) -> Iterator[tuple[str, Found]]:
    """Measure and print one table after another, and then all."""
    runs: Iterator[tuple[str, Callable[[], Found]]]
    if kind in JOINS:
        runs = ((name, partial(join, trial, encoder)) for name, trial in read_joins(kind, folder))
    else:
        tables = read_duplicates(folder)
        runs = ((name, partial(deduplicate, trial, encoder)) for name, trial in tables)
    every = []
    for name, run in runs:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", pj.PearljoinWarning)
            found = run()
        every.append(found)
        print(_found_line(name, found), flush=True)
        yield name, found
    print(_found_line(kind.upper(), pooled(every)))
    nothing = [found for found in every if not found.there]
    print(_found_line(f"{kind} {NOTHING_THERE}", pooled(nothing)))


def _summed(found: dict[str, Found]) -> dict[str, object]:
    """What is kept of one kind of tables."""
    nothing = [each for each in found.values() if not each.there]
    return {
        "all": _numbers(pooled(found.values())),
        "mean_f1": round(sum(each.f1 for each in found.values()) / len(found), 4),
        "returned_where_none_is_there": sum(each.returned for each in nothing),
        "tables": {name: _numbers(each) for name, each in found.items()},
    }


def _numbers(found: Found) -> dict[str, float | bool]:
    return {
        "there": found.there,
        "returned": found.returned,
        "right": found.right,
        "precision": round(found.precision, 4),
        "expected_precision": round(found.expected_precision, 4),
        "recall": round(found.recall, 4),
        "f1": round(found.f1, 4),
        "refused": found.is_refused,
    }


def _found_line(name: str, found: Found) -> str:
    counts = [f"{count:,}" for count in (found.there, found.returned, found.right)]
    rates = (found.precision, found.expected_precision, found.recall, found.f1)
    line = _line(name, [*counts, *(f"{rate:.3f}" for rate in rates)])
    return f"{line}  refused" if found.is_refused else line


def _line(name: str, cells: Sequence[str]) -> str:
    return f"{name:34}" + "".join(f"{cell:>10}" for cell in cells)


if __name__ == "__main__":
    sys.exit(main())
