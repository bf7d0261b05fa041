"""Pooling of each transformer: how token vectors become a phrase's vector."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pearljoin._errors import ModelError


@dataclass(frozen=True)
class PoolingConfig:
    """Pooling, prefix and length limit of a transformer.

    Parameters
    ----------
    pooling
        ``"mean"`` or ``"cls"``.
    prefix
        Put before every phrase.
    max_length
        Tokens a phrase may have, special ones included.
    """

    pooling: str = "mean"
    prefix: str = ""
    max_length: int = 128


# PEARL was trained from E5 but without its prefix; E5 asks for one on every text.
KNOWN_MODELS = {
    "Lihuchen/pearl_small": PoolingConfig(),
    "Lihuchen/pearl_base": PoolingConfig(),
    "intfloat/e5-small-v2": PoolingConfig(prefix="query: "),
    "intfloat/e5-base-v2": PoolingConfig(prefix="query: "),
    "intfloat/e5-large-v2": PoolingConfig(prefix="query: "),
    "sentence-transformers/all-MiniLM-L6-v2": PoolingConfig(),
    "BAAI/bge-small-en-v1.5": PoolingConfig(pooling="cls"),
    "BAAI/bge-base-en-v1.5": PoolingConfig(pooling="cls"),
}


def pooling_config_of(source: str | Path) -> PoolingConfig:
    """Find a model's pooling: in `KNOWN_MODELS`, else in its files, else the mean.

    The files are those of sentence-transformers.

    Raises
    ------
    ModelError
        If the model pools in a way that is not supported.
    """
    known = KNOWN_MODELS.get(str(source))
    if known is not None:
        return known
    config = PoolingConfig()
    pooling = _settings(source, "1_Pooling/config.json")
    if pooling:
        config = replace(config, pooling=_pooling(str(source), pooling))
    longest = _settings(source, "sentence_bert_config.json").get("max_seq_length")
    if isinstance(longest, int) and longest >= 3:
        config = replace(config, max_length=min(longest, config.max_length))
    return config


def _settings(source: str | Path, name: str) -> dict[str, Any]:
    if isinstance(source, Path):
        path = source / name
    else:
        from transformers.utils.hub import cached_file

        try:
            found = cached_file(source, name)
        except OSError:  # most models have no such file
            return {}
        path = Path(str(found))
    if not path.is_file():
        return {}
    try:
        settings = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ModelError(
            f"{str(path)!r} is not JSON. Got {error}. Hint: fetch the model again."
        ) from error
    return settings if isinstance(settings, dict) else {}


def _pooling(name: str, settings: dict[str, Any]) -> str:
    modes = {key.removeprefix("pooling_mode_") for key, on in settings.items() if on is True}
    modes |= {str(settings["pooling_mode"])} if "pooling_mode" in settings else set()
    chosen = {
        {"cls_token": "cls", "mean_tokens": "mean"}.get(mode, mode)
        for mode in modes
        if mode != "include_prompt"
    }
    if chosen == {"cls"}:
        return "cls"
    if chosen == {"mean"}:
        return "mean"
    raise ModelError(
        f"{name!r} pools its tokens in a way that is not supported. Got {sorted(chosen)}. "
        "Hint: pass the sentence-transformers model itself as encoder."
    )
