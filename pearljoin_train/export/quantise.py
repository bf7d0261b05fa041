"""8-bit quantisation: rounding with a scale a row or column, and SmoothQuant's factors."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from pearljoin_train.export.bert_weights import BertWeights, Floats

__all__ = ["QKV", "Site", "quantise"]

Site = tuple[str, int]
"""A matrix product: its kind ("attention", "attention_out", "ffn_in", "ffn_out") and layer."""
SMOOTHED = ("attention", "attention_out", "ffn_in")
QKV = ("attention.self.query", "attention.self.key", "attention.self.value")
MATRICES = {
    "attention": QKV,
    "attention_out": ("attention.output.dense",),
    "ffn_in": ("intermediate.dense",),
    "ffn_out": ("output.dense",),
}


def smoothing_factors(
    weights: BertWeights, largest: Mapping[Site, Floats], *, strength: float
) -> dict[Site, Floats]:
    """Return the divisor of each input channel before quantisation (SmoothQuant).

    Parameters
    ----------
    weights
        The encoder.
    largest
        For each matrix product, the largest absolute activation of each input channel.
    strength
        0 to 1: how much of the difficulty moves from activations into weights.

    Returns
    -------
    factors
        float32 of shape (in,) per matrix product, geometric mean 1 (SmoothQuant, equation 4).
    """
    factors = {}
    for (kind, index), activation in largest.items():
        if kind in SMOOTHED:
            matrix = np.concatenate([weights.layer(index, n)[0] for n in MATRICES[kind]], axis=1)
            raw = np.maximum(activation, 1e-4) ** strength
            raw = raw / np.maximum(np.abs(matrix).max(axis=1), 1e-4) ** (1 - strength)
            factors[kind, index] = (raw / np.exp(np.log(raw).mean())).astype(np.float32)
    return factors


def quantise(matrix: Floats, *, axis: int) -> tuple[NDArray[np.int8], Floats]:
    """Round to int8 in -127..127 with one scale per slice along `axis`.

    Returns
    -------
    codes, scale
        int8 like `matrix`; float32 with `axis` kept at size 1. ``codes * scale`` is near `matrix`.
    """
    scale = np.maximum(np.abs(matrix).max(axis=axis, keepdims=True) / 127, 1e-12)
    codes = np.clip(np.rint(matrix / scale), -127, 127).astype(np.int8)
    return codes, scale.astype(np.float32)
