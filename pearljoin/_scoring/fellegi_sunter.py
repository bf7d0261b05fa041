"""Several key columns without labels: what each one's agreement says, learned from the tables.

Records are linked as Fellegi and Sunter (1969) do it. How two values agree is a level, from
conflict to equality; it counts for the logarithm of how much likelier that level is between two
records of one thing than between records of two things. A missing value counts for nothing. How
likely the levels are between records of one thing is learned by expectation-maximisation (Winkler
1988), so no labels are needed. Equality in a common value says less than in a rare one (Winkler
1989).

Two things are particular here. A left record has at most one answer: its candidates share one unit
of probability with the chance that it has none, so that two equally good candidates get half each.
And what they claim together is tempered by claims known to be false
(`pearljoin._scoring.null_calibration`).
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
Chances = NDArray[np.float64]

MISSING = -1
"""Level of a pair of which one value is missing."""

ROUNDS = 50
SETTLED = 1e-4
"""Learning ends when no chance moves by more."""

PRIOR_PAIRS = 20.0
"""How many pairs the usual chances of the levels count for."""

SURE = 0.9
FEWEST_SURE = 30
"""Above this probability a match is sure; with so many of them, false claims can be studied."""

PRIOR_ROWS = 4.0
"""How many left records an even chance of having an answer counts for."""


@dataclass(frozen=True)
class ComparisonLevels:
    """How far the values of record pairs agree.

    Attributes
    ----------
    levels
        int8 of shape (n_pairs, n_fields): 0 for conflict to ``n_levels - 1`` for equality, or
        `MISSING`.
    rarity
        float32 of shape (n_pairs, n_fields): log of how much rarer than usual it is to have the
        commoner one of the two values.
    left
        int64 of shape (n_pairs,), ascending: the left record of each pair.
    n_right
        float64 of shape (n_pairs,): how many right records it could have met.
    """

    levels: Levels
    rarity: NDArray[np.float32]
    left: IntVector
    n_right: NDArray[np.float64]

    def take(self, kept: NDArray[np.bool_]) -> ComparisonLevels:
        """The same of some pairs only."""
        return ComparisonLevels(
            self.levels[kept], self.rarity[kept], self.left[kept], self.n_right[kept]
        )


@dataclass(frozen=True)
class RecordModel:
    """What agreement says.

    Attributes
    ----------
    weight
        float64 of shape (n_fields, n_levels): natural log of a level's chance between two records
        of one thing over its chance between records of two things; it never falls as the level
        rises, equality apart.
    answered
        Share of left records that have an answer, in (0, 1).
    worth
        Intercept and slope of what a record's candidates together claim, in log odds; see
        `pearljoin._scoring.null_calibration.temper`. It lowers probabilities and never raises them.
    """

    weight: Chances
    answered: float
    worth: tuple[float, float] | None = None

    @classmethod
    def of(cls, matched: Chances, chance: Chances, answered: float) -> RecordModel:
        """Weigh levels by their chances in matches and elsewhere."""
        weight = np.log(matched / chance)
        # Equality stands apart: for common values it is less surprising than a near miss.
        weight[:, :-1] = np.maximum.accumulate(weight[:, :-1], axis=1)
        return cls(weight, answered)

    def evidence(self, agreement: ComparisonLevels) -> NDArray[np.float64]:
        """What each key column says, as log odds: float64 of shape (n_pairs, n_fields)."""
        told = np.empty(agreement.levels.shape, dtype=np.float64)
        for at, (levels, weight) in enumerate(zip(agreement.levels.T, self.weight, strict=True)):
            equality = weight[-1] + agreement.rarity[:, at]
            # A near miss never says more than equality in either of its values would.
            told[:, at] = np.minimum(np.append(weight[:-1], np.inf)[levels], equality)
            told[levels == MISSING, at] = 0
        return told

    def probability(self, agreement: ComparisonLevels) -> FloatVector:
        """Probability that each pair is a match.

        Returns
        -------
        probability
            float32 of shape (n_pairs,), in [0, 1]; those of one left record add up to 1 at most.
        """
        return self._shares(agreement).astype(np.float32)

    def _shares(self, agreement: ComparisonLevels) -> NDArray[np.float64]:
        """Each left record's unit of probability, shared among its candidates and no answer."""
        if not len(agreement.left):
            return np.zeros(0)
        prior = np.log(self.answered) - np.log(agreement.n_right)
        joint = self.evidence(agreement).sum(axis=1) + prior
        joint[(agreement.levels == MISSING).all(axis=1)] = -np.inf  # nothing was compared
        none = np.log(1 - self.answered)
        starts = np.flatnonzero(np.diff(agreement.left, prepend=-1))
        sizes = np.diff(np.append(starts, len(joint)))
        highest = np.maximum(np.maximum.reduceat(joint, starts), none)
        mass = np.exp(joint - np.repeat(highest, sizes))
        claimed, rest = np.add.reduceat(mass, starts), np.exp(none - highest)
        share = claimed / (claimed + rest)
        if self.worth is not None:
            intercept, slope = self.worth
            odds = np.clip(_log_odds(share), -FARTHEST, FARTHEST)
            share = np.minimum(share, expit(intercept + slope * odds))
        parts = np.divide(share, claimed, out=np.zeros_like(share), where=claimed > 0)
        return np.asarray(mass * np.repeat(parts, sizes), dtype=np.float64)


