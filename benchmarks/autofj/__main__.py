"""`python -m benchmarks.autofj`: run methods over the AutoFJ tables; `... report`: the docs table.

Prints one line a table and the macro average. A run over every table with the default target is
kept in ``benchmarks/autofj/results/``, unless ``--json`` names another place.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.autofj import report
from benchmarks.autofj.methods import Method, MethodAbsentError, make_method, method_names
from benchmarks.autofj.methods.encoders import EncoderCosine
from benchmarks.autofj.protocols import Rates, evaluate_table
from benchmarks.autofj.results import (
    RESULTS,
    Result,
    load_results,
    result_file,
    result_of,
    safe_name,
    save_results,
)
from pearljoin._errors import InputError, PearljoinError
from pearljoin._progress import progress
from pearljoin_train.common.commands import exit_code
from pearljoin_train.common.environment import commit
from pearljoin_train.data.autofj import AutoFJTable, load_table, table_names

DEFAULT_TARGET = 0.9
COLUMNS = (
    ("top-1", ("top1",)),
    ("join P", ("join", "precision")),
    ("R", ("join", "recall")),
    ("F1", ("join", "f1")),
    ("open P", ("open", "precision")),
    ("R", ("open", "recall")),
    ("F1", ("open", "f1")),
    ("AP", ("open", "average_precision")),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return the exit code.

    Returns
    -------
    code
        1 where the data are wrong or a method failed, 130 after Ctrl-C, else 0. A method that
        cannot run on this machine is skipped with a message and changes no exit code.

    Raises
    ------
    SystemExit
        With code 2, after a usage error.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given[:1] == ["report"]:
        return exit_code(lambda: report.main(given[1:]))
    return exit_code(lambda: _run(_parser().parse_args(given)))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.autofj",
        description="Run methods over the AutoFJ tables, or write docs/benchmarks.md: report.",
        epilog=f"Methods: {', '.join(method_names())}, encoder:NAME, pearljoin:NAME.",
    )
    parser.add_argument("--method", action="extend", nargs="+", metavar="NAME", help="default: all")
    parser.add_argument("--tables", action="extend", nargs="+", metavar="NAME", help="default: all")
    parser.add_argument("--precision", type=float, default=DEFAULT_TARGET, help="default: 0.9")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results here")
    parser.add_argument(
        "--vectors",
        type=Path,
        metavar="FOLDER",
        help="keep encoders' vectors here between runs (the seconds then leave out what was kept; "
        "delete it when a model's weights change)",
    )
    parser.add_argument(
        "--resume",
        action="store_true",
        help="take over the tables that the method's kept results already hold, from any commit",
    )
    parser.add_argument(
        "--note", action="append", default=[], metavar="SENTENCE", help="keep this with the results"
    )
    return parser


def _run(options: argparse.Namespace) -> int:
    if not 0 < options.precision <= 1:
        raise InputError(
            f"The precision target is out of range. Got {options.precision}. "
            "Hint: a number above 0 and up to 1."
        )
    methods = [make_method(name) for name in options.method or method_names()]
    for method in methods:
        if options.vectors is not None and isinstance(method, EncoderCosine):
            method.vectors = options.vectors / safe_name(method.name)
    tables = _load(options.tables)
    whole = options.tables is None and options.precision == DEFAULT_TARGET
    results: list[Result] = []
    made_at = commit() or "unknown"
    failed = False
    for method in methods:
        try:
            kept = _kept_tables(method, options.precision) if options.resume else {}
            done: dict[str, Rates] = {}
            for table, rates in _measure(method, tables, options.precision, kept):
                done[table] = rates
                result = result_of(
                    method,
                    dict(sorted(done.items())),
                    precision=options.precision,
                    made_at=made_at,
                    notes=options.note,
                )
                # What a slow method has measured outlives an interruption.
                if options.resume and options.json is None and kept.keys() <= done.keys():
                    save_results([result], result_file(result.method, RESULTS))
            _print_average(result)
        except MethodAbsentError as error:
            print(f"{method.name}: skipped, {error}", file=sys.stderr)
            continue
        except PearljoinError as error:
            print(f"{method.name}: failed. {error}", file=sys.stderr)
            failed = True
            continue
        results.append(result)
        if options.json is not None:
            save_results(results, options.json)
        elif whole:
            save_results([result], result_file(result.method, RESULTS))
    return int(failed)


def _load(names: Sequence[str] | None) -> list[AutoFJTable]:
    known = table_names()
    for name in names or ():
        if name not in known:
            raise InputError(
                f"There is no AutoFJ table of that name. Got {name!r}. "
                f"Hint: one of {', '.join(known)}."
            )
    return [load_table(name) for name in names or known]


def _kept_tables(method: Method, precision: float) -> dict[str, Rates]:
    """Read what an earlier run of the same versions and target has measured, table by table."""
    path = result_file(method.name, RESULTS)
    if not path.exists():
        return {}
    (kept,) = (result for result in load_results(RESULTS) if result.method == method.name)
    versions = {name: kept.versions.get(name) for name in method.versions()}
    if kept.precision_target != precision or versions != method.versions():
        raise InputError(
            f"The kept results of {method.name!r} are another run's. Got target "
            f"{kept.precision_target} and versions {versions}. "
            "Hint: run without --resume to measure every table anew."
        )
    return dict(kept.tables)


def _measure(
    method: Method, tables: list[AutoFJTable], precision: float, kept: dict[str, Rates]
) -> Iterator[tuple[str, Rates]]:
    """Measure a method table by table, those first that are kept from an earlier run."""
    print(f"\n{method.name} (join: {method.rule})")
    print(_line("table", [title for title, _ in COLUMNS], "seconds"))
    first_kept = sorted(tables, key=lambda table: table.name not in kept)
    for table in _bar(first_kept, method.name):
        rates = kept.get(table.name) or evaluate_table(method, table, precision)
        print(_rates_line(table.name, rates), flush=True)
        yield table.name, rates


def _print_average(result: Result) -> None:
    tables = len(result.tables)
    print(_rates_line(f"macro average of {tables}", {**result.macro, "seconds": result.seconds}))
    for part in ("join", "open"):
        rates = result.macro[part]
        reached = rates["tables_at_target"] if isinstance(rates, dict) else 0
        print(f"  {part}: {reached} of {tables} tables reach precision {result.precision_target}")


def _bar(tables: list[AutoFJTable], label: str) -> Iterator[AutoFJTable]:
    return progress(tables, total=len(tables), label=label, unit="table", verbose=None)


def _rates_line(name: str, rates: Rates) -> str:
    cells = []
    for _, path in COLUMNS:
        value: object = rates
        for key in path:
            value = value[key] if isinstance(value, dict) else None
        cells.append(f"{100 * value:.1f}" if isinstance(value, int | float) else "–")
    return _line(name, cells, f"{rates['seconds']:.1f}")


def _line(name: str, cells: Sequence[str], seconds: str) -> str:
    return f"{name:<30}" + "".join(f"{cell:>8}" for cell in cells) + f"{seconds:>10}"


if __name__ == "__main__":
    sys.exit(main())
