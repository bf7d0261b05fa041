"""Writing a scorer into a model folder."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

__all__ = ["attach", "rounded"]


def attach(scorer: dict[str, Any], folder: Path) -> None:
    """Write a scorer into a model folder and enter it in its configuration."""
    content = (json.dumps(rounded(scorer)) + "\n").encode()
    (folder / "scorer.json").write_bytes(content)
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    config["files"]["scorer.json"] = hashlib.sha256(content).hexdigest()
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")


def rounded(value: Any) -> Any:
    """Numbers at six digits, which is what float32 holds nearly all of."""
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [rounded(item) for item in value]
    return float(f"{value:.6g}") if isinstance(value, float) else value
