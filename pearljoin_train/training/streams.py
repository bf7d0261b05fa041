"""Reading the training data of a config into streams of rows."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from pearljoin import Encoder, WeightedWordEncoder
from pearljoin._atomic import atomic_file
from pearljoin._progress import progress
from pearljoin_train.augment import Mixture, Synonyms
from pearljoin_train.common.config import Config
from pearljoin_train.models.base import MINILM
from pearljoin_train.models.phrase_model import (
    load_phrase_model,
    placed,
)
from pearljoin_train.negatives import HardNegatives
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

__all__ = ["frozen_base", "make_mixture", "read_streams"]

SYNONYM_WORDS = 20_000
"""The most frequent words, which have synonyms by their vectors."""


def read_streams(config: Config, *, vectors: Path | None = None) -> Streams:
    """Read a config's training data, with the base model's vectors."""
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
    base = cache(lambda: frozen_base(config))  # Only where vectors are missing.
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


def _vectors(base: Callable[[], Encoder], examples: Examples, kept: Path | None) -> np.ndarray:
    """Encode the phrases of a source, or read their cached vectors."""
    if kept is None:
        return base().encode(examples.phrases)
    path = kept / f"{examples.source}-{_digest(chr(10).join(examples.phrases))}.npy"
    if not path.exists():
        vectors = base().encode(examples.phrases).astype(np.float16)
        with atomic_file(path, parents=True) as temporary, temporary.open("wb") as file:
            np.save(file, vectors)
    return np.asarray(np.load(path), dtype=np.float32)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
