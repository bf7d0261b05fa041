"""`python -m benchmarks.records`: run methods over the sets of records; `... report`: the page.

Prints one line a method and set, and keeps it in ``benchmarks/records/results/``, one JSON file a
row of the table. What a method answered is kept under ``runs/records/``, so a broken-off run goes
on where it stopped; a method is run again where its code, its pins or the set have changed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.records import report
from benchmarks.records.evaluate import Outcome, evaluate_set
from benchmarks.records.methods import Method, make_method, method_names
from benchmarks.records.process import ANSWERS
from benchmarks.records.results import RESULTS, add_outcome
from benchmarks.records.sets import load_set, set_names
from pearljoin._errors import InputError
from pearljoin_train.common.commands import exit_code
from pearljoin_train.common.environment import commit

DEFAULT_LIMIT = 600.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return the exit code.

    Returns
    -------
    code
        2 where the arguments or the data are wrong, 1 where a method failed, 130 after Ctrl-C,
        else 0: a peer that is not installed is skipped with a word, and a timeout is a result.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given[:1] == ["report"]:
        return exit_code(lambda: report.main(given[1:]), wrong=2)
    return exit_code(lambda: _run(_parser().parse_args(given)), wrong=2)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.records",
        description="Run methods over the sets of records, or write the page: report.",
        epilog=f"Methods: {', '.join(method_names())}.",
    )
    parser.add_argument("--method", action="extend", nargs="+", metavar="NAME", help="default: all")
    parser.add_argument("--sets", action="extend", nargs="+", metavar="NAME", help="default: all")
    parser.add_argument(
        "--limit",
        type=float,
        default=DEFAULT_LIMIT,
        metavar="SECONDS",
        help="of wall time for a method on a set, imports and all; default: 600",
    )
    parser.add_argument(
        "--fresh", action="store_true", help="run again what has already been answered"
    )
    parser.add_argument(
        "--results", type=Path, default=RESULTS, metavar="FOLDER", help="where results are kept"
    )
    parser.add_argument(
        "--answers", type=Path, default=ANSWERS, metavar="FOLDER", help="where answers are kept"
    )
    return parser


def _run(options: argparse.Namespace) -> int:
    if not options.limit > 0:
        raise InputError(
            f"The time limit is out of range. Got {options.limit}. Hint: seconds above 0."
        )
    methods = [make_method(name) for name in options.method or method_names()]
    known = set_names()
    for name in options.sets or ():
        if name not in known:
            load_set(name)  # says what is wrong
    absent = [method for method in methods if not method.installed]
    for method in absent:
        print(
            f"{method.name}: skipped, its environment is absent: "
            f"python -m benchmarks.peers install {method.peer}",
            file=sys.stderr,
        )
    print(_line("set", "method", ["P", "R", "F1", "B3", "ECE", "seconds", "MiB"]))
    failed = False
    for name in options.sets or known:
        records = load_set(name)
        for method in methods:
            if method in absent or (method.sets is not None and name not in method.sets):
                continue
            outcomes, versions = evaluate_set(
                method,
                records,
                limit=options.limit,
                # Adapters are read anew for each set: a long run may see several commits.
                made_at=commit() or "unknown",
                fresh=options.fresh,
                answers=options.answers,
            )
            failed |= _report_outcomes(method, name, outcomes, versions, options.results)
    return int(failed)


def _report_outcomes(
    method: Method, name: str, outcomes: dict[str, Outcome], versions: dict[str, str], folder: Path
) -> bool:
    """Print and keep what a method did on a set; return whether it failed."""
    for row, outcome in outcomes.items():
        print(_outcome_line(name, row, outcome), flush=True)
        add_outcome(row, method.name, name, outcome, versions, folder)
    return any(outcome["status"] == "failed" for outcome in outcomes.values())


def _outcome_line(name: str, row: str, outcome: Outcome) -> str:
    if outcome["status"] != "measured":
        detail = outcome.get("error") or outcome.get("why") or f"{outcome.get('limit_s')} s"
        return f"{name:<26}{row:<26}  {outcome['status']}: {detail}"
    rates = [outcome["precision"], outcome["recall"], outcome["f1"]]
    cells = [f"{100 * rate:.1f}" for rate in rates]
    cells.append(f"{100 * outcome['b_cubed']['f1']:.1f}" if "b_cubed" in outcome else "–")
    error = outcome.get("calibration_error")
    cells.append("–" if error is None else f"{error:.3f}")
    return _line(name, row, [*cells, f"{outcome['seconds']:.1f}", f"{outcome['peak_mib']:.0f}"])


def _line(name: str, row: str, cells: Sequence[str]) -> str:
    return f"{name:<26}{row:<26}" + "".join(f"{cell:>9}" for cell in cells)


if __name__ == "__main__":
    sys.exit(main())
