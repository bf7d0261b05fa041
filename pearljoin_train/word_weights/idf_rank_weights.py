"""Algorithm 1 of De Boom et al. (2016): the weights of idf ranks by mini-batch gradient descent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pearljoin import InputError
from pearljoin._progress import progress
from pearljoin_train.word_weights.losses import (
    Floats,
    Grams,
    contrastive_loss,
    distances,
    median_loss,
)
from pearljoin_train.word_weights.metrics import best_threshold, split_error

__all__ = ["EPOCH_BATCHES", "KAPPAS", "LossName", "Training", "choose_kappa", "learn_weights"]

LossName: TypeAlias = Literal["contrastive", "median"]

HALF_BATCH = 50
L2 = 0.001
FIRST_WEIGHT = 0.5
FAST, SLOW = 0.01, 0.001
STOP_BELOW = 0.0005
"""Algorithm 1 stops when the loss falls by less than 0.0005 in an epoch; the text of section 5.2
says 0.05 %. For losses near 1 they are the same; the algorithm is followed."""
MOST_EPOCHS = 200
EPOCH_BATCHES = 15_000
"""Batches of an epoch, at least. The paper has so many, of 1.5 million pairs; fewer pairs are
dealt out again and again until there are so many, for the rules of algorithm 1 go by epochs."""
KAPPAS = (1.0, 2.0, 5.0, 10.0, 20.0, 40.0, 80.0, 160.0, 320.0)
FOLDS = 5


@dataclass(frozen=True)
class Training:
    """The result of one run of algorithm 1.

    Attributes
    ----------
    weights
        float64 of shape (n_max,).
    losses
        Mean loss of each epoch, the L2 term included.
    stopped
        Whether the stopping rule ended it, rather than the most epochs.
    """

    weights: Floats
    losses: tuple[float, ...]
    stopped: bool


def learn_weights(
    grams: Grams,
    related: NDArray[np.bool_],
    loss: LossName,
    rng: np.random.Generator,
    *,
    kappa: float = 1.0,
    most_epochs: int = MOST_EPOCHS,
    epoch_batches: int = EPOCH_BATCHES,
) -> Training:
    """Learn weights by mini-batch gradient descent (equations 4 and 16, algorithm 1).

    Parameters
    ----------
    grams, related
        The training pairs, at least 50 of either kind.
    loss
        ``"contrastive"`` or ``"median"``.
    rng
        Deals the pairs into batches of 50 related and 50 unrelated, over and over.
    kappa
        For the median-based loss.
    most_epochs
        A bound that the paper does not have: the contrastive loss has no lower bound but
        through L2, and can go on for very long.
    epoch_batches
        Batches of an epoch, at least: the pairs are dealt out as often as it takes.

    Raises
    ------
    InputError
        If there are too few pairs for one batch.
    """
    weights = np.full(grams.shape[1], FIRST_WEIGHT)
    rate, old = FAST, np.inf
    losses: list[float] = []
    while len(losses) < most_epochs:
        batch_losses = []
        for batch in batches(related, rng, epoch_batches):
            if loss == "median":
                value, gradient = median_loss(grams[batch], related[batch], weights, kappa)
            else:
                value, gradient = contrastive_loss(grams[batch], related[batch], weights)
            batch_losses.append(value + L2 * float(weights @ weights))
            weights = weights - rate * (gradient + 2 * L2 * weights)
        mean = float(np.mean(batch_losses))
        losses.append(mean)
        if rate > SLOW and mean > old:
            rate = SLOW
        elif rate == SLOW and old - mean < STOP_BELOW:
            return Training(weights, tuple(losses), stopped=True)
        old = mean
    return Training(weights, tuple(losses), stopped=False)


def batches(
    related: NDArray[np.bool_], rng: np.random.Generator, at_least: int
) -> Iterator[NDArray[np.int64]]:
    """Yield an epoch of positions: 50 related and 50 unrelated pairs each time."""
    kinds = [np.flatnonzero(related == kind) for kind in (True, False)]
    whole = min(map(len, kinds)) // HALF_BATCH
    if not whole:
        raise InputError(
            f"A batch has {HALF_BATCH} related and {HALF_BATCH} unrelated pairs. Got "
            f"{len(kinds[0])} and {len(kinds[1])} in all. Hint: use more text."
        )
    for _ in range(-(-at_least // whole)):
        dealt = [rng.permutation(kind) for kind in kinds]
        for number in range(whole):
            rows = slice(number * HALF_BATCH, (number + 1) * HALF_BATCH)
            yield np.concatenate([dealt[0][rows], dealt[1][rows]])


def choose_kappa(
    grams: Grams,
    related: NDArray[np.bool_],
    rng: np.random.Generator,
    *,
    kappas: Sequence[float] = KAPPAS,
) -> dict[float, float]:
    """Try values of kappa by five-fold cross-validation.

    Parameters
    ----------
    grams, related
        The training pairs, five times a batch at least.
    rng
        Deals pairs into folds, and into batches.
    kappas
        The values to try.

    Returns
    -------
    errors
        Mean split error on the fold left out, in [0, 1], by kappa; the threshold comes from the
        folds trained on. Take the lowest, and of equal ones the first.
    """
    fold = rng.permutation(len(related)) % FOLDS
    errors = {}
    for kappa in progress(kappas, total=len(kappas), label="kappa", unit="value", verbose=None):
        found = []
        for out in range(FOLDS):
            inside, outside = fold != out, fold == out
            weights = learn_weights(
                grams[inside], related[inside], "median", rng, kappa=kappa, epoch_batches=1
            ).weights
            threshold = best_threshold(distances(grams[inside], weights), related[inside])
            found.append(
                split_error(distances(grams[outside], weights), related[outside], threshold)
            )
        errors[kappa] = float(np.mean(found))
    return errors
