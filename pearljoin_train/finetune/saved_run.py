"""Checkpoints of fine-tuning, beside the folder that it writes, from which it goes on."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import shutil
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from torch import nn

from pearljoin._atomic import remove_unfinished
from pearljoin._errors import InputError
from pearljoin_train.common.config import Config
from pearljoin_train.finetune.user_pairs import Pair
from pearljoin_train.training.checkpoint import latest_checkpoint, load_checkpoint, save_checkpoint
from pearljoin_train.training.loop import Trainer

__all__ = ["SavedRun", "run_identity"]

SECONDS = 60.0
"""Training between two checkpoints."""


def run_identity(
    pairs: Sequence[Pair], config: Config, *, base: str, steps: int | None
) -> dict[str, Any]:
    """Describe what makes two runs one: a run goes on as it began, but for its time.

    Returns
    -------
    identity
        Plain values, by name.
    """
    listed = json.dumps([dataclasses.astuple(pair) for pair in pairs])
    config_values = dataclasses.asdict(config)
    # The bundled base is unpacked into another folder each time.
    del config_values["base"]
    return {
        "pairs": hashlib.sha256(listed.encode("utf-8", "surrogatepass")).hexdigest(),
        "base": base,
        "steps": steps,
        "config": config_values,
    }


class SavedRun:
    """The checkpoints of a run.

    Parameters
    ----------
    out
        The folder that the run writes at its end; its checkpoints lie in ``<out>.checkpoints``.
    resume
        Whether to go on from what is there.

    Raises
    ------
    InputError
        If there are checkpoints, and the run is not to go on from them.
    """

    def __init__(self, out: Path, *, resume: bool) -> None:
        self.folder = out.with_name(f"{out.name}.checkpoints")
        self._saved = time.monotonic()
        if self.folder.exists() and not resume:
            raise InputError(
                f"There are checkpoints of a run that did not end. Got {str(self.folder)!r}. "
                "Hint: --resume to go on from them, or delete them."
            )

    def restore(self, trainer: Trainer, identity: dict[str, Any]) -> dict[str, Any] | None:
        """Put the newest checkpoint into a trainer.

        Returns
        -------
        facts
            As they were given to `save`; None if there is no checkpoint.

        Raises
        ------
        InputError
            If it is of another run, or cannot be read.
        """
        newest = latest_checkpoint(self.folder)
        if newest is None:
            return None
        facts, _ = load_checkpoint(newest, _modules(trainer), trainer.optimiser)
        then = facts.get("identity", {})
        changed = sorted(name for name in identity if identity[name] != then.get(name))
        if changed:
            raise InputError(
                f"A run goes on as it began. Got another {', '.join(changed)}. Hint: leave them as "
                f"they were, or delete {str(self.folder)!r} to begin anew."
            )
        trainer.done = int(facts["step"])
        return facts

    def save(self, trainer: Trainer, facts: dict[str, Any], *, last: bool) -> None:
        """Write a checkpoint, where the last one is long ago or this is the end."""
        if not last and time.monotonic() - self._saved < SECONDS:
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        remove_unfinished(self.folder)
        save_checkpoint(
            self.folder, trainer.done, _modules(trainer), trainer.optimiser, trainer.average, facts
        )
        self._saved = time.monotonic()

    def remove(self) -> None:
        """Delete the checkpoints: the run has ended."""
        shutil.rmtree(self.folder, ignore_errors=True)


def _modules(trainer: Trainer) -> dict[str, nn.Module]:
    return {"model": trainer.model, "head": trainer.head}
