"""Learning the weights of idf ranks: losses, gradients and algorithm 1 of De Boom et al. (2016).

A text's vector is linear in the weights, ``t = sum_k w_k e_k``, where ``e_k`` is the vector that
it has under weight 1 for rank k and 0 for all others (`WeightedWordEncoder.transform_ranks`).
With the difference of the two texts of a pair, ``D = e(first) - e(second)`` of shape
(n_max, dim), their Euclidean distance is ``sqrt(w' D D' w)``. So a pair is its Gram matrix
``G = D D'`` and nothing else: a training step touches (n_max, n_max) numbers a pair, whatever the
dimension of the word vectors.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pearljoin import InputError, WeightedWordEncoder
from pearljoin_train.word_weights.metrics import best_threshold, split_error
from pearljoin_train.word_weights.pairs import PairSet

__all__ = [
    "KAPPAS",
    "LossName",
    "Training",
    "choose_kappa",
    "contrastive_loss",
    "distances",
    "learn_weights",
    "median_loss",
    "pair_grams",
]

LossName: TypeAlias = Literal["contrastive", "median"]
Floats: TypeAlias = NDArray[np.float64]
Grams: TypeAlias = NDArray[np.float32]

HALF_BATCH = 50
L2 = 0.001
FIRST_WEIGHT = 0.5
FAST, SLOW = 0.01, 0.001
STOP_BELOW = 0.0005
"""Algorithm 1 stops when the loss falls by less than 0.0005 in an epoch; the text of section 5.2
says 0.05 %. For losses near 1 they are the same; the algorithm is followed."""
MOST_EPOCHS = 200
EPOCH_BATCHES = 2_000
"""Batches of an epoch, at least. The paper's has 15,000, of 1.5 million pairs; fewer pairs are
dealt out again and again until there are so many, for the rules of algorithm 1 go by epochs."""
KAPPAS = (1.0, 2.0, 5.0, 10.0, 20.0, 40.0, 80.0, 160.0, 320.0)
FOLDS = 5
CHUNK = 1_000


def pair_grams(encoder: WeightedWordEncoder, pairs: PairSet, n_max: int) -> Grams:
    """Reduce pairs to what the weights' distances need.

    Parameters
    ----------
    encoder
        Fitted: it has the word vectors and the document frequencies.
    pairs
        The pairs.
    n_max
        Number of weights to be learned.

    Returns
    -------
    grams
        float32 of shape (n_pairs, n_max, n_max), symmetric.
    """
    grams = np.empty((len(pairs), n_max, n_max), dtype=np.float32)
    for start in range(0, len(pairs), CHUNK):
        rows = slice(start, start + CHUNK)
        first = encoder.transform_ranks(pairs.first[rows], n_max)
        difference = first - encoder.transform_ranks(pairs.second[rows], n_max)
        grams[rows] = difference @ difference.transpose(0, 2, 1)
    return grams


def distances(grams: Grams, weights: Floats) -> Floats:
    """Return the Euclidean distance of each pair: float64 of shape (n_pairs,)."""
    return np.sqrt(np.maximum((grams @ weights.astype(np.float32)) @ weights, 0.0))


def _distance_gradients(grams: Grams, weights: Floats) -> tuple[Floats, Floats]:
    """Return distances (n_pairs,) and their derivatives by the weights (n_pairs, n_max)."""
    image = (grams @ weights.astype(grams.dtype)).astype(np.float64)
    found = np.sqrt(np.maximum(image @ weights, 0.0))
    # Two equal texts have distance 0, where no gradient exists: none is taken.
    return found, np.divide(
        image, found[:, None], out=np.zeros_like(image), where=found[:, None] > 0
    )


def contrastive_loss(
    grams: Grams, related: NDArray[np.bool_], weights: Floats
) -> tuple[float, Floats]:
    """Mean contrastive-based loss of a batch and its gradient (equations 5 to 7).

    Parameters
    ----------
    grams
        (n_pairs, n_max, n_max), see `pair_grams`.
    related
        bool of shape (n_pairs,).
    weights
        float64 of shape (n_max,).

    Returns
    -------
    loss
        Mean of ``p d``, p being 1 for related pairs and -1 for the others.
    gradient
        float64 of shape (n_max,).
    """
    sign = np.where(related, 1.0, -1.0)
    found, gradients = _distance_gradients(grams, weights)
    return float((sign * found).mean()), (sign[:, None] * gradients).mean(axis=0)


def median_loss(
    grams: Grams, related: NDArray[np.bool_], weights: Floats, kappa: float
) -> tuple[float, Floats]:
    """Mean median-based loss of a batch and its gradient (equations 8 to 11).

    Parameters
    ----------
    grams, related, weights
        As for `contrastive_loss`; half of the pairs related.
    kappa
        Steepness, above 0, in one over the unit of distance.

    Returns
    -------
    loss
        Mean of ``ln(1 + exp(-kappa p (mu - d)))``, mu being the batch's median distance.
    gradient
        float64 of shape (n_max,).

    Notes
    -----
    In a batch of even size the median couple is the lower of the middle two, so that mu is the
    distance of one couple, as equation 8 has it. Equation 11 as printed takes the sign p of the
    median couple for its own term; differentiating equation 10 gives the sign of the couple at
    hand, and so does this.
    """
    sign = np.where(related, 1.0, -1.0)
    found, gradients = _distance_gradients(grams, weights)
    median = np.argsort(found, kind="stable")[(len(found) - 1) // 2]
    exponent = -kappa * sign * (found[median] - found)
    loss = np.logaddexp(0.0, exponent)
    slope = kappa * sign * np.exp(exponent - loss)  # kappa p sigma(exponent)
    each = slope[:, None] * (gradients - gradients[median])
    return float(loss.mean()), each.mean(axis=0)


@dataclass(frozen=True)
class Training:
    """What one run of algorithm 1 came to.

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
    for kappa in kappas:
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
