"""Doubles of a reference that no single pair of its records shows, told by what left records show.

What reference records find among the others is taken for siblings: a reference lists different
things. One that was gathered from many sources lists most things several times, each written in
another way, and few of these pairs are near enough to be told for doubles by themselves. But a left
side that lists each thing once has the same siblings and no doubles: where the pairs of the
reference compare otherwise than those among the left records, they are doubles.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pearljoin._scoring.level_prior import LevelPrior, Probabilities
from pearljoin._scoring.mixture import FEWEST, BestPairs, learn_mixture
from pearljoin._scoring.siblings import FEW_SIBLINGS

__all__ = ["chance_of_double"]

USUAL_SHARE = 0.2
"""Usual share of doubles among reference records that find what looks like an answer."""

BELIEVED = 0.3, 0.5
"""Shares of doubles up to which there are none, and from which on they are wholly believed: two
samples of the same siblings differ by chance, too."""

AGREEING = 0.2, 0.5
"""How often doubles agree in a column, as parts of how often answers do, up to which they are none,
and from which on they are."""


def chance_of_double(
    null: BestPairs,
    among_left: BestPairs,
    found: BestPairs,
    n_asked: int,
    priors: Sequence[LevelPrior],
) -> NDArray[np.float64]:
    """Return the chance that what reference records find is the same thing, for each.

    Parameters
    ----------
    null
        The best candidates of reference records among the others.
    among_left
        Those of left records among the other left ones.
    found
        Those of left records among the reference.
    n_asked
        Number of left records of which `among_left` is known; those without a candidate found
        nothing.
    priors
        By key column, what is usual of its kind.

    Returns
    -------
    chance
        float64 of shape (n_null,), in [0, 1]. 0 where the left side has as many such pairs: it may
        have doubles itself.
    """
    chance = np.zeros(len(null.log_odds))
    if min(len(null.log_odds), len(among_left.log_odds)) < FEWEST:
        return chance
    order, among_left = null.order, among_left.in_order()
    null = null.take(order)
    n_siblings, passing = float(among_left.likely.sum()), null.likely
    if n_siblings / n_asked >= passing.mean():
        return chance
    siblings = among_left.counts(among_left.likely, priors)
    learned = learn_mixture(null, siblings, priors, USUAL_SHARE)
    trust = n_siblings / (n_siblings + FEW_SIBLINGS)
    trust *= float(np.interp(learned.share, BELIEVED, (0.0, 1.0)))
    trust *= _agreement(learned.answers, found.in_order(), priors)
    chance[order] = trust * learned.chance / passing
    return chance


def _agreement(
    doubles: Sequence[Probabilities], found: BestPairs, priors: Sequence[LevelPrior]
) -> float:
    """How far doubles agree wherever answers do, in [0, 1]: siblings differ in some column.

    A left side that lists one of several siblings alone shows none, so that those of the reference
    would pass for doubles.
    """
    least = 1.0
    answers = found.counts(found.likely, priors)
    for of_answers, of_doubles, prior in zip(answers, doubles, priors, strict=True):
        if min(of_answers.sum(), of_doubles.sum()) < FEWEST:
            continue
        agrees = prior.m > prior.u
        share, of_them = (some[agrees].sum() / some.sum() for some in (of_doubles, of_answers))
        if of_them > 0:
            least = min(least, float(np.interp(share / of_them, AGREEING, (0.0, 1.0))))
    return least
