"""A training run of the phrase encoder, with checkpoints and a log."""

from __future__ import annotations

import copy
import dataclasses
from pathlib import Path
from typing import Any

import torch
from accelerate import Accelerator
from torch import Tensor

from pearljoin._atomic import remove_unfinished, write_text
from pearljoin._errors import InputError
from pearljoin._progress import progress
from pearljoin_train.common.config import WORKING, Config
from pearljoin_train.common.facts import write_facts
from pearljoin_train.models.phrase_model import (
    PhraseModel,
    load_phrase_model,
    save_phrase_model,
)
from pearljoin_train.models.type_head import make_head
from pearljoin_train.training.batches import Batches, Streams
from pearljoin_train.training.checkpoint import latest_checkpoint, load_checkpoint, save_checkpoint
from pearljoin_train.training.development import Development
from pearljoin_train.training.loop import Trainer
from pearljoin_train.training.provenance import run_facts
from pearljoin_train.training.run_log import RunLog
from pearljoin_train.training.streams import frozen_base
from pearljoin_train.training.weight_average import averaged

__all__ = ["train"]


def train(config: Config, streams: Streams, out: Path, *, development: bool) -> PhraseModel:
    """Start or resume the run of a folder; returns the trained model.

    Parameters
    ----------
    config, streams
        What and on what. A resumed run may be given more or fewer `steps`, nothing else.
    out
        Gets `config.json`, checkpoints, `log.jsonl`, TensorBoard's files, and at the end `model/`,
        in Hugging Face's layout.
    development
        Measure on the development split along the way, the weights as they would be kept.
    """
    if config.threads:
        torch.set_num_threads(config.threads)
    accelerator = Accelerator(cpu=not torch.cuda.is_available())
    torch.manual_seed(config.seed)
    model = load_phrase_model(config)
    # The language model alone is averaged with its base: nothing else had a base.
    start = {k: v.clone() for k, v in model.state_dict().items() if k.startswith("encoder.")}
    trainer = Trainer(
        model, make_head(model.dim, config), Batches(streams, config), config, accelerator
    )
    modules = {"model": trainer.model, "head": trainer.head}
    out.mkdir(parents=True, exist_ok=True)
    checkpoint = latest_checkpoint(out)
    if checkpoint is not None:
        facts, average = load_checkpoint(checkpoint, modules, trainer.optimiser)
        _check_same(config, facts["config"])
        trainer.done = facts["step"]
        trainer.average = {k: v.to(accelerator.device) for k, v in average.items()}
    if accelerator.is_main_process:
        remove_unfinished(out)
        write_text(out / "config.json", config.to_json())
    measure = Development(config, frozen_base(config)) if development else None
    log = RunLog(out, trainer.done, active=accelerator.is_main_process)
    steps = trainer.run(config.steps)
    for step in progress(
        steps,
        total=max(0, config.steps - trainer.done),
        label="training",
        unit="step",
        verbose=None,
    ):
        last = step.number == config.steps
        log.losses(step.number, step.losses)
        if accelerator.is_main_process and (last or not step.number % config.checkpoint_every):
            facts = {"config": dataclasses.asdict(config)}
            save_checkpoint(out, step.number, modules, trainer.optimiser, trainer.average, facts)
        if measure is not None and (last or not step.number % config.evaluate_every):
            log.development(step.number, measure(_kept(trainer, start)))
    kept = _kept(trainer, start)
    if accelerator.is_main_process:
        save_phrase_model(kept, out / "model")
        write_facts(out / "model", run_facts(config, streams, out / "log.jsonl"))
    return kept


def _kept(trainer: Trainer, start: dict[str, Tensor]) -> PhraseModel:
    """Return a copy of the model with the final weights: moving average and base share."""
    kept = copy.deepcopy(trainer.model)
    weights = kept.state_dict() | trainer.average
    kept.load_state_dict(averaged(start, weights, trainer.config.average))
    return kept


def _check_same(config: Config, then: dict[str, Any]) -> None:
    now = dataclasses.asdict(config)
    # A field that came later was at its default.
    then = dataclasses.asdict(Config()) | then
    free = {"steps", "cooldown", *WORKING}
    changed = sorted(name for name in now if name not in free and now[name] != then.get(name))
    if changed:
        raise InputError(
            f"A run goes on as it began. Got another {', '.join(changed)}. "
            "Hint: leave them as they were, or give another --out."
        )
