"""What the candidate pairs of a table say of it: how high the scores of pairs are there."""

from __future__ import annotations

import numpy as np
from scipy.sparse import coo_matrix
from scipy.special import expit

from pearljoin._typing import FloatVector, IntVector

__all__ = ["RECORD_TABLE_FEATURES", "describe_pairs"]

BEST_SHARES = (0.1, 0.3, 0.5, 0.7, 0.9)
TOTAL_SHARES = (0.1, 0.5, 0.9)
ALL_SHARES = (0.5, 0.9)

RANKS, RANK_SHARES = (1, 3, 7, 15), (0.5, 0.85)
"""Places in a record's pairs, the best of which has place 0: whether things have many records."""

LEVELS = (-7.0, -5.0, -3.0, -1.0, 1.0, 3.0)
"""Log odds above which pairs are counted."""

CONFIDENT, CLOSED_SHARES, FEWEST_CLOSED = (2.0, 0.0), (0.1, 0.25, 0.5), 10
"""Log odds from which a pair connects two records; quantiles of the log odds of pairs that a third
record connects, and how many such pairs there must be."""

RECORD_TABLE_FEATURES = (
    *(f"best_{share}" for share in BEST_SHARES),
    *(f"total_{share}" for share in TOTAL_SHARES),
    "n_same",
    *(f"any_{share}" for share in ALL_SHARES),
    "is_known",
    "n_records",
    *(f"place_{rank}_{share}" for rank in RANKS for share in RANK_SHARES),
    *(f"above_{level:g}" for level in LEVELS),
    *(
        f"closed_{level:g}_{what}"
        for level in CONFIDENT
        for what in ("is_known", *CLOSED_SHARES, "n")
    ),
)
"""Names of the features of a table; all are 0 where none of its pairs is known."""


def describe_pairs(
    log_odds: FloatVector,
    total: FloatVector,
    records: IntVector,
    n_records: int,
    others: IntVector | None = None,
) -> FloatVector:
    """Describe the candidate pairs of sampled records.

    Parameters
    ----------
    log_odds
        float32 of shape (n_pairs,): that both records are the same thing, of a pair by itself.
    total
        float32 of shape (n_pairs,): match weights of all columns.
    records
        int64 of shape (n_pairs,), ascending: the sampled record of each pair.
    n_records
        Number of sampled records; some may have no pair.
    others
        int64 of shape (n_pairs,): the other record of each pair, of one table; None for two.

    Returns
    -------
    features
        float32 of shape (len(RECORD_TABLE_FEATURES),): quantiles of the records' highest log odds
        and of their highest weights, the mean number of pairs of one thing by these log odds,
        quantiles of all log odds, 1, the log of the number of records, quantiles of the records'
        second highest log odds and of lower ones, the log of 1 and the mean number of pairs above
        some log odds; and of one table quantiles of the log odds of pairs whose records are both
        likely the same as a third: if that is so, they are the same, however unlike they look.
    """
    if not len(records):
        return np.zeros(len(RECORD_TABLE_FEATURES), dtype=np.float32)
    starts = np.flatnonzero(np.diff(records, prepend=-1))
    sizes = np.diff(np.append(starts, len(records)))
    ordered = log_odds[np.lexsort((-log_odds, np.repeat(np.arange(len(starts)), sizes)))]
    at_rank = [ordered[starts + np.minimum(rank, sizes - 1)] for rank in RANKS]
    found = [
        *np.quantile(ordered[starts], BEST_SHARES),
        *np.quantile(np.maximum.reduceat(total, starts), TOTAL_SHARES),
        expit(log_odds).sum() / n_records,
        *np.quantile(log_odds, ALL_SHARES),
        1.0,
        np.log(n_records),
        *(quantile for each in at_rank for quantile in np.quantile(each, RANK_SHARES)),
        *(np.log1p((log_odds > level).sum() / n_records) for level in LEVELS),
        *(one for level in CONFIDENT for one in _closed(log_odds, records, others, level)),
    ]
    return np.array(found, dtype=np.float32)


def _closed(
    log_odds: FloatVector, records: IntVector, others: IntVector | None, level: float
) -> list[float]:
    """Describe the pairs that a third record connects; zeros where there are few."""
    if others is None:
        return [0.0] * (len(CLOSED_SHARES) + 2)
    n_records = int(max(records.max(), others.max())) + 1
    likely = np.flatnonzero(log_odds >= level)
    first, second = records[likely], others[likely]
    ends = np.concatenate([first, second]), np.concatenate([second, first])
    ones = np.ones(len(ends[0]), dtype=np.float32)
    connected = coo_matrix((ones, ends), shape=(n_records, n_records)).tocsr()
    is_closed = np.asarray((connected @ connected)[records, others]).ravel() > 0
    n_closed = int(is_closed.sum())
    if n_closed < FEWEST_CLOSED:
        return [0.0] * (len(CLOSED_SHARES) + 2)
    quantiles = np.quantile(log_odds[is_closed], CLOSED_SHARES)
    return [1.0, *quantiles.tolist(), float(np.log1p(n_closed / len(np.unique(records))))]
