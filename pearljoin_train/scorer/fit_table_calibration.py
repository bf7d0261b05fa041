"""Table calibration: scale and shift of a table's logits, from features of the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from pearljoin.scoring import LARGEST_LOGIT, LARGEST_SLOPE

__all__ = ["fit_table"]


def fit_table(
    logits: Sequence[NDArray[np.float32]],
    is_match: Sequence[NDArray[np.bool_]],
    features: Sequence[NDArray[np.float32]],
    *,
    decay: float,
) -> dict[str, Any]:
    """Fit scale and shift of a table's logits as functions of its features.

    Parameters
    ----------
    logits, is_match
        For each join the logits of its rows' best pairs, and which of these are matches.
    features
        For each join float32 of shape (n_numbers,), as `pearljoin.scoring.table_features` gives.
    decay
        L2 penalty on what is fitted, the constant shift apart.

    Returns
    -------
    table
        ``mean`` and ``scale`` of the features, ``slope`` and ``shift``, as pearljoin reads them.
    """
    numbers = np.stack(features)
    mean, scale = numbers.mean(axis=0), numbers.std(axis=0) + 1e-6
    design = np.column_stack([np.ones(len(numbers)), (numbers - mean) / scale]).astype(np.float32)
    sizes = [len(each) for each in logits]
    weights = np.repeat(np.maximum(1, sizes) ** -0.5, sizes).astype(np.float32)
    table = torch.from_numpy(np.repeat(design, sizes, axis=0))
    logit = torch.from_numpy(np.clip(np.concatenate(logits), -LARGEST_LOGIT, LARGEST_LOGIT))
    label = torch.from_numpy(np.concatenate(is_match).astype(np.float32))
    weight = torch.from_numpy(weights / weights.mean())
    slope = torch.zeros(design.shape[1], requires_grad=True)
    shift = torch.zeros(design.shape[1], requires_grad=True)
    optimiser = torch.optim.LBFGS([slope, shift], max_iter=200)

    def loss() -> torch.Tensor:
        optimiser.zero_grad()
        stretch = (table @ slope).clamp(-LARGEST_SLOPE, LARGEST_SLOPE).exp()
        fitted = stretch * logit + table @ shift
        error = functional.binary_cross_entropy_with_logits(fitted, label, weight)
        total = error + decay * (slope.square().sum() + shift[1:].square().sum())
        total.backward()  # type: ignore[no-untyped-call]
        return total

    optimiser.step(loss)  # type: ignore[no-untyped-call]
    return {
        "mean": mean.tolist(),
        "scale": scale.tolist(),
        "slope": slope.detach().tolist(),
        "shift": shift.detach().tolist(),
    }
