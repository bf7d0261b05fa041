"""`python -m pearljoin_train train --out FOLDER`: train a phrase encoder, or go on with a run."""

from __future__ import annotations

import argparse
import copy
import dataclasses
import hashlib
import json
import os
import time
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import torch
from accelerate import Accelerator
from torch import Tensor
from torch.utils.tensorboard import SummaryWriter

from pearljoin import Encoder, WeightedWordEncoder
from pearljoin._errors import InputError
from pearljoin._progress import progress
from pearljoin_train.augment import Mixture, Synonyms
from pearljoin_train.common.config import WORKING, Config
from pearljoin_train.common.config_options import add_config_options, config_from_options
from pearljoin_train.common.facts import write_facts
from pearljoin_train.common.whole_files import write_whole
from pearljoin_train.models.base import MINILM
from pearljoin_train.models.phrase_model import (
    PhraseModel,
    load_phrase_model,
    placed,
    save_phrase_model,
)
from pearljoin_train.models.type_head import make_head
from pearljoin_train.negatives import HardNegatives
from pearljoin_train.training.batches import Batches, Streams
from pearljoin_train.training.checkpoint import latest_checkpoint, load_checkpoint, save_checkpoint
from pearljoin_train.training.corpus_examples import read_corpus_examples
from pearljoin_train.training.development import Development
from pearljoin_train.training.examples import (
    PARAPHRASES,
    Examples,
    read_alias_examples,
    read_general_examples,
    read_typed_examples,
    sample,
)
from pearljoin_train.training.loop import Trainer
from pearljoin_train.training.provenance import run_facts
from pearljoin_train.training.weight_average import averaged

__all__ = ["main", "make_mixture", "read_streams", "train"]

SYNONYM_WORDS = 20_000
"""The most frequent words, which have synonyms by their vectors."""


