"""Recalibration of scores on labelled pairs: a logistic curve, with priors that keep the score."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from pearljoin._typing import FloatVector

__all__ = ["binned_logits", "logits", "recalibrate"]

SLOPE_SPREAD, INTERCEPT_SPREAD = 0.7, 1.5
"""Standard deviations of the normal priors of the slope's logarithm and of the intercept."""

CLIP = 1e-4
"""Scores are clipped to this distance from 0 and 1 before their logit is taken."""

BINS = 400
"""Bins of the scores' logits."""


def recalibrate(
    scores: FloatVector, is_right: NDArray[np.float64]
) -> tuple[float, float, tuple[tuple[float, float], tuple[float, float]]]:
    """Find the most probable slope and intercept of the curve from logits to probabilities.

    The logarithm of the slope and the intercept have normal priors around 0, at which a score stays
    as it is (Platt 1999, with priors).

    Parameters
    ----------
    scores
        In [0, 1], of shape (n_pairs,).
    is_right
        float64 of shape (n_pairs,): 1 where the pair is right, else 0.

    Returns
    -------
    slope, intercept
        Of the curve.
    covariance
        Posterior covariance of the logarithm of the slope and the intercept, 2 by 2.
    """
    # Imported here, for joins without labels load this file too: a tenth of a second.
    from scipy.optimize import minimize

    x = logits(scores)
    precision = np.array([SLOPE_SPREAD, INTERCEPT_SPREAD]) ** -2

    def loss(at: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        slope = np.exp(at[0])
        z = slope * x + at[1]
        value = np.logaddexp(0, z).sum() - is_right @ z + precision @ at**2 / 2
        error = expit(z) - is_right
        return float(value), np.array([slope * (error @ x), error.sum()]) + precision * at

    mode = minimize(loss, np.zeros(2), jac=True, method="BFGS").x
    slope = float(np.exp(mode[0]))
    probability = expit(slope * x + mode[1])
    # The expected curvature (Fisher's information), because the observed one may be negative.
    design = np.stack([slope * x, np.ones_like(x)])
    information = (design * (probability * (1 - probability))) @ design.T + np.diag(precision)
    (a, b), (c, d) = np.linalg.inv(information).tolist()
    return slope, float(mode[1]), ((a, b), (c, d))


def logits(scores: FloatVector) -> NDArray[np.float64]:
    """Logits of scores, which are kept away from 0 and 1: float64 of shape (n_pairs,)."""
    clipped = np.clip(np.asarray(scores, dtype=np.float64), CLIP, 1 - CLIP)
    return np.asarray(logit(clipped), dtype=np.float64)


def binned_logits(scores: FloatVector) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Bin the logits of scores: (logit, number of scores); infinite for scores of 1."""
    x, equal = logits(scores), np.asarray(scores) >= 1
    step = 2 * float(logit(1 - CLIP)) / BINS
    cells, counts = np.unique(np.round(x[~equal] / step), return_counts=True)
    weight = np.append(counts, equal.sum()).astype(np.float64)
    return np.append(cells * step, np.inf), weight
