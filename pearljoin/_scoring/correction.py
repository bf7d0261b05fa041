"""Correction of log odds by the estimated number of false matches."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from pearljoin._typing import FloatVector

__all__ = ["EDGES", "KNOTS", "SHARE", "correct", "falling", "fit_correction"]

EDGES = np.arange(-3.0, 8.0)
"""Log odds between which pairs are counted; those below the first are no matches in any case."""

KNOTS = EDGES + 0.5

PRIOR_PAIRS = 10.0
"""Pairs in each interval for which the log odds as they are stand."""

SHARE = 0.15
"""Weight of the decoys of records of several columns where they say that fewer pairs are wrong than
the log odds do."""


def fit_correction(
    log_odds: FloatVector,
    of_decoys: FloatVector,
    a_decoy: float,
    share: float,
    weights: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """Learn a correction of log odds from the log odds of decoys.

    In each interval of log odds the number of wrong pairs is estimated: by the decoys where they
    say more than the log odds do, since theirs is a lower bound, else by a geometric mean of both,
    in which the decoys have a weight.

    Parameters
    ----------
    log_odds
        float32 of shape (n_pairs,): of the pairs of the table, as the network gives them.
    of_decoys
        float32 of shape (n_decoy_pairs,): of pairs of a decoy and a record.
    a_decoy
        How many pairs of the table a pair of a decoy stands for, above 0.
    share
        That weight, in [0, 1]; 0: decoys that say less than the log odds do are not believed.
    weights
        float64 of shape (n_decoy_pairs,), in [0, 1]: how much each pair of a decoy counts. Default:
        wholly.

    Returns
    -------
    corrected
        float64 of shape (len(KNOTS),): what the log odds `KNOTS` are corrected to, not falling.
    """
    # Imported here, for joins do without it: a tenth of a second.
    from scipy.optimize import isotonic_regression

    of_pair, of_decoy = (np.digitize(odds, EDGES) - 1 for odds in (log_odds, of_decoys))
    known = of_pair >= 0
    n = np.bincount(of_pair[known], minlength=len(KNOTS)).astype(np.float64)
    doubts = expit(-log_odds[known].astype(np.float64))
    expected = np.bincount(of_pair[known], weights=doubts, minlength=len(KNOTS))
    counts = np.ones(len(of_decoys)) if weights is None else weights
    met = np.bincount(of_decoy[of_decoy >= 0], counts[of_decoy >= 0], minlength=len(KNOTS))
    counted = (met + 0.5) * a_decoy
    blend = counted**share * expected ** (1 - share)
    wrong = np.minimum(np.where(counted >= expected, counted, blend), n)
    low = slice(int(np.searchsorted(KNOTS, 0.0)), None, -1)
    right = n - wrong
    right[low] = falling(right[low])
    wrong = n - right
    # Where there are few pairs, the log odds stay as they are.
    usual = expit(-KNOTS)
    wrong_share = (wrong + PRIOR_PAIRS * usual) / (n + PRIOR_PAIRS)
    return np.asarray(isotonic_regression(logit(1 - wrong_share), weights=n + PRIOR_PAIRS).x)


def falling(matches: NDArray[np.float64]) -> NDArray[np.float64]:
    """Let no interval of log odds hold more matches than the one above it, or one.

    Below even odds matches grow rarer, however many pairs there are: what has something in common
    by chance, and is not explained by decoys, is no match for that.

    Parameters
    ----------
    matches
        float64 of shape (n,): expected matches by interval, that from 0 to 1 first, falling.

    Returns
    -------
    matches
        float64 of shape (n,): the first as it is.
    """
    found = matches.copy()
    for at in range(1, len(found)):
        found[at] = min(found[at], max(1.0, found[at - 1]))
    return found


def correct(log_odds: FloatVector, corrected: NDArray[np.float64]) -> FloatVector:
    """Correct log odds by what `fit_correction` learned."""
    inside = np.clip(log_odds, KNOTS[0], KNOTS[-1])
    found = np.interp(inside, KNOTS, corrected) + (log_odds - inside)
    return np.asarray(found, dtype=np.float32)
