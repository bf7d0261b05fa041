"""How many blocking rules propose a pair, from which follows what blocking misses."""

from __future__ import annotations

import numpy as np

from pearljoin._candidates.blocking import DEPTH, Rules, group_pairs, part_of_group
from pearljoin._records.encoded import EncodedRecords
from pearljoin._typing import IntVector

__all__ = ["ALL_COMPARED", "count_rules"]

ALL_COMPARED = -1
"""Count of a pair whose left record is compared with all that it could meet."""


def count_rules(
    left: EncodedRecords,
    right: EncodedRecords,
    left_at: IntVector,
    right_at: IntVector,
    rules: Rules,
) -> tuple[IntVector, int]:
    """Count the blocking rules that propose each pair.

    Parameters
    ----------
    left, right
        The two sides.
    left_at, right_at
        int64 of shape (n_pairs,): records.
    rules
        As of `block_by`.

    Returns
    -------
    counts, n_rules
        int64 of shape (n_pairs,), or `ALL_COMPARED`; and how many rules there are.
    """
    counts = np.zeros(len(left_at), dtype=np.int64)
    records, n_right, n_rules = np.unique(left_at), max(1, len(right)), 0
    asked = left_at * n_right + right_at
    side = left.take(records)
    for left_records, right_records in group_pairs(side, right):
        of_group = records[left_records]
        if len(right_records) <= 2 * DEPTH:
            counts[np.isin(left_at, of_group)] = ALL_COMPARED
            continue
        proposed = rules(*part_of_group(side, right, left_records, right_records))
        n_rules = max(n_rules, len(proposed))
        for one, other in proposed:
            counts += np.isin(asked, of_group[one] * n_right + right_records[other])
    return counts, n_rules
