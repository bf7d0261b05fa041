"""How each transformer's token vectors become a phrase's vector."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pearljoin._errors import ModelError


@dataclass(frozen=True)
class Recipe:
    """How a transformer's token vectors become a phrase's vector.

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
RECIPES = {
    "Lihuchen/pearl_small": Recipe(),
    "Lihuchen/pearl_base": Recipe(),
    "intfloat/e5-small-v2": Recipe(prefix="query: "),
    "intfloat/e5-base-v2": Recipe(prefix="query: "),
    "intfloat/e5-large-v2": Recipe(prefix="query: "),
    "sentence-transformers/all-MiniLM-L6-v2": Recipe(),
    "BAAI/bge-small-en-v1.5": Recipe(pooling="cls"),
    "BAAI/bge-base-en-v1.5": Recipe(pooling="cls"),
}


def recipe_for(source: str | Path) -> Recipe:
    """Find how to pool: in our list, else as sentence-transformers wrote it down, else the mean.

    Raises
    ------
    ModelError
        If the model pools in a way that is not supported.
    """
    known = RECIPES.get(str(source))
    if known is not None:
        return known
    recipe = Recipe()
    pooling = _settings(source, "1_Pooling/config.json")
    if pooling:
        recipe = replace(recipe, pooling=_pooling(str(source), pooling))
    longest = _settings(source, "sentence_bert_config.json").get("max_seq_length")
    if isinstance(longest, int) and longest >= 3:
        recipe = replace(recipe, max_length=min(longest, recipe.max_length))
    return recipe


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