def learn(
    agreement: ComparisonLevels,
    n_left: int,
    among_all: Chances,
    usual: Chances,
    usual_chance: Chances,
) -> RecordModel:
    """Learn from candidates how often each level occurs between records of one thing.

    Parameters
    ----------
    agreement
        Of every candidate pair.
    n_left
        Number of left records; some may have no candidate.
    among_all
        float64 of shape (n_fields, n_levels): share of each level among all pairs of the tables.
    usual, usual_chance
        float64 of the same shape: its share among pairs of one thing, and of two things, in tables
        at large. They lead where the tables are small.

    Notes
    -----
    Of all pairs a share ``s`` are of one thing: one in as many as there are right records, for each
    left record that has an answer. So what all pairs show is ``s m + (1 - s) u``, which gives the
    chance ``u`` of a level between records of two things.
    """
    matched, chance, answered = usual, usual_chance, 0.5
    model = RecordModel.of(matched, chance, answered)
    for _ in range(ROUNDS):
        shares = model._shares(agreement)
        before = matched
        matched = level_shares(agreement.levels, shares, PRIOR_PAIRS * usual)
        answered = float((shares.sum() + PRIOR_ROWS / 2) / (n_left + PRIOR_ROWS))
        same = answered / float(np.mean(agreement.n_right)) if len(shares) else 0.0
        rest = (among_all - same * matched) / (1 - same) if same < 1 else usual_chance
        chance = np.maximum(rest, among_all * 1e-2)
        model = RecordModel.of(matched, chance, answered)
        if np.abs(matched - before).max() < SETTLED:
            break
    return replace(model, worth=_worth(model, agreement))


def _worth(model: RecordModel, agreement: ComparisonLevels) -> tuple[float, float] | None:
    """Judge what candidates claim by what is left of it where the sure match is taken away."""
    shares = model._shares(agreement)
    if not len(shares):
        return None
    starts = np.flatnonzero(np.diff(agreement.left, prepend=-1))
    sizes = np.diff(np.append(starts, len(shares)))
    best = np.repeat(np.maximum.reduceat(shares, starts), sizes)
    others = agreement.take((best > SURE) & (shares < best))
    left = model._shares(others)
    if not len(left):
        return None
    claims = np.add.reduceat(shares, starts)
    false = np.add.reduceat(left, np.flatnonzero(np.diff(others.left, prepend=-1)))
    if len(false) < FEWEST_SURE:
        return None
    return calibrate_to_null(_log_odds(claims), _log_odds(false))


def _log_odds(share: NDArray[np.float64]) -> NDArray[np.float64]:
    kept = np.clip(share, 1e-9, 1 - 1e-9)
    return np.asarray(np.log(kept) - np.log1p(-kept), dtype=np.float64)


def level_shares(levels: Levels, weights: NDArray[np.float64], prior: Chances) -> Chances:
    """Weighted share of each level: float64 of shape (n_fields, n_levels), as `prior`, in pairs."""
    n_levels = prior.shape[1]
    counts = [
        np.bincount(column.astype(np.int64) + 1, weights=weights, minlength=n_levels + 1)[1:]
        for column in levels.T
    ]
    total = np.stack(counts) + prior
    return np.asarray(total / total.sum(axis=1, keepdims=True), dtype=np.float64)
