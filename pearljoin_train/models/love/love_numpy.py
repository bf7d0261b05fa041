"""A trained character encoder without torch: numpy reads the folder and runs the one layer."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file

from pearljoin._errors import ModelError
from pearljoin._typing import FloatMatrix
from pearljoin_train.models.love.vocabulary import PADDING, LoveVocabulary

__all__ = ["NumpyCharacterEncoder"]

BATCH = 1024
EPSILON = np.float32(1e-5)

Cube: TypeAlias = NDArray[np.float32]
"""float32 of shape (n_words, length, anything)."""


class NumpyCharacterEncoder:
    """What `CharacterEncoder` gives, for where torch is not: made for ``unknown=`` of word tables.

    Parameters
    ----------
    folder
        What `CharacterEncoder.save` wrote.

    Raises
    ------
    ModelError
        If the folder holds no character encoder.
    """

    def __init__(self, folder: str | Path) -> None:
        folder = Path(folder)
        try:
            config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
            entries = (folder / "vocabulary.txt").read_text(encoding="utf-8").split("\n")[:-1]
            self._shape = config["shape"]
            self._vocabulary = LoveVocabulary(entries, config["input"])
            self._weights = load_file(folder / "model.safetensors")
        except (OSError, ValueError, KeyError) as error:
            raise ModelError(
                f"The folder {str(folder)!r} holds no character encoder. Got: {error}. "
                "Hint: `python -m pearljoin_train love --out FOLDER` makes one."
            ) from error

    @property
    def dim(self) -> int:
        """Numbers in a vector."""
        return int(self._shape["dim"])

    def encode(self, words: Sequence[str]) -> FloatMatrix:
        """Return the words' vectors: float32 of shape (n_words, dim), unit rows."""
        by_length = sorted(range(len(words)), key=lambda row: len(words[row]))
        found = np.zeros((len(words), self.dim), dtype=np.float32)
        for start in range(0, len(words), BATCH):
            rows = by_length[start : start + BATCH]
            found[rows] = self._run(self._vocabulary.encode([words[row] for row in rows]))
        return found

    def _run(self, ids: NDArray[np.int64]) -> FloatMatrix:
        mask = ids != PADDING
        values = self._weights["embedding.weight"][ids]  # (n_words, length, dim)
        content = self._attend(self._relu("query", values), self._relu("key", values), mask)
        position = _sinusoids(ids.shape[1], self.dim)[None]
        order = self._relu("positional", self._attend(position, position, mask) @ values)
        merged = self._relu("merge", np.concatenate([content @ values, order], axis=2))
        summed = ((values + self._norm(merged)) * mask[:, :, None]).sum(axis=1)
        lengths = np.linalg.norm(summed, axis=1, keepdims=True)
        return np.asarray(summed / np.maximum(lengths, 1e-12), dtype=np.float32)

    def _relu(self, layer: str, inputs: Cube) -> Cube:
        weight, bias = self._weights[f"{layer}.weight"], self._weights[f"{layer}.bias"]
        return np.asarray(np.maximum(inputs @ weight.T + bias, 0), dtype=np.float32)

    def _attend(self, query: Cube, key: Cube, mask: NDArray[np.bool_]) -> Cube:
        """Return the weights of a word's places for each of them, whose sum is one."""
        if self._shape["transposed"]:  # which exchanges queries and keys
            query, key = key, query
        scores = query @ key.transpose(0, 2, 1) / key.shape[2] ** self._shape["scale"]
        scores = np.where(mask[:, None, :], scores, -np.inf).astype(np.float32)
        weights = np.exp(scores - scores.max(axis=2, keepdims=True))
        return np.asarray(weights / weights.sum(axis=2, keepdims=True), dtype=np.float32)

    def _norm(self, inputs: Cube) -> Cube:
        centred = inputs - inputs.mean(axis=2, keepdims=True)
        spread = np.sqrt((centred * centred).mean(axis=2, keepdims=True) + EPSILON)
        return np.asarray(
            centred / spread * self._weights["norm.weight"] + self._weights["norm.bias"],
            dtype=np.float32,
        )


def _sinusoids(length: int, dim: int) -> FloatMatrix:
    step = np.arange(0, dim, 2, dtype=np.float32) / dim
    angles = np.arange(length, dtype=np.float32)[:, None] * 10_000.0**-step
    found = np.zeros((length, dim), dtype=np.float32)
    found[:, 0::2] = np.sin(angles)
    found[:, 1::2] = np.cos(angles)[:, : dim // 2]
    return found