def main(arguments: list[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m pearljoin_train train", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder of the run")
    parser.add_argument("--resume", action="store_true", help="go on from the newest checkpoint")
    parser.add_argument(
        "--vectors",
        type=Path,
        help="folder that keeps the base model's vectors of the phrases between runs",
    )
    add_config_options(parser)
    options = parser.parse_args(arguments)
    config = config_from_options(options)
    if (options.out / "config.json").exists() and not options.resume:
        raise InputError(
            f"The folder {options.out} already holds a run. Hint: --resume goes on with it; "
            "give another folder to start anew."
        )
    streams = read_streams(config, vectors=options.vectors)
    train(config, streams, options.out, development=True)
    return 0


def read_streams(config: Config, *, vectors: Path | None = None) -> Streams:
    """Read everything that a config trains on, with the base model's vectors of it."""
    read: dict[str, Any] = {"licences": config.licences, "type_set": config.type_set}
    every = {
        source: _part(examples, config.source_cap, config)
        for source, examples in read_alias_examples(
            "encoder", wordnet=config.wordnet, **read
        ).items()
    }
    if config.corpus:
        views = Path(config.views_file) if config.views_file else None
        general = read_corpus_examples(Path(config.corpus), views=views, type_set=config.type_set)
        general = _part(general, len(general), config)
    else:
        general = read_general_examples("encoder", **read)
        general = _part(general, 2 * config.source_cap, config)
    aliases = [e for source, e in every.items() if source not in PARAPHRASES]
    paraphrases = [e for source, e in every.items() if source in PARAPHRASES]
    typed = read_typed_examples("encoder", **read)
    typed = _part(typed, len(typed), config)
    needed = [general] if config.distil_weight or config.neighbours > 1 else []
    needed += [*aliases, *paraphrases] if config.neighbours > 1 else []
    base = cache(lambda: _frozen_base(config))  # Only where vectors are missing.
    # Vectors that are kept are the base model's, so another base has a folder of its own.
    if vectors is not None and (config.base, config.prefix) != (MINILM, ""):
        vectors = vectors / _digest(f"{config.base}\n{config.prefix}")
    return Streams(
        aliases=aliases,
        paraphrases=paraphrases,
        typed=typed,
        general=general,
        vectors={
            e.source: _vectors(base, e, vectors)
            for e in progress(
                needed, total=len(needed), label="reading", unit="source", verbose=None
            )
        },
        mixture=make_mixture(config, paraphrases, general.phrases),
        negatives=HardNegatives.read(Path(config.negatives_file)) if config.negatives else None,
    )


def _part(examples: Examples, most: int, config: Config) -> Examples:
    """Return what a config takes of a source."""
    n = round(min(len(examples), most) * config.phrase_share)
    return sample(examples, max(1, n), config.seed)


def make_mixture(
    config: Config, paraphrases: Sequence[Examples], phrases: Sequence[str] = ()
) -> Mixture:
    """Return the views of phrases that have no other name; `phrases` give words to vectors."""
    synonyms = _synonyms(config, paraphrases, phrases) if config.synonym_rate else None
    synonym_rate = 0.0 if synonyms is None else config.synonym_rate
    return Mixture(
        character=config.character_rate,
        synonym=synonym_rate,
        paraphrase=0,
        word_swap=config.swap_rate,
        unchanged=max(1 - config.character_rate - config.swap_rate - synonym_rate, 1e-9),
        synonyms=synonyms,
        otherwise="unchanged",
    )


def _synonyms(
    config: Config, paraphrases: Sequence[Examples], phrases: Sequence[str]
) -> Synonyms | None:
    pairs = [(p, o) for e in paraphrases for p, names in zip(e.phrases, e.others, strict=True)
             for o in names if " " not in p and " " not in o]  # fmt: skip
    found = Synonyms.from_pairs(pairs) if pairs else None
    if not config.synonym_vectors:
        return found
    counts = Counter(word for text in phrases for word in text.lower().split() if word.isalpha())
    words = [word for word, _ in counts.most_common(SYNONYM_WORDS)]
    encoder = WeightedWordEncoder(config.synonym_vectors, weights=[1.0], verbose=False).fit(words)
    near = Synonyms.from_vectors(words, encoder)
    return near if found is None else found | near


def train(config: Config, streams: Streams, out: Path, *, development: bool) -> PhraseModel:
    """Train, or go on with, the run of a folder; returns the trained model.

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
        write_whole(out / "config.json", config.to_json())
    measure = Development(config, _frozen_base(config)) if development else None
    log = _Log(out, trainer.done, active=accelerator.is_main_process)
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
    """A copy of the model as it would be kept now: the moving average, averaged with the base."""
    kept = copy.deepcopy(trainer.model)
    weights = kept.state_dict() | trainer.average
    kept.load_state_dict(averaged(start, weights, trainer.config.average))
    return kept


def _frozen_base(config: Config) -> Encoder:
    """The base model as it was."""
    return placed(load_phrase_model(config.replace(characters="")))


def _vectors(base: Callable[[], Encoder], examples: Examples, kept: Path | None) -> np.ndarray:
    """Encode the phrases of a source, or read what was kept for exactly these phrases."""
    if kept is None:
        return base().encode(examples.phrases)
    path = kept / f"{examples.source}-{_digest(chr(10).join(examples.phrases))}.npy"
    if not path.exists():
        kept.mkdir(parents=True, exist_ok=True)
        partial = path.with_suffix(f".{os.getpid()}.partial.npy")
        np.save(partial, base().encode(examples.phrases).astype(np.float16))
        os.replace(partial, path)
    return np.asarray(np.load(path), dtype=np.float32)


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


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


class _Log:
    """Losses and measures, as lines of JSON and for TensorBoard."""

    def __init__(self, out: Path, done: int, *, active: bool) -> None:
        self._file = out / "log.jsonl"
        self._board = SummaryWriter(str(out), purge_step=done + 1) if active else None
        if active and self._file.exists():
            self._forget_after(done)

    def losses(self, step: int, losses: dict[str, float]) -> None:
        self._write(step, "loss", losses)

    def development(self, step: int, measures: dict[str, float]) -> None:
        self._write(step, "development", measures)

    def _forget_after(self, done: int) -> None:
        """Drop what was logged after the checkpoint, which will be done and logged again."""
        lines = self._file.read_text(encoding="utf-8").splitlines(keepends=True)
        whole = [line for line in lines if line.endswith("\n")]
        write_whole(self._file, "".join(s for s in whole if json.loads(s)["step"] <= done))

    def _write(self, step: int, kind: str, values: dict[str, float]) -> None:
        if self._board is None:
            return
        with self._file.open("a", encoding="utf-8") as lines:
            row = {"step": step, "kind": kind, "time": round(time.time(), 1), **values}
            lines.write(json.dumps(row) + "\n")
        for name, value in values.items():
            self._board.add_scalar(f"{kind}/{name}", value, step)
