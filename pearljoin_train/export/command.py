"""Make a model folder: `python -m pearljoin_train export --out folder [--base name-or-folder]`."""

from __future__ import annotations

import argparse
import hashlib
import json
import logging
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import safetensors.numpy
from tokenizers import Tokenizer

from pearljoin._errors import ModelError
from pearljoin.ngrams import NGRAMS, NgramPart
from pearljoin_train.common.whole_files import write_whole
from pearljoin_train.export.bert_graph import BertWeights, Floats, Site, build, smoothing_factors
from pearljoin_train.export.model_card import CARD, model_card
from pearljoin_train.models.base import MINILM, Base, find_base, read_pooling
from pearljoin_train.models.characters import FOLDER, load_characters
from pearljoin_train.models.ngrams import PhraseNgrams

log = logging.getLogger(__name__)

SMOOTHING = 0.7  # docs/experiments.md: 0.5 to 0.9 are within 0.0003 of each other
FALLBACK_THRESHOLD = 0.4


def read_weights(folder: Path) -> BertWeights:
    """Read a BERT encoder; raises ModelError for any other architecture."""
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    need = {"model_type": "bert", "hidden_act": "gelu"}
    got = {key: config.get(key) for key in need}
    positions = config.get("position_embedding_type", "absolute")
    if got != need or positions != "absolute":
        raise ModelError(
            f"Only BERT encoders with GELU and absolute positions can be exported. Got {got}, "
            f"positions {positions!r}. Hint: export a model fine-tuned from MiniLM, E5 or BERT."
        )
    tensors = safetensors.numpy.load_file(folder / "model.safetensors")
    # Trained models are kept in half precision, in which sums over a layer would overflow.
    full = {
        name.removeprefix("bert."): t.astype(np.float32) if t.dtype == np.float16 else t
        for name, t in tensors.items()
    }
    return BertWeights(full, config)


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


def calibration_names() -> list[str]:
    """Names of many kinds, written for this project, that show how large activations run."""
    text = Path(__file__).with_name("calibration_names.txt")
    return text.read_text(encoding="utf-8").splitlines()


def largest_activations(
    weights: BertWeights, tokenizer: Tokenizer, names: list[str], *, max_length: int
) -> dict[Site, Floats]:
    """Largest absolute input of each channel of each matrix product, over some names.

    Returns
    -------
    largest
        float32 of shape (in,) for each matrix product.
    """
    watched = build(weights, max_length=max_length, quantised=False, watch=True)
    session = onnxruntime.InferenceSession(watched.SerializeToString())
    sites = [output.name for output in session.get_outputs()[1:]]
    largest: dict[Site, Floats] = {}
    for encoding in tokenizer.encode_batch(names):
        found = session.run(sites, {"input_ids": np.array([encoding.ids], dtype=np.int64)})
        for label, value in zip(sites, found, strict=True):
            kind, index = label.split(".")
            site = (kind, int(index))
            largest[site] = np.maximum(largest.get(site, np.float32(0)), value)
    return largest


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
        Score in [0, 1] to match from where a table is too small to judge by.
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
    out.mkdir(parents=True, exist_ok=True)
    for name, content in contents.items():
        (out / name).write_bytes(content)
    if ngrams is None:
        (out / NGRAMS).unlink(missing_ok=True)
    write_whole(out / "config.json", json.dumps(config, indent=2) + "\n")
    size = sum(map(len, contents.values()))
    write_whole(out / CARD, model_card(config, size))
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


def main(arguments: list[str]) -> int:
    """Run the `export` command."""
    parser = argparse.ArgumentParser(prog="python -m pearljoin_train export", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="the folder to write")
    parser.add_argument("--base", default=MINILM, help=f"{MINILM} or a Hugging Face folder")
    parser.add_argument("--name", help="what to call the model")
    parser.add_argument("--licence", default="Apache-2.0", help="of the base folder's weights")
    parser.add_argument("--max-length", type=int, default=128, help="tokens a phrase may have")
    parser.add_argument("--prefix", default="", help="put before every phrase")
    parser.add_argument(
        "--threshold",
        type=float,
        default=FALLBACK_THRESHOLD,
        help="score to match from on tiny tables",
    )
    parser.add_argument("--half", action="store_true", help="also write half precision for torch")
    options = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    base = find_base(options.base, name=options.name, licence=options.licence)
    export(
        base,
        options.out,
        max_length=options.max_length,
        prefix=options.prefix,
        fallback_threshold=options.threshold,
        half=options.half,
    )
    return 0
