"""Match weights of several key columns, learned from two tables without labels.

The model is that of Fellegi and Sunter (1969). Each key column compares a pair at a level, from
conflict to equality. The match weight of a level is ``log(m / u)``: m is its probability among
matches, u among non-matches. A missing value weighs nothing. Expectation-maximisation learns the m
probabilities (Winkler 1988). The weight of equality is adjusted for term frequency: a common value
weighs less than a rare one (Winkler 1989).

Two things are added here. A left record has at most one answer, so its candidates share one unit of
probability with the chance that it has none, and two equally good candidates get half each. And the
log odds of a row are calibrated by null scores (`pearljoin._scoring.null_calibration`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from pearljoin._scoring.null_calibration import FARTHEST, calibrate_to_null
from pearljoin._typing import FloatVector, IntVector

__all__ = ["MISSING", "ComparisonLevels", "RecordModel", "learn"]

Levels = NDArray[np.int8]
Probabilities = NDArray[np.float64]

MISSING = -1
"""Level of a pair of which one value is missing."""

ROUNDS = 50
SETTLED = 1e-4
"""Learning ends when no m probability moves by more."""

PRIOR_PAIRS = 20.0
"""How many pairs the usual m probabilities count for."""

SURE = 0.9
FEWEST_SURE = 30
"""Probability above which a match is sure, and how many sure ones null calibration needs."""

PRIOR_ROWS = 4.0
"""How many left records a match rate of one half counts for."""


@dataclass(frozen=True)
class ComparisonLevels:
    """How far the values of record pairs agree.

    Attributes
    ----------
    levels
        int8 of shape (n_pairs, n_fields): 0 for conflict to ``n_levels - 1`` for equality, or
        `MISSING`.
    term_frequency
        float32 of shape (n_pairs, n_fields): the term-frequency adjustment, which is the log of the
        usual frequency over that of the more frequent one of the two values.
    left
        int64 of shape (n_pairs,), ascending: the left record of each pair.
    n_right
        float64 of shape (n_pairs,): how many right records it could have met.
    """

    levels: Levels
    term_frequency: NDArray[np.float32]
    left: IntVector
    n_right: NDArray[np.float64]

    def take(self, kept: NDArray[np.bool_]) -> ComparisonLevels:
        """Return those of some pairs."""
        return ComparisonLevels(
            self.levels[kept], self.term_frequency[kept], self.left[kept], self.n_right[kept]
        )


@dataclass(frozen=True)
class RecordModel:
    """Match weights, match rate and calibration.

    Attributes
    ----------
    weight
        float64 of shape (n_fields, n_levels): match weights, natural log. They never fall as the
        level rises, equality apart.
    match_rate
        Share of left records that have an answer, in (0, 1).
    calibration
        Intercept and slope of the log odds of rows, see
        `pearljoin._scoring.null_calibration.calibrate_to_null`. They lower probabilities and never
        raise them.
    """

    weight: Probabilities
    match_rate: float
    calibration: tuple[float, float] | None = None

    @classmethod
    def of(cls, m: Probabilities, u: Probabilities, match_rate: float) -> RecordModel:
        """Make a model of the m and u probabilities of the levels."""
        weight = np.log(m / u)
        # Equality stands apart: for common values it is less surprising than a near miss.
        weight[:, :-1] = np.maximum.accumulate(weight[:, :-1], axis=1)
        return cls(weight, match_rate)

    def match_weights(self, pairs: ComparisonLevels) -> NDArray[np.float64]:
        """Return the match weight of each key column: float64 of shape (n_pairs, n_fields)."""
        weights = np.empty(pairs.levels.shape, dtype=np.float64)
        for at, (levels, weight) in enumerate(zip(pairs.levels.T, self.weight, strict=True)):
            equality = weight[-1] + pairs.term_frequency[:, at]
            # A near miss never weighs more than equality in either of its values would.
            weights[:, at] = np.minimum(np.append(weight[:-1], np.inf)[levels], equality)
            weights[levels == MISSING, at] = 0
        return weights

    def probability(self, pairs: ComparisonLevels) -> FloatVector:
        """Return the probability that each pair is a match.

        Returns
        -------
        probability
            float32 of shape (n_pairs,), in [0, 1]; those of one left record add up to 1 at most.
        """
        return self._shares(pairs).astype(np.float32)

    def _shares(self, pairs: ComparisonLevels) -> NDArray[np.float64]:
        """Probabilities normalised over each left record's candidates and "no match"."""
        if not len(pairs.left):
            return np.zeros(0)
        prior = np.log(self.match_rate) - np.log(pairs.n_right)
        joint = self.match_weights(pairs).sum(axis=1) + prior
        joint[(pairs.levels == MISSING).all(axis=1)] = -np.inf  # nothing was compared
        none = np.log(1 - self.match_rate)
        starts = np.flatnonzero(np.diff(pairs.left, prepend=-1))
        sizes = np.diff(np.append(starts, len(joint)))
        highest = np.maximum(np.maximum.reduceat(joint, starts), none)
        mass = np.exp(joint - np.repeat(highest, sizes))
        of_row, rest = np.add.reduceat(mass, starts), np.exp(none - highest)
        share = of_row / (of_row + rest)
        if self.calibration is not None:
            intercept, slope = self.calibration
            odds = np.clip(_log_odds(share), -FARTHEST, FARTHEST)
            share = np.minimum(share, expit(intercept + slope * odds))
        parts = np.divide(share, of_row, out=np.zeros_like(share), where=of_row > 0)
        return np.asarray(mass * np.repeat(parts, sizes), dtype=np.float64)


