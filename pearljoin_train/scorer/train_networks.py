"""Training of the match scorer: feed-forward networks from pair features to match probabilities.

The result is plain numbers, as pearljoin reads them. Each stage is trained on cross-validated
scores of the stage before, from networks that have not seen the join's source. So no stage learns
from scores that are surer than those on new tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Protocol
from zlib import crc32

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional
from tqdm.auto import tqdm

from pearljoin.scoring import (
    CLIP,
    NO_COUNTS,
    TableCalibration,
    probability_of_log_odds,
)
from pearljoin_train.scorer.candidates import JoinCandidates
from pearljoin_train.scorer.fit_table_calibration import fit_table
from pearljoin_train.scorer.views import Predict, View, make_views

__all__ = ["LabelledPairs", "ScorerConfig", "fit_network", "train", "train_stage"]


@dataclass(frozen=True)
class ScorerConfig:
    """Settings of the scorer's training.

    Attributes
    ----------
    joins_a_source
        Joins made from each source of alias pairs.
    joins_a_table
        Joins made from each written table.
    catalogues
        Made catalogues, of each of which a join is made.
    hidden, context_hidden
        Units of the hidden layers of the network over pair features, and of the one over
        context features (rival margins).
    epochs, context_epochs
        Passes over the pairs, for each of the two networks.
    rows, learning_rate, weight_decay
        Left rows of a batch, and the settings of AdamW, with a cosine schedule.
    ranking
        Weight of the loss that ranks a row's matches above its other pairs.
    members
        Networks of each kind, with different seeds, whose logits are averaged.
    folds
        Folds of sources in cross-validation.
    table_decay
        L2 penalty of the table calibration, which has few tables to learn from.
    seed
        Of the joins, the weights and the order of batches.
    """

    joins_a_source: int = 36
    joins_a_table: int = 2
    catalogues: int = 400
    hidden: tuple[int, ...] = (128, 64)
    context_hidden: tuple[int, ...] = (32, 16)
    epochs: int = 12
    context_epochs: int = 5
    rows: int = 200
    learning_rate: float = 3e-3
    weight_decay: float = 1e-3
    ranking: float = 0.1
    members: int = 3
    folds: int = 3
    table_decay: float = 0.01
    seed: int = 0


N_QUANTILES = 400
"""Scores that stand for those of tables at large."""


class LabelledPairs(Protocol):
    """Pairs that a network is trained on, by left row."""

    @property
    def source(self) -> str:
        """Where they come from, by which they are put into folds."""
        ...

    @property
    def left_rows(self) -> NDArray[np.int64]:
        """Left row of each pair, ascending."""
        ...

    @property
    def is_match(self) -> NDArray[Any]:
        """Which pairs are matches; or how much of one each is, in [0, 1]."""
        ...


FeatureTables = Sequence[NDArray[np.float32]]


def train(
    joins: Sequence[JoinCandidates], middle: NDArray[np.float32], config: ScorerConfig
) -> dict[str, Any]:
    """Train the stages of a scorer: pair network, context network, table calibration.

    Parameters
    ----------
    joins
        What to train on, not empty. A join is weighted by the square root of its size.
    middle
        float32 of shape (dim,): the mean vector of names at large.
    config
        The settings.

    Returns
    -------
    scorer
        As pearljoin reads it from ``scorer.json``.
    """
    features = [join.features for join in joins]
    pair, predict = train_stage(joins, features, config.hidden, config.epochs, config)
    views = [
        view for at, join in enumerate(joins) for view in make_views(join, predict[at], config.seed)
    ]
    inputs = [view.context() for view in views]
    second, predict = train_stage(
        views, inputs, config.context_hidden, config.context_epochs, config
    )
    found = [each(rows) for each, rows in zip(predict, inputs, strict=True)]
    tables = [view.table(logit) for view, logit in zip(views, found, strict=True)]
    best = [view.best(logit) for view, logit in zip(views, found, strict=True)]
    table = fit_table(
        [logit[at] for logit, at in zip(found, best, strict=True)],
        [view.is_match[at] for view, at in zip(views, best, strict=True)],
        tables,
        decay=config.table_decay,
    )
    scorer = {"pair": pair, "context": second, "table": table, "middle": middle.tolist()}
    return scorer | {"usual_scores": _usual_scores(views, found, best, tables, table)}


def _usual_scores(
    views: Sequence[View],
    logits: Sequence[NDArray[np.float32]],
    best: Sequence[NDArray[np.int64]],
    tables: Sequence[NDArray[np.float32]],
    table: dict[str, Any],
) -> list[float]:
    """Quantiles of the scores of rows' best pairs, for joins of which no left row is known."""
    calibration = TableCalibration(
        *(np.array(table[name], np.float32) for name in ("mean", "scale", "slope", "shift"))
    )
    scores, weights = [], []
    for view, logit, at, numbers in zip(views, logits, best, tables, strict=True):
        if view.counts is not NO_COUNTS:
            continue
        others = at[~view.join.is_equal[at]]
        scores.append(probability_of_log_odds(calibration.apply(logit[others], numbers)))
        weights.append(np.full(len(others), max(1, len(others)) ** -0.5))
    every, weight = np.concatenate(scores), np.concatenate(weights)
    order = np.argsort(every)
    share = (np.cumsum(weight[order]) - weight[order] / 2) / weight.sum()
    quantiles = np.interp((np.arange(N_QUANTILES) + 0.5) / N_QUANTILES, share, every[order])
    return [float(score) for score in quantiles]


