"""Load a transformer's weights into torch, from safetensors alone."""

from __future__ import annotations

import contextlib
import socket
import urllib.parse
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from pearljoin._encoders.model_folder import SAFETENSORS, TOKENIZER, ModelFolder
from pearljoin._encoders.ngrams import NgramPart
from pearljoin._encoders.pooling_config import PoolingConfig, pooling_config_of
from pearljoin._encoders.tokenizer import PhraseTokenizer
from pearljoin._errors import ModelError
from pearljoin._parallel import in_forked_child
from pearljoin._typing import FloatMatrix

_Ids = np.ndarray[Any, np.dtype[np.int64]]

_FEWEST_ROWS = 64
"""Of a batch on a GPU, which takes no less time for fewer."""

_ARCHITECTURE = {
    "hidden_size": 8192,
    "num_hidden_layers": 64,
    "num_attention_heads": 128,
    "intermediate_size": 32768,
    "vocab_size": 1_000_000,
    "max_position_embeddings": 8192,
    "type_vocab_size": 16,
    "pad_token_id": 1_000_000,
}
"""Numbers of a BERT that a model folder gives, and the most each may be."""


@dataclass(frozen=True)
class LoadedTransformer:
    """A transformer ready to run.

    Parameters
    ----------
    tokenizer
        Phrases to token ids.
    run
        int64 (n, length) token ids to float32 (n, dim) pooled vectors, not normalised.
    dim
        Number of columns that `run` gives.
    ngrams
        The model folder's character encoder, whose columns come last; None without one.
    """

    tokenizer: PhraseTokenizer
    run: Callable[[_Ids], FloatMatrix]
    dim: int
    ngrams: NgramPart | None = None


def load_transformer(source: str | Path, device: str) -> LoadedTransformer:
    """Load a hub model, or a folder in Hugging Face's layout.

    Raises
    ------
    ModelError
        If it cannot be found, has no safetensors weights, lacks some of them, or needs code that
        comes with it.
    """
    name = str(source)
    try:
        tokenizer, model, report = _fetch(source)
    except Exception as error:  # transformers, hub and safetensors errors share no base
        raise ModelError(_not_loaded(source, error)) from error
    missing = [key for key in report["missing_keys"] if "pooler" not in key]
    if missing:
        raise ModelError(
            f"The weights of {name!r} are incomplete. Got none for {', '.join(missing[:3])}. "
            "Hint: fetch the model again."
        )
    backend = getattr(tokenizer, "backend_tokenizer", None)
    if backend is None:
        raise ModelError(
            f"{name!r} has no tokenizer.json. Got {type(tokenizer).__name__}. Hint: save it with "
            "a fast tokenizer."
        )
    config = pooling_config_of(source)
    return _ready(model, backend.to_str().encode(), config, name, device)


def _fetch(source: str | Path) -> tuple[Any, Any, Any]:
    """Load tokenizer, model and a report on the model's weights; from the hub's cache first."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    def load(*, local: bool) -> tuple[Any, Any, Any]:
        tokenizer = AutoTokenizer.from_pretrained(
            str(source), trust_remote_code=False, local_files_only=local
        )
        model, report = AutoModel.from_pretrained(
            str(source),
            use_safetensors=True,
            trust_remote_code=False,
            local_files_only=local,
            dtype=torch.float32,
            output_loading_info=True,
        )
        return tokenizer, model, report

    if isinstance(source, Path):
        return load(local=True)
    try:
        return load(local=True)
    except (OSError, ValueError):
        _require_hub()
        return load(local=False)


def _require_hub() -> None:
    """Raise OSError if the hub's name has no address; its client would retry for a minute."""
    from huggingface_hub.constants import ENDPOINT

    host = urllib.parse.urlparse(ENDPOINT).hostname
    if not urllib.request.getproxies():
        socket.getaddrinfo(host, 443)


def load_folder(folder: ModelFolder, device: str) -> LoadedTransformer:
    """Load a model folder's `model.safetensors`; raises ModelError."""
    import torch
    from safetensors import SafetensorError
    from safetensors.torch import load
    from transformers import BertConfig, BertModel

    where = repr(str(folder.path / SAFETENSORS))
    bert = BertConfig(**_architecture(folder))
    try:
        tensors = load(folder.read(SAFETENSORS))
    except (SafetensorError, ValueError) as error:
        raise ModelError(
            f"{where} is not a safetensors file. Got {error}. Hint: export the folder again."
        ) from error
    tensors = {key.removeprefix("bert."): value.float() for key, value in tensors.items()}
    try:
        with torch.device("meta"):
            model = BertModel(bert)
        model.to_empty(device="cpu")
        _refresh_buffers(model)
        report = model.load_state_dict(tensors, strict=False)
    except (RuntimeError, ValueError) as error:
        raise ModelError(
            f"{where} does not fit the architecture in config.json. Got {str(error)[:200]}. "
            "Hint: export the folder again."
        ) from error
    missing = [key for key in report.missing_keys if "pooler" not in key]
    if missing:
        raise ModelError(
            f"{where} is incomplete. Got none of {', '.join(missing[:3])}. "
            "Hint: export the folder again."
        )
    config = PoolingConfig(folder.pooling, folder.prefix, folder.max_length)
    loaded = _ready(model, folder.read(TOKENIZER), config, str(folder.path), device)
    return replace(loaded, ngrams=folder.ngrams())


