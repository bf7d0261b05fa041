"""The classifier on frozen embeddings: a perceptron with one ReLU layer (paper, appendix A.1)."""

from __future__ import annotations

import copy
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pearljoin._optional import require
from pearljoin._progress import progress
from pearljoin._typing import FloatMatrix, FloatVector, IntVector

if TYPE_CHECKING:
    import torch

__all__ = ["ProbeConfig", "probe_accuracies", "split_positions", "train_probe"]


@dataclass(frozen=True)
class ProbeConfig:
    """Settings of the classifier, by default the published ones."""

    hidden: int = 256
    learning_rate: float = 1e-4
    batch_size: int = 200
    max_epochs: int = 100
    min_epochs: int = 3
    patience: int = 5
    """Epochs without a better validation accuracy after which training stops."""


def split_positions(n: int, generator: torch.Generator) -> tuple[torch.Tensor, ...]:
    """Shuffle row positions and cut them at 70 % and 85 %, each cut rounded up.

    Parameters
    ----------
    n
        Number of rows.
    generator
        Where the shuffle comes from.

    Returns
    -------
    training, validation, test
        Three int64 tensors that together hold each position in 0 … n - 1 once.
    """
    import torch

    order = torch.randperm(n, generator=generator)
    first, second = math.ceil(n * 0.7), math.ceil(n * 0.85)
    return order[:first], order[first:second], order[second:]


def probe_accuracies(
    features: FloatMatrix,
    labels: IntVector,
    *,
    seeds: Sequence[int],
    config: ProbeConfig | None = None,
    verbose: bool | None = False,
) -> FloatVector:
    """Train and test the classifier once a seed, each on a split of its own.

    Parameters
    ----------
    features
        float32 of shape (n, width): unit vectors, or pairs of them side by side.
    labels
        int64 of shape (n,): classes 0 … n_classes - 1.
    seeds
        One run each: the seed draws the split, the initial weights and the batches.
    config
        How to train.
    verbose
        As in `pearljoin._progress.progress`.

    Returns
    -------
    accuracies
        float32 of shape (n_seeds,): accuracy on the test part, in [0, 1].
    """
    torch = require("torch", extra="train", purpose="A classification task")
    config = config or ProbeConfig()
    inputs = torch.from_numpy(np.ascontiguousarray(features, dtype=np.float32))
    targets = torch.from_numpy(np.asarray(labels, dtype=np.int64))
    accuracies = []
    for seed in progress(seeds, total=len(seeds), label="classifier", unit="run", verbose=verbose):
        generator = torch.Generator().manual_seed(seed)
        training, validation, test = split_positions(len(targets), generator)
        model = train_probe(inputs, targets, training, validation, generator, config)
        accuracies.append(_accuracy(model, inputs[test], targets[test]))
    return np.array(accuracies, dtype=np.float32)


def train_probe(
    inputs: torch.Tensor,
    targets: torch.Tensor,
    training: torch.Tensor,
    validation: torch.Tensor,
    generator: torch.Generator,
    config: ProbeConfig,
) -> torch.nn.Module:
    """Train until the validation accuracy stops rising; return the best epoch's classifier.

    Parameters
    ----------
    inputs, targets
        float32 of shape (n, width) and int64 of shape (n,).
    training, validation
        int64 row positions.
    generator
        Where the initial weights and the batches come from.
    config
        How to train.
    """
    import torch

    classes = int(targets.max()) + 1
    # Two classes share one output, as published: two outputs would learn twice as fast, and the
    # accuracy on hard sets hangs on when the patience runs out.
    outputs = 1 if classes == 2 else classes
    model = _build(inputs.shape[1], config.hidden, outputs, generator)
    optimiser = torch.optim.Adam(model.parameters(), lr=config.learning_rate)
    best, best_state, since = -1.0, copy.deepcopy(model.state_dict()), 0
    for epoch in range(1, config.max_epochs + 1):
        order = training[torch.randperm(len(training), generator=generator)]
        for rows in order.split(config.batch_size):  # type: ignore[no-untyped-call]
            loss = _loss(model(inputs[rows]), targets[rows])
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
        accuracy = _accuracy(model, inputs[validation], targets[validation])
        if accuracy > best:
            best, best_state, since = accuracy, copy.deepcopy(model.state_dict()), 0
        else:
            since += 1
        if since >= config.patience and epoch >= config.min_epochs:
            break
    model.load_state_dict(best_state)
    return model


def _build(width: int, hidden: int, outputs: int, generator: torch.Generator) -> torch.nn.Module:
    """Build the perceptron with torch's usual initial values, drawn from our own generator."""
    import torch
    from torch import nn

    layers = [nn.utils.skip_init(nn.Linear, width, hidden), nn.ReLU()]  # type: ignore[no-untyped-call]
    layers.append(nn.utils.skip_init(nn.Linear, hidden, outputs))  # type: ignore[no-untyped-call]
    for layer in (layers[0], layers[2]):
        bound = 1 / math.sqrt(layer.in_features)
        with torch.no_grad():
            layer.weight.uniform_(-bound, bound, generator=generator)
            layer.bias.uniform_(-bound, bound, generator=generator)
    return nn.Sequential(*layers)


def _loss(logits: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    import torch.nn.functional as functional

    if logits.shape[1] > 1:
        return functional.cross_entropy(logits, targets)
    return functional.binary_cross_entropy_with_logits(logits[:, 0], targets.to(logits.dtype))


def _accuracy(model: torch.nn.Module, inputs: torch.Tensor, targets: torch.Tensor) -> float:
    import torch

    with torch.no_grad():
        logits = model(inputs)
    predicted = logits.argmax(dim=1) if logits.shape[1] > 1 else (logits[:, 0] >= 0).long()
    return float((predicted == targets).float().mean())
