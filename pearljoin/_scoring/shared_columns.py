"""Related pairs of one table: non-matches that share some columns.

Members of a household share a family name, a street and a telephone, songs of one album their
artist, album and year, branches a company's name. Match weights are added up as if columns agreed
independently of each other, so such pairs look like one thing; how many there are depends on the
table. So each pair that looks like one thing is taken to share some set of columns: in these it
compares as one thing does, in the others as things at random do. Expectation-maximisation learns
how often each set is shared (a latent class model; Larsen and Rubin 2001).

One thing that has two records differs in some columns, too, by errors, but mostly in each
independently of the others: how often one differs alone tells how often two would together. Pairs
that share a set of columns more often than that are related.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pearljoin._typing import FloatVector, IntVector

__all__ = ["SharedColumns", "learn_shared"]

LARGEST = 6.0
"""Match weights are cut to plus or minus this."""

MOST_SETS, MOST_COLUMNS = 128, 7
"""Sets of columns that are told apart, at most; and columns up to which these are all."""

ROUNDS = 200
SETTLED = 1e-6
"""Learning ends when the share of no set moves by more."""

PRIOR_PAIRS = 1.0
"""Pairs that are spread over all sets beforehand."""

USUAL_ERRORS, PRIOR_ERRORS = 0.15, 10.0
"""Pairs of one thing that differ in one column alone, as a multiple of those that differ in none;
and how many of the latter this counts for."""

OFTEN = 0.2
"""Pairs that share a set, as a part of those that share the most frequent one, from which
the set counts as usual."""

SLACK = 5.0
"""So many times as many pairs of one thing may differ in several columns as independent errors
would make: careless records are so in several columns."""

TOGETHER = 0.2
"""Part of the pairs of one thing whose errors may go together in one set of columns: who moves has
another street, town and telephone, and a source has habits."""

FEWEST_SHARED = 2
"""Columns that related pairs share, at least; in one alone many agree by chance."""

TINY = np.finfo(np.float64).tiny

CHUNK = 16_384
"""Pairs that are computed at a time."""


@dataclass(frozen=True)
class SharedColumns:
    """How often matches and related non-matches share each set of columns.

    Attributes
    ----------
    sets
        bool of shape (n_sets, n_columns).
    same, related
        float64 of shape (n_sets,): shares of the pairs that look like one thing.
    """

    sets: NDArray[np.bool_]
    same: NDArray[np.float64]
    related: NDArray[np.float64]

    def lower(self, log_odds: FloatVector, weights: NDArray[np.float64]) -> FloatVector:
        """Lower log odds by the odds that two records are related.

        Parameters
        ----------
        log_odds
            float32 of shape (n_pairs,): that both are the same thing.
        weights
            float64 of shape (n_pairs, n_columns): match weights.

        Returns
        -------
        log_odds
            float32 of shape (n_pairs,).
        """
        found = np.empty(len(log_odds), dtype=np.float32)
        for start in range(0, len(log_odds), CHUNK):
            part = slice(start, start + CHUNK)
            likelihood = _likelihoods(weights[part], self.sets)
            against = np.log(likelihood @ self.related + TINY) - np.log(
                likelihood @ self.same + TINY
            )
            found[part] = -np.logaddexp(-log_odds[part].astype(np.float64), against)
        return found


def learn_shared(weights: NDArray[np.float64]) -> SharedColumns | None:
    """Learn how often pairs share each set of columns.

    Parameters
    ----------
    weights
        float64 of shape (n_pairs, n_columns): match weights of the pairs that look like one thing.

    Returns
    -------
    shared
        None where no pairs are related.
    """
    n_pairs, n_columns = weights.shape
    if n_columns <= FEWEST_SHARED + 1 or not n_pairs:
        return None
    sets = _sets(weights)
    likelihood = _likelihoods(weights, sets)
    counts = n_pairs * _shares(likelihood, PRIOR_PAIRS / n_pairs)
    n_shared = sets.sum(axis=1)
    independent = _by_errors(sets, counts, _usual_set(n_shared, counts))
    by_errors = np.minimum(counts, SLACK * independent)
    same = np.minimum(counts, by_errors + TOGETHER * by_errors.sum())
    # One column alone may tell two things apart, or be careless: nothing here says which.
    same[n_shared >= n_columns - 1] = counts[n_shared >= n_columns - 1]
    related = np.where(n_shared < FEWEST_SHARED, 0, counts - same)
    return SharedColumns(sets, same / n_pairs, related / n_pairs) if related.any() else None


def _usual_set(n_shared: IntVector, counts: NDArray[np.float64]) -> int:
    """Index of the set of columns that matches without errors share.

    The largest of those that many pairs share: columns that have nothing to do with what a
    record is of, as a number of the row, are in none of these.
    """
    often = np.flatnonzero(counts >= OFTEN * counts.max())
    return int(often[np.lexsort((-counts[often], -n_shared[often]))[0]])


def _by_errors(
    sets: NDArray[np.bool_], counts: NDArray[np.float64], usual: int
) -> NDArray[np.float64]:
    """Expected matches that share each set, were errors independent."""
    place = {one.tobytes(): at for at, one in enumerate(sets)}
    odds = np.zeros(sets.shape[1])
    for column in range(sets.shape[1]):
        turned = sets[usual].copy()
        turned[column] = not turned[column]
        at = place.get(turned.tobytes())
        pair = counts[usual], 0.0 if at is None else counts[at]
        shared, differing = pair if sets[usual, column] else pair[::-1]
        odds[column] = (differing + USUAL_ERRORS * PRIOR_ERRORS) / (shared + PRIOR_ERRORS)
    in_all = counts[usual] / np.where(sets[usual], 1, odds).prod()
    return np.asarray(in_all * np.where(sets, 1, odds).prod(axis=1), dtype=np.float64)


def _sets(weights: NDArray[np.float64]) -> NDArray[np.bool_]:
    """List the sets of columns: all, or those that most pairs share."""
    n_columns = weights.shape[1]
    if n_columns <= MOST_COLUMNS:
        numbers = np.arange(2**n_columns)[:, None]
        return np.asarray((numbers >> np.arange(n_columns)) & 1, dtype=bool)
    found, counts = np.unique(weights > 0, axis=0, return_counts=True)
    frequent = found[np.argsort(-counts, kind="stable")[:MOST_SETS]]
    ends = np.stack([np.zeros(n_columns, dtype=bool), np.ones(n_columns, dtype=bool)])
    return np.unique(np.concatenate([frequent, ends, ~np.eye(n_columns, dtype=bool)]), axis=0)


def _likelihoods(weights: NDArray[np.float64], sets: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Likelihood of each pair under each set, up to a factor of the pair."""
    total = np.clip(weights, -LARGEST, LARGEST) @ sets.T.astype(np.float64)
    return np.asarray(np.exp(total - total.max(axis=1, keepdims=True)), dtype=np.float64)


def _shares(likelihood: NDArray[np.float64], prior: float) -> NDArray[np.float64]:
    """Learn the shares of a mixture by expectation-maximisation, from equal ones on."""
    n_pairs, n_sets = likelihood.shape
    shares = np.full(n_sets, 1 / n_sets)
    for _ in range(ROUNDS):
        before = shares
        shares = before * ((1 / (likelihood @ before)) @ likelihood) / n_pairs + prior / n_sets
        shares /= shares.sum()
        if np.abs(shares - before).max() < SETTLED:
            break
    return shares
