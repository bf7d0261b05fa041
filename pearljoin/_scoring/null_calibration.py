"""How much of what left records' candidates claim is true, judged by claims known to be false.

Columns that depend on each other (a brand stands in the title, too) make a wrong candidate look
better than it is, since their evidence is added up. The tables tell by how much: take its match
away from a record that surely has one, and whatever its other candidates still claim is false. That
is what records without an answer claim.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

__all__ = ["FARTHEST", "calibrate_to_null"]

Numbers = NDArray[np.float64]

FARTHEST = 12.0
"""Log odds beyond this count as this."""

ROUNDS = 100
SETTLED, STILL_MOVING = 1e-4, 0.1
"""The search ends when both numbers together move by less than the first, and what it finds after
`ROUNDS` is of no worth where they still move by the second."""

LONGEST_STEP = 0.5
HELD = (0.3, 4.0)
"""How strongly the intercept is held at 0 and the slope at 1, in units of information."""

LEAST_SLOPE = 0.05


def calibrate_to_null(
    claims: Numbers, false_claims: Numbers, held: tuple[float, float] = HELD
) -> tuple[float, float]:
    """Find what claims are worth.

    Parameters
    ----------
    claims
        Of shape (n_records,): log odds that a record has an answer, as its candidates claim.
    false_claims
        Of shape (n_false,): such log odds of records whose answer was taken away.
    held
        How strongly the intercept is held at 0 and the slope at 1, in units of information: a
        claim that is true as likely as not is worth a quarter.

    Returns
    -------
    intercept, slope
        A record whose candidates claim log odds ``x`` has an answer with the probability
        ``1 / (1 + exp(-(intercept + slope * x)))``. 0 and 1 where the search still moves by
        `STILL_MOVING` at its end: then the claims stand as they are.

    Notes
    -----
    The claims are a mixture of false ones, whose distribution is known, and of true ones, taken to
    be distributed as the false ones tilted by ``exp(slope * x)`` (Anderson 1979). Then the above
    holds, and expectation-maximisation finds the two numbers: how likely each claim is true; a
    logistic regression that tells true claims from false ones.
    """
    x, known = (np.clip(values, -FARTHEST, FARTHEST) for values in (claims, false_claims))
    both = np.concatenate([x, x, known])
    right = np.concatenate([np.ones(len(x)), np.zeros(len(x) + len(known))])
    prior, (intercept, slope) = np.array(held), (0.0, 1.0)
    moved = 0.0
    for _ in range(ROUNDS):
        true = expit(intercept + slope * x)
        weight = np.concatenate([true, 1 - true, np.ones(len(known))])
        share = (true.sum() + 0.5) / (len(x) + 1)
        # The regression sees more false claims than the records make.
        seen = np.log(true.sum() + 0.5) - np.log((1 - true).sum() + len(known) + 0.5)
        shift = seen - np.log(share / (1 - share))
        step = _newton_step(both, right, weight, (intercept, slope), shift, prior)
        # Far from the answer Newton's step overshoots, the farther the more.
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
    """One step of a weighted logistic regression held near intercept 0 and slope 1."""
    intercept, slope = at
    chance = expit(intercept + shift + slope * x)
    error, spread = weight * (right - chance), weight * chance * (1 - chance)
    gradient = np.array([error.sum(), error @ x]) - prior * [intercept, slope - 1]
    information = np.array([[spread.sum(), spread @ x], [spread @ x, spread @ x**2]])
    information += np.diag(prior)
    return np.asarray(np.linalg.solve(information, gradient), dtype=np.float64)
