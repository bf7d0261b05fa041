"""Whether records of one table have the same values, where they are combinations of values.

In a table of countries by years two records of one country are alike in all but the year, and so
are all of its records: of what a record's columns say together nothing tells a duplicate from
another year. But two records are the same where all their values are, and whether two names are the
same is known from the names by themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

import numpy as np
from scipy.special import expit, logit

from pearljoin._records.encoded import EncodedRecords
from pearljoin._records.missing_keys import NULL
from pearljoin._typing import BoolVector, FloatVector, IntVector

__all__ = ["Combinations", "LogOdds", "compare_combinations"]

LogOdds: TypeAlias = Callable[[IntVector, IntVector], FloatVector]
"""Log odds that two distinct values of a column are the same thing: float32 of shape (n_pairs,)."""

MOST, LEAST = 0.99, 1e-6
"""Probabilities that two records match whose values are all the same, and of which some are not."""

MAY_BE = 0.3
"""Probability from which two values may be the same."""


class Combinations(NamedTuple):
    """Whether pairs of records have the same values in all columns.

    Attributes
    ----------
    may_be
        bool of shape (n_pairs,): whether the values of each column are there, and may be the same.
    log_odds
        float32 of shape (n_pairs,): that the values of all columns are the same.
    """

    may_be: BoolVector
    log_odds: FloatVector


def compare_combinations(
    side: EncodedRecords, of_texts: Mapping[int, LogOdds], first: IntVector, second: IntVector
) -> Combinations:
    """Tell whether records have the same values in all columns.

    Parameters
    ----------
    side
        The records.
    of_texts
        By the place of each key column of text, how its values are scored. Those of other columns
        are the same where they are equal; a missing value may be any.
    first, second
        int64 of shape (n_pairs,): records.
    """
    chance, least = np.full(len(first), MOST), np.ones(len(first))
    for at, (values, codes) in enumerate(zip(side.values, side.codes, strict=True)):
        one, other = codes[first], codes[second]
        same = (values.numbers[one] == values.numbers[other]).astype(np.float64)
        if at in of_texts:
            unlike = np.flatnonzero((same == 0) & (one != NULL) & (other != NULL))
            ends = np.minimum(one, other)[unlike], np.maximum(one, other)[unlike]
            pairs, which = np.unique(np.stack(ends), axis=1, return_inverse=True)
            same[unlike] = expit(of_texts[at](*pairs).astype(np.float64))[which]
        is_missing = (one == NULL) | (other == NULL)
        chance *= np.where(is_missing, 1 / max(1, len(values)), same)
        least = np.minimum(least, np.where(is_missing, 0, same))
    log_odds = logit(np.maximum(chance, LEAST)).astype(np.float32)
    return Combinations(least >= MAY_BE, log_odds)
