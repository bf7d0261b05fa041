"""The process of one method on one size; standard library only, for a peer's Python.

``worker.py ADAPTER REQUEST RESPONSE``: the request is JSON, ``{"left": [str], "reference": [str],
"options": {...}}``. The adapter is a file with ``answer(left, reference, **options)``, which
returns for each left row the position of its best reference row, -1 for none, and the seconds of
its stages by name; or a peer's, whose ``answer(queries, reference, precision)`` is asked.
"""

from __future__ import annotations

import importlib.util
import json
import resource
import sys
import time
from pathlib import Path
from types import ModuleType
from typing import Any


def load(path: Path) -> ModuleType:
    """Import a file by its path."""
    spec = importlib.util.spec_from_file_location("scale_adapter", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"There is no adapter at {path}.")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def resident_kib() -> int:
    """Memory that this process holds now; what it held at most where the system says no more."""
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    lines = dict(line.split(":", 1) for line in status.read_text().splitlines())
    return int(lines["VmRSS"].split()[0])


def main(adapter: str, asked: str, answered: str) -> None:
    """Answer one request."""
    request: dict[str, Any] = json.loads(Path(asked).read_text(encoding="utf-8"))
    module = load(Path(adapter))
    tables = resident_kib()
    start = time.perf_counter()
    if request["peer"]:
        best, _ = module.answer(request["left"], request["reference"], 0.9)
        rows, stages = [int(row) for row, _ in best], {}
    else:
        rows, stages = module.answer(request["left"], request["reference"], **request["options"])
    seconds = time.perf_counter() - start
    response = {"rows": rows, "stages": stages, "seconds": seconds, "tables_kib": tables}
    Path(answered).write_text(json.dumps(response), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
