"""Columns that tell siblings apart, by reference records looked up among the others.

Members of a household share a family name, a street and a telephone. Where one of them is looked up
whom the reference lacks, nearly all that is compared agrees with another, and match weights, added
up as if columns agreed independently of each other, take the two for one. Nor do tables at large
tell: there, a given name that differs is often another way of writing it.

A reference lists different things, so what one of its records finds among the others shows how
siblings compare. Best candidates of left records are such siblings, or answers. Where siblings
differ in a column in which answers agree, the column tells the two apart, and weighs more than
elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from pearljoin._scoring.null_shift import trust_in_null
from pearljoin._typing import BoolVector, FloatVector

__all__ = [
    "FACTOR",
    "LARGEST",
    "SLACK",
    "STEEPEST",
    "BestCandidate",
    "TellingColumns",
    "learn_telling",
]

LARGEST, LARGEST_ODDS = 6.0, 9.0
"""Match weights and log odds are cut to plus or minus this."""

STEEPEST = 2.0
"""A column counts for at most so many times its match weight more."""

USUAL_SLOPE, USUAL_SHIFT = 1.0, 2.0
"""Standard deviations of what is added of a column's match weight, and to all log odds."""

USUAL_SHARE = np.log(0.5)
"""Log of the usual share of left records without an answer; its standard deviation is 1."""

FACTOR, SLACK = 4.0, 2.0
"""Pairs are lowered by so many times as much as was learned, less so much: answers with a slip of
writing stay, siblings do not."""

FEW_NATS = 15.0
"""Gain in log likelihood by which columns count for half."""

CLAIMED = 0.1, 0.3
"""Mean likelihoods of an answer of reference records among the others up to which siblings do not
pass for answers, so that no column need tell, and from which columns count wholly."""

COVERED = 0.6, 0.95
"""Shares of reference records whose value others have up to which a value that none has says
nothing of how it is written, and from which on it is taken for another way of writing one."""

FEWEST = 5
"""Fewest left records, and reference records, with a candidate."""


@dataclass(frozen=True)
class TellingColumns:
    """How far columns tell siblings from answers.

    Attributes
    ----------
    slopes
        float64 of shape (n_columns,), not negative: what log odds lose for each unit of match
        weight below `origin`.
    origin
        float64 of shape (n_columns,): median match weights of likely answers.
    covered
        float64 of shape (n_columns,), in [0, 1]: share of the reference records whose value others
        have. Where it is high, siblings have known values, and one that no reference record has is
        rather another way of writing one of these, as *rot* is for *red*.
    slack
        What is not lost of that.
    """

    slopes: NDArray[np.float64]
    origin: NDArray[np.float64]
    covered: NDArray[np.float64]
    slack: float

    def shift(
        self, weights: NDArray[np.float64], known: BoolVector, is_new: BoolVector
    ) -> FloatVector:
        """Return what is added to the log odds of pairs: float32 of shape (n_pairs,), at most 0.

        Parameters
        ----------
        weights, known, is_new
            float64 and bool of shape (n_pairs, n_columns): match weights, whether both values are
            there, and whether no reference record has the left one. A missing one says nothing.
        """
        below = np.where(known, _cut(weights) - self.origin, 0.0)
        below *= np.where(is_new, 1 - np.interp(self.covered, COVERED, (0.0, 1.0)), 1.0)
        return np.minimum(0.0, below @ self.slopes + self.slack).astype(np.float32)


@dataclass(frozen=True)
class BestCandidate:
    """The best candidate of each record that has one.

    Attributes
    ----------
    log_odds
        float64 of shape (n_records,): that the record has an answer.
    weights
        float64 of shape (n_records, n_columns): as of `MatchWeights.agreement_weights`.
    """

    log_odds: NDArray[np.float64]
    weights: NDArray[np.float64]


