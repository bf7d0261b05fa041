"""Evidence of each key column for pairs of records of one table."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pearljoin._clusters.similar_pairs import SimilarPairs
from pearljoin._clusters.table_pairs import TablePairs
from pearljoin._records.missing_keys import NULL
from pearljoin._typing import BoolVector, IntVector

__all__ = ["REST", "column_effects"]

REST = "other evidence"
"""The step that the columns do not account for: the whole record and the calibration."""


def column_effects(
    comparison: TablePairs | SimilarPairs, first: IntVector, second: IntVector
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Compute the effect of each key column on the score of pairs.

    Parameters
    ----------
    comparison
        Scored pairs of one table.
    first, second
        int64 of shape (n_pairs,): the records.

    Returns
    -------
    effects
        float64 of shape (n_pairs, n_columns): log odds, or parts of a similarity; 0 where a value
        is null.
    is_known
        bool of the same shape: whether both values are there.
    """
    if isinstance(comparison, TablePairs):
        columns = comparison.compare(first, second).columns
        known = [~np.isnan(column.position) for column in columns]
        effects = comparison.weights.of_pairs(columns).astype(np.float64)
        for at, weights in comparison.weights.known.items():
            effects[:, at] = weights.of_pairs(columns[at])
        return effects, np.stack(known, axis=1)
    side = comparison.side
    found: list[NDArray[np.float64]] = []
    listed: list[BoolVector] = []
    for at, (codes, weight) in enumerate(zip(side.codes, side.weights.tolist(), strict=True)):
        is_known = (codes[first] != NULL) & (codes[second] != NULL)
        effect = np.zeros(len(first))
        pair = codes[first[is_known]], codes[second[is_known]]
        effect[is_known] = weight * side.similarity(side, at, *pair)
        found.append(effect)
        listed.append(is_known)
    return np.stack(found, axis=1), np.stack(listed, axis=1)
