"""`training.json`: settings, sources, licences and time of a model's training."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pearljoin._atomic import write_text

__all__ = ["TRAINING", "read_facts", "write_facts"]

TRAINING = "training.json"


def read_facts(folder: str | Path) -> dict[str, Any]:
    """Read the facts of a folder's model; empty where there are none."""
    path = Path(folder) / TRAINING
    if not path.is_file():
        return {}
    facts: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return facts


def write_facts(folder: Path, facts: Mapping[str, Any]) -> None:
    """Write the facts of a folder's model, whole or not at all."""
    write_text(folder / TRAINING, json.dumps(facts, indent=1) + "\n")
