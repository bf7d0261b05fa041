"""The process that runs one method on one set, by the Python of the method's environment.

Standard library only: it runs where neither pearljoin nor its dependencies are installed.

``worker.py ADAPTER REQUEST RESPONSE``: ADAPTER is a Python file with ``PACKAGES``, a tuple of the
distributions whose versions are reported, and one of these functions or both::

    link(left, right, request) -> answers
    dedupe(table, request) -> answers

REQUEST is JSON: ``{"left": columns, "right": columns | null, "constraint": str, "kinds": {column:
kind}, "blocking": rules}``; columns are lists of strings or nulls by name. The answers are
dictionaries by variant, ``""`` where there is one, each with some of

- ``pairs``: [[left row, right row], ...], what a linkage returns;
- ``clusters``: [label, ...], the found cluster of each row;
- ``best``: [[row, other row, probability], ...], each row's best candidate with the probability
  that it is a match, only where scores are meant as probabilities;
- ``ranking``: [[left row, right row, score], ...], candidates of a method without a rule;
- ``dendrograms``: {linkage rule: [[cluster, cluster, distance], ...]}, the same for one table;
- ``not_offered``: why the method has no answer to this kind of set;
- ``note``: what a reader should know.

RESPONSE is written as ``{"answers", "versions", "seconds", "peak_mib"}`` or ``{"error": str}``.
The seconds are those of the function, without imports; the peak memory is the whole process's.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import platform
import resource
import sys
import time
import traceback
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Any


def load_adapter(path: Path) -> ModuleType:
    """Import an adapter by its path."""
    spec = importlib.util.spec_from_file_location(f"adapter_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"There is no adapter at {path}.")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def answer(adapter: Path, request: dict[str, Any]) -> dict[str, Any]:
    """Return what goes into the response file."""
    try:
        module = load_adapter(adapter)
        start = time.perf_counter()
        if request["right"] is None:
            answers = module.dedupe(request["left"], request)
        else:
            answers = module.link(request["left"], request["right"], request)
        seconds = time.perf_counter() - start
    except Exception:  # noqa: BLE001 - whatever a peer raises is its answer
        return {"error": traceback.format_exc()}
    versions = {"python": platform.python_version()}
    versions |= {package: version(package) for package in module.PACKAGES}
    return {
        "answers": answers,
        "versions": versions,
        "seconds": seconds,
        "peak_mib": peak_mib(),
    }


def peak_mib() -> float:
    """Return the most memory that this process held, in MiB."""
    status = Path("/proc/self/status")
    if status.exists():
        # getrusage counts the memory of the process that started this one, before its exec.
        for line in status.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (1024 * 1024 if sys.platform == "darwin" else 1024)


def main() -> None:
    """Answer one request."""
    adapter, request, response = map(Path, sys.argv[1:4])
    asked = json.loads(request.read_text(encoding="utf-8"))
    # Peers print warnings and bars, which are no part of the answer.
    with contextlib.redirect_stdout(sys.stderr):
        answered = answer(adapter, asked)
    response.write_text(json.dumps(answered), encoding="utf-8")


if __name__ == "__main__":
    main()
