"""`python -m benchmarks.spark`: a join on a local cluster against the same join on one machine.

Real names: left rows are aliases, the reference are names (see `benchmarks.scale.names`). Both
strategies: a reference that is collected, and one that stays on the cluster. Prints a line for
each, with the rows that are those of one machine, and writes ``results/SIZE.json``; from its
seconds and bytes ``docs/howto/spark.md`` extrapolates.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

import pearljoin as pj
from benchmarks.scale.names import read_scale_names
from benchmarks.spark.measure import work_of
from pearljoin._atomic import write_text
from pearljoin.spark import local_session
from pearljoin_train.common.commands import exit_code
from pearljoin_train.common.environment import commit, machine

__all__ = ["main"]

MASTER = "local-cluster[2,1,1024]"
RESULTS = Path(__file__).parent / "results"

ORDER = "row"
"""Column of the reference that numbers its rows, which have no order on Spark."""

PARTITIONS = 8
"""Of the left frame."""

LEAST_SAME = 0.995
"""Share of rows that must be those of one machine."""

ROUNDING = 1.5e-5
"""Below this scores are the same: those of a join have five decimals, of which the last may differ.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return the exit code.

    Returns
    -------
    code
        1 where fewer than 99.5 % of rows are those of one machine, 2 where the arguments are wrong,
        else 0.
    """
    return exit_code(lambda: _run(_parser().parse_args(arguments)), wrong=2)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.spark", description=__doc__)
    parser.add_argument("--rows", type=int, default=200_000, help="left rows")
    parser.add_argument("--reference", type=int, default=100_000, help="reference rows")
    parser.add_argument("--master", default=MASTER, help=f"default: {MASTER}")
    parser.add_argument("--encoder", default="pearl-nano")
    parser.add_argument("--strategies", default="small,large", help="small, large or both")
    parser.add_argument("--cell-phrases", type=int, default=20_000, help="phrases in a cell")
    parser.add_argument("--constraint", default="m:1", help="m:1 or 1:1")
    parser.add_argument("--kill", type=float, help="seconds of a join, then kill a Python worker")
    parser.add_argument("--out", type=Path, default=RESULTS, help="folder of the results")
    return parser


def _run(options: argparse.Namespace) -> int:
    names = read_scale_names(options.rows, options.reference)
    # Of equally good reference rows the first is the match, by either strategy.
    right = pa.table({"name": names.reference, ORDER: range(len(names.reference))})
    left = pa.table({"name": names.left})
    start = time.perf_counter()
    rules = {"on": "name", "encoder": options.encoder, "constraint": options.constraint}
    alone = pj.match(left, right, **rules).join("left")
    content: dict[str, Any] = {
        "commit": commit(),
        "machine": machine(),
        "rows": left.num_rows,
        "reference": right.num_rows,
        "master": options.master,
        "encoder": options.encoder,
        "constraint": options.constraint,
        "cell_phrases": options.cell_phrases,
        "seconds_alone": round(time.perf_counter() - start, 1),
        "strategies": {},
    }
    settings = {"spark__ui__enabled": "true", "spark__sql__shuffle__partitions": "8"}
    print(f"{'strategy':>9} {'fit s':>7} {'match s':>8} {'task s':>8} {'shuffle MiB':>12}  same")
    with local_session(options.master, **settings) as session:
        session.sparkContext.setLogLevel("ERROR")
        session.conf.set("spark.pearljoin.cellPhrases", str(options.cell_phrases))
        session.conf.set("spark.pearljoin.orderBy", ORDER)
        for strategy in options.strategies.split(","):
            found = _measure(session, strategy, (left, right), rules, alone, options.kill)
            content["strategies"][strategy] = found
            ending = "" if options.constraint == "m:1" else "-one-to-one"
            ending += "" if options.kill is None else "-killed"
            path = options.out / f"{left.num_rows}x{right.num_rows}{ending}.json"
            write_text(path, json.dumps(content, indent=1) + "\n", what="result")
    shares = [found["same_answer"] / left.num_rows for found in content["strategies"].values()]
    return 0 if min(shares) >= LEAST_SAME else 1


def _measure(
    session: Any,
    strategy: str,
    tables: tuple[pa.Table, pa.Table],
    rules: dict[str, Any],
    alone: pa.Table,
    kill: float | None,
) -> dict[str, Any]:
    """Join on the cluster, and compare with one machine."""
    left, right = tables
    is_large = strategy == "large"
    session.conf.set("spark.pearljoin.largestReference", "1" if is_large else "5000000")
    before = work_of(session)
    frame = session.createDataFrame(left).repartition(PARTITIONS).localCheckpoint()
    reference = session.createDataFrame(right) if is_large else right
    start = time.perf_counter()
    result = pj.match(frame, reference, **rules)
    fitted, fit_work = time.perf_counter(), work_of(session).since(before)
    if kill is not None:
        threading.Thread(target=_kill_a_worker, args=(kill,), daemon=True).start()
    found = result.join("left").toArrow()
    matched, done = time.perf_counter(), work_of(session).since(before)
    answers, scores = _same_rows(found, alone)
    print(
        f"{strategy:>9} {fitted - start:>7.1f} {matched - fitted:>8.1f} {done.task_seconds:>8.1f} "
        f"{done.shuffle_bytes / 2**20:>12,.1f}  {answers:,} answers and {scores:,} scores of "
        f"{left.num_rows:,}",
        flush=True,
    )
    return {
        "seconds_fit": round(fitted - start, 1),
        "seconds_match": round(matched - fitted, 1),
        "task_seconds_fit": round(fit_work.task_seconds, 1),
        "task_seconds": round(done.task_seconds, 1),
        "shuffle_bytes_fit": fit_work.shuffle_bytes,
        "shuffle_bytes": done.shuffle_bytes,
        "same_answer": answers,
        "same_score": scores,
    }


def _same_rows(found: pa.Table, expected: pa.Table) -> tuple[int, int]:
    """Count the left rows whose match is that of one machine, and those whose score is, too."""
    tables = []
    for table in (found, expected):
        columns = table.to_pydict()
        pairs = zip(columns["name_right"], columns["match_score"], strict=True)
        tables.append(dict(zip(columns["name"], pairs, strict=True)))
    here, there = tables
    same = [name for name in there if name in here and here[name][0] == there[name][0]]
    near = [name for name in same if abs((here[name][1] or 0) - (there[name][1] or 0)) <= ROUNDING]
    return len(same), len(near)


def _kill_a_worker(after: float) -> None:
    """Kill one of the Python workers of this session."""
    time.sleep(after)
    listed = subprocess.run(["ps", "-eo", "pid,ppid,args"], capture_output=True, text=True).stdout
    parents = {int(line.split()[0]): int(line.split()[1]) for line in listed.splitlines()[1:]}
    for line in listed.splitlines()[1:]:
        pid = int(line.split()[0])
        is_worker = "pyspark.daemon" in line and "pyspark.daemon" in _line(listed, parents[pid])
        if is_worker and _descends(pid, os.getpid(), parents):
            os.kill(pid, signal.SIGKILL)
            print(f"          killed the Python worker {pid}", flush=True)
            return


def _line(listed: str, pid: int) -> str:
    return next((line for line in listed.splitlines()[1:] if int(line.split()[0]) == pid), "")


def _descends(pid: int, ancestor: int, parents: dict[int, int]) -> bool:
    while pid in parents and pid != ancestor:
        pid = parents[pid]
    return pid == ancestor


if __name__ == "__main__":
    sys.exit(main())
