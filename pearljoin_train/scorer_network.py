"""The network that turns the evidence on a pair into the probability of a match, and its training.

Plain PyTorch; what comes out is plain numbers, as pearljoin reads them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional
from tqdm.auto import tqdm

__all__ = ["Candidates", "ScorerConfig", "train"]

CLIP = 6.0
"""As pearljoin cuts standardised features."""


@dataclass(frozen=True)
class ScorerConfig:
    """How the scorer is trained.

    Attributes
    ----------
    joins_a_source
        Joins made from each source of alias pairs.
    hidden
        Units of the two hidden layers.
    epochs, batch, learning_rate, weight_decay
        Of AdamW, with a cosine schedule.
    seed
        Of the joins, the weights and the order of batches.
    """

    joins_a_source: int = 24
    hidden: tuple[int, int] = (48, 24)
    epochs: int = 8
    batch: int = 4096
    learning_rate: float = 3e-3
    weight_decay: float = 1e-3
    seed: int = 0


@dataclass(frozen=True)
class Candidates:
    """The candidate pairs of one join.

    Attributes
    ----------
    source
        Where its names come from.
    left
        int64 of shape (n_pairs,): left row.
    features
        float32 of shape (n_pairs, n_features).
    right
        bool of shape (n_pairs,): which pairs are right.
    n_answered
        Left rows that have an answer.
    """

    source: str
    left: NDArray[np.int64]
    features: NDArray[np.float32]
    right: NDArray[np.bool_]
    n_answered: int


def train(joins: Sequence[Candidates], config: ScorerConfig) -> dict[str, Any]:
    """Train the network.

    Parameters
    ----------
    joins
        What to train on; a join counts by the square root of its size.
    config
        How.

    Returns
    -------
    scorer
        As pearljoin reads it from ``scorer.json``.
    """
    features = np.concatenate([join.features for join in joins])
    mean, scale = features.mean(axis=0), features.std(axis=0) + 1e-6
    inputs = torch.from_numpy(np.clip((features - mean) / scale, -CLIP, CLIP).astype(np.float32))
    labels = torch.from_numpy(np.concatenate([join.right for join in joins]).astype(np.float32))
    weights = np.concatenate([np.full(len(join.right), len(join.right) ** -0.5) for join in joins])
    weight = torch.from_numpy((weights / weights.mean()).astype(np.float32))
    network = _network(inputs.shape[1], config)
    _fit(network, inputs, labels, weight, config)
    layers = [
        {"weights": layer.weight.detach().T.tolist(), "biases": layer.bias.detach().tolist()}
        for layer in network
        if isinstance(layer, torch.nn.Linear)
    ]
    return {"mean": mean.tolist(), "scale": scale.tolist(), "layers": layers}


def _network(n_features: int, config: ScorerConfig) -> torch.nn.Sequential:
    generator = torch.Generator().manual_seed(config.seed)
    widths = [n_features, *config.hidden, 1]
    layers: list[torch.nn.Module] = []
    for n_in, n_out in pairwise(widths):
        # Without the usual start, which would draw from the global random state.
        layer = torch.nn.utils.skip_init(torch.nn.Linear, n_in, n_out)
        torch.nn.init.kaiming_uniform_(layer.weight, a=5**0.5, generator=generator)
        torch.nn.init.zeros_(layer.bias)
        layers += [layer, torch.nn.ReLU()]
    return torch.nn.Sequential(*layers[:-1])


def _fit(
    network: torch.nn.Sequential,
    inputs: torch.Tensor,
    labels: torch.Tensor,
    weight: torch.Tensor,
    config: ScorerConfig,
) -> None:
    generator = torch.Generator().manual_seed(config.seed)
    optimiser = torch.optim.AdamW(
        network.parameters(), lr=config.learning_rate, weight_decay=config.weight_decay
    )
    n_batches = max(1, len(inputs) // config.batch)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, config.epochs * n_batches)
    for _ in tqdm(range(config.epochs), desc="training", unit="epoch", disable=None):
        for part in torch.randperm(len(inputs), generator=generator).tensor_split(n_batches):
            logits = network(inputs[part])[:, 0]
            loss = functional.binary_cross_entropy_with_logits(logits, labels[part], weight[part])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
