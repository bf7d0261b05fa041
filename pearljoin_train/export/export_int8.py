"""Export of a trained language model to a model folder."""

from __future__ import annotations

import hashlib
import json
import logging
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import safetensors.numpy
from tokenizers import Tokenizer

from pearljoin._atomic import atomic_files
from pearljoin._errors import ModelError
from pearljoin.ngrams import NGRAMS, NgramPart
from pearljoin_train.export.activation_ranges import calibration_names, largest_activations
from pearljoin_train.export.bert_graph import build
from pearljoin_train.export.bert_weights import BertWeights, read_weights
from pearljoin_train.export.model_card import CARD, model_card
from pearljoin_train.export.quantise import smoothing_factors
from pearljoin_train.models.base import Base, read_pooling
from pearljoin_train.models.characters import FOLDER, load_characters
from pearljoin_train.models.ngrams import PhraseNgrams

__all__ = ["FALLBACK_THRESHOLD", "export"]

log = logging.getLogger(__name__)
SMOOTHING = 0.7  # docs/experiments.md: 0.5 to 0.9 are within 0.0003 of each other
FALLBACK_THRESHOLD = 0.4


def read_ngrams(folder: Path) -> NgramPart | None:
    """Read a folder's n-grams; None where it has no character part.

    Raises
    ------
    ModelError
        If it has another, which a model folder does not hold.
    """
    if not (folder / FOLDER).is_dir():
        return None
    part, share = load_characters(folder / FOLDER)
    if not isinstance(part, PhraseNgrams):
        raise ModelError(
            f"A model with LOVE's character encoder cannot be exported. Got {str(folder)!r}. "
            "Hint: train with --characters '', then give the model n-grams with "
            "`python -m pearljoin_train ngrams`."
        )
    return part.part(float(share))


def prepare_tokenizer(folder: Path, max_length: int) -> Tokenizer:
    """Return the tokenizer with padding off and cutting at `max_length`."""
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_length)
    return tokenizer


def export(
    base: Base,
    out: Path,
    *,
    max_length: int = 128,
    prefix: str = "",
    fallback_threshold: float = FALLBACK_THRESHOLD,
    half: bool = False,
) -> Path:
    """Write a model folder.

    Parameters
    ----------
    base
        What to export.
    out
        The folder to write; made if need be.
    max_length
        Tokens a phrase may have, special ones included.
    prefix
        Put before every phrase, as the model was trained with.
    fallback_threshold
        Threshold in [0, 1] for tables that are too small to choose one from.
    half
        Also write `model.safetensors` in half precision, for torch.

    Returns
    -------
    out
        The folder.

    Raises
    ------
    ModelError
        If the model has a character part other than n-grams, or is no BERT.
    """
    ngrams = read_ngrams(base.folder)
    weights = read_weights(base.folder)
    tokenizer = prepare_tokenizer(base.folder, max_length)
    pooling = read_pooling(base.folder)
    names = [prefix + name for name in calibration_names()]
    largest = largest_activations(weights, tokenizer, names, max_length=max_length)
    factors = smoothing_factors(weights, largest, strength=SMOOTHING)
    model = build(weights, max_length=max_length, pooling=pooling, quantised=True, factors=factors)
    onnx.checker.check_model(model)
    contents = {
        "tokenizer.json": tokenizer.to_str().encode(),
        "model.onnx": model.SerializeToString(deterministic=True),
    }
    if ngrams is not None:
        contents[NGRAMS] = ngrams.to_bytes()
    if half:
        contents["model.safetensors"] = safetensors.numpy.save(
            {
                name: value.astype(np.float16) if value.dtype.kind == "f" else value
                for name, value in weights.tensors.items()
            }
        )
    config = {
        "format": 1,
        "name": base.name,
        "dim": weights.dim + (0 if ngrams is None else ngrams.dim),
        "pooling": pooling,
        "prefix": prefix,
        "max_length": max_length,
        "normalise": True,
        "graph_inputs": ["input_ids"],
        "fallback_threshold": fallback_threshold,
        "quantisation": "8-bit; activations by token, weights by column, embeddings by word",
        "base_licence": base.licence,
        "provenance": dict(base.provenance),
        "architecture": _architecture(weights) if half else {},
        "files": {name: _sha256(content) for name, content in contents.items()},
    }
    size = sum(map(len, contents.values()))
    removed: dict[str, bytes | None] = {NGRAMS: None} if ngrams is None else {}
    described = {
        CARD: model_card(config, size).encode(),
        "config.json": (json.dumps(config, indent=2) + "\n").encode(),
    }
    atomic_files(out, removed | contents | described, what="model folder")
    log.info("wrote %s: %.1f MB", out, size / 1e6)
    return out


def _architecture(weights: BertWeights) -> dict[str, Any]:
    keys = (
        "model_type",
        "hidden_size",
        "num_hidden_layers",
        "num_attention_heads",
        "intermediate_size",
        "hidden_act",
        "vocab_size",
        "max_position_embeddings",
        "type_vocab_size",
        "layer_norm_eps",
        "pad_token_id",
    )
    return {key: weights.config[key] for key in keys if key in weights.config}


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
