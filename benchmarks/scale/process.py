"""Running a method in a process of its own: seconds, peak memory, a time limit."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.peers.client import Peer, peer_names
from benchmarks.scale.names import ScaleNames
from pearljoin._errors import InputError

__all__ = ["METHODS", "Method", "Run", "method_named", "run"]

HERE = Path(__file__).parent
CHECKOUT = HERE.parents[1]
SECONDS_BETWEEN_LOOKS = 0.05
LONGEST_ERROR = 300

OURS = {
    "pearljoin": "auto",
    "pearljoin-mini": "pearl-mini",
    "pearljoin-nano": "pearl-nano",
}
METHODS = (*OURS, "rapidfuzz")
"""Methods that run in this environment; the peers beside them run in their own."""


@dataclass(frozen=True)
class Method:
    """How a method is started.

    Attributes
    ----------
    name
        Its name in the table.
    python, adapter
        Its Python, and the file that answers.
    is_peer
        Whether the adapter is a peer's.
    options
        Further arguments of the adapter.
    """

    name: str
    python: Path
    adapter: Path
    is_peer: bool = False
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Run:
    """What came of a run.

    Attributes
    ----------
    seconds, stages
        Of the method, without imports and reading; of its stages, where it says them.
    peak_mib, tables_mib
        Largest resident memory of its process, and what of it was taken before the method started.
    accuracy, held_out
        Share of left rows whose top match is right; the same of names kept from training.
    error
        Why there are no figures; None where there are.
    """

    seconds: float = 0.0
    stages: Mapping[str, float] = field(default_factory=dict)
    peak_mib: float = 0.0
    tables_mib: float = 0.0
    accuracy: float = 0.0
    held_out: float | None = None
    error: str | None = None


def method_named(name: str, task: str = "names") -> Method:
    """Find a method; raises InputError where there is none of this name that does the task."""
    if task != "names" and name not in OURS:
        raise InputError(
            f"The method {name!r} joins names alone. Got task {task!r}. "
            f"Hint: one of {', '.join(OURS)}."
        )
    if name in OURS:
        options = {"encoder": OURS[name], "task": task}
        return Method(name, Path(sys.executable), HERE / "ours.py", options=options)
    if name == "rapidfuzz":
        return Method(name, Path(sys.executable), HERE / "rapidfuzz_wratio.py")
    if name not in peer_names():
        known = ", ".join((*METHODS, *peer_names()))
        raise InputError(f"There is no method {name!r}. Hint: one of {known}.")
    peer = Peer(name)
    if not peer.installed:
        raise InputError(
            f"The peer {name!r} is not installed. "
            f"Hint: run `python -m benchmarks.peers install {name}`."
        )
    return Method(name, peer.python, peer.folder / "adapter.py", is_peer=True)


def run(method: Method, names: ScaleNames, *, limit: float) -> Run:
    """Run a method on some rows.

    Parameters
    ----------
    method
        The method.
    names
        The reference, the left rows and their answers.
    limit
        Seconds of wall time, with imports and reading; past it the process is ended.
    """
    request = {
        "left": names.left,
        "reference": names.reference,
        "peer": method.is_peer,
        "options": dict(method.options),
    }
    with TemporaryDirectory() as scratch:
        asked, answered, log = (Path(scratch, name) for name in ("asked", "answered", "log"))
        asked.write_text(json.dumps(request), encoding="utf-8")
        ended, peak = _wait(method, asked, answered, log, limit)
        if ended is None:
            return Run(peak_mib=peak, error=f"not done in {limit:.0f} s")
        if not answered.exists():
            said = log.read_text(encoding="utf-8", errors="replace").strip()[-LONGEST_ERROR:]
            return Run(peak_mib=peak, error=f"ended with code {ended}: {said}")
        response = json.loads(answered.read_text(encoding="utf-8"))
    return _measured(response, names, peak)


def _measured(response: Mapping[str, Any], names: ScaleNames, peak: float) -> Run:
    right = [row in known for row, known in zip(response["rows"], names.answers, strict=True)]
    kept_out = [hit for hit, is_out in zip(right, names.held_out, strict=True) if is_out]
    return Run(
        seconds=response["seconds"],
        stages=response["stages"],
        peak_mib=peak,
        tables_mib=response["tables_kib"] / 1024,
        accuracy=sum(right) / len(right),
        held_out=sum(kept_out) / len(kept_out) if kept_out else None,
    )


def _wait(
    method: Method, asked: Path, answered: Path, log: Path, limit: float
) -> tuple[int | None, float]:
    """Run the process; return its exit code, None past the limit, and its peak memory in MiB."""
    command = [str(method.python), str(HERE / "worker.py"), str(method.adapter)]
    environment = dict(os.environ)
    if method.is_peer:
        command.insert(1, "-I")
    else:
        environment["PYTHONPATH"] = str(CHECKOUT)
    with log.open("w", encoding="utf-8") as output:
        process = subprocess.Popen(
            [*command, str(asked), str(answered)],
            stdout=output,
            stderr=output,
            cwd=asked.parent,
            env=environment,
            start_new_session=True,
        )
        try:
            return _reap(process, limit)
        finally:
            if process.returncode is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def _reap(process: subprocess.Popen[bytes], limit: float) -> tuple[int | None, float]:
    """Wait for the end of one process, whose own memory is then known."""
    end = time.monotonic() + limit
    is_late = False
    while True:
        found, status, usage = os.wait4(process.pid, os.WNOHANG)
        if found:
            process.returncode = os.waitstatus_to_exitcode(status)
            return None if is_late else process.returncode, _mib(usage)
        if time.monotonic() > end and not is_late:
            is_late = True
            os.killpg(process.pid, signal.SIGKILL)
        time.sleep(SECONDS_BETWEEN_LOOKS)


def _mib(usage: resource.struct_rusage) -> float:
    # Linux counts in KiB, macOS in bytes.
    return usage.ru_maxrss / (1024 if sys.platform != "darwin" else 1024**2)
