"""Small feed-forward networks as plain numbers, run by numpy."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from pearljoin._parallel import processors, side_by_side
from pearljoin._typing import FloatMatrix, FloatVector

__all__ = ["CLIP", "Layers", "Network"]

CLIP = 6.0
"""Standardised features are cut to plus or minus this."""

CHUNK = 2_048
"""Pairs that are computed at a time, so that what lies between two layers stays in the cache."""

ONE_THREAD = 262_144
"""Multiplications of one matrix product up to which OpenBLAS keeps to the calling thread. Its own
threads wait for each other after every product: where other work takes a processor from one of
them, products of `CHUNK` rows take thirty times as long. Chunks run in threads instead."""

ROWS = 8
"""Rows of each product: BLAS sums products of other shapes in another order, and OpenBLAS for
processors without AVX-512 the rows of one product of more than 8 by their place in it. A row's
output must not depend on those beside it."""

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

        def run(start: int) -> None:
            part = slice(start, start + CHUNK)
            inputs = features[part] - self.mean
            inputs /= self.scale
            np.clip(inputs, -CLIP, CLIP, out=inputs)
            outputs = [_run(layers, inputs) for layers in self.members]
            result[part] = sum(outputs) / np.float32(len(outputs))

        if len(features) <= CHUNK:
            run(0)
        else:
            deque(side_by_side(run, range(0, len(features), CHUNK), processors()), maxlen=0)
        return result


def _run(layers: Layers, inputs: FloatMatrix) -> FloatVector:
    """The output of one network."""
    for weights, biases in layers[:-1]:
        inputs = _product(inputs, weights)
        inputs += biases
        np.maximum(inputs, 0, out=inputs)
    weights, biases = layers[-1]
    return np.asarray((_product(inputs, weights) + biases)[:, 0], dtype=np.float32)


def _product(inputs: FloatMatrix, weights: FloatMatrix) -> FloatMatrix:
    """Multiply two matrices: products of equal shapes, each so small that it takes one thread."""
    rows = max(1, min(ROWS, ONE_THREAD // weights.size))
    n_rows, whole = len(inputs), len(inputs) // rows * rows
    product = np.empty((n_rows, weights.shape[1]), dtype=np.float32)
    blocks = inputs[:whole].reshape(whole // rows, rows, weights.shape[0])
    np.matmul(blocks, weights, out=product[:whole].reshape(*blocks.shape[:2], weights.shape[1]))
    if whole < n_rows:
        last = np.zeros((1, rows, weights.shape[0]), dtype=np.float32)
        last[0, : n_rows - whole] = inputs[whole:]
        product[whole:] = np.matmul(last, weights)[0, : n_rows - whole]
    return product
