"""Expected precision and recall of clusters, from calibrated probabilities of pairs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from pearljoin._clusters.similar_pairs import SimilarPairs
from pearljoin._clusters.table_pairs import TablePairs
from pearljoin._typing import FloatVector, IntVector

__all__ = ["expected_quality"]


def expected_quality(
    comparison: TablePairs | SimilarPairs,
    labels: IntVector,
    probability: Callable[[FloatVector], NDArray[np.float64]],
) -> tuple[float, float]:
    """Estimate precision and recall of clusters over pairs of rows.

    Equal rows are right. Pairs that were not compared do not count.

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
        In [0, 1]; NaN where undefined.
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
    n_all = n_equal + float(chance @ n_rows)
    return (
        n_right / n_together if n_together else float("nan"),
        n_right / n_all if n_all else float("nan"),
    )
