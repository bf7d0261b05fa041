"""Rates of pairs, of clusters and of probabilities, as pure functions.

Clusters are given as one label a row. No function enumerates the pairs within clusters, whose
number grows with the square of a cluster's size: they are counted from the contingency table.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Rates",
    "b_cubed",
    "calibration_error",
    "cluster_pair_rates",
    "exact_clusters",
    "link_rates",
    "rates_of_counts",
    "variation_of_information",
]

Labels = Sequence[Hashable]
"""The cluster of each row."""


@dataclass(frozen=True)
class Rates:
    """Precision, recall and F1, each in [0, 1]."""

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True)
class Contingency:
    """The non-empty cells of the table of found against true clusters."""

    found: NDArray[np.int64]
    """int64 of shape (n_cells,): the found cluster, numbered from 0."""
    true: NDArray[np.int64]
    """int64 of shape (n_cells,): the true cluster, numbered from 0."""
    rows: NDArray[np.int64]
    """int64 of shape (n_cells,): how many rows are in both."""

    @property
    def found_size(self) -> NDArray[np.int64]:
        """Rows of the found cluster of each cell: int64 of shape (n_cells,)."""
        return np.bincount(self.found, weights=self.rows).astype(np.int64)[self.found]

    @property
    def true_size(self) -> NDArray[np.int64]:
        """Rows of the true cluster of each cell: int64 of shape (n_cells,)."""
        return np.bincount(self.true, weights=self.rows).astype(np.int64)[self.true]


def rates_of_counts(hits: int, returned: int, wanted: int) -> Rates:
    """Return precision, recall and F1 of counted pairs.

    Parameters
    ----------
    hits
        Returned pairs that are true.
    returned, wanted
        Returned pairs, true pairs.

    Returns
    -------
    rates
        Precision is 0 where nothing is returned and something is true, 1 where neither is;
        recall is 1 where nothing is true.

    Examples
    --------
    >>> rates_of_counts(1, 2, 4)
    Rates(precision=0.5, recall=0.25, f1=0.3333333333333333)
    """
    precision = hits / returned if returned else float(not wanted)
    recall = hits / wanted if wanted else 1.0
    total = precision + recall
    return Rates(precision, recall, 2 * precision * recall / total if total else 0.0)


def link_rates(returned: Iterable[tuple[int, int]], true: Iterable[tuple[int, int]]) -> Rates:
    """Return precision, recall and F1 of linked pairs; a repeated pair counts once.

    Parameters
    ----------
    returned, true
        Pairs of a left and a right row.

    Examples
    --------
    >>> link_rates([(0, 0), (1, 5), (1, 5)], [(0, 0), (1, 1)])
    Rates(precision=0.5, recall=0.5, f1=0.5)
    """
    got, wanted = set(returned), set(true)
    return rates_of_counts(len(got & wanted), len(got), len(wanted))


def cluster_pair_rates(found: Labels, true: Labels) -> Rates:
    """Return precision, recall and F1 of the pairs of rows that share a cluster.

    Parameters
    ----------
    found, true
        The cluster of each row. Labels of the two are compared by the rows they hold only.

    Examples
    --------
    >>> cluster_pair_rates([0, 0, 0, 1], ["a", "a", "b", "b"])
    Rates(precision=0.3333333333333333, recall=0.5, f1=0.4)
    """
    cells = contingency(found, true)
    return rates_of_counts(
        _pairs_within(cells.rows),
        _pairs_within(np.bincount(cells.found, weights=cells.rows)),
        _pairs_within(np.bincount(cells.true, weights=cells.rows)),
    )


def b_cubed(found: Labels, true: Labels) -> Rates:
    """Return B-cubed precision, recall and F1 of clusters.

    A row's precision is the share of its found cluster that belongs to its true cluster, its
    recall the share of its true cluster that stands in its found cluster, both with the row
    itself; the rates are means over rows and F1 is their harmonic mean (Bagga and Baldwin 1998).

    Parameters
    ----------
    found, true
        The cluster of each row.

    Returns
    -------
    rates
        All 1 where there is no row.

    Examples
    --------
    >>> b_cubed([0, 0, 1], ["a", "b", "b"]).precision
    0.6666666666666666
    """
    if not len(found):
        return Rates(1.0, 1.0, 1.0)
    cells = contingency(found, true)
    square = cells.rows.astype(np.float64) ** 2
    precision = float(np.sum(square / cells.found_size) / len(found))
    recall = float(np.sum(square / cells.true_size) / len(found))
    return Rates(precision, recall, 2 * precision * recall / (precision + recall))


def exact_clusters(found: Labels, true: Labels) -> float:
    """Return the share of the true clusters that are found with exactly their rows.

    Parameters
    ----------
    found, true
        The cluster of each row.

    Returns
    -------
    share
        In [0, 1]; 1 where there is no row.

    Examples
    --------
    >>> exact_clusters([0, 0, 1], ["a", "a", "b"]), exact_clusters([0, 0, 0], ["a", "a", "b"])
    (1.0, 0.0)
    """
    if not len(true):
        return 1.0
    cells = contingency(found, true)
    same = (cells.rows == cells.found_size) & (cells.rows == cells.true_size)
    return float(np.count_nonzero(same) / len(np.unique(cells.true)))


def variation_of_information(found: Labels, true: Labels) -> float:
    """Return H(found | true) + H(true | found) of two clusterings (Meila 2007).

    Parameters
    ----------
    found, true
        The cluster of each row.

    Returns
    -------
    information
        In nats, at least 0; 0 for equal clusterings.

    Examples
    --------
    >>> round(variation_of_information([0, 0], ["a", "b"]), 4)
    0.6931
    """
    if not len(found):
        return 0.0
    cells = contingency(found, true)
    share = cells.rows / len(found)
    within = np.log(cells.rows / cells.found_size) + np.log(cells.rows / cells.true_size)
    return float(abs(np.sum(share * within)))


def calibration_error(
    probability: Sequence[float], right: Sequence[bool], bins: int = 10
) -> float | None:
    """Return the expected calibration error over bins of equal count.

    Parameters
    ----------
    probability
        Probability of each candidate, in [0, 1].
    right
        Whether it is a true match.
    bins
        Number of bins; fewer where there are fewer candidates. Candidates are sorted by
        probability, and those with equal probabilities share their outcomes evenly, so that
        their order does not matter.

    Returns
    -------
    error
        In [0, 1]: the mean over bins, weighted by their candidates, of the distance between the
        mean probability and the share that is right. None where there is no candidate.

    Examples
    --------
    >>> calibration_error([0.8, 0.8, 0.8, 0.8], [True, True, True, False], bins=1)
    0.050000000000000044
    """
    if not len(probability):
        return None
    values = np.asarray(probability, dtype=np.float64)
    order = np.argsort(values, kind="stable")
    values, truth = values[order], np.asarray(right, dtype=np.float64)[order]
    _, group, size = np.unique(values, return_inverse=True, return_counts=True)
    truth = (np.bincount(group, weights=truth) / size)[group]
    parts = np.array_split(np.arange(len(values)), min(bins, len(values)))
    distance = [abs(values[part].mean() - truth[part].mean()) * len(part) for part in parts]
    return float(sum(distance) / len(values))


def contingency(found: Labels, true: Labels) -> Contingency:
    """Count the rows of each pair of a found and a true cluster.

    Parameters
    ----------
    found, true
        The cluster of each row.

    Raises
    ------
    ValueError
        If they are not of equal length.
    """
    if len(found) != len(true):
        raise ValueError(
            f"Found and true clusters must have equally many rows. Got {len(found)} and "
            f"{len(true)}."
        )
    left, right = number_labels(found), number_labels(true)
    width = int(right.max()) + 1 if len(right) else 1
    cells, rows = np.unique(left * width + right, return_counts=True)
    return Contingency(cells // width, cells % width, rows.astype(np.int64))


def number_labels(labels: Labels) -> NDArray[np.int64]:
    """Number labels from 0 by first appearance: int64 of shape (n_rows,)."""
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(label, len(numbers)) for label in labels], dtype=np.int64)


def _pairs_within(sizes: NDArray[np.number]) -> int:
    counts = sizes.astype(np.int64)
    return int(np.sum(counts * (counts - 1) // 2))
