"""How long a training will take, from a few texts encoded and one small step."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
from accelerate import Accelerator

from pearljoin_train.common.config import Config
from pearljoin_train.models.phrase_model import PhraseModel
from pearljoin_train.models.type_head import make_head
from pearljoin_train.training.batches import Batches, Streams
from pearljoin_train.training.loop import Trainer
from pearljoin_train.training.remine import sources_of

__all__ = ["Estimate", "estimate", "in_words"]

TEXTS, ROWS = 64, 32
"""Texts encoded, and rows of the step that is timed."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run would read and do.

    Attributes
    ----------
    sources, phrases
        Numbers of what is read.
    pairs
        Rows of all steps together, each a pair of views.
    encoded
        Phrases whose vectors are needed on the way.
    encoding, training
        Seconds.
    """

    sources: int
    phrases: int
    pairs: int
    encoded: int
    encoding: float
    training: float


def estimate(
    config: Config, streams: Streams, model: PhraseModel, accelerator: Accelerator
) -> Estimate:
    """Time a little of a run, and reckon the whole; nothing is written.

    Parameters
    ----------
    config, streams
        Of the run.
    model
        Its base. Its weights stay as they are.
    accelerator
        Where it would run.
    """
    sources = sources_of(streams)
    needed = [source for source in sources if source.source in streams.vectors]
    encoded = sum(len(source) for source in needed)
    phrases = [text for source in sources for text in source.phrases[:TEXTS]]
    drawn = np.random.default_rng(0).choice(len(phrases), min(TEXTS, len(phrases)), replace=False)
    texts = [phrases[at] for at in drawn]
    model = model.to(accelerator.device)
    encoding = _seconds(lambda: model.encode(texts)) / len(texts) * encoded
    share = min(1.0, ROWS / config.rows)
    rows = {
        name: round(share * getattr(config, name))
        for name in ("alias_rows", "paraphrase_rows", "typed_rows", "general_rows")
    }
    if sum(rows.values()) < 2:
        rows["general_rows"] = 2
    # No neighbours and no teacher, whose vectors would have to be encoded first.
    small = config.replace(**rows, neighbours=1, distil_weight=0.0)
    trainer = Trainer(
        model, make_head(model.dim, config), Batches(streams, small), small, accelerator
    )
    trainer.model.train()
    batch = trainer.batches.batch(0)
    training = _seconds(lambda: trainer.gradients(batch)) / len(batch.first) * config.rows
    return Estimate(
        len(sources), sum(map(len, sources)), config.rows * config.steps, encoded, encoding,
        training * config.steps,
    )  # fmt: skip


def _seconds(work: object) -> float:
    """Return the seconds of some work, done once before."""
    assert callable(work)
    work()
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def in_words(seconds: float) -> str:
    """Write a duration.

    Examples
    --------
    >>> in_words(42), in_words(600), in_words(9000)
    ('42 seconds', '10 minutes', '2.5 hours')
    """
    if seconds < 90:
        return f"{seconds:.0f} seconds"
    return f"{seconds / 60:.0f} minutes" if seconds < 5400 else f"{seconds / 3600:.1f} hours"
