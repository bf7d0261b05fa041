"""What is usual of a kind of column: its m and u probabilities in tables at large."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["KNOWN_M", "PRIOR_M", "LevelPrior", "Probabilities"]

Probabilities: TypeAlias = NDArray[np.float64]

PRIOR_M = 20.0
"""Pairs that the usual m probabilities count for."""

KNOWN_M = 100.0
"""Pairs that the m probabilities count for of a column of which more is known than its kind."""

MOST_AMONG = 50.0
"""Pairs at random by which it is told of which sort a column is, at most."""

SORT_SHARE = 0.4
"""Share of the sort in what is usual of a column; the rest is that of all columns of its kind, with
which the networks have learned."""


@dataclass(frozen=True)
class LevelPrior:
    """m and u probabilities of a kind of column in tables at large.

    Columns of one kind are of several sorts: what says whose record it is, with more or fewer slips
    of writing, and what has nothing to do with that; dates of birth, which lie decades apart, and
    dates of entry, which do not.

    Attributes
    ----------
    m, u
        float64 of shape (n_knots,), of all columns of the kind; each sums to 1.
    sorts_m, sorts_u
        float64 of shape (n_sorts, n_knots): those of the sorts, of each row the sum is 1.
    shares
        float64 of shape (n_sorts,): how many of the columns are of each sort; their sum is 1.
        None, as the sorts are: there is one sort, of which `m` and `u` are.
    known
        float64 of shape (n_knots,), its sum is 1: m of a column of which more is known than its
        kind, as of dates of birth; else None.
    is_text
        Whether the column is of names.
    against
        Knot at which pairs are evidence against a match, and never for one, whatever is learned;
        None where the kind has none.
    is_fixed
        Whether m is `known`, whatever pairs pass for matches.
    """

    m: Probabilities
    u: Probabilities
    sorts_m: NDArray[np.float64] | None = None
    sorts_u: NDArray[np.float64] | None = None
    shares: Probabilities | None = None
    known: Probabilities | None = None
    is_text: bool = False
    against: int | None = None
    is_fixed: bool = False

    @property
    def of_all(self) -> LevelPrior:
        """What is usual of all columns of the kind, whatever sort they are of."""
        return LevelPrior(self.m, self.u)

    def of_column(self, matches: Probabilities, among: Probabilities) -> LevelPrior:
        """Return the usual m and u probabilities of a column, in part by the sort it seems to be.

        Parameters
        ----------
        matches, among
            float64 of shape (n_knots,): how many of its matches, and of some pairs at random, are
            at each knot.
        """
        if self.sorts_m is None or self.sorts_u is None or self.shares is None:
            return self.of_all
        some = among * min(1.0, MOST_AMONG / max(among.sum(), 1.0))
        fit = np.log(self.shares) + np.log(self.sorts_m) @ matches + np.log(self.sorts_u) @ some
        chance = np.exp(fit - fit.max())
        chance /= chance.sum()
        return LevelPrior(
            SORT_SHARE * (chance @ self.sorts_m) + (1 - SORT_SHARE) * self.m,
            SORT_SHARE * (chance @ self.sorts_u) + (1 - SORT_SHARE) * self.u,
        )
