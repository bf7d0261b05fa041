"""Small feed-forward networks as plain numbers, run by numpy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from pearljoin._typing import FloatMatrix, FloatVector

__all__ = ["CLIP", "Layers", "Network"]

CLIP = 6.0
"""Standardised features are cut to plus or minus this."""

CHUNK = 2_048
"""Pairs that are computed at a time, so that what lies between two layers stays in the cache."""

Layers: TypeAlias = "tuple[tuple[FloatMatrix, FloatVector], ...]"
"""Weights of shape (n_in, n_out) and biases of shape (n_out,), float32; rectified in between."""


@dataclass(frozen=True)
class Network:
    """Feed-forward networks with one output, whose mean counts.

    Attributes
    ----------
    mean, scale
        float32 of shape (n_features,): inputs are standardised with these.
    members
        The layers of each network.
    """

    mean: FloatVector
    scale: FloatVector
    members: tuple[Layers, ...]

    def logit(self, features: FloatMatrix) -> FloatVector:
        """Return the mean output: float32 of shape (n_pairs,)."""
        result = np.empty(len(features), dtype=np.float32)
        for start in range(0, len(features), CHUNK):
            part = slice(start, start + CHUNK)
            inputs = np.clip((features[part] - self.mean) / self.scale, -CLIP, CLIP)
            outputs = [_run(layers, inputs) for layers in self.members]
            result[part] = sum(outputs) / np.float32(len(outputs))
        return result


def _run(layers: Layers, inputs: FloatMatrix) -> FloatVector:
    """The output of one network."""
    for weights, biases in layers[:-1]:
        inputs = np.maximum(inputs @ weights + biases, 0)
    weights, biases = layers[-1]
    return np.asarray((inputs @ weights + biases)[:, 0], dtype=np.float32)
