"""Reading the training data of a config into streams of rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from pearljoin import Encoder, WeightedWordEncoder
from pearljoin_train.augment import Mixture, Synonyms
from pearljoin_train.common.config import Config
from pearljoin_train.models.base import MINILM
from pearljoin_train.models.phrase_model import (
    load_phrase_model,
    placed,
)
from pearljoin_train.negatives import HardNegatives
from pearljoin_train.training.base_vectors import LazyVectors, VectorRows, digest
from pearljoin_train.training.batches import Streams
from pearljoin_train.training.corpus_examples import read_corpus_examples
from pearljoin_train.training.examples import (
    PARAPHRASES,
    Examples,
    read_alias_examples,
    read_general_examples,
    read_typed_examples,
    sample,
)

__all__ = [
    "frozen_base",
    "lazy_teacher",
    "lazy_vectors",
    "make_mixture",
    "needed_vectors",
    "read_streams",
]

SYNONYM_WORDS = 20_000
"""The most frequent words, which have synonyms by their vectors."""


def read_streams(config: Config, *, vectors: Path | None = None) -> Streams:
    """Read a config's training data, with the base model's vectors.

    Parameters
    ----------
    config
        What is read.
    vectors
        A folder that keeps the vectors between runs. Vectors are encoded when a batch first needs
        them, so that the first step comes after seconds.
    """
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
    needed = needed_vectors(config, aliases, paraphrases, general)
    return Streams(
        aliases=aliases,
        paraphrases=paraphrases,
        typed=typed,
        general=general,
        vectors=lazy_vectors(config, needed, vectors),
        teacher=lazy_teacher(config, general, vectors),
        mixture=make_mixture(config, paraphrases, general.phrases),
        negatives=HardNegatives.read(Path(config.negatives_file)) if config.negatives else None,
    )


def lazy_vectors(
    config: Config, sources: Sequence[Examples], kept: Path | None = None
) -> dict[str, VectorRows]:
    """Return the base model's vectors of some sources, by name; nothing is encoded yet."""
    base = cache(lambda: frozen_base(config))  # Only where vectors are missing.
    # Vectors that are kept are the base model's, so another base has a folder of its own.
    if kept is not None and (config.base, config.prefix) != (MINILM, ""):
        kept = kept / digest(f"{config.base}\n{config.prefix}")
    return {e.source: LazyVectors(e.source, e.phrases, base, kept) for e in sources}


def needed_vectors(
    config: Config,
    aliases: Sequence[Examples],
    paraphrases: Sequence[Examples],
    general: Examples,
) -> list[Examples]:
    """Return the sources whose vectors a config asks for."""
    needed = [general] if config.distil_weight or config.neighbours > 1 else []
    return [*needed, *aliases, *paraphrases] if config.neighbours > 1 else needed


def lazy_teacher(config: Config, general: Examples, kept: Path | None = None) -> VectorRows | None:
    """Return the vectors that ordinary phrases should keep, where the base is not the teacher."""
    if not config.teacher or not config.distil_weight:
        return None
    return lazy_vectors(config.replace(base=config.teacher), [general], kept)[general.source]


def _part(examples: Examples, most: int, config: Config) -> Examples:
    """Return what a config takes of a source."""
    n = round(min(len(examples), most) * config.phrase_share)
    return sample(examples, max(1, n), config.seed)


def make_mixture(
    config: Config, paraphrases: Sequence[Examples], phrases: Sequence[str] = ()
) -> Mixture:
    """Return the mixture of augmentations for phrases without an alias."""
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
    pairs = [(p, o) for e in paraphrases for p, names in zip(e.phrases, e.aliases, strict=True)
             for o in names if " " not in p and " " not in o]  # fmt: skip
    found = Synonyms.from_pairs(pairs) if pairs else None
    if not config.synonym_vectors:
        return found
    counts = Counter(word for text in phrases for word in text.lower().split() if word.isalpha())
    words = [word for word, _ in counts.most_common(SYNONYM_WORDS)]
    encoder = WeightedWordEncoder(config.synonym_vectors, weights=[1.0], verbose=False).fit(words)
    near = Synonyms.from_vectors(words, encoder)
    return near if found is None else found | near


def frozen_base(config: Config) -> Encoder:
    """Load the untrained base model."""
    return placed(load_phrase_model(config.replace(characters="")))
