"""Load what a user gives as `encoder=`."""

from __future__ import annotations

import hashlib
import importlib.util
import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, cast

from pearljoin._encoders.model_folder import (
    CONFIG,
    MODELS,
    ONNX,
    SAFETENSORS,
    TOKENS,
    ModelFolder,
    read_folder,
    read_json,
)
from pearljoin._encoders.protocol import Encoder
from pearljoin._errors import InputError, ModelError, did_you_mean

DEFAULT = "pearl-mini"
DEVICES = ("auto", "cpu", "cuda")


@cache
def bundled_scorer() -> bytes | None:
    """Return the match scorer of the bundled model, which also scores records without text."""
    return read_folder(MODELS / DEFAULT).scorer


def bundled_names() -> tuple[str, ...]:
    """Names of the models that come with the package, ``"default"`` first."""
    return ("default", *sorted(path.parent.name for path in MODELS.glob(f"*/{CONFIG}")))


def bundled_fingerprint(name: str) -> str:
    """Return a check sum of a bundled model: of its settings, which name those of its files.

    Examples
    --------
    >>> len(bundled_fingerprint("pearl-mini"))
    64
    """
    folder = MODELS / (DEFAULT if name == "default" else name)
    return hashlib.sha256((folder / CONFIG).read_bytes()).hexdigest()


def load_encoder(
    spec: Any = "default",
    *,
    corpus: Sequence[str] = (),
    device: str = "auto",
    batch_size: int | None = None,
    verbose: bool | None = None,
    cache: str | os.PathLike[str] | None = None,
) -> Encoder:
    """Get an encoder.

    Parameters
    ----------
    spec
        One of

        - the name of a bundled model: ``"default"``, ``"pearl-mini"``, ``"pearl-nano"``;
        - a folder: a model folder, or a transformer as Hugging Face saves it;
        - the id of a model on the Hugging Face hub, ``"Lihuchen/pearl_small"`` (needs
          ``pearljoin[torch]``);
        - any object with a method ``encode(list of str)``, such as a sentence-transformers model;
        - a scikit-learn vectoriser or transformer of text, fitted or not;
        - a function from a list of str to a matrix.
    corpus
        Texts that a scikit-learn vectoriser is fitted on if it comes unfitted.
    device
        Where to encode: ``"auto"``, ``"cpu"`` or ``"cuda"``. A hub model, and a folder with
        ``model.safetensors``, can run on a GPU; ``"auto"`` uses one if it is there. Other models
        run on the CPU, and ``"cuda"`` is refused.
    batch_size
        Phrases a batch; None picks it.
    verbose
        Progress bar: None on a terminal only, True always, False never.
    cache
        Folder where vectors are kept for another run, those of a bundled model or a model folder.
        Several processes may share it. It holds at most 4 GiB of each model; the oldest go first.

    Returns
    -------
    encoder
        Its ``encode`` gives float32 of shape (n_phrases, dim), rows of unit length: an array, or of
        a vectoriser with more than 8,192 columns a scipy CSR matrix. It has a
        ``fallback_threshold`` in [0, 1] where one is known for the model, else None.

    Raises
    ------
    InputError
        If `spec`, `device`, `batch_size` or `cache` cannot be used.
    ModelError
        If a model cannot be found or read, or is refused as unsafe.
    MissingExtraError
        If it needs ``pearljoin[torch]``, which is not installed.

    Examples
    --------
    >>> encoder = load_encoder("default")
    >>> encoder.dim
    576
    >>> load_encoder(lambda texts: [[len(text), 1.0] for text in texts]).encode(["ab"]).shape
    (1, 2)
    """
    if device not in DEVICES:
        raise InputError(
            f"device must be one of {', '.join(DEVICES)}. Got {device!r}. Hint: leave it at 'auto'."
        )
    if batch_size is not None and (isinstance(batch_size, bool) or batch_size < 1):
        raise InputError(f"batch_size must be at least 1. Got {batch_size!r}. Hint: None picks it.")
    if isinstance(spec, str | os.PathLike):
        encoder = _by_name(os.fspath(spec), device, batch_size, verbose)
        return encoder if cache is None else _with_cache(encoder, cache)
    from pearljoin._encoders.adapters import adapt

    # Typed as an encoder of arrays, which all but vectorisers of many columns are.
    encoder = cast("Encoder", adapt(spec, corpus=corpus, batch_size=batch_size))
    return encoder if cache is None else _with_cache(encoder, cache)


