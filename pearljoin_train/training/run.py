"""A training run of the phrase encoder, with checkpoints and a log."""

from __future__ import annotations

import copy
import dataclasses
import logging
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch

from pearljoin._atomic import remove_unfinished, write_text
from pearljoin._errors import InputError
from pearljoin._progress import progress
from pearljoin_train.common.config import WORKING, Config
from pearljoin_train.common.dry_run import in_words
from pearljoin_train.common.facts import write_facts
from pearljoin_train.models.phrase_model import (
    PhraseModel,
    load_phrase_model,
    save_phrase_model,
)
from pearljoin_train.models.token_ids import TokenIds
from pearljoin_train.models.type_head import make_head
from pearljoin_train.training.accelerators import accelerator_of
from pearljoin_train.training.batches import Batches, Streams
from pearljoin_train.training.checkpoint import latest_checkpoint, load_checkpoint, save_checkpoint
from pearljoin_train.training.clock import Clock
from pearljoin_train.training.development import Development
from pearljoin_train.training.loop import Step, Trainer
from pearljoin_train.training.prefetch import Prefetched
from pearljoin_train.training.provenance import run_facts
from pearljoin_train.training.remine import in_memory, remined
from pearljoin_train.training.run_log import RunLog
from pearljoin_train.training.streams import frozen_base
from pearljoin_train.training.weight_average import averaged

__all__ = ["LOG", "Run", "train"]

LOG = logging.getLogger("pearljoin.train")

REMINED = "remined"
"""Folder of the model that hard negatives were last sought with."""
SECONDS_BETWEEN_CHECKPOINTS = 60.0
"""Of a run that is timed, whose steps may take milliseconds or minutes."""


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
    run = Run(config, streams, out)
    if development:
        run.measure = Development(config, frozen_base(config))
    run.steps()
    return run.write()


