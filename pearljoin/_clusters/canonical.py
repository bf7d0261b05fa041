"""Canonical values: which row of each cluster gives the value of a column."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any

import numpy as np

from pearljoin._records.missing_keys import NULL
from pearljoin._typing import IntVector

__all__ = ["first_best", "most_frequent", "rows_of_clusters"]


def rows_of_clusters(labels: IntVector) -> Iterator[list[int]]:
    """Yield the rows of each cluster, ascending, in the order of the clusters.

    Parameters
    ----------
    labels
        int64 of shape (n_rows,): clusters numbered from 0.
    """
    order = np.argsort(labels, kind="stable")
    ends = np.cumsum(np.bincount(labels)) if len(labels) else labels
    for part in np.split(order, ends[:-1]) if len(labels) else ():
        yield part.tolist()


def most_frequent(labels: IntVector, values: Sequence[Any]) -> IntVector:
    """Choose the most frequent value of each cluster; of equally frequent ones the first.

    Parameters
    ----------
    labels
        int64 of shape (n_rows,): clusters numbered from 0.
    values
        The column's values by row, None for null.

    Returns
    -------
    rows
        int64 of shape (n_clusters,): the first row with the value, `NULL` where all are null.
    """

    def choose(rows: list[int]) -> int:
        counts = Counter(_hashable(values[row]) for row in rows)
        return max(rows, key=lambda row: (counts[_hashable(values[row])], -row))

    return _chosen(labels, values, choose)


def first_best(
    labels: IntVector, values: Sequence[Any], rank: Callable[[int], Any], *, least: bool = False
) -> IntVector:
    """Choose the row of each cluster that ranks highest, among those whose value is not null.

    Parameters
    ----------
    labels, values
        As of `most_frequent`.
    rank
        Function of a row that returns what rows are compared by. Of equal ones the first counts.
    least
        Whether the row counts that ranks lowest.

    Returns
    -------
    rows
        int64 of shape (n_clusters,), `NULL` where all values are null.
    """
    best = min if least else max
    return _chosen(labels, values, lambda rows: best(rows, key=rank))


def _chosen(
    labels: IntVector, values: Sequence[Any], choose: Callable[[list[int]], int]
) -> IntVector:
    found = []
    for rows in rows_of_clusters(labels):
        known = [row for row in rows if values[row] is not None]
        found.append(NULL if not known else known[0] if len(known) == 1 else choose(known))
    return np.array(found, dtype=np.int64)


def _hashable(value: Any) -> Hashable:
    try:
        hash(value)
    except (TypeError, ValueError):  # the latter: numpy's durations without a unit
        return repr(value)
    found: Hashable = value
    return found
