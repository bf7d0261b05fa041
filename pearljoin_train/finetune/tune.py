"""Fine-tuning of a model on pairs of names, within a time budget."""

from __future__ import annotations

import json
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from accelerate import Accelerator

from pearljoin import load_encoder
from pearljoin._atomic import atomic_folder
from pearljoin._errors import InputError
from pearljoin._progress import progress
from pearljoin_train.common.config import Config
from pearljoin_train.export.bert_weights import read_weights as read_bert
from pearljoin_train.export.export_int8 import export, read_ngrams
from pearljoin_train.export.float_weights import bundled_base
from pearljoin_train.finetune.held_out import HeldOut
from pearljoin_train.finetune.saved_run import SavedRun, run_identity
from pearljoin_train.finetune.streams import user_streams, with_vectors
from pearljoin_train.finetune.user_pairs import Pair, entity_ids, split_pairs
from pearljoin_train.models.base import find_base, require_mean_pooling
from pearljoin_train.models.phrase_model import PhraseModel, load_phrase_model, save_phrase_model
from pearljoin_train.models.type_head import make_head
from pearljoin_train.scorer.write_scorer import attach
from pearljoin_train.training.batches import Batches, Streams
from pearljoin_train.training.loop import Trainer
from pearljoin_train.training.weight_average import averaged

__all__ = ["finetune"]

ROWS, GENERAL_ROWS, NEGATIVES = 96, 32, 2
TIMES_SEEN = 20
"""How often a name is seen, where the time allows."""
FEWEST_STEPS, MOST_STEPS = 20, 2_000
LONGEST = 128
"""Tokens of a phrase, as in the models that come with the library."""


def finetune(
    pairs: list[Pair],
    out: Path,
    *,
    base: str = "default",
    prefix: str = "",
    minutes: float = 5.0,
    steps: int | None = None,
    seed: int = 0,
    resume: bool = False,
) -> dict[str, Any]:
    """Adapt a model to pairs and write its folder, whole or not at all.

    Every minute, and when the training has ended, a checkpoint is put into the folder
    ``<out>.checkpoints``, which is deleted when `out` is written.

    Parameters
    ----------
    pairs
        At least 20 of the same thing.
    out
        Folder to write; nothing may be there.
    base
        ``"default"``, the bundled model, whose match scorer is kept, or the folder of a BERT in
        Hugging Face's layout, such as ``transformers`` in a folder written before.
    prefix
        Put before every name.
    minutes
        Above 0; how long to take, of which measuring and writing is a part.
    steps
        Optimiser steps, instead of as many as the time allows, up to 20 passes over the names: the
        same pairs, seed and steps give the same model.
    seed
        Draws what is held out, and the batches.
    resume
        Go on from the checkpoints of a run with the same arguments that did not end, to the model
        that it would have given; from the start where there are none.

    Returns
    -------
    report
        ``before`` and ``after`` (with ``top1`` and ``average_precision``, see `HeldOut`), after
        with the 8-bit weights that are written; also ``float`` weights after, the numbers of
        pairs, ``steps`` and ``seconds``. It is written as ``finetune.json`` too.

    Raises
    ------
    InputError
        If something is at `out`, an argument is out of range, pairs contradict each other, the
        base is not pooled by mean, or checkpoints are there and are not to be gone on from, or are
        another run's.
    ModelError
        If the base has no float weights here, or cannot be exported: no BERT, or one with LOVE's
        character encoder.
    """
    started = time.monotonic()
    if out.exists():
        raise InputError(f"There is something at {out} already. Hint: give another --out.")
    if not minutes > 0 or (steps is not None and steps < 1):
        raise InputError(
            f"Training needs time. Got minutes={minutes}, steps={steps}. Hint: minutes=5."
        )
    saved = SavedRun(out, resume=resume)
    things = entity_ids(pairs)
    trained, held_out = split_pairs(pairs, things, seed)
    streams = user_streams(trained, things)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        found = bundled_base(Path(scratch)) if base == "default" else find_base(base)
        longest = _longest(found.folder)
        config = _config(found.folder, streams, prefix=prefix, longest=longest, seed=seed)
        model = load_phrase_model(config)
    test = HeldOut(pairs, held_out, things, seed)
    measuring = time.monotonic()
    before = test.measure(model)
    spare = time.monotonic() - measuring
    seconds_left = 60 * minutes - (time.monotonic() - started) - 2 * spare
    # Entered before the training, so that a place that cannot be written is found out first.
    with atomic_folder(out, keep=True, what="model") as partial:
        identity = run_identity(pairs, config, base=base, steps=steps)
        n_steps = _train(
            model, with_vectors(streams, model), config, steps, seconds_left, saved, identity
        )
        facts = {
            "n_pairs": len(trained),
            "n_held_out": len(held_out),
            "steps": n_steps,
            "seed": seed,
        }
        save_phrase_model(model, partial / "transformers")
        tuned = replace(
            find_base(str(partial / "transformers"), name=out.name, licence=found.licence),
            provenance={**found.provenance, "tuned": "on pairs of the user's, see finetune.json"},
        )
        export(tuned, partial, max_length=longest, prefix=prefix)
        scorer = getattr(load_encoder("default"), "scorer", None) if base == "default" else None
        if scorer is not None:
            attach(json.loads(scorer), partial)
        report = {
            "before": before,
            "after": test.measure(load_encoder(partial)),
            "float": test.measure(model),
            **facts,
            "seconds": round(time.monotonic() - started, 1),
        }
        (partial / "finetune.json").write_text(json.dumps(report, indent=1) + "\n")
    saved.remove()
    return report