def learn(
    pairs: ComparisonLevels,
    n_left: int,
    among_all: Probabilities,
    usual_m: Probabilities,
    usual_u: Probabilities,
) -> RecordModel:
    """Learn m and u probabilities and the match rate from candidate pairs.

    Parameters
    ----------
    pairs
        Of every candidate pair.
    n_left
        Number of left records; some may have no candidate.
    among_all
        float64 of shape (n_fields, n_levels): share of each level among all pairs of the tables.
    usual_m, usual_u
        float64 of the same shape: m and u probabilities in tables at large, which prevail where the
        tables are small.

    Returns
    -------
    model
        The model.

    Notes
    -----
    A share ``s`` of all pairs are matches: one in as many as there are right records, for each left
    record that has an answer. So the share of a level among all pairs is ``s m + (1 - s) u``, which
    gives u.
    """
    m, u, match_rate = usual_m, usual_u, 0.5
    model = RecordModel.of(m, u, match_rate)
    for _ in range(ROUNDS):
        shares = model._shares(pairs)
        before = m
        m = level_shares(pairs.levels, shares, PRIOR_PAIRS * usual_m)
        match_rate = float((shares.sum() + PRIOR_ROWS / 2) / (n_left + PRIOR_ROWS))
        matches = match_rate / float(np.mean(pairs.n_right)) if len(shares) else 0.0
        rest = (among_all - matches * m) / (1 - matches) if matches < 1 else usual_u
        u = np.maximum(rest, among_all * 1e-2)
        model = RecordModel.of(m, u, match_rate)
        if np.abs(m - before).max() < SETTLED:
            break
    return replace(model, calibration=_null_calibration(model, pairs))


def _null_calibration(model: RecordModel, pairs: ComparisonLevels) -> tuple[float, float] | None:
    """Calibrate the log odds of rows by those of rows whose sure match is taken away."""
    shares = model._shares(pairs)
    if not len(shares):
        return None
    starts = np.flatnonzero(np.diff(pairs.left, prepend=-1))
    sizes = np.diff(np.append(starts, len(shares)))
    best = np.repeat(np.maximum.reduceat(shares, starts), sizes)
    others = pairs.take((best > SURE) & (shares < best))
    null = model._shares(others)
    if not len(null):
        return None
    of_rows = np.add.reduceat(shares, starts)
    null_of_rows = np.add.reduceat(null, np.flatnonzero(np.diff(others.left, prepend=-1)))
    if len(null_of_rows) < FEWEST_SURE:
        return None
    return calibrate_to_null(_log_odds(of_rows), _log_odds(null_of_rows))


def _log_odds(share: NDArray[np.float64]) -> NDArray[np.float64]:
    kept = np.clip(share, 1e-9, 1 - 1e-9)
    return np.asarray(np.log(kept) - np.log1p(-kept), dtype=np.float64)


def level_shares(
    levels: Levels, weights: NDArray[np.float64], prior: Probabilities
) -> Probabilities:
    """Return the weighted share of each level in pairs, with a prior count.

    Parameters
    ----------
    levels
        int8 of shape (n_pairs, n_fields).
    weights
        float64 of shape (n_pairs,).
    prior
        float64 of shape (n_fields, n_levels): pairs that each level counts for beforehand.

    Returns
    -------
    shares
        float64 of shape (n_fields, n_levels); each row sums to 1.
    """
    n_levels = prior.shape[1]
    counts = [
        np.bincount(column.astype(np.int64) + 1, weights=weights, minlength=n_levels + 1)[1:]
        for column in levels.T
    ]
    total = np.stack(counts) + prior
    return np.asarray(total / total.sum(axis=1, keepdims=True), dtype=np.float64)
