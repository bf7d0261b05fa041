"""A BERT of a few thousand weights, and made-up names to train it on."""

import json
from pathlib import Path

import numpy as np
import torch
from transformers import BertConfig, BertModel, BertTokenizerFast

from pearljoin_train.augment import Mixture
from pearljoin_train.common.config import Config
from pearljoin_train.training.batches import Streams
from pearljoin_train.training.examples import UNKNOWN, Examples

LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
PIECES = ["an", "er", "in", "on", "##an", "##er", "##in", "##on", "##ra", "##st", "the", "of"]
MIXTURE = Mixture(
    character=0.3, synonym=0, paraphrase=0, word_swap=0.1, unchanged=0.6, otherwise="unchanged"
)


def save_tiny_bert(folder: Path, seed: int = 0) -> Path:
    """Write a random BERT of two layers, and its tokenizer, in Hugging Face's layout."""
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *PIECES]
    words += [*LETTERS, *(f"##{letter}" for letter in LETTERS)]
    folder.mkdir(parents=True)
    (folder / "vocab.txt").write_text("\n".join(words) + "\n")
    tokenizer = BertTokenizerFast(vocab={w: i for i, w in enumerate(words)})
    torch.manual_seed(seed)
    shape = BertConfig(
        vocab_size=len(words),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=48,
        initializer_range=0.2,
    )
    BertModel(shape).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    assert json.loads((folder / "tokenizer.json").read_text())["model"]["type"] == "WordPiece"
    return folder


def made_up_names(n: int, seed: int = 0) -> list[str]:
    """Distinct names of two words."""
    rng = np.random.default_rng(seed)
    parts = ["ran", "sto", "mer", "lin", "vak", "dol", "pex", "nor", "tig", "hub", "sal", "wen"]
    found: dict[str, None] = {}
    while len(found) < n:
        words = ["".join(rng.choice(parts, 2)) for _ in range(2)]
        found[" ".join(words)] = None
    return list(found)


def made_up_streams(n: int = 48, seed: int = 0, dim: int = 8) -> Streams:
    """Streams of every kind, with random vectors."""
    names = made_up_names(4 * n, seed)
    rng = np.random.default_rng(seed)

    def source(name: str, part: int, others: bool, types: np.ndarray) -> Examples:
        phrases = names[part * n : (part + 1) * n]
        other = [(f"{p.split()[1]}, {p.split()[0][:3]}",) if others else () for p in phrases]
        return Examples(name, phrases, other, types)

    unknown = np.full(n, UNKNOWN)
    streams = {
        "one": source("one", 0, True, unknown),
        "two": source("two", 1, True, rng.integers(3, size=n)),
    }
    general = source("general", 3, False, unknown)
    vectors = {}
    for examples in (*streams.values(), general):
        rows = rng.normal(size=(n, dim))
        vectors[examples.source] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return Streams(
        aliases=[streams["one"]],
        paraphrases=[streams["two"]],
        typed=source("typed", 2, False, rng.integers(3, size=n)),
        general=general,
        vectors={name: rows.astype(np.float32) for name, rows in vectors.items()},
        mixture=MIXTURE,
    )


def tiny_config(folder: Path, **changes: object) -> Config:
    """Return a config of small batches, in float32."""
    values: dict[str, object] = {
        "base": str(folder),
        "steps": 6,
        "alias_rows": 8,
        "paraphrase_rows": 4,
        "typed_rows": 4,
        "general_rows": 4,
        "neighbours": 4,
        "micro_batch": 8,
        "precision": "float32",
        "warmup": 2,
        "learning_rate": 1e-3,
        "checkpoint_every": 2,
        "threads": 1,
    }
    return Config(**{**values, **changes})  # type: ignore[arg-type]
