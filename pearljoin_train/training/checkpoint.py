"""Checkpoints of a training run, from which it resumes to the same losses."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from pearljoin._atomic import atomic_folder
from pearljoin._errors import InputError

__all__ = ["latest_checkpoint", "load_checkpoint", "save_checkpoint"]

KEPT = 2
"""Checkpoints that stay: should the newest be damaged by the machine, the one before is there."""


def save_checkpoint(
    folder: Path,
    step: int,
    modules: Mapping[str, nn.Module],
    optimiser: torch.optim.Optimizer,
    average: Mapping[str, Tensor],
    facts: Mapping[str, Any],
) -> Path:
    """Write a checkpoint of a run, whole or not at all.

    Parameters
    ----------
    folder
        The run's folder.
    step
        Steps done.
    modules
        What is trained, by name.
    optimiser
        Its state is kept by parameter.
    average
        The moving average of the weights, empty if there is none.
    facts
        Anything else, JSON.
    """
    final = folder / f"checkpoint-{step:07d}"
    weights = {
        f"{name}.{key}": tensor.detach().contiguous()
        for name, module in modules.items()
        for key, tensor in module.state_dict().items()
    }
    state = optimiser.state_dict()
    moments = {
        f"{number}.{key}": torch.as_tensor(value).contiguous()
        for number, values in state["state"].items()
        for key, value in values.items()
    }
    with atomic_folder(final, replace=True, keep=True, what="checkpoint") as partial:
        save_file(weights, partial / "weights.safetensors")
        save_file(moments, partial / "optimiser.safetensors")
        if average:
            save_file(
                {key: value.contiguous() for key, value in average.items()},
                partial / "average.safetensors",
            )
        (partial / "facts.json").write_text(json.dumps({"step": step, **facts}, indent=1) + "\n")
    for old in sorted(folder.glob("checkpoint-*"))[:-KEPT]:
        shutil.rmtree(old)
    return final


def latest_checkpoint(folder: Path) -> Path | None:
    """Return a run's newest checkpoint, None where it has none."""
    found = sorted(path for path in folder.glob("checkpoint-*") if (path / "facts.json").is_file())
    return found[-1] if found else None


def load_checkpoint(
    path: Path,
    modules: Mapping[str, nn.Module],
    optimiser: torch.optim.Optimizer,
) -> tuple[dict[str, Any], dict[str, Tensor]]:
    """Put a checkpoint's weights and moments back.

    Returns
    -------
    facts, average
        As they were saved.

    Raises
    ------
    InputError
        If the checkpoint cannot be read or is another model's.
    """
    try:
        weights = load_file(path / "weights.safetensors")
        moments = load_file(path / "optimiser.safetensors")
        facts = json.loads((path / "facts.json").read_text())
        for name, module in modules.items():
            of_module = {
                k[len(name) + 1 :]: v for k, v in weights.items() if k.startswith(f"{name}.")
            }
            module.load_state_dict(of_module)
    except (OSError, ValueError, RuntimeError, SafetensorError) as error:
        raise InputError(
            f"The checkpoint {path} does not fit this run. Got: {str(error)[:300]} "
            "Hint: delete it to go on from the one before, or give the config it was made with."
        ) from error
    state = optimiser.state_dict()
    state["state"] = {}
    for key, value in moments.items():
        number, name = key.split(".", 1)
        state["state"].setdefault(int(number), {})[name] = value
    optimiser.load_state_dict(state)
    has_average = (path / "average.safetensors").is_file()
    return facts, load_file(path / "average.safetensors") if has_average else {}