def train_stage(
    joins: Sequence[LabelledPairs],
    inputs: FeatureTables,
    hidden: tuple[int, ...],
    epochs: int,
    config: ScorerConfig,
) -> tuple[dict[str, Any], list[Predict]]:
    """Train a network on all joins; returns it, and for each join one that has not seen it.

    The inputs of a join begin with those of its pairs; what follows is not trained on.
    """
    fold = _folds(joins, config)
    seen_by: dict[int, Predict] = {}
    for number in sorted(set(fold)):
        # A single join is scored by a network that was trained on it.
        kept = [at for at in range(len(joins)) if fold[at] != number] or [0]
        known, seen = [joins[at] for at in kept], [inputs[at] for at in kept]
        seen_by[number] = fit_network(known, seen, hidden, epochs, config)[1]
    every = fit_network(joins, inputs, hidden, epochs, config)[0]
    return every, [seen_by[number] for number in fold]


def _folds(joins: Sequence[LabelledPairs], config: ScorerConfig) -> list[int]:
    """Assign joins to folds: by source, or one by one where there are few sources."""
    sources = sorted({join.source for join in joins}, key=lambda name: crc32(name.encode()))
    if len(sources) < config.folds:
        return [at % config.folds for at in range(len(joins))]
    place = {source: at % config.folds for at, source in enumerate(sources)}
    return [place[join.source] for join in joins]


def fit_network(
    joins: Sequence[LabelledPairs],
    inputs: FeatureTables,
    hidden: tuple[int, ...],
    epochs: int,
    config: ScorerConfig,
) -> tuple[dict[str, Any], Predict]:
    """Train an ensemble of networks.

    Parameters
    ----------
    joins
        The pairs of each join, which is weighted by the square root of its size.
    inputs
        For each join float32 of shape (n_rows, n_inputs); the first rows are those of its pairs.
    hidden, epochs, config
        The settings.

    Returns
    -------
    numbers, predict
        The networks as plain numbers, and the function from inputs to mean logits.
    """
    table = np.concatenate(
        [part[: len(join.left_rows)] for join, part in zip(joins, inputs, strict=True)]
    )
    mean, scale = table.mean(axis=0), table.std(axis=0) + 1e-6

    def standardised(part: NDArray[np.float32]) -> torch.Tensor:
        return torch.from_numpy(np.clip((part - mean) / scale, -CLIP, CLIP).astype(np.float32))

    inputs_table, rows = standardised(table), LeftRows(joins)
    networks = []
    for member in range(config.members):
        networks.append(_network((table.shape[1], *hidden, 1), config.seed + member))
        _optimise(
            networks[-1], inputs_table, rows, epochs, replace(config, seed=config.seed + member)
        )

    def predict(part: NDArray[np.float32]) -> NDArray[np.float32]:
        inputs = standardised(part)
        with torch.no_grad():
            logits = torch.stack([network(inputs)[:, 0] for network in networks])
        mean_logits: NDArray[np.float32] = logits.mean(dim=0).numpy()
        return mean_logits

    members = [_layers(network) for network in networks]
    return {"mean": mean.tolist(), "scale": scale.tolist(), "members": members}, predict


