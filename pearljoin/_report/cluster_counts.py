"""Clusters by threshold: pairs of rows in one cluster, expected precision and recall."""

from __future__ import annotations

from typing import Any

import numpy as np

from pearljoin._clusters.expected import expected_quality
from pearljoin._clusters.limits import Limits
from pearljoin._clusters.similar_pairs import SimilarPairs
from pearljoin._clusters.table_pairs import TablePairs
from pearljoin._decision.expected_quality import Probability
from pearljoin._records.records import Records
from pearljoin._report.score_counts import BINS, rounded
from pearljoin._typing import FloatVector, IntVector

__all__ = ["STEPS", "clusters_by_threshold", "count_pairs", "figures_of", "n_pairs_within"]

STEPS = 20
"""Steps of the threshold from 0 to 1. Each is a clustering of its own, which takes time."""


def n_pairs_within(labels: IntVector) -> int:
    """Number of pairs of rows that share a cluster."""
    sizes = np.bincount(labels)
    return int((sizes * (sizes - 1) // 2).sum())


def count_pairs(
    records: Records, pairs: tuple[IntVector, IntVector, FloatVector]
) -> tuple[IntVector, int]:
    """Count pairs of rows by score.

    Parameters
    ----------
    records
        The records of the table.
    pairs
        Compared pairs of records, and their scores in [0, 1].

    Returns
    -------
    counts
        int64 of shape (BINS,): pairs with unequal keys, over bins of equal width from 0 to 1.
    n_equal
        Pairs with equal keys.
    """
    sizes = records.sizes
    one, other, score = pairs
    weight = sizes[one] * sizes[other]
    unequal = score < 1
    counts, _ = np.histogram(score[unequal], BINS, (0, 1), weights=weight[unequal])
    n_equal = int(weight[~unequal].sum()) + int((sizes * (sizes - 1) // 2).sum())
    return counts.astype(np.int64), n_equal


def figures_of(
    comparison: TablePairs | SimilarPairs, labels: IntVector, probability: Probability | None
) -> dict[str, Any]:
    """Count pairs of rows in one cluster, and estimate precision and recall, for JSON."""
    found: dict[str, Any] = {"matches": n_pairs_within(labels), "precision": None, "recall": None}
    if probability is None:
        return found
    quality = np.array(expected_quality(comparison, labels, probability))
    return found | dict(zip(("precision", "recall"), rounded(quality), strict=True))


def clusters_by_threshold(
    comparison: TablePairs | SimilarPairs,
    limits: Limits,
    probability: Probability | None,
    pairs: tuple[IntVector, IntVector],
) -> tuple[dict[str, Any], IntVector]:
    """Cluster at one threshold after another.

    Parameters
    ----------
    comparison
        Scored pairs.
    limits
        Constraints on clusters.
    probability
        Function from scores to probabilities; None where there is none.
    pairs
        Two aligned arrays of rows.

    Returns
    -------
    grid
        The figures by threshold, for JSON. Those below the first threshold repeat its own.
    together
        int64 of shape (n_pairs,): bit t is 1 where the pair shares a cluster at the threshold
        ``t / STEPS``.
    """
    # Below the least score that is listed, pairs would have to be searched anew.
    first = max(1, int(np.ceil(comparison.least * STEPS - 1e-9)))
    figures: list[dict[str, Any]] = []
    together = np.zeros(len(pairs[0]), dtype=np.int64)
    for step in range(first, STEPS + 1):
        labels = comparison.clusters(step / STEPS, limits)
        figures.append(figures_of(comparison, labels, probability))
        together |= (labels[pairs[0]] == labels[pairs[1]]).astype(np.int64) << step
    figures = [figures[0]] * first + figures
    grid: dict[str, Any] = {"step": 1 / STEPS, "first": first / STEPS}
    for name in ("matches", "precision", "recall"):
        is_known = name == "matches" or probability is not None
        grid[name] = [figure[name] for figure in figures] if is_known else None
    return grid, together