def _with_cache(encoder: Encoder, folder: str | os.PathLike[str]) -> Encoder:
    from pearljoin._encoders.cached import cached

    return cached(encoder, folder)


def _by_name(spec: str, device: str, batch_size: int | None, verbose: bool | None) -> Encoder:
    bundled = MODELS / (DEFAULT if spec == "default" else spec)
    if spec in bundled_names():
        return _from_model_folder(read_folder(bundled), device, batch_size, verbose)
    path = Path(spec).expanduser()
    if spec and path.is_dir():
        if _is_transformer(path):
            if (path / "characters").is_dir():
                raise ModelError(
                    f"{spec!r} is a model in training with a character encoder. Hint: make a model "
                    "folder of it by `python -m pearljoin_train export`."
                )
            return _torch(path, device, batch_size, verbose)
        return _from_model_folder(read_folder(path), device, batch_size, verbose)
    if spec and path.exists():
        raise ModelError(
            f"{spec!r} is a file, not a model folder. Hint: give the folder that holds it."
        )
    if _looks_like_hub_id(spec):
        return _torch(spec, device, batch_size, verbose)
    hint = did_you_mean(spec, bundled_names()) or "encoder='default' needs no download."
    raise InputError(
        f"There is no encoder called {spec!r}. Got neither a bundled name "
        f"({', '.join(bundled_names())}), nor a folder that exists, nor a hub id such as "
        f"'Lihuchen/pearl_small'. Hint: {hint}"
    )


def _looks_like_hub_id(spec: str) -> bool:
    owner, slash, name = spec.partition("/")
    plain = all(part and not part.startswith(".") and "/" not in part for part in (owner, name))
    return bool(slash) and plain and all(c.isalnum() or c in "-_./" for c in spec)


def _is_transformer(path: Path) -> bool:
    """Tell a Hugging Face folder from a model folder: only the latter names its format."""
    config = read_json(path / CONFIG)
    return "model_type" in config and "files" not in config


def _from_model_folder(
    folder: ModelFolder, device: str, batch_size: int | None, verbose: bool | None
) -> Encoder:
    if folder.has(SAFETENSORS) and (
        device == "cuda" or not folder.has(ONNX) or (device == "auto" and gpu_is_there())
    ):
        return _torch(folder, device, batch_size, verbose)
    if device == "cuda":
        raise ModelError(
            f"The model {folder.name!r} runs on the CPU only: its folder has no {SAFETENSORS}. "
            "Got device='cuda'. Hint: device='auto', or a hub model such as "
            "'Lihuchen/pearl_small'."
        )
    if folder.has(TOKENS):
        from pearljoin._encoders.static_encoder import StaticEncoder

        return StaticEncoder(folder.path, batch_size=batch_size, verbose=verbose)
    from pearljoin._encoders.onnx_encoder import OnnxEncoder

    return OnnxEncoder(folder.path, batch_size=batch_size, verbose=verbose)


def gpu_is_there() -> bool:
    """Whether a transformer could run on a GPU here."""
    if (
        importlib.util.find_spec("torch") is None
        or importlib.util.find_spec("transformers") is None
    ):
        return False
    import torch

    return bool(torch.cuda.is_available())


def _torch(
    source: str | Path | ModelFolder, device: str, batch_size: int | None, verbose: bool | None
) -> Encoder:
    from pearljoin._encoders.torch_encoder import TorchEncoder

    return TorchEncoder(source, device=device, batch_size=batch_size, verbose=verbose)