def _layers(network: torch.nn.Sequential) -> list[dict[str, Any]]:
    """Return a network's numbers, as pearljoin reads them."""
    return [
        {"weights": layer.weight.detach().T.tolist(), "biases": layer.bias.detach().tolist()}
        for layer in network
        if isinstance(layer, torch.nn.Linear)
    ]


def _network(widths: tuple[int, ...], seed: int) -> torch.nn.Sequential:
    generator = torch.Generator().manual_seed(seed)
    layers: list[torch.nn.Module] = []
    for n_in, n_out in pairwise(widths):
        # The default initialisation would draw from the global random state.
        layer = torch.nn.utils.skip_init(torch.nn.Linear, n_in, n_out)  # type: ignore[no-untyped-call]
        torch.nn.init.kaiming_uniform_(layer.weight, a=5**0.5, generator=generator)
        torch.nn.init.zeros_(layer.bias)
        layers += [layer, torch.nn.ReLU()]
    return torch.nn.Sequential(*layers[:-1])


class LeftRows:
    """The pairs of all joins, grouped by left row."""

    def __init__(self, joins: Sequence[LabelledPairs]) -> None:
        starts = [np.flatnonzero(np.diff(join.left_rows, prepend=-1)) for join in joins]
        offsets = np.cumsum([0, *(len(join.left_rows) for join in joins)])
        self.first = np.concatenate([at + by for at, by in zip(starts, offsets, strict=False)])
        self.size = np.diff(np.append(self.first, offsets[-1]))
        right = np.concatenate([join.is_match for join in joins])
        self.labels = torch.from_numpy(right.astype(np.float32))
        weights = np.concatenate(
            [np.full(len(join.left_rows), max(1, len(join.left_rows)) ** -0.5) for join in joins]
        )
        self.weights = torch.from_numpy((weights / weights.mean()).astype(np.float32))
        self.row_weights = self.weights[torch.from_numpy(self.first)]

    def pairs(self, rows: NDArray[np.int64]) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the positions of the pairs of some rows, and each pair's row among these."""
        size = self.size[rows]
        skipped = np.cumsum(size) - size
        at = np.repeat(self.first[rows] - skipped, size) + np.arange(size.sum())
        return torch.from_numpy(at), torch.from_numpy(np.repeat(np.arange(len(rows)), size))


def _optimise(
    network: torch.nn.Sequential,
    inputs: torch.Tensor,
    rows: LeftRows,
    epochs: int,
    config: ScorerConfig,
) -> None:
    rng = np.random.default_rng(config.seed)
    optimiser = torch.optim.AdamW(
        network.parameters(), lr=config.learning_rate, weight_decay=config.weight_decay
    )
    n_batches = max(1, len(rows.first) // config.rows)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, epochs * n_batches)
    for _ in tqdm(range(epochs), desc="training", unit="epoch", disable=None, leave=False):
        for part in np.array_split(rng.permutation(len(rows.first)), n_batches):
            at, row = rows.pairs(part)
            logits, labels, weights = network(inputs[at])[:, 0], rows.labels[at], rows.weights[at]
            loss = functional.binary_cross_entropy_with_logits(logits, labels, weights)
            loss = loss + config.ranking * _ranking_loss(
                logits, labels, row, rows.row_weights[part]
            )
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
            schedule.step()


def _ranking_loss(
    logits: torch.Tensor, labels: torch.Tensor, row: torch.Tensor, weights: torch.Tensor
) -> torch.Tensor:
    """Return the mean negative log of the softmax probability of each row's matches."""
    odds = torch.exp(logits.clamp(-30, 30))
    nothing = torch.zeros(len(weights))
    every = nothing.index_add(0, row, odds)
    right = nothing.index_add(0, row, odds * labels)
    has = right > 0
    return ((every[has].log() - right[has].log()) * weights[has]).sum() / len(weights)