def learn_telling(
    found: BestCandidate, null: BestCandidate, covered: NDArray[np.float64], doubled: float
) -> TellingColumns | None:
    """Learn which columns tell siblings from answers.

    Parameters
    ----------
    found
        The best candidates of left records.
    null
        Those of reference records among the others, without those that are one entity with them.
    covered
        As of `TellingColumns`.
    doubled
        As of `null_shift`.

    Returns
    -------
    telling
        None where no column does, or few records are known.

    Notes
    -----
    With ``g`` the density of best candidates that are no answers, and ``p`` the share of left
    records that have an answer, the density of all best candidates of these is
    ``g (1 - p) (1 + exp(s))`` with ``s = log_odds + shift + slopes @ weights``. So whether a best
    candidate is of a left record or of a reference one is a logistic regression with these odds
    times the ratio of their numbers (Ward, Hastie, Barry, Elith and Leathwick 2009, "Presence-only
    data and the EM algorithm"). A normal prior holds the slopes to 0: what networks say prevails
    where the records are few.
    """
    n_left, n_null = len(found.log_odds), len(null.log_odds)
    if min(n_left, n_null) < FEWEST:
        return None
    # The order of rows must not matter, nor what it does to the rounding of sums.
    both = _in_order(found), _in_order(null)
    weights = _cut(np.concatenate([each.weights for each in both]))
    log_odds = np.concatenate([each.log_odds for each in both])
    log_odds = np.clip(log_odds, -LARGEST_ODDS, LARGEST_ODDS)
    is_left = np.arange(n_left + n_null) < n_left

    def loss(at: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        """Negative log posterior, and its gradient."""
        share, shift, slopes = at[0] - USUAL_SHARE, at[1], at[2:]
        score = log_odds + shift + weights @ slopes
        odds = np.log(n_left / n_null) + at[0] + np.logaddexp(0, score)
        prior = share**2 + (shift / USUAL_SHIFT) ** 2 + slopes @ slopes / USUAL_SLOPE**2
        of_odds = expit(odds) - is_left
        of_score = of_odds * expit(score)
        gradient = [
            [of_odds.sum() + share, of_score.sum() + shift / USUAL_SHIFT**2],
            of_score @ weights + slopes / USUAL_SLOPE**2,
        ]
        value = np.logaddexp(0, np.where(is_left, -odds, odds)).sum() + prior / 2
        return float(value), np.concatenate(gradient)

    # Imported here, for joins of one column do without it: a tenth of a second.
    from scipy.optimize import minimize

    def fit(steepest: float) -> tuple[NDArray[np.float64], float]:
        slopes = [(0.0, steepest)] * weights.shape[1]
        start = np.concatenate([[USUAL_SHARE, 0.0], np.zeros(weights.shape[1])])
        fitted = minimize(loss, start, jac=True, bounds=[(None, 0.0), (None, 0.0), *slopes])
        return fitted.x, float(fitted.fun)

    without, (best, value) = fit(0.0)[1], fit(STEEPEST)
    shift, slopes, gain = best[1], best[2:], max(0.0, without - value)
    answers = expit(log_odds + shift + weights @ slopes)[:n_left]
    factor = FACTOR * gain / (gain + FEW_NATS) * trust_in_null(n_left, doubled)
    factor *= float(np.interp(expit(log_odds[n_left:]).mean(), CLAIMED, (0.0, 1.0)))
    if factor == 0 or not answers.any():
        return None
    # The median, since where many left records have no answer siblings pass for some.
    origin = _medians(weights[:n_left], answers)
    return TellingColumns(factor * slopes, origin, covered, factor * SLACK)


def _in_order(best: BestCandidate) -> BestCandidate:
    """Sort records by their log odds and match weights."""
    order = np.lexsort((best.log_odds, *best.weights.T))
    return BestCandidate(best.log_odds[order], best.weights[order])


def _cut(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.clip(weights, -LARGEST, LARGEST)


def _medians(values: NDArray[np.float64], shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Median of each column, whose rows count for shares."""
    order = np.argsort(values, axis=0, kind="stable")
    summed = np.cumsum(shares[order], axis=0)
    at = (summed < summed[-1] / 2).sum(axis=0)
    return np.asarray(values[order[at, np.arange(len(at))], np.arange(len(at))])
