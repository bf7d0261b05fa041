"""Siblings: records of the reference that resemble each other and are different things.

Members of a household share a family name, a street and a telephone; claims of one policy share
its number and its holder. Where one of them is looked up whom the reference lacks, nearly all that
is compared agrees with another, and match weights, which set answers against pairs at random, take
the two for one. Nor do tables at large tell: there, what differs is often written otherwise.

A reference lists different things, so what one of its records finds among the others shows how
siblings compare. Best candidates of left records are such siblings, or answers. How answers compare
is learned from these candidates, by a mixture of the two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit

from pearljoin._scoring.compared import Compared
from pearljoin._scoring.level_prior import LevelPrior, Probabilities
from pearljoin._scoring.mixture import (
    FEWEST,
    LARGEST_RATIO,
    BestPairs,
    at_positions,
    learn_mixture,
    probabilities,
)
from pearljoin._scoring.null_shift import trust_in_null
from pearljoin._typing import BoolVector, FloatVector

__all__ = ["FEW_SIBLINGS", "Siblings", "learn_siblings"]

STEEPER, SLACK = 1.5, 1.5
"""What columns say is multiplied by, since priors flatten it, and what is added to the log odds
that a pair is an answer: siblings are the exception."""

USUAL_SHARE = 0.45
"""Usual share of siblings among likely answers, as a part of the share of reference records that
pass for answers."""

BELIEVED = 0.15, 0.35
"""Shares of likely answers that are answers up to which the mixture is not believed, and from which
on it is: where they are few, they are rather those that agree in something else."""

POOLED = 20.0
"""Pairs of different known values that what is usual counts for: how often answers and siblings
have such, spread over the knots alike for both."""

FEW_SIBLINGS = 5.0
"""Siblings by which pairs lose half of what they lose by many."""

CLAIMED = 0.05, 0.2
"""Mean likelihoods of an answer of reference records among the others up to which siblings do not
pass for answers, so that none need be told, and from which on they count wholly."""

COVERED = 0.6, 0.95
"""Shares of reference records whose value others have up to which a value that none has says
nothing of how it is written, and from which on it is taken for another way of writing one."""


@dataclass(frozen=True)
class Siblings:
    """How siblings compare, beside answers.

    Attributes
    ----------
    ratios
        By key column, float64 of shape (n_knots,): log of how much oftener answers than siblings
        are at each knot of its scale.
    known_ratios
        The same of left values that some reference record has, and the candidate has not.
    log_odds
        That a candidate which looks like an answer is one.
    covered
        float64 of shape (n_columns,), in [0, 1]: share of the reference records whose value others
        have. Where it is high, siblings have known values, and one that no reference record has is
        rather another way of writing one of these, as *rot* is for *red*; one that others have is
        none, however near, as *grey* is not for *green*.
    trust
        How far all of this is believed, in [0, 1].
    """

    ratios: tuple[Probabilities, ...]
    known_ratios: tuple[Probabilities, ...]
    log_odds: float
    covered: NDArray[np.float64]
    trust: float

    def told(self, compared: Sequence[Compared], known: BoolVector) -> NDArray[np.float64]:
        """Log odds that pairs are answers rather than siblings: float64 of shape (n_pairs,).

        Parameters
        ----------
        compared
            By key column, how the pairs compare.
        known
            bool of shape (n_pairs, n_columns): what of this counts. A missing value says nothing.
        """
        told = np.full(len(known), self.log_odds + SLACK)
        covered = np.interp(self.covered, COVERED, (0.0, 1.0))
        for at, some in enumerate(compared):
            found = at_positions(self.ratios[at], some.position)
            if some.is_new is not None:
                found[some.is_new & (found < 0)] *= 1 - covered[at]
                is_other = ~some.is_new & (some.position < len(self.ratios[at]) - 1)
                of_known = at_positions(self.known_ratios[at], some.position[is_other])
                found[is_other] += covered[at] * np.minimum(0.0, of_known - found[is_other])
            told += STEEPER * np.where(known[:, at], found, 0.0)
        return told

    def shift(self, told: NDArray[np.float64], log_odds: NDArray[np.float64]) -> FloatVector:
        """Return what is added to the log odds of pairs: float32 of shape (n_pairs,), at most 0.

        What candidates lose goes to their rivals, see `beside_siblings`.

        A pair is an answer, something else, or a sibling. The odds ``a`` of the first against the
        second are given, and those against the third, ``b``, are learned. Against both they are
        ``1 / (1 / a + 1 / b)``.

        Parameters
        ----------
        told
            As of `told`.
        log_odds
            float64 of shape (n_pairs,): that the pairs are answers, but for siblings.
        """
        both = -np.logaddexp(-log_odds, -told)
        lost = self.trust * np.minimum(0.0, both - log_odds)
        return np.asarray(lost, dtype=np.float32)


def learn_siblings(
    found: BestPairs,
    null: BestPairs,
    priors: Sequence[LevelPrior],
    covered: NDArray[np.float64],
    doubled: float,
) -> Siblings | None:
    """Learn how siblings compare, and how answers do.

    Parameters
    ----------
    found
        The best candidates of left records.
    null
        Those of reference records among the others, without those that are one entity with them.
    priors
        By key column, what is usual of its kind.
    covered
        As of `Siblings`.
    doubled
        As of `null_shift`.

    Returns
    -------
    siblings
        None where few records are known, or siblings do not pass for answers.

    Notes
    -----
    Likely answers are a mixture of answers, whose columns are independent of each other, and of
    siblings. How these compare is known, so expectation-maximisation learns the share of answers
    and their m probabilities. Columns in which left and right ones of one thing differ have such m
    probabilities, too, so that they tell nothing.
    """
    if min(len(found.log_odds), len(null.log_odds)) < FEWEST:
        return None
    found, null = found.in_order(), null.in_order()
    likely, passing = found.likely, null.likely
    claimed = float(passing.mean())
    trust = float(np.interp(claimed, CLAIMED, (0.0, 1.0)))
    trust *= trust_in_null(len(likely), doubled) * passing.sum() / (passing.sum() + FEW_SIBLINGS)
    if trust == 0:
        return None
    siblings = null.counts(passing, priors)
    learned = learn_mixture(found, siblings, priors, 1 - USUAL_SHARE * claimed)
    trust *= float(np.interp(learned.share, BELIEVED, (0.0, 1.0)))
    if trust == 0:
        return None
    known_ratios = tuple(map(_known_ratio, learned.answers, siblings, priors))
    log_odds = float(logit(learned.share))
    return Siblings(tuple(learned.ratios), known_ratios, log_odds, covered, trust)


def _known_ratio(
    answers: Probabilities, siblings: Probabilities, prior: LevelPrior
) -> Probabilities:
    """Return the same of different values which the reference has both.

    How near they are says nothing but what answers and siblings show.
    """
    m, s = probabilities(answers, siblings, prior)
    usual = (prior.m + prior.u)[:-1] / (prior.m + prior.u)[:-1].sum()
    m_below = answers[:-1] + POOLED * m[:-1].sum() * usual
    s_below = siblings[:-1] + POOLED * s[:-1].sum() * usual
    of_all = np.log((siblings.sum() + POOLED) / (answers.sum() + POOLED))
    ratio = np.clip(_rising(m_below, s_below) + of_all, -LARGEST_RATIO, LARGEST_RATIO)
    return np.append(ratio, LARGEST_RATIO)


def _rising(m: Probabilities, s: Probabilities) -> Probabilities:
    """Log of ``m / s``, with neighbours put together until it falls nowhere.

    So a knot of few pairs does not count against those of many. Pool adjacent violators: Barlow,
    Bartholomew, Bremner and Brunk, "Statistical Inference under Order Restrictions" (1972).
    """
    blocks: list[tuple[float, float, int]] = []
    for of_answers, of_siblings in zip(m.tolist(), s.tolist(), strict=True):
        block = of_answers, of_siblings, 1
        while blocks and blocks[-1][0] * block[1] > block[0] * blocks[-1][1]:
            before = blocks.pop()
            block = before[0] + block[0], before[1] + block[1], before[2] + block[2]
        blocks.append(block)
    ratios = np.array([np.log(of_answers / of_siblings) for of_answers, of_siblings, _ in blocks])
    return np.repeat(ratios, [size for *_, size in blocks])
