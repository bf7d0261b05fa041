"""Telling columns: key columns of one table in which what is likely one thing agrees beyond chance.

Most pairs of a table that agree in all else may be of related things: calls of one ship, children
of one family. Learned from these, a column in which they differ seems to say nothing of which thing
is meant, as the day of the last change says nothing. But duplicates among them agree in it far more
often than any two records do, and in the day of the last change they do not.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pearljoin._ragged import run_starts
from pearljoin._scoring.compared import Compared
from pearljoin._scoring.level_prior import Probabilities
from pearljoin._scoring.match_weights import MatchWeights, row_shares
from pearljoin._typing import IntVector

__all__ = ["telling_columns"]

LIFT = 8.0
"""How often likely pairs agree in a telling column: so many times as often as any, at least."""

FEWEST = 5.0
"""Likely pairs that agree in it, at least."""

MOSTLY, RELATED = 0.4, 0.75
"""Share of the likely pairs that agree in it, at least; and match rate from which on any share will
do, since most likely pairs are of related things: of duplicates, few may be entered on one day."""


def telling_columns(
    compared: Sequence[Compared],
    left: IntVector,
    weights: MatchWeights,
    among_all: Sequence[Probabilities],
) -> dict[int, float]:
    """Find the key columns that tell things of one table apart.

    Parameters
    ----------
    compared, left, among_all
        As of `pearljoin._scoring.match_weights.learn`.
    weights
        What it learned from them.

    Returns
    -------
    telling
        By the place of each such column, the share of the pairs likely by all other columns that
        agree in it: those at the upper half of its scale.
    """
    if not len(left):
        return {}
    of_columns, starts = weights.of_pairs(compared), run_starts(left)
    total, found = of_columns.sum(axis=1), {}
    least = 0.0 if weights.match_rate >= RELATED else MOSTLY
    for at, (column, among) in enumerate(zip(compared, among_all, strict=True)):
        upper = len(among) // 2 + 1
        known = ~np.isnan(column.position)
        others = total - of_columns[:, at]
        likely = row_shares(others, starts, weights.match_rate, weights.n_right)
        n_likely = float(likely[known].sum())
        n_agree = float(likely[known & (column.position >= upper)].sum())
        by_chance = float(among[upper:].sum() / max(among.sum(), 1.0))
        if n_agree >= max(FEWEST, LIFT * by_chance * n_likely, least * n_likely):
            found[at] = n_agree / n_likely
    return found
