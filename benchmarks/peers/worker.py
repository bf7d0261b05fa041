"""The process of one peer, run by the peer's Python.

Standard library only: it runs where neither pearljoin nor its dependencies are installed.

Each line on standard input names a request file, JSON: ``{"queries": [str], "reference": [str],
"precision": float, "response": path}``. The answer is written to ``response`` as ``{"best":
[[reference position, score], ...] | null, "pairs": [[query position, reference position, score
| null], ...], "seconds": float}`` and the line ``done`` is printed. ``best`` has one entry a
query, null where the peer has no ranking; position -1 says that it found nothing at all. A
failure is answered with ``{"error": str}``.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import sys
import time
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any


def load_adapter(peer: str) -> ModuleType:
    """Import ``<peer>/adapter.py`` by its path: its folder is named like the package it uses."""
    path = Path(__file__).parent / peer / "adapter.py"
    spec = importlib.util.spec_from_file_location(f"adapter_of_{peer}", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"There is no adapter at {path}.")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def answer(module: ModuleType, request: dict[str, Any]) -> dict[str, Any]:
    """Return what goes into the response file."""
    start = time.perf_counter()
    try:
        best, pairs = module.answer(request["queries"], request["reference"], request["precision"])
    except Exception:  # noqa: BLE001 - whatever a peer raises is its answer
        return {"error": traceback.format_exc()}
    return {"best": best, "pairs": pairs, "seconds": time.perf_counter() - start}


def main() -> None:
    """Answer requests until standard input ends."""
    # Peers print warnings and bars: standard output is kept for the answers.
    channel = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    module = load_adapter(sys.argv[1])
    for line in sys.stdin:
        request = json.loads(Path(line.strip()).read_text(encoding="utf-8"))
        with contextlib.redirect_stdout(sys.stderr):
            response = answer(module, request)
        Path(request["response"]).write_text(json.dumps(response), encoding="utf-8")
        print("done", file=channel, flush=True)


if __name__ == "__main__":
    main()