class Run:
    """One run in its folder: goes on from the newest checkpoint there.

    Parameters
    ----------
    config, streams, out
        As `train` takes them.
    device
        As `accelerator_of` takes it.
    clock
        Bounds the run by time: `Config.steps` are then the most. Without one there is no bound.
    tokenise
        Texts to token ids, instead of by the model's tokenizer.
    report_seconds
        Time between two lines of the log that say how far the run is.

    Attributes
    ----------
    trainer
        The model, and how many steps are done.
    measure
        Measures an encoder along the way; None measures nothing.
    """

    def __init__(
        self,
        config: Config,
        streams: Streams,
        out: Path,
        *,
        device: str = "auto",
        clock: Clock | None = None,
        tokenise: Callable[[Sequence[str]], TokenIds] | None = None,
        report_seconds: float = 30.0,
    ) -> None:
        if config.threads:
            torch.set_num_threads(config.threads)
        self.config, self.streams, self.out = config, streams, out
        self.measure: Callable[[PhraseModel], dict[str, float]] | None = None
        self._clock = clock
        self._report_seconds = report_seconds
        self._accelerator = accelerator_of(device)
        torch.manual_seed(config.seed)
        model = load_phrase_model(config)
        self._tokenise = tokenise or model.tokenise
        # The language model alone is averaged with its base: nothing else had a base.
        state = model.state_dict()
        self._start = {k: v.clone() for k, v in state.items() if k.startswith("encoder.")}
        self._remined_at: int | None = None
        self.trainer = Trainer(
            model, make_head(model.dim, config), Batches(streams, config), config, self._accelerator
        )
        self._modules = {"model": self.trainer.model, "head": self.trainer.head}
        out.mkdir(parents=True, exist_ok=True)
        self._resume()
        if self._accelerator.is_main_process:
            remove_unfinished(out)
            write_text(out / "config.json", config.to_json())

    def _resume(self) -> None:
        checkpoint = latest_checkpoint(self.out)
        if checkpoint is None:
            return
        trainer = self.trainer
        facts, average = load_checkpoint(checkpoint, self._modules, trainer.optimiser)
        _check_same(self.config, facts["config"])
        trainer.done = facts["step"]
        trainer.average = {k: v.to(self._accelerator.device) for k, v in average.items()}
        self._remined_at = facts.get("remined_at")
        if self._clock is not None:
            self._clock.resume(facts.get("spent", 0.0))
            self._plan(min(self.config.steps, facts.get("steps", self.config.steps)))

    def steps(self) -> bool:
        """Train to the end; returns False where the sitting was over before."""
        trainer, clock = self.trainer, self._clock
        log = RunLog(self.out, trainer.done, active=self._accelerator.is_main_process)
        batches = self._batches()
        trainer.batches = batches
        total = max(0, self.config.steps - trainer.done)
        ended = saved = reported = time.monotonic()
        began_at, began_time = trainer.done, ended
        ticks = progress(range(total), total=total, label="training", unit="step", verbose=None)
        for _ in ticks:
            if trainer.done >= trainer.config.steps:
                break
            if self._is_time_to_remine():
                batches.close()
                batches = trainer.batches = self._remine()
                ended = time.monotonic()
            step = next(trainer.run(trainer.config.steps))
            began, ended = ended, time.monotonic()
            log.losses(step.number, step.losses)
            if clock is not None:
                clock.step_took(ended - began)
                self._fit_steps(clock)
            last = step.number >= trainer.config.steps
            if last or ended - reported > self._report_seconds:
                reported = ended
                self._tell(step, (ended - began_time) / (step.number - began_at))
            over = clock is not None and clock.sitting_is_over()
            late = clock is not None and ended - saved > SECONDS_BETWEEN_CHECKPOINTS
            if last or over or late or not step.number % self.config.checkpoint_every:
                self._save()
                saved = time.monotonic()
            if self.measure is not None and (last or not step.number % self.config.evaluate_every):
                log.development(step.number, self.measure(self.kept()))
            if over and not last:
                batches.close()
                return False
            ended = time.monotonic()
        batches.close()
        return True

    def kept(self) -> PhraseModel:
        """Return a copy of the model with the final weights: moving average and base share."""
        kept = copy.deepcopy(self.trainer.model)
        weights = kept.state_dict() | self.trainer.average
        kept.load_state_dict(averaged(self._start, weights, self.config.average))
        return kept

    def write(self) -> PhraseModel:
        """Write the trained model and its facts into the run's folder; returns the model."""
        kept = self.kept()
        if self._accelerator.is_main_process:
            save_phrase_model(kept, self.out / "model")
            config = self.config.replace(steps=self.trainer.done)
            facts = run_facts(config, self.streams, self.out / "log.jsonl")
            write_facts(self.out / "model", facts)
        return kept

    def _batches(self, streams: Streams | None = None) -> Prefetched:
        """Return the batches that are still to come."""
        streams = streams or self.streams
        if self._remined_at is not None:
            streams = remined(streams, self._remined_model())
        if self.config.workers:
            streams = in_memory(streams)
        return Prefetched(
            Batches(streams, self.config),
            self._tokenise,
            workers=self.config.workers,
            first=self.trainer.done,
        )

    def _is_time_to_remine(self) -> bool:
        config, done = self.trainer.config, self.trainer.done
        wanted = config.remine_at and self._remined_at is None
        return bool(wanted and done >= config.remine_at * config.steps)

    def _remine(self) -> Prefetched:
        # Read back from the file, so that a resumed run seeks with the very same weights.
        if self._accelerator.is_main_process:
            save_phrase_model(self.kept(), self.out / REMINED)
        self._accelerator.wait_for_everyone()
        self._remined_at = self.trainer.done
        return self._batches()

    def _remined_model(self) -> PhraseModel:
        base = str(self.out / REMINED)
        model = load_phrase_model(self.config.replace(base=base, characters=""))
        return model.to(self._accelerator.device).eval()

    def _fit_steps(self, clock: Clock) -> None:
        """Plan as many steps as the time allows by the pace of the last ones."""
        if clock.knows_its_pace() or clock.left() <= 0:
            fitting = self.trainer.done + clock.affordable()
            self._plan(min(self.config.steps, fitting))

    def _plan(self, steps: int) -> None:
        warmup = min(self.config.warmup, max(1, steps // 10))
        self.trainer.config = self.config.replace(steps=max(1, steps), warmup=warmup)

    def _tell(self, step: Step, seconds: float) -> None:
        """Log how far the run is, and how long the rest takes at the present pace."""
        if self._accelerator.is_main_process:
            total = self.trainer.config.steps
            losses = ", ".join(f"{name} {value:.3f}" for name, value in step.losses.items())
            left = in_words(seconds * (total - step.number))
            LOG.info("step %d of %d: %s; about %s left", step.number, total, losses, left)

    def _save(self) -> None:
        if not self._accelerator.is_main_process:
            return
        trainer = self.trainer
        facts: dict[str, Any] = {
            "config": dataclasses.asdict(self.config),
            "remined_at": self._remined_at,
        }
        if self._clock is not None:
            facts |= {"spent": self._clock.spent(), "steps": trainer.config.steps}
        save_checkpoint(
            self.out, trainer.done, self._modules, trainer.optimiser, trainer.average, facts
        )


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
