"""What keeps the clusters of two rows apart that score enough for one."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pearljoin._clusters.limits import Limits
from pearljoin._clusters.similar_pairs import SimilarPairs
from pearljoin._clusters.table_pairs import TablePairs
from pearljoin._records.missing_keys import NULL
from pearljoin._typing import IntVector

__all__ = ["why_parted"]

LONGEST = 40
"""Characters of a row's key that are shown."""

MOST_PAIRS = 10_000
"""Pairs of two clusters that are scored to find the least likely one, at most."""


def why_parted(
    comparison: TablePairs | SimilarPairs,
    limits: Limits,
    threshold: float,
    one: IntVector,
    other: IntVector,
    text_of: Callable[[int], str],
) -> str:
    """Say which constraint or which rows keep two clusters apart.

    Parameters
    ----------
    comparison, limits, threshold
        The scored pairs, the constraints on clusters, and the score from which clusters merge.
    one, other
        int64 of shape (n_rows,): the rows of both clusters.
    text_of
        Gives the key of a row as text.
    """
    return (
        _by_pairs(limits, one, other)
        or _by_sources(limits, one, other)
        or _by_vetoes(comparison, one, other)
        or _by_size(limits, one, other)
        or _by_rows(comparison, threshold, one, other, text_of)
    )


def _by_pairs(limits: Limits, one: IntVector, other: IntVector) -> str:
    first, second = limits.cannot_link.T
    crossing = np.isin(first, one) & np.isin(second, other)
    crossing |= np.isin(first, other) & np.isin(second, one)
    found = limits.cannot_link[crossing]
    return f"cannot_link= parts rows {found[0, 0]} and {found[0, 1]}" if len(found) else ""


def _by_sources(limits: Limits, one: IntVector, other: IntVector) -> str:
    if limits.sources is None:
        return ""
    shared = np.intersect1d(limits.sources[one], limits.sources[other])
    shared = shared[shared != NULL]
    if not len(shared):
        return ""
    rows = (cluster[limits.sources[cluster] == shared[0]][0] for cluster in (one, other))
    return "one_per= parts rows {} and {}, which have one value".format(*rows)


def _by_vetoes(comparison: TablePairs | SimilarPairs, one: IntVector, other: IntVector) -> str:
    for column in comparison.records.vetoes:
        # The rows of a cluster have one value, and nulls.
        known = [cluster[column.codes[cluster] != NULL][:1] for cluster in (one, other)]
        rows = np.concatenate(known)
        if len(rows) == 2 and column.codes[rows[0]] != column.codes[rows[1]]:
            return f"rows {rows[0]} and {rows[1]} differ in a veto= column"
    return ""


def _by_size(limits: Limits, one: IntVector, other: IntVector) -> str:
    n_rows = len(one) + len(other)
    is_over = limits.max_size is not None and n_rows > limits.max_size
    return f"both clusters have {n_rows} rows, more than max_size=" if is_over else ""


def _by_rows(
    comparison: TablePairs | SimilarPairs,
    threshold: float,
    one: IntVector,
    other: IntVector,
    text_of: Callable[[int], str],
) -> str:
    of_row = comparison.records.of_row
    records = [np.unique(of_row[cluster][of_row[cluster] != NULL]) for cluster in (one, other)]
    if len(records[0]) * len(records[1]) > MOST_PAIRS:
        return "other rows part them"
    first, second = (part.ravel() for part in np.meshgrid(*records, indexing="ij"))
    differ = first != second
    first, second = first[differ], second[differ]
    score = comparison.score(first, second)
    if not len(score) or score.min() >= np.float32(threshold):
        return "other rows part them"
    worst = int(score.argmin())
    row = int(one[of_row[one] == first[worst]][0])
    against = int(other[of_row[other] == second[worst]][0])
    rows = " and ".join(f"{at} ({_shortened(text_of(at))!r})" for at in (row, against))
    return f"other rows part them, such as {rows}, which score {score[worst]:.2f}"


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."
