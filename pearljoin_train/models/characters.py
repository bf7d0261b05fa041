"""The character part of a model as a folder: LOVE, or n-grams."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TypeAlias

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor
from torch.nn import functional

from pearljoin._errors import ModelError
from pearljoin_train.models.love.phrases import PhraseCharacters
from pearljoin_train.models.ngrams import KIND, PhraseNgrams

__all__ = [
    "FOLDER",
    "Characters",
    "concatenated",
    "load_characters",
    "save_characters",
]

FOLDER = "characters"
"""Where it lies, in the folder of its language model."""
CONFIG, SHARE = "config.json", "share.safetensors"

Characters: TypeAlias = PhraseCharacters | PhraseNgrams


def concatenated(meanings: Tensor, spelled: Tensor, share: float | Tensor) -> Tensor:
    """Put character parts, times `share`, beside a language model's unit rows; unit rows again."""
    return functional.normalize(torch.cat([meanings, share * spelled], dim=1))


def _is_ngrams(folder: Path) -> bool:
    """Return whether a character part is a bag of n-grams."""
    try:
        config = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(config, dict) and config.get("kind") == KIND


def load_characters(folder: Path) -> tuple[Characters, Tensor]:
    """Read a character part and how long it is beside the language model's vector.

    Raises
    ------
    ModelError
        If there is none, or it is not whole.
    """
    part = PhraseNgrams.load(folder) if _is_ngrams(folder) else PhraseCharacters.load(folder)
    try:
        return part, load_file(folder / SHARE)["share"]
    except (OSError, KeyError, SafetensorError) as error:
        raise ModelError(
            f"The folder {str(folder)!r} does not say how much its character part counts. "
            f"Got: {error}. Hint: take a model folder that training wrote."
        ) from error


def save_characters(part: Characters, share: float | Tensor, folder: Path) -> None:
    """Write what `load_characters` reads."""
    part.save(folder)
    save_file({"share": torch.as_tensor(share).detach().cpu()}, folder / SHARE)
