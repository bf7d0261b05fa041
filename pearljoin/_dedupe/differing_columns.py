"""Warning of columns in which most pairs of a cluster differ: they may tell things apart.

Invoices of one supplier agree in all but their numbers and dates, members of a household in all but
their given names. Whether such pairs are one thing is nothing that a table says by itself: offers
of one hotel differ in their prices just so.
"""

from __future__ import annotations

import warnings

import numpy as np

from pearljoin._clusters.similar_pairs import SimilarPairs
from pearljoin._clusters.table_pairs import TablePairs
from pearljoin._errors import DifferingColumnWarning, caller_stacklevel
from pearljoin._records.sampling import lowest_hashes
from pearljoin._tables.keys import Keys, field_names
from pearljoin._typing import IntVector

__all__ = ["warn_of_differing"]

LEAST_SHARE = 0.7
"""Share of pairs that differ in a column, from which it is told."""

FEWEST, MOST = 20, 1_000
"""Pairs of records that are asked, at least and at most."""


def warn_of_differing(
    keys: Keys, comparison: TablePairs | SimilarPairs, labels: IntVector, threshold: float
) -> None:
    """Warn of key columns in which most pairs of a cluster differ.

    Parameters
    ----------
    keys
        The columns.
    comparison
        Scored pairs of records.
    labels
        int64 of shape (n_rows,): the cluster of each row.
    threshold
        That of the clusters: pairs of at least this score are asked.
    """
    fields = comparison.records.fields
    if len(fields) < 2 or not isinstance(comparison, TablePairs):
        return
    told = _differing(comparison, labels, threshold)
    if not told:
        return
    names = field_names(keys.left, fields)
    shares = ", ".join(f"{names[at]!r} in {share:.0%}" for at, share in told.items())
    one = names[next(iter(told))]
    warnings.warn(
        "Most pairs of rows taken for the same thing differ in a column. "
        f"Got {shares} of pairs that have both values. Hint: if {one!r} tells things apart, as "
        f"the number of an invoice does, give veto={one!r}; if it changes from row to row of one "
        "thing, as a price does, leave it out of on=.",
        DifferingColumnWarning,
        stacklevel=caller_stacklevel(),
    )


def _differing(comparison: TablePairs, labels: IntVector, threshold: float) -> dict[int, float]:
    """By the place of each key column to be told, the share of pairs that differ in it."""
    first, second, _ = comparison.above(threshold)
    of_record = labels[comparison.records.first_row]
    is_equal = comparison.side.equal_normalised.equals(first, second)
    together = (of_record[first] == of_record[second]) & ~is_equal
    first, second = first[together], second[together]
    if len(first) < FEWEST:
        return {}
    some = lowest_hashes(comparison.keys[first] ^ comparison.keys[second], MOST)
    columns = comparison.compare(first[some], second[some]).columns
    told = {}
    for at, (column, weights) in enumerate(zip(columns, comparison.weights.columns, strict=True)):
        known = column.position[~np.isnan(column.position)]
        # The lower half of a scale is conflict: texts that are likely two names, other dates.
        share = float((known < (len(weights.weight) - 1) / 2).sum()) / max(1, len(known))
        if len(known) >= FEWEST and share >= LEAST_SHARE:
            told[at] = share
    return told
