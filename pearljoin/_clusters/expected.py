"""Expected precision and recall of clusters, from calibrated probabilities of pairs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from pearljoin._clusters.similar_pairs import SimilarPairs
from pearljoin._clusters.table_pairs import TablePairs
from pearljoin._scoring.correction import falling
from pearljoin._typing import FloatVector, IntVector

__all__ = ["expected_quality"]

LOWEST = -20
"""Lowest log odds: what is below counts as this."""

FEWEST = 0.5
"""Matches that are expected, from which clusters of one row each miss some: recall is 0 then. Less
comes of pairs that are each unlikely, in a table without duplicates."""

EVEN_AND_ABOVE = float(expit(1.0))
"""Probability at the upper end of the interval of log odds from 0 to 1."""


def expected_quality(
    comparison: TablePairs | SimilarPairs,
    labels: IntVector,
    probability: Callable[[FloatVector], NDArray[np.float64]],
) -> tuple[float, float]:
    """Estimate precision and recall of clusters over pairs of rows.

    Equal rows are right. Pairs that were not compared do not count. Matches grow rarer towards
    lower scores: see `_matches`. Without that, thousands of pairs that are each unlikely would
    outweigh all that are found.

    Parameters
    ----------
    comparison
        Scored pairs of records.
    labels
        int64 of shape (n_rows,): the cluster of each row.
    probability
        Function of scores, of shape (n,), that returns probabilities of the same shape.

    Returns
    -------
    precision, recall
        In [0, 1]; NaN where undefined: precision where no two rows share a cluster, recall where,
        besides, fewer than `FEWEST` matches are expected.
    """
    records = comparison.records
    first, second, score = comparison.above(comparison.least)
    chance = probability(score)
    sizes = records.sizes
    n_rows = (sizes[first] * sizes[second]).astype(np.float64)
    of_record = labels[records.first_row]
    together = of_record[first] == of_record[second]
    n_equal = float((sizes * (sizes - 1) // 2).sum())
    n_right = n_equal + float(chance[together] @ n_rows[together])
    n_together = n_equal + float(n_rows[together].sum())
    n_all = max(n_right, n_equal + _matches(chance, n_rows))
    if not n_together:
        return float("nan"), 0.0 if n_all >= FEWEST else float("nan")
    return n_right / n_together, n_right / n_all if n_all else float("nan")


def _matches(chance: NDArray[np.float64], n_rows: NDArray[np.float64]) -> float:
    """Count the matches that pairs of such probabilities are expected to be.

    Below even odds, an interval of log odds of width 1 holds at most as many as the one above it,
    or one (see `falling`): a probability is right on average over tables, but where thousands of
    pairs of one table have the same low one, they mostly have something in common that is no match.
    """
    log_odds = np.clip(logit(chance), LOWEST, 0)
    # The interval from 0 to 1 comes first.
    interval = np.where(chance < 0.5, np.ceil(-log_odds), 0).astype(np.int64)
    counted = chance < EVEN_AND_ABOVE
    expected = np.bincount(interval[counted], chance[counted] * n_rows[counted], 1 - LOWEST)
    return float(chance[~counted] @ n_rows[~counted] + falling(expected.astype(np.float64)).sum())
