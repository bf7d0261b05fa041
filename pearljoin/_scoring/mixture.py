"""Pairs of records as a mixture of answers and of siblings, which compare differently.

Both look like answers. How siblings compare is known, and how answers do is learned: by
expectation-maximisation, with columns that are independent of each other among answers, and priors
of what is usual of their kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from pearljoin._scoring.knots import knot_counts
from pearljoin._scoring.level_prior import KNOWN_M, PRIOR_M, LevelPrior, Probabilities
from pearljoin._typing import FloatMatrix, FloatVector

__all__ = [
    "FEWEST",
    "LARGEST_RATIO",
    "BestPairs",
    "Mixture",
    "at_positions",
    "learn_mixture",
    "never_falling",
    "probabilities",
]

FEWEST = 5
"""Fewest records of either side with a candidate; and answers whose median is believed."""

LARGEST_RATIO = 4.0
"""No column weighs more than this for or against an answer."""

LARGEST_ODDS = 9.0
"""Log odds that records have an answer are cut to plus or minus this."""

PRIOR_SIBLINGS = 5.0
"""Siblings that what is usual of answers and of pairs at random, in equal parts, counts for."""

PRIOR_ROWS = 20.0
"""Records that the usual share of answers counts for."""

ROUNDS = 50
SETTLED = 1e-5
"""Learning ends when no probability that a record has an answer moves by more."""


@dataclass(frozen=True)
class BestPairs:
    """The best candidate of each record that has one.

    Attributes
    ----------
    log_odds
        float64 of shape (n_records,): that the record has an answer.
    positions
        float32 of shape (n_records, n_columns): as of `Compared`.
    """

    log_odds: NDArray[np.float64]
    positions: FloatMatrix

    @property
    def likely(self) -> NDArray[np.float64]:
        """float64 of shape (n_records,): probability that the record has an answer."""
        odds = np.clip(self.log_odds, -LARGEST_ODDS, LARGEST_ODDS)
        return np.asarray(expit(odds), dtype=np.float64)

    @property
    def order(self) -> NDArray[np.int64]:
        """int64 of shape (n_records,): by what is known; row order must not matter to any sum."""
        return np.lexsort((self.log_odds, *self.positions.T))

    def in_order(self) -> BestPairs:
        """Sort the records by what is known of them."""
        return self.take(self.order)

    def take(self, records: NDArray[np.int64]) -> BestPairs:
        """Keep the records at `records`, in that order."""
        return BestPairs(self.log_odds[records], self.positions[records])

    def counts(
        self, weight: NDArray[np.float64], priors: Sequence[LevelPrior]
    ) -> list[Probabilities]:
        """Count the records by column and knot, each so often as `weight` says."""
        columns = zip(self.positions.T, priors, strict=True)
        return [knot_counts(position, len(prior.m), weight) for position, prior in columns]


@dataclass(frozen=True)
class Mixture:
    """What records found, told apart.

    Attributes
    ----------
    share
        Share of what looks like answers that are answers, in (0, 1).
    chance
        float64 of shape (n_records,), in [0, 1]: that a record found its answer.
    answers
        By key column, float64 of shape (n_knots,): how many answers are at each knot.
    ratios
        By key column, float64 of shape (n_knots,): log of how much oftener answers than siblings
        are there.
    """

    share: float
    chance: NDArray[np.float64]
    answers: list[Probabilities]
    ratios: list[Probabilities]


def learn_mixture(
    found: BestPairs,
    siblings: Sequence[Probabilities],
    priors: Sequence[LevelPrior],
    usual_share: float,
) -> Mixture:
    """Tell answers from siblings.

    Parameters
    ----------
    found
        The best candidates, in their order.
    siblings
        By key column, float64 of shape (n_knots,): how many siblings are at each knot.
    priors
        By key column, what is usual of its kind.
    usual_share
        Usual share of answers among what looks like answers, in (0, 1).
    """
    likely = found.likely
    share, chance = usual_share, np.zeros(len(likely))
    answers: list[Probabilities] = []
    ratios: list[Probabilities] = []
    for _ in range(ROUNDS):
        answers = found.counts(chance, priors)
        ratios = list(map(_ratio, answers, siblings, priors))
        columns = [at_positions(*each) for each in zip(ratios, found.positions.T, strict=True)]
        before, chance = chance, likely * expit(logit(share) + np.sum(columns, axis=0))
        share = float((chance.sum() + PRIOR_ROWS * usual_share) / (likely.sum() + PRIOR_ROWS))
        if np.abs(chance - before).max() < SETTLED:
            break
    return Mixture(share, chance, answers, ratios)


def _ratio(answers: Probabilities, siblings: Probabilities, prior: LevelPrior) -> Probabilities:
    """Log of how much oftener answers than siblings are at each knot, from counts of both.

    Records of one table are written alike, those of two are not: from the median of the answers on,
    all knots are one, and below it a conflict never weighs less than what is nearer to equality.
    """
    m, s = probabilities(answers, siblings, prior)
    ratio = np.log(m / s)
    found = answers if answers.sum() >= FEWEST else m
    middle = int(np.argmax(np.cumsum(found) >= found.sum() / 2))
    ratio[middle:] = np.log(m[middle:].sum() / s[middle:].sum())
    return never_falling(ratio)


def probabilities(
    answers: Probabilities, siblings: Probabilities, prior: LevelPrior
) -> tuple[Probabilities, Probabilities]:
    """Probabilities of answers and of siblings at each knot, from counts of both."""
    m = answers + (PRIOR_M * prior.m if prior.known is None else KNOWN_M * prior.known)
    m /= m.sum()
    s = siblings + PRIOR_SIBLINGS * (m + prior.u) / 2
    return m, s / s.sum()


def never_falling(ratio: Probabilities) -> Probabilities:
    """Lower ratios to those nearer to equality."""
    return np.clip(np.minimum.accumulate(ratio[::-1])[::-1], -LARGEST_RATIO, LARGEST_RATIO)


def at_positions(ratio: Probabilities, position: FloatVector) -> NDArray[np.float64]:
    """Interpolate between knots; 0 where a value is missing."""
    found = np.interp(np.nan_to_num(position, nan=0.0), np.arange(len(ratio)), ratio)
    return np.where(np.isnan(position), 0.0, found)
