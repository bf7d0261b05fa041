"""`python -m benchmarks.lookup`: what one warm lookup costs, and what threads bring.

Prints one line a reference, and keeps it in ``benchmarks/lookup/results/``, one JSON file each.
With ``--laws`` it compares answers instead: row by row, in batches and at once.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import warnings
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

import pearljoin as pj
from benchmarks.lookup.laws import compare_ways
from benchmarks.lookup.measure import Rates, measure
from benchmarks.lookup.names import read_names
from pearljoin._atomic import write_text
from pearljoin._errors import InputError
from pearljoin_train.common.commands import exit_code
from pearljoin_train.common.environment import commit, machine

RESULTS = Path(__file__).with_name("results")
SIZES = (3_000, 100_000)
PACKAGES = ("faiss-cpu", "numpy", "onnxruntime", "scipy")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return the exit code.

    Returns
    -------
    code
        2 where the arguments or the data are wrong, 1 where threads got other answers, 130 after
        Ctrl-C, else 0.
    """
    return exit_code(lambda: _run(_parser().parse_args(arguments)), wrong=2)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.lookup",
        description="Time lookups of one name among many real ones. Run it on an idle machine.",
    )
    parser.add_argument(
        "--names",
        type=int,
        nargs="+",
        default=SIZES,
        metavar="N",
        help="sizes of the reference; default: 3000 100000",
    )
    parser.add_argument("--queries", type=int, default=300, metavar="N", help="default: 300")
    parser.add_argument("--threads", type=int, default=8, metavar="N", help="default: 8")
    parser.add_argument(
        "--laws", action="store_true", help="compare answers to all queries, asked in several ways"
    )
    parser.add_argument(
        "--results", type=Path, default=RESULTS, metavar="FOLDER", help="where results are kept"
    )
    return parser


def _run(options: argparse.Namespace) -> int:
    for name, least in (("queries", 1), ("threads", 2)):
        if getattr(options, name) < least:
            raise InputError(
                f"--{name} is too small. Got {getattr(options, name)}. Hint: give {least} or more."
            )
    made_at = commit() or "unknown"
    if options.laws:
        return _compare(options.names[0], options.queries, made_at, options.results)
    print(_line("names", ["fit s", "median ms", "95 % ms", "1 thread/s", "threads/s", "speed-up"]))
    equal = True
    for size in options.names:
        with warnings.catch_warnings():
            # Of so many real names, a few are equal once normalised.
            warnings.simplefilter("ignore", pj.DuplicateReferenceWarning)
            rates = measure(read_names(size, options.queries), options.threads)
        _save(rates, made_at, options.results / f"{size}.json")
        equal &= rates["equal_answers"]
        print(_rates_line(rates), flush=True)
        if not rates["equal_answers"]:
            print(f"{size} names: threads got other answers than one thread", file=sys.stderr)
    return 0 if equal else 1


def _compare(n_names: int, n_queries: int, made_at: str, results: Path) -> int:
    """Print how answers differ by the way of asking; 1 where a row is decided otherwise."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pj.DuplicateReferenceWarning)
        found = list(compare_ways(read_names(n_names, n_queries)))
    for one in found:
        known = "calibrated" if one["calibrated"] else "fitted"
        print(
            f"{known:>10}, {one['way']}: scores differ by {one['largest_score_difference']:.1e} "
            f"at most, {one['other_decisions']} of {one['rows']:,} rows decided otherwise "
            f"({one['near']} near ties)"
        )
    content = {"commit": made_at, "machine": machine(), "ways": found}
    text = json.dumps(content, indent=1, ensure_ascii=False) + "\n"
    write_text(results / "laws.json", text, what="result")
    return int(any(one["other_decisions"] for one in found))


def _save(rates: Rates, made_at: str, path: Path) -> None:
    versions = {"python": platform.python_version(), "pearljoin": pj.__version__}
    versions |= {name: version(name) for name in PACKAGES}
    content = {"commit": made_at, "versions": versions, "machine": machine(), **rates}
    write_text(path, json.dumps(content, indent=1, ensure_ascii=False) + "\n", what="result")


def _rates_line(rates: Rates) -> str:
    cells = [f"{rates[name]:.1f}" for name in ("fit_seconds", "median_ms", "p95_ms")]
    cells += [f"{rates[name]:.0f}" for name in ("one_thread_per_second", "threads_per_second")]
    return _line(f"{rates['names']:,}", [*cells, f"{rates['speed_up']:.2f}"])


def _line(name: str, cells: Sequence[str]) -> str:
    return f"{name:>9}" + "".join(f"{cell:>12}" for cell in cells)


if __name__ == "__main__":
    sys.exit(main())
