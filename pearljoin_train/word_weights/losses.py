"""The two losses of De Boom et al. (2016) on pairs of texts, and their gradients by the weights.

A text's vector is linear in the weights, ``t = sum_k w_k e_k``, where ``e_k`` is the vector that
it has under weight 1 for rank k and 0 for all others (`WeightedWordEncoder.transform_ranks`).
With the difference of the two texts of a pair, ``D = e(first) - e(second)`` of shape
(n_max, dim), their Euclidean distance is ``sqrt(w' D D' w)``. So a pair is its Gram matrix
``G = D D'`` and nothing else: a training step touches (n_max, n_max) numbers a pair, whatever the
dimension of the word vectors.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pearljoin import WeightedWordEncoder
from pearljoin_train.word_weights.pairs import PairSet

__all__ = ["Floats", "Grams", "contrastive_loss", "distances", "median_loss", "pair_grams"]

Floats: TypeAlias = NDArray[np.float64]
Grams: TypeAlias = NDArray[np.float32]

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
