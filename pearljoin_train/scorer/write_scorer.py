"""Writing a scorer into a model folder."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from pearljoin._atomic import atomic_files
from pearljoin._errors import InputError

__all__ = ["attach", "rounded"]


def attach(scorer: dict[str, Any], folder: Path) -> None:
    """Write a scorer into a model folder and enter its sha256 in the configuration.

    Raises
    ------
    InputError
        If a file cannot be read or written. The folder is then as it was.
    """
    # Without blanks: there are two hundred thousand numbers.
    content = (json.dumps(rounded(scorer), separators=(",", ":")) + "\n").encode()
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(
            f"A scorer goes into a model folder. Got {str(folder)!r}, whose config.json cannot be "
            f"read: {error}. Hint: make one by `python -m pearljoin_train export`."
        ) from error
    config["files"]["scorer.json"] = hashlib.sha256(content).hexdigest()
    text = json.dumps(config, indent=2) + "\n"
    atomic_files(
        folder, {"scorer.json": content, "config.json": text.encode()}, what="model folder"
    )


def rounded(value: Any) -> Any:
    """Numbers at six digits, which is what float32 holds nearly all of."""
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [rounded(item) for item in value]
    return float(f"{value:.6g}") if isinstance(value, float) else value
