"""How long a training will take, from a few texts encoded and one small step."""

from __future__ import annotations

from dataclasses import dataclass

from accelerate import Accelerator

from pearljoin_train.common.config import Config
from pearljoin_train.common.dry_run import in_words, seconds_a_text, timed
from pearljoin_train.models.phrase_model import PhraseModel
from pearljoin_train.models.type_head import make_head
from pearljoin_train.training.batches import Batches, Streams
from pearljoin_train.training.loop import Trainer
from pearljoin_train.training.remine import sources_of

__all__ = ["Estimate", "estimate"]

ROWS = 32
"""Rows of the step that is timed."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run would read and do.

    Attributes
    ----------
    sources, phrases
        Numbers of what is read.
    steps, pairs
        Steps, and rows of all steps together, each a pair of views.
    encoded
        Phrases whose vectors are needed on the way.
    encoding, training
        Seconds.
    """

    sources: int
    phrases: int
    steps: int
    pairs: int
    encoded: int
    encoding: float
    training: float

    def __str__(self) -> str:
        """Write it as lines of text."""
        return (
            f"reads {self.sources} sources, {self.phrases:,} phrases\n"
            f"encodes up to {self.encoded:,} of them with the base: about "
            f"{in_words(self.encoding)}, most of it in the first steps\n"
            f"trains {self.steps:,} steps of {self.pairs // self.steps} pairs ({self.pairs:,} "
            f"pairs): about {in_words(self.training)}\n"
        )


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
    phrases = [text for source in sources for text in source.phrases]
    model = model.to(accelerator.device)
    encoding = encoded * seconds_a_text(model.encode, phrases)
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
    training = timed(lambda: trainer.gradients(batch)) / len(batch.first) * config.rows
    return Estimate(
        len(sources), sum(map(len, sources)), config.steps, config.rows * config.steps, encoded,
        encoding, training * config.steps,
    )  # fmt: skip