def _ready(
    model: Any, tokenizer: bytes, config: PoolingConfig, name: str, device: str
) -> LoadedTransformer:
    import torch

    model = model.to(device).eval()
    longest = min(config.max_length, _positions(model.config))

    def run(ids: _Ids) -> FloatMatrix:
        half: contextlib.AbstractContextManager[Any] = contextlib.nullcontext()
        n_rows = len(ids)
        if device == "cuda":
            half = torch.autocast("cuda", dtype=torch.bfloat16)
            ids = in_few_sizes(ids)
        elif in_forked_child():
            torch.set_num_threads(1)  # more would wait for those of the parent
        with torch.inference_mode(), half:
            given = torch.from_numpy(ids).to(device)
            hidden = model(
                input_ids=given, attention_mask=torch.ones_like(given)
            ).last_hidden_state.float()
            pooled = hidden[:, 0] if config.pooling == "cls" else hidden.mean(dim=1)
            pooled = pooled[:n_rows]
        vectors: FloatMatrix = pooled.cpu().numpy()
        if not np.isfinite(vectors).all():
            raise ModelError(
                f"The model {name!r} gave numbers that are not finite on device={device!r}. "
                "Hint: device='cpu', or fetch the model again."
            )
        return vectors

    phrases = PhraseTokenizer(
        tokenizer, max_length=longest, prefix=config.prefix, where=f"the tokenizer of {name!r}"
    )
    return LoadedTransformer(phrases, run, int(model.config.hidden_size))


def in_few_sizes(ids: _Ids) -> _Ids:
    """Repeat the first row until the number of rows is one of a few, `_FEWEST_ROWS` at least.

    A GPU chooses and loads its kernels anew for each shape, which takes as long as some thousand
    phrases. There are four sizes from each power of two to the next, so a quarter is added at most.

    Parameters
    ----------
    ids
        Of shape (n, length), n at least 1.
    """
    step = max(_FEWEST_ROWS, 1 << max(0, len(ids).bit_length() - 3))
    wanted = -(-len(ids) // step) * step
    return np.concatenate([ids, np.repeat(ids[:1], wanted - len(ids), axis=0)])


def _positions(config: Any) -> int:
    """Number of tokens the model has positions for; RoBERTa's begin behind the padding id."""
    positions = int(getattr(config, "max_position_embeddings", 0) or 512)
    return positions - 2 if "roberta" in str(config.model_type) else positions


def _not_loaded(source: str | Path, error: Exception) -> str:
    reason = " ".join(str(error).split())[:200]
    if isinstance(source, Path):
        return (
            f"The folder {str(source)!r} cannot be loaded as a transformer. Got "
            f"{type(error).__name__}: {reason}. Hint: it must hold {TOKENIZER} and "
            f"{SAFETENSORS}; weights as pickles and models that bring code are refused."
        )
    return (
        f"The model {source!r} cannot be had from the Hugging Face hub, or has no {SAFETENSORS}. "
        f"Got {type(error).__name__}: {reason}. Hint: without a connection use "
        "encoder='default', which is bundled, or a folder with the model."
    )


def _architecture(folder: ModelFolder) -> dict[str, Any]:
    """Return the numbers of a BERT's configuration, each within bounds, and nothing else."""
    given = dict(folder.architecture)
    numbers: dict[str, Any] = {}
    for key, most in _ARCHITECTURE.items():
        value = given.get(key)
        lowest = 0 if key == "pad_token_id" else 1
        if isinstance(value, bool) or not isinstance(value, int) or not lowest <= value <= most:
            raise ModelError(
                f"{str(folder.path / 'config.json')!r}: 'architecture' needs {key!r}, a whole "
                f"number from {lowest} to {most}. Got {value!r}. Hint: export the folder again."
            )
        numbers[key] = value
    epsilon = given.get("layer_norm_eps")
    kind = (given.get("model_type"), given.get("hidden_act"))
    if kind != ("bert", "gelu") or not isinstance(epsilon, float) or not 0 < epsilon < 1:
        raise ModelError(
            f"{str(folder.path / 'config.json')!r}: 'architecture' must be a BERT with GELU and a "
            f"layer_norm_eps. Got {kind} and {epsilon!r}. Hint: use its model.onnx."
        )
    return {**numbers, "hidden_act": "gelu", "layer_norm_eps": epsilon}


def _refresh_buffers(model: Any) -> None:
    """Fill in the arrays that are no weights: positions count up, token types are zero."""
    import torch

    embeddings = model.embeddings
    size = embeddings.position_ids.shape[1]
    embeddings.position_ids = torch.arange(size).unsqueeze(0)
    if hasattr(embeddings, "token_type_ids"):
        embeddings.token_type_ids = torch.zeros((1, size), dtype=torch.long)
    if getattr(model, "pooler", None) is not None:
        for weight in model.pooler.parameters():  # unused, yet must not hold stray memory
            torch.nn.init.zeros_(weight)
