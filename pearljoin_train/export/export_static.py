"""Write a static model's folder: word pieces and n-grams in 8 bits."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer

from pearljoin._atomic import atomic_files
from pearljoin.ngrams import NGRAMS, TOKENS, NgramPart, PieceTable
from pearljoin_train.export.export_int8 import FALLBACK_THRESHOLD

__all__ = ["export_static"]

log = logging.getLogger(__name__)

CARD = """# {name}

A static phrase encoder in pearljoin's model folder format: short names in, unit vectors of {dim}
columns out; close names have close vectors (cosine). A phrase's vector is the sum of learned
vectors of its word pieces, beside that of its hashed n-grams; the order of words is not in it.

- Weights: {licence}; distilled from {teacher}, whose n-grams it has
- It reads {characters:,} characters of a phrase
- Size: {size:.1f} MB

## How it was made
`python -m pearljoin_train nano` encoded {n_phrases:,} names with {teacher} and trained the word
pieces' vectors to add up to its language model's, {epochs} epochs, {minutes:.0f} minutes beside the
encoding. Names that are kept for the match scorer, and lists that are kept for its evaluation,
were left out, and so were pairs that occur in a benchmark.

## Data
| source | phrases | licence |
|---|---:|---|
{sources}

## The match scorer
`scorer.json` is {teacher}'s, with this model's mean vector: the two models' cosines are alike.
`python -m pearljoin_train scorer` trains its own.

## What it is for
Large tables: it takes a fortieth of {teacher}'s time. What it says of meaning is a little worse.
"""


def export_static(
    tokens: PieceTable,
    ngrams: NgramPart,
    tokenizer: Tokenizer,
    out: Path,
    *,
    teacher: Mapping[str, Any],
    share: float,
    facts: Mapping[str, Any],
    name: str = "pearl-nano",
) -> Path:
    """Write a model folder.

    Parameters
    ----------
    tokens, ngrams, tokenizer
        What the model is made of.
    out
        The folder to write; made if need be.
    teacher
        The teacher's ``config.json``.
    share
        Greatest length of the n-grams' part, where that of the word pieces has length 1.
    facts
        Settings, sources, phrases and time of the training.
    name
        Name of the model.

    Returns
    -------
    out
        The folder.
    """
    contents = {
        "tokenizer.json": tokenizer.to_str().encode(),
        TOKENS: tokens.to_bytes(),
        NGRAMS: replace(ngrams, share=share).to_bytes(),
    }
    config = {
        "format": 1,
        "name": name,
        "dim": tokens.dim + ngrams.dim,
        "pooling": "mean",
        "prefix": teacher["prefix"],
        "max_length": teacher["max_length"],
        "normalise": True,
        "graph_inputs": ["input_ids"],
        "fallback_threshold": teacher.get("fallback_threshold", FALLBACK_THRESHOLD),
        "quantisation": "8-bit; word pieces and n-grams by row",
        "base_licence": teacher["base_licence"],
        "provenance": {"distilled_from": teacher["name"], "distillation": dict(facts)},
        "files": {file: hashlib.sha256(content).hexdigest() for file, content in contents.items()},
    }
    rows = (
        f"| {source} | {found['phrases']:,} | {found['licence']} |"
        for source, found in facts["sources"].items()
    )
    size = sum(map(len, contents.values()))
    card = CARD.format(
        name=name,
        dim=config["dim"],
        licence=teacher["base_licence"],
        teacher=teacher["name"],
        characters=20 * teacher["max_length"],
        size=size / 1e6,
        n_phrases=facts["phrases"],
        epochs=facts["config"]["epochs"],
        minutes=facts["seconds"] / 60,
        sources="\n".join(rows),
    )
    described = {
        "MODEL_CARD.md": card.encode(),
        "config.json": (json.dumps(config, indent=2) + "\n").encode(),
    }
    atomic_files(out, contents | described, what="model folder")
    log.info("wrote %s: %.1f MB", out, size / 1e6)
    return out
