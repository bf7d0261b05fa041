"""What tests run in a process of its own: `python train_tiny.py train|gradients FOLDER`."""

import sys
from pathlib import Path
from typing import Any

import torch
from accelerate import Accelerator
from tiny_models import made_up_streams

from pearljoin_train.common.config import Config, load_config
from pearljoin_train.models.phrase_model import load_phrase_model
from pearljoin_train.models.type_head import make_head
from pearljoin_train.training.batches import Batches
from pearljoin_train.training.loop import Trainer


def run_tiny(config: Config) -> tuple[torch.nn.Module, dict[str, float], dict[str, Any], list[Any]]:
    """Train a few steps; returns the model, losses and gradients before, and losses by step."""
    torch.manual_seed(config.seed)
    model = load_phrase_model(config)
    head = make_head(model.dim, config)
    batches = Batches(made_up_streams(), config)
    trainer = Trainer(model, head, batches, config, Accelerator(cpu=True))
    losses = trainer.gradients(batches.batch(3))
    named = [*model.named_parameters(), *head.named_parameters("head")]
    gradients = {name: p.grad.clone() for name, p in named if p.grad is not None}
    return model, losses, gradients, [step.losses for step in trainer.run(config.steps)]


def main(what: str, folder: Path) -> None:
    torch.set_num_threads(1)
    config = load_config(str(folder / "config.json"))
    if what == "train":
        from pearljoin_train.training.run import train

        train(config, made_up_streams(), folder / "run", development=False)
        return
    model, losses, gradients, steps = run_tiny(config)
    accelerator = Accelerator(cpu=True)
    found = {
        "processes": accelerator.num_processes,
        "losses": losses,
        "gradients": gradients,
        "steps": steps,
        "weights": model.state_dict(),
    }
    torch.save(found, folder / f"rank-{accelerator.process_index}.pt")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
