"""From a pair's features to the probability of a match: a small network, as plain numbers."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from pearljoin._errors import ModelError
from pearljoin._features import NAMES
from pearljoin._typing import FloatMatrix, FloatVector

__all__ = ["FORMAT", "Scorer", "read_scorer"]

FORMAT = 1
CLIP = 6.0
"""Standardised features are cut here, so that an odd pair is judged as an extreme known one."""

CHUNK = 200_000
_MOST_BYTES, _WIDEST = 2**22, 1024


@dataclass(frozen=True)
class Scorer:
    """A calibrated match scorer.

    Attributes
    ----------
    mean, scale
        float32 of shape (n_features,): features are standardised with these.
    layers
        Weights of shape (n_in, n_out) and biases of shape (n_out,), float32; rectified between
        layers, one number at the end whose logistic function is the probability.
    """

    mean: FloatVector
    scale: FloatVector
    layers: tuple[tuple[FloatMatrix, FloatVector], ...]

    def probability(self, features: FloatMatrix) -> FloatVector:
        """Probability that each pair is a match.

        Parameters
        ----------
        features
            float32 of shape (n_pairs, n_features), as `pearljoin._features.pair_features` gives.

        Returns
        -------
        probability
            float32 of shape (n_pairs,), in [0, 1].
        """
        result = np.empty(len(features), dtype=np.float32)
        for start in range(0, len(features), CHUNK):
            part = slice(start, start + CHUNK)
            hidden = np.clip((features[part] - self.mean) / self.scale, -CLIP, CLIP)
            for weights, biases in self.layers[:-1]:
                hidden = np.maximum(hidden @ weights + biases, 0)
            weights, biases = self.layers[-1]
            result[part] = expit((hidden @ weights + biases)[:, 0])
        return result


def read_scorer(content: bytes, where: str) -> Scorer:
    """Read a scorer from JSON.

    Parameters
    ----------
    content
        ``{"format": 1, "features": [...], "mean": [...], "scale": [...], "layers": [{"weights":
        [[...]], "biases": [...]}, ...]}``.
    where
        What errors call it.

    Raises
    ------
    ModelError
        If it is not of that form, or made for other features than this version computes.
    """
    if len(content) > _MOST_BYTES:
        raise _unusable(where, f"it is too large ({len(content):,} bytes)")
    try:
        raw: dict[str, Any] = json.loads(content)
        if raw["format"] != FORMAT or tuple(raw["features"]) != NAMES:
            raise _unusable(where, "it was made for another version")
        mean, scale = _numbers(raw["mean"], 1), _numbers(raw["scale"], 1)
        layers = tuple(
            (_numbers(one["weights"], 2), _numbers(one["biases"], 1)) for one in raw["layers"]
        )
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        if isinstance(error, ModelError):
            raise
        raise _unusable(where, f"it is not of the form expected ({error!r})") from error
    widths = [len(NAMES), *(len(biases) for _, biases in layers)]
    shapes = list(pairwise(widths))
    if (
        [weights.shape for weights, _ in layers] != shapes
        or not (len(mean) == len(scale) == len(NAMES))
        or widths[-1] != 1
        or max(widths) > _WIDEST
        or not (scale > 0).all()
    ):
        raise _unusable(where, "its arrays do not fit together")
    return Scorer(mean, scale, layers)


def _numbers(values: Any, n_dims: int) -> NDArray[np.float32]:
    array = np.asarray(values)
    # Text and whole numbers beyond 64 bits give arrays of other kinds.
    if array.ndim != n_dims or array.dtype.kind not in "iuf":
        raise ValueError("an array has the wrong shape or holds what is not a number")
    if not (np.abs(array) <= np.finfo(np.float32).max).all():
        raise ValueError("an array holds a number that is not finite")
    return array.astype(np.float32)


def _unusable(where: str, why: str) -> ModelError:
    return ModelError(
        f"The match scorer of {where} cannot be used: {why}. "
        "Hint: update pearljoin, or export the model folder again."
    )
