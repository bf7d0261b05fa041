"""Running a method's process under a time limit, and keeping what it answered."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pearljoin._atomic import write_text

__all__ = ["ANSWERS", "THREADS", "Command", "Response", "run_kept"]

CHECKOUT = Path(__file__).resolve().parents[2]
ANSWERS = CHECKOUT / "runs" / "records"
WORKER = Path(__file__).with_name("worker.py")

THREADS = 2
"""What every method is told to use, as far as the environment can tell it."""

THREAD_VARIABLES = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "POLARS_MAX_THREADS",
    "RAYON_NUM_THREADS",
)


@dataclass(frozen=True)
class Command:
    """How an adapter is started, and what its answers depend on."""

    python: Path
    """The Python of the method's environment."""
    adapter: Path
    isolated: bool
    """Whether it runs without this checkout on its path, as every peer does."""
    depends_on: tuple[Path, ...] = ()
    """Files and folders beside the adapter whose content decides its answers."""


@dataclass(frozen=True)
class Response:
    """What came of a run; one of `answers`, `error` and `timeout` is filled."""

    commit: str
    """The commit that the method was run at."""
    answers: Mapping[str, Mapping[str, Any]] | None = None
    versions: Mapping[str, str] | None = None
    seconds: float = 0.0
    peak_mib: float = 0.0
    error: str | None = None
    timeout: float | None = None
    """The time limit that was reached, in seconds."""


def run_kept(
    command: Command,
    request: Mapping[str, Any],
    kept_in: Path,
    *,
    limit: float,
    made_at: str,
    fresh: bool = False,
) -> Response:
    """Run a method, or return what it answered to the same request before.

    Parameters
    ----------
    command
        What to run.
    request
        See ``worker.py``.
    kept_in
        Folder of the kept answers of this method and set.
    limit
        Seconds of wall time, with imports and reading; past it the process is ended.
    made_at
        The commit, kept with the answer.
    fresh
        Whether to run although an answer is kept.

    Returns
    -------
    response
        Failures are not kept. A kept timeout stands until a larger limit is asked for.
    """
    kept = kept_in / f"{_key(command, request)}.json"
    if kept.exists() and not fresh:
        response = Response(**json.loads(kept.read_text(encoding="utf-8")))
        if response.timeout is None or response.timeout >= limit:
            return response
    response = _run(command, request, limit, made_at)
    if response.error is None:
        write_text(kept, json.dumps(vars(response)), what="answer")
    return response


def _run(command: Command, request: Mapping[str, Any], limit: float, made_at: str) -> Response:
    with TemporaryDirectory() as scratch:
        asked, answered = Path(scratch, "request.json"), Path(scratch, "response.json")
        asked.write_text(json.dumps(request), encoding="utf-8")
        log = Path(scratch, "log")
        code = _wait(command, asked, answered, log, limit)
        if code is None:
            return Response(made_at, timeout=limit)
        if not answered.exists():
            ended = log.read_text(encoding="utf-8", errors="replace").strip()[-500:]
            return Response(made_at, error=f"Its process ended with code {code}. {ended}")
        return Response(made_at, **json.loads(answered.read_text(encoding="utf-8")))


def _wait(command: Command, asked: Path, answered: Path, log: Path, limit: float) -> int | None:
    """Run the process to its end; return its exit code, None where the limit was reached."""
    flags = ["-I"] if command.isolated else []
    arguments = [str(command.python), *flags, str(WORKER), str(command.adapter)]
    with (
        log.open("w", encoding="utf-8") as output,
        _process([*arguments, str(asked), str(answered)], output, asked.parent) as process,
    ):
        try:
            return process.wait(limit)
        except subprocess.TimeoutExpired:
            return None


@contextmanager
def _process(
    arguments: Sequence[str], output: Any, folder: Path
) -> Iterator[subprocess.Popen[bytes]]:
    """Start a process in a group of its own, and end the whole group at the end."""
    environment = {**os.environ, **dict.fromkeys(THREAD_VARIABLES, str(THREADS))}
    environment["PYTHONPATH"] = str(CHECKOUT)
    process = subprocess.Popen(
        arguments,
        stdout=output,
        stderr=output,
        cwd=folder,
        env=environment,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        while process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            time.sleep(0.05)


def _key(command: Command, request: Mapping[str, Any]) -> str:
    digest = hashlib.sha256(json.dumps(request, ensure_ascii=False).encode())
    for path in (command.adapter, *command.depends_on):
        for file in sorted(_files(path)):
            digest.update(file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:24]


def _files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    return [file for file in path.rglob("*") if file.is_file() and "__pycache__" not in file.parts]
