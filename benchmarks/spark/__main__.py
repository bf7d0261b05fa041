"""`python -m benchmarks.spark`: a join on a local cluster against the same join on one machine.

Real names: left rows are aliases, the reference are names (see `benchmarks.scale.names`). Prints a
line for each number of left rows, and whether every row is that of one machine; then the seconds
and bytes for a million rows, from which ``docs/howto/spark.md`` extrapolates.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from typing import Any

import pyarrow as pa

import pearljoin as pj
from benchmarks.scale.names import read_scale_names
from benchmarks.spark.measure import Work, work_of
from pearljoin.spark import local_session
from pearljoin_train.common.commands import exit_code

__all__ = ["main"]

MASTER = "local-cluster[2,1,1024]"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return the exit code.

    Returns
    -------
    code
        1 where a row is not that of one machine, 2 where the arguments are wrong, else 0.
    """
    return exit_code(lambda: _run(_parser().parse_args(arguments)), wrong=2)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.spark", description=__doc__)
    parser.add_argument("--rows", type=_numbers, default=[200_000], help="left rows")
    parser.add_argument("--reference", type=int, default=100_000, help="reference rows")
    parser.add_argument("--master", default=MASTER, help=f"default: {MASTER}")
    parser.add_argument("--partitions", type=int, default=8, help="of the left frame")
    parser.add_argument("--encoder", default="default")
    parser.add_argument("--kill", action="store_true", help="kill a Python worker half way")
    return parser


def _numbers(text: str) -> list[int]:
    return [int(part) for part in text.split(",")]


def _run(options: argparse.Namespace) -> int:
    print(
        f"{'rows':>9} {'fit s':>7} {'match s':>8} {'task s':>8} {'shuffle':>9} {'alone s':>8}  same"
    )
    is_same = True
    settings = {"spark__ui__enabled": "true", "spark__sql__shuffle__partitions": "8"}
    with local_session(options.master, **settings) as session:
        session.sparkContext.setLogLevel("ERROR")
        for rows in sorted(options.rows):
            names = read_scale_names(rows, options.reference)
            left, right = pa.table({"name": names.left}), pa.table({"name": names.reference})
            is_same &= _compare(session, left, right, options)
    return 0 if is_same else 1


def _compare(session: Any, left: pa.Table, right: pa.Table, options: argparse.Namespace) -> bool:
    before = work_of(session)
    frame = session.createDataFrame(left).repartition(options.partitions).localCheckpoint()
    start = time.perf_counter()
    # A local reference keeps its order, so that ties go to the same rows.
    result = pj.match(frame, right, on="name", encoder=options.encoder)
    fitted = time.perf_counter()
    killer = threading.Thread(target=_kill_a_worker, daemon=True)
    if options.kill:
        killer.start()
    found = result.join("left").toArrow()
    matched = time.perf_counter()
    done = work_of(session).since(before)
    expected = pj.match(left, right, on="name", encoder=options.encoder).join("left")
    alone = time.perf_counter() - matched
    same = _same_rows(found, expected)
    _report(left.num_rows, fitted - start, matched - fitted, done, alone, same)
    return bool(same == left.num_rows)


def _report(rows: int, fit: float, match: float, done: Work, alone: float, same: int) -> None:
    print(
        f"{rows:>9,} {fit:>7.1f} {match:>8.1f} {done.task_seconds:>8.1f} "
        f"{done.shuffle_bytes:>9,} {alone:>8.1f}  {same:,} of {rows:,}",
        flush=True,
    )
    million = 1e6 / rows
    print(
        f"          a million rows: {million * done.task_seconds:,.0f} task seconds, "
        f"{million * done.shuffle_bytes / 2**20:,.1f} MiB of shuffles",
        flush=True,
    )


def _same_rows(found: pa.Table, expected: pa.Table) -> int:
    """Count the left rows whose match and score are those of one machine."""
    tables = []
    for table in (found, expected):
        columns = table.to_pydict()
        pairs = zip(columns["name_right"], columns["match_score"], strict=True)
        tables.append(dict(zip(columns["name"], pairs, strict=True)))
    return sum(
        name in tables[0] and _is_same(tables[0][name], pair) for name, pair in tables[1].items()
    )


def _is_same(one: tuple[Any, Any], two: tuple[Any, Any]) -> bool:
    if one[1] is None or two[1] is None:
        return one == two
    return bool(one[0] == two[0] and abs(one[1] - two[1]) <= 1e-5)


def _kill_a_worker(after: float = 20.0) -> None:
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
