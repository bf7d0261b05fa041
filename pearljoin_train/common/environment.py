"""Git commit and machine, for files of results."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from pathlib import Path

__all__ = ["commit", "machine"]

CHECKOUT = Path(__file__).resolve().parents[2]


def commit() -> str | None:
    """Return the checkout's commit, with ``+`` where tracked code has changed since; else None."""
    try:
        head = _git("rev-parse", "HEAD")
        changed = _git("status", "--porcelain", "--untracked-files=no", "--", "*.py")
    except (OSError, subprocess.CalledProcessError):
        return None
    return head + ("+" if changed else "")


def machine() -> dict[str, str | int]:
    """Return the processor's model and the number of cores."""
    model = platform.processor() or platform.machine()
    listing = Path("/proc/cpuinfo")
    if listing.exists():
        found = re.search(r"^model name\s*:\s*(.+)$", listing.read_text(), flags=re.MULTILINE)
        model = found.group(1) if found else model
    return {"cpu": model, "cores": os.cpu_count() or 1}


def _git(*arguments: str) -> str:
    command = ["git", "-C", str(CHECKOUT), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
