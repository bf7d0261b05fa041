"""Table features of two tables: how high their candidate pairs score."""

from __future__ import annotations

import numpy as np
from scipy.special import expit

from pearljoin._ragged import run_starts
from pearljoin._typing import FloatVector, IntVector

__all__ = ["RECORD_TABLE_FEATURES", "describe_pairs"]

BEST_SHARES = (0.1, 0.3, 0.5, 0.7, 0.9)
TOTAL_SHARES = (0.1, 0.5, 0.9)
ALL_SHARES = (0.5, 0.9)

RANKS, RANK_SHARES = (1, 3, 7, 15), (0.5, 0.85)
"""Places in a record's pairs, the best of which has place 0: whether things have many records."""

LEVELS = (-7.0, -5.0, -3.0, -1.0, 1.0, 3.0)
"""Log odds above which pairs are counted."""

RECORD_TABLE_FEATURES = (
    *(f"best_{share}" for share in BEST_SHARES),
    *(f"total_{share}" for share in TOTAL_SHARES),
    "n_same",
    *(f"any_{share}" for share in ALL_SHARES),
    "n_records",
    *(f"place_{rank}_{share}" for rank in RANKS for share in RANK_SHARES),
    *(f"above_{level:g}" for level in LEVELS),
)
"""Names of the features of two tables."""


def describe_pairs(
    log_odds: FloatVector,
    total: FloatVector,
    records: IntVector,
    n_records: int,
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

    Returns
    -------
    features
        float32 of shape (len(RECORD_TABLE_FEATURES),): quantiles of the records' highest log odds
        and of their highest weights, the mean number of pairs of one thing by these log odds,
        quantiles of all log odds, the log of the number of records, quantiles of the records'
        second highest log odds and of lower ones, and the log of 1 and the mean number of pairs
        above some log odds.
    """
    if not len(records):
        return np.zeros(len(RECORD_TABLE_FEATURES), dtype=np.float32)
    starts = run_starts(records)
    sizes = np.diff(np.append(starts, len(records)))
    ordered = log_odds[np.lexsort((-log_odds, np.repeat(np.arange(len(starts)), sizes)))]
    at_rank = [ordered[starts + np.minimum(rank, sizes - 1)] for rank in RANKS]
    found = [
        *np.quantile(ordered[starts], BEST_SHARES),
        *np.quantile(np.maximum.reduceat(total, starts), TOTAL_SHARES),
        expit(log_odds).sum() / n_records,
        *np.quantile(log_odds, ALL_SHARES),
        np.log(n_records),
        *(quantile for each in at_rank for quantile in np.quantile(each, RANK_SHARES)),
        *(np.log1p((log_odds > level).sum() / n_records) for level in LEVELS),
    ]
    return np.array(found, dtype=np.float32)
