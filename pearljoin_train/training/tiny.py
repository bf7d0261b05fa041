"""A training that ends in a minute: a small network from nothing, on names made here.

Companies and people are put together from the word lists that the package ships, and written in two
ways. A fifth of them is kept apart and measured before and after, so that one sees whether the
training learns; the model itself is of no use.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from pearljoin import Encoder
from pearljoin_train.augment import misspell
from pearljoin_train.augment.people import PeopleNames
from pearljoin_train.common.config import Config
from pearljoin_train.corpus.phrase_types import label_names
from pearljoin_train.records.lists import forms, words
from pearljoin_train.training.batches import Streams
from pearljoin_train.training.examples import UNKNOWN, Examples
from pearljoin_train.training.streams import lazy_vectors, make_mixture

__all__ = ["HeldOutNames", "tiny_base", "tiny_config", "tiny_names", "tiny_streams"]

THINGS, HELD_OUT = 1_500, 300
"""Names of each kind to train on, and to measure on."""
PIECES = 600
"""Pieces of words of the tokenizer."""

Names = list[tuple[str, str]]
"""Names of distinct things, and another name of each."""


def tiny_config(base: Path, seed: int = 0) -> Config:
    """Return the settings: 120 small steps."""
    return Config(
        base=str(base), seed=seed, steps=120, precision="float32", learning_rate=2e-3,
        alias_rows=64, alias_sources=2, paraphrase_rows=0, typed_rows=32, general_rows=16,
        neighbours=4, warmup=10, synonym_rate=0.0, distil_weight=0.0, max_tokens=24,
        checkpoint_every=60, evaluate_every=60, micro_batch=192, threads=1,
    )  # fmt: skip


def tiny_names(seed: int = 0) -> tuple[dict[str, Names], dict[str, Names]]:
    """Make names of companies and people; returns those to train on and those held out."""
    rng = np.random.default_rng(seed)
    every = {"companies": _companies(rng), "people": _people(rng)}
    trained = {kind: names[:THINGS] for kind, names in every.items()}
    return trained, {kind: names[THINGS:] for kind, names in every.items()}


def _companies(rng: np.random.Generator) -> Names:
    families, trades = words("people", "families"), words("companies", "trades")
    adjectives = words("companies", "adjectives")
    legal = forms("companies", "legal_forms")
    found: dict[str, str] = {}
    while len(found) < THINGS + HELD_OUT:
        first = str(rng.choice(families if rng.random() < 0.6 else adjectives))
        form = legal[int(rng.integers(len(legal)))]
        trade = str(rng.choice(trades))
        other = misspell(f"{first} {trade}", rng) if rng.random() < 0.5 else f"{first} {trade[:4]}."
        found.setdefault(f"{first} {trade} {form[0]}", f"{other} {rng.choice(form)}")
    return list(found.items())


def _people(rng: np.random.Generator) -> Names:
    given = [*words("people", "women"), *words("people", "men")]
    families = words("people", "families")
    found: dict[str, str] = {}
    while len(found) < THINGS + HELD_OUT:
        name = f"{rng.choice(given)} {rng.choice(families)}"
        found.setdefault(name, PeopleNames([name], {}, rng).write(name))
    return list(found.items())


def tiny_base(folder: Path, names: dict[str, Names], seed: int = 0) -> Path:
    """Write a BERT of random weights, and a tokenizer of the names' pieces; returns the folder."""
    import torch
    from tokenizers import BertWordPieceTokenizer
    from transformers import BertConfig, BertModel
    from transformers import BertTokenizerFast as Tokenizer

    texts = [text for pairs in names.values() for pair in pairs for text in pair]
    learned = BertWordPieceTokenizer()
    learned.train_from_iterator(texts, vocab_size=PIECES, show_progress=False)
    folder.mkdir(parents=True, exist_ok=True)
    learned.save(str(folder / "tokenizer.json"))
    tokenizer = Tokenizer(tokenizer_file=str(folder / "tokenizer.json"))
    tokenizer.save_pretrained(folder)
    torch.manual_seed(seed)
    shape = BertConfig(
        vocab_size=len(tokenizer), hidden_size=64, num_hidden_layers=2, num_attention_heads=4,
        intermediate_size=128, max_position_embeddings=64, initializer_range=0.1,
    )  # fmt: skip
    BertModel(shape).save_pretrained(folder)
    return folder


def tiny_streams(config: Config, names: dict[str, Names]) -> Streams:
    """Return the streams of a tiny training: names, their types, and ordinary phrases."""
    labels = label_names(config.type_set)
    types = {"companies": labels.index("ORG"), "people": labels.index("PERSON")}
    aliases = [_examples(kind, pairs, types[kind]) for kind, pairs in names.items()]
    typed = Examples(
        "typed",
        [name for source in aliases for name in source.phrases],
        [()] * sum(map(len, aliases)),
        np.concatenate([source.types for source in aliases]),
        "made here",
    )
    ordinary = [f"{trade.lower()} services" for trade in words("companies", "trades")]
    unknown = np.full(len(ordinary), UNKNOWN)
    general = Examples("general", ordinary, [()] * len(ordinary), unknown, "made here")
    return Streams(
        aliases=aliases,
        paraphrases=[],
        typed=typed,
        general=general,
        vectors=lazy_vectors(config, [general, *aliases]),
        mixture=make_mixture(config, []),
    )


def _examples(kind: str, pairs: Names, type_number: int) -> Examples:
    others: list[tuple[str, ...]] = [(o,) if o != name else () for name, o in pairs]
    types = np.full(len(pairs), type_number)
    return Examples(kind, [name for name, _ in pairs], others, types, "made here")


class HeldOutNames:
    """Measures the share of other names whose nearest name is the right one.

    Parameters
    ----------
    names
        Names that were not trained on, by kind.
    """

    def __init__(self, names: dict[str, Names]) -> None:
        self._names = names

    def __call__(self, encoder: Encoder) -> dict[str, float]:
        """Return the share by kind, in [0, 1], and their mean."""
        found = {kind: _top1(encoder, pairs) for kind, pairs in self._names.items()}
        return {**found, "mean": float(np.mean(list(found.values())))}


def _top1(encoder: Encoder, pairs: Sequence[tuple[str, str]]) -> float:
    names, others = (list(texts) for texts in zip(*pairs, strict=True))
    nearest = (encoder.encode(others) @ encoder.encode(names).T).argmax(axis=1)
    return float(np.mean(nearest == np.arange(len(names))))
