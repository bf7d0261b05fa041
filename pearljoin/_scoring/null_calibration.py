"""Calibration of row log odds by null scores, which are scores of rows known to have no answer.

Key columns that depend on each other (a brand that stands in the title, too) make a wrong candidate
look better than it is, because their evidence is added up. The tables show by how much: take the
match away from a record that surely has one, and the scores of its other candidates are those of a
record without an answer.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

__all__ = ["FARTHEST", "calibrate_to_null"]

Numbers = NDArray[np.float64]

FARTHEST = 12.0
"""Log odds are cut to plus or minus this."""

ROUNDS = 100
SETTLED, STILL_MOVING = 1e-4, 0.1
"""The search ends when intercept and slope together move by less than the first. If they still
move by the second after `ROUNDS`, its result is discarded."""

LONGEST_STEP = 0.5
"""Of intercept and of slope in one round."""

PRIOR_STRENGTH = (0.3, 4.0)
"""Prior precision of the intercept around 0 and of the slope around 1, in units of information."""

LEAST_SLOPE = 0.05


def calibrate_to_null(
    log_odds: Numbers, null_scores: Numbers, prior_strength: tuple[float, float] = PRIOR_STRENGTH
) -> tuple[float, float]:
    """Find the intercept and slope that calibrate the log odds of rows.

    Parameters
    ----------
    log_odds
        Of shape (n_records,): log odds that a record has an answer, by its candidates.
    null_scores
        Of shape (n_null,): the same of records whose answer was taken away.
    prior_strength
        Prior precision of the intercept around 0 and of the slope around 1, in units of
        information: a record whose probability is 0.5 is worth a quarter.

    Returns
    -------
    intercept, slope
        A record of log odds ``x`` has an answer with the probability
        ``1 / (1 + exp(-(intercept + slope * x)))``. 0 and 1 if the search still moves by
        `STILL_MOVING` at its end.

    Notes
    -----
    The log odds are a mixture of null scores, whose distribution is known, and of scores of records
    with an answer, taken to be distributed as the null scores tilted by ``exp(slope * x)``
    (Anderson 1979). Then the formula above holds. Expectation-maximisation finds the two numbers:
    first the probability that each record has an answer, then a logistic regression that separates
    records with an answer from those without.
    """
    x, null = (np.clip(values, -FARTHEST, FARTHEST) for values in (log_odds, null_scores))
    both = np.concatenate([x, x, null])
    right = np.concatenate([np.ones(len(x)), np.zeros(len(x) + len(null))])
    prior, (intercept, slope) = np.array(prior_strength), (0.0, 1.0)
    moved = 0.0
    for _ in range(ROUNDS):
        true = expit(intercept + slope * x)
        weight = np.concatenate([true, 1 - true, np.ones(len(null))])
        share = (true.sum() + 0.5) / (len(x) + 1)
        # The regression sees more records without an answer than the table has.
        seen = np.log(true.sum() + 0.5) - np.log((1 - true).sum() + len(null) + 0.5)
        shift = seen - np.log(share / (1 - share))
        step = _newton_step(both, right, weight, (intercept, slope), shift, prior)
        # Far from the answer, Newton's step overshoots.
        step = np.clip(step, -LONGEST_STEP, LONGEST_STEP)
        before = intercept, slope
        intercept, slope = intercept + step[0], max(LEAST_SLOPE, slope + step[1])
        moved = abs(intercept - before[0]) + abs(slope - before[1])
        if moved < SETTLED:
            break
    return (float(intercept), float(slope)) if moved < STILL_MOVING else (0.0, 1.0)


def _newton_step(
    x: Numbers,
    right: Numbers,
    weight: Numbers,
    at: tuple[float, float],
    shift: float,
    prior: Numbers,
) -> Numbers:
    """One step of a weighted logistic regression with a prior at intercept 0 and slope 1."""
    intercept, slope = at
    chance = expit(intercept + shift + slope * x)
    error, spread = weight * (right - chance), weight * chance * (1 - chance)
    gradient = np.array([error.sum(), error @ x]) - prior * [intercept, slope - 1]
    information = np.array([[spread.sum(), spread @ x], [spread @ x, spread @ x**2]])
    information += np.diag(prior)
    return np.asarray(np.linalg.solve(information, gradient), dtype=np.float64)
