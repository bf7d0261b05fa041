"""Measures of clusters against true ones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pearljoin._errors import InputError
from pearljoin._typing import IntVector

__all__ = ["ClusterEvaluation", "evaluate_clusters"]


@dataclass(frozen=True, repr=False)
class ClusterEvaluation:
    """How clusters agree with true ones.

    Attributes
    ----------
    precision, recall, f1
        Over pairs of rows that share a cluster, in [0, 1]; NaN where there is no such pair.
    b_cubed_precision, b_cubed_recall, b_cubed_f1
        Means over rows, in [0, 1]: the share of a row's cluster that is of its true cluster, the
        share of its true cluster that is in its cluster (Bagga and Baldwin 1998), and their
        harmonic mean.
    exact_precision, exact_recall
        Share of the clusters that are exactly true ones, and of the true ones that were found
        exactly, in [0, 1]; single rows count.
    variation_of_information
        In nats, 0 for the same clusters (Meilă 2003): what each clustering leaves unknown of the
        other.
    n_clusters, n_true
        Number of clusters, and of true ones.
    """

    precision: float
    recall: float
    f1: float
    b_cubed_precision: float
    b_cubed_recall: float
    b_cubed_f1: float
    exact_precision: float
    exact_recall: float
    variation_of_information: float
    n_clusters: int
    n_true: int

    def __repr__(self) -> str:
        return (
            f"<ClusterEvaluation: pairs: precision {self.precision:.3f}, recall {self.recall:.3f}, "
            f"F1 {self.f1:.3f}; B-cubed F1 {self.b_cubed_f1:.3f}; exact clusters: precision "
            f"{self.exact_precision:.3f}, recall {self.exact_recall:.3f}; variation of information "
            f"{self.variation_of_information:.3f}; {self.n_clusters:,} clusters, "
            f"{self.n_true:,} true ones>"
        )


def evaluate_clusters(labels: IntVector, truth: IntVector) -> ClusterEvaluation:
    """Compare clusters with true ones.

    Parameters
    ----------
    labels, truth
        int64 of shape (n_rows,): the cluster, and the true cluster, of each row.

    Raises
    ------
    InputError
        If they are not as many, or there is no row.

    Examples
    --------
    >>> found = evaluate_clusters(np.array([0, 0, 1, 1]), np.array([5, 5, 6, 7]))
    >>> found.precision, found.recall, found.b_cubed_precision, found.exact_precision
    (0.5, 1.0, 0.75, 0.5)
    """
    if len(labels) != len(truth) or not len(labels):
        raise InputError(
            f"Each row has one true cluster. Got {len(truth)} labels for {len(labels)} rows. "
            "Hint: evaluate(result, labels), with a label for each row of the table, in its order."
        )
    from sklearn.metrics.cluster import contingency_matrix

    table = contingency_matrix(truth, labels, sparse=True, dtype=np.int64).tocoo()
    both = table.data.astype(np.float64)
    true_size = np.bincount(table.row, weights=both)
    size = np.bincount(table.col, weights=both)
    n_rows = len(labels)
    n_both, n_found, n_true = (float((n * (n - 1) / 2).sum()) for n in (both, size, true_size))
    of_cluster, of_true = both / size[table.col], both / true_size[table.row]
    b_precision = float((both * of_cluster).sum() / n_rows)
    b_recall = float((both * of_true).sum() / n_rows)
    n_exact = int(((of_cluster == 1) & (of_true == 1)).sum())
    unknown = -float((both / n_rows * (np.log(of_cluster) + np.log(of_true))).sum())
    return ClusterEvaluation(
        precision=n_both / n_found if n_found else float("nan"),
        recall=n_both / n_true if n_true else float("nan"),
        f1=2 * n_both / (n_found + n_true) if n_found + n_true else float("nan"),
        b_cubed_precision=b_precision,
        b_cubed_recall=b_recall,
        b_cubed_f1=2 * b_precision * b_recall / (b_precision + b_recall),
        exact_precision=n_exact / len(size),
        exact_recall=n_exact / len(true_size),
        variation_of_information=max(0.0, unknown),
        n_clusters=len(size),
        n_true=len(true_size),
    )
