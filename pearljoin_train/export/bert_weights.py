"""A BERT encoder's weights by name, read from a folder in Hugging Face's layout."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import safetensors.numpy
from numpy.typing import NDArray

from pearljoin._errors import ModelError

__all__ = ["BertWeights", "Floats", "read_weights"]

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class BertWeights:
    """A BERT encoder's weights by name, as transformers names them, and its configuration."""

    tensors: Mapping[str, NDArray[Any]]
    config: Mapping[str, Any]

    def get(self, name: str) -> Floats:
        """One tensor as float32."""
        return np.asarray(self.tensors[name], dtype=np.float32)

    def layer(self, index: int, name: str) -> tuple[Floats, Floats]:
        """A dense layer's matrix (in, out) and bias (out,)."""
        stem = f"encoder.layer.{index}.{name}"
        return self.get(f"{stem}.weight").T, self.get(f"{stem}.bias")

    @property
    def dim(self) -> int:
        """Width of the token vectors."""
        return int(self.config["hidden_size"])

    @property
    def layers(self) -> int:
        """Number of transformer layers."""
        return int(self.config["num_hidden_layers"])


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
