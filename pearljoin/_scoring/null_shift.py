"""How far likely answers are believed, by reference records looked up among the others.

A reference lists different things, so what a record of it finds among the others is no answer, and
a left record without an answer finds the like: its siblings. Where more of it looks like answers
than is claimed of the left records, the log odds that these have an answer are shifted down.
"""

from __future__ import annotations

import numpy as np
from scipy.special import expit

from pearljoin._typing import FloatVector

__all__ = ["LARGEST", "null_shift", "trust_in_null"]

LARGEST = 3.0
"""The log odds are shifted by no more, and by `SHARE` of what the two groups say."""

SHARE = 0.6
"""Share of the shift that is made: what is absent may have fewer siblings than what is listed."""

PRIOR_RECORDS = 20.0
"""Reference records that what is claimed of the left ones counts for."""

FEW_LEFT = 8.0
"""Left records by which the shift is half of that by many."""

ALIKE = (1 / 3, 2 / 3)
"""Mean likelihoods of an answer among the others of which the first counts wholly and the second
not at all: columns in which most records have a near equal do not tell things apart, or hold
something else on the left."""

DOUBLED = 0.5
"""Share of reference records with a double from which they say nothing: that reference does not
list different things."""


def null_shift(found: FloatVector, null: FloatVector, doubled: float) -> float:
    """Return what is added to the log odds that left records have an answer.

    Parameters
    ----------
    found
        float32 of shape (n_left,): these log odds.
    null
        float32 of shape (n_null,): the same of reference records among the others, without those
        that are one entity with them.
    doubled
        Share of the reference records that are one entity with another, in [0, 1].

    Returns
    -------
    shift
        At most 0.

    Notes
    -----
    With ``p`` the probability that a left record has an answer, and ``h`` any function of its
    candidates, the mean of ``(1 - p) h`` over left records is the share of those without an answer
    times the mean of ``h`` over these, which is that over the null records. Here ``h`` is ``p``
    before the shift: the two-groups model of Efron, "Large-Scale Inference" (2010), chapter 2.
    """
    if not len(found) or not len(null):
        return 0.0
    likely = expit(found.astype(np.float64))
    absent = 1 - likely
    claimed = float((absent * likely).sum() / max(absent.sum(), np.finfo(np.float64).tiny))
    seen = float(expit(null.astype(np.float64)).sum()) + PRIOR_RECORDS * claimed
    expected = seen / (len(null) + PRIOR_RECORDS)

    def surplus(shift: float) -> float:
        """What is claimed of records without an answer, less what is expected of them."""
        return float(((1 - expit(found + shift)) * (likely - expected)).mean())

    if surplus(0.0) >= 0:
        return 0.0
    # Imported here, for joins of one column do without it: a tenth of a second.
    from scipy.optimize import brentq

    solved = brentq(surplus, -LARGEST, 0.0) if surplus(-LARGEST) > 0 else -LARGEST
    trust = np.interp(expected, ALIKE, (1.0, 0.0)) * trust_in_null(len(found), doubled)
    return float(SHARE * trust * solved) + 0.0  # no -0


def trust_in_null(n_left: int, doubled: float) -> float:
    """How far reference records among the others say what left ones find, in [0, 1].

    Parameters
    ----------
    n_left
        Number of left records.
    doubled
        As of `null_shift`.
    """
    return n_left / (n_left + FEW_LEFT) * max(0.0, 1 - doubled / DOUBLED)