def _config(folder: Path, streams: Streams, *, prefix: str, longest: int, seed: int) -> Config:
    return Config(
        base=str(folder),
        prefix=prefix,
        max_tokens=min(64, longest),
        seed=seed,
        alias_rows=min(ROWS, len(streams.aliases[0])),
        paraphrase_rows=0,
        typed_rows=0,
        general_rows=GENERAL_ROWS,
        neighbours=8,
        type_weight=0.0,
        average=0.3,
        negatives=NEGATIVES if streams.negatives is not None else 0,
        negatives_file="the user's pairs",
        precision="float32",
    )


def _longest(folder: Path) -> int:
    """Check that a base can be exported, before minutes go into it; returns its longest phrase."""
    weights = read_bert(folder)
    read_ngrams(folder)
    require_mean_pooling(folder, "tuned")
    return min(LONGEST, int(weights.config["max_position_embeddings"]))


def _train(
    model: PhraseModel,
    streams: Streams,
    config: Config,
    steps: int | None,
    seconds: float,
    saved: SavedRun,
    identity: dict[str, Any],
) -> int:
    """Train a model in place, averaged with what it was; returns the number of steps."""
    torch.manual_seed(config.seed)
    start = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    batches = Batches(streams, config)
    accelerator = Accelerator(cpu=not torch.cuda.is_available())
    began = time.monotonic()
    deadline = began + seconds
    trainer = Trainer(model, make_head(model.dim, config), batches, config, accelerator)
    before = saved.restore(trainer, identity)
    spent = 0.0 if before is None else float(before["seconds"])
    if steps is None and before is not None:
        steps = int(before["steps"])
        deadline -= spent
    elif steps is None:
        n_names = len(streams.aliases[0])
        wanted = max(FEWEST_STEPS, TIMES_SEEN * n_names // config.alias_rows)
        steps = _affordable(trainer, min(wanted, MOST_STEPS), deadline)
        deadline = max(deadline, time.monotonic())
    else:
        deadline = float("inf")
    trainer.config = config.replace(steps=steps, warmup=min(50, max(1, steps // 10)))
    run, total = trainer.run(steps), max(0, steps - trainer.done)
    for _ in progress(run, total=total, label="training", unit="step", verbose=None):
        # Should the machine have become slower since the first steps were timed.
        last = trainer.done == steps or time.monotonic() > deadline
        facts = {"identity": identity, "steps": trainer.done if last else steps}
        saved.save(trainer, {**facts, "seconds": spent + time.monotonic() - began}, last=last)
        if last:
            break
    model.load_state_dict(averaged(start, model.state_dict(), config.average))
    return trainer.done


def _affordable(trainer: Trainer, wanted: int, deadline: float) -> int:
    """Time two steps' gradients, which change no weight; returns how many steps fit."""
    trainer.gradients(trainer.batches.batch(0))
    began = time.monotonic()
    trainer.gradients(trainer.batches.batch(1))
    each = time.monotonic() - began
    return max(1, min(wanted, int((deadline - time.monotonic()) / (1.1 * each))))
