"""Match weights of key columns, learned from two tables without labels.

The model is that of Fellegi and Sunter (1969). Each key column compares a pair at a position on a
scale from conflict to equality. The match weight of a position is ``log(m / u)``: m is its
probability among matches, u among non-matches. A missing value weighs nothing.
Expectation-maximisation learns the m probabilities (Winkler 1988). The weight of equality is
adjusted for term frequency: a common value weighs less than a rare one (Winkler 1989).

A scale is a row of knots with positions in between, so that pairs tie only where values are equally
alike. A pair between two knots counts for both, by its distance from each, and its weight lies
between theirs.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from pearljoin._ragged import run_starts
from pearljoin._scoring.alternatives import NO_ALTERNATIVES, Alternatives
from pearljoin._scoring.column_alternatives import ColumnAlternatives
from pearljoin._scoring.compared import Compared
from pearljoin._scoring.knots import knot_counts
from pearljoin._scoring.level_prior import KNOWN_M, PRIOR_M, LevelPrior, Probabilities
from pearljoin._scoring.other_people import NOBODY, People
from pearljoin._scoring.shared_columns import SharedColumns
from pearljoin._scoring.siblings import Siblings
from pearljoin._typing import FloatVector, IntVector

__all__ = ["ColumnWeights", "MatchWeights", "learn", "row_shares"]

ROUNDS = 50
SETTLED = 1e-4
"""Learning ends when no m probability moves by more."""

PRIOR_U = 10.0
"""Pairs at random that the usual u probabilities count for."""

PRIOR_ROWS = 4.0
"""Left records that a match rate of one half counts for."""

DOUBT = -3.0
"""Weight while learning, at most, of a knot that is evidence against a match. Flats of one building
agree in all but the unit: they would pass for matches, and teach that the unit does not tell."""

LEAST_U = 1e-2
"""A u probability is at least this part of the share of its knot among all pairs."""

RARE = 0.01
"""Share of the non-matches that lies at knots which hardly occur."""


@dataclass(frozen=True)
class ColumnWeights:
    """Match weights of one key column.

    Attributes
    ----------
    weight
        float64 of shape (n_knots,): natural log. They never fall towards equality, equality apart.
    """

    weight: Probabilities

    @classmethod
    def of(cls, m: Probabilities, u: Probabilities, *, is_text: bool = False) -> ColumnWeights:
        """Make the weights of m and u probabilities.

        Equality stands apart: for common values it is less surprising than a near miss, which
        weighs no more then. Where equal values hardly occur among non-matches, nothing holds near
        misses down but what the tables show of them; names apart, whose near misses are mostly of
        one name.
        """
        weight = np.log(m / u)
        if u[-1] < RARE and not is_text:
            weight[:-1] = _pooled(m[:-1], u[:-1])
            return cls(weight)
        # Of conflicts that hardly occur here, such as days ten years apart where all lie within one
        # year, only tables at large know. They must not lift what the tables show above them.
        first = int(np.argmax(np.cumsum(u[:-1]) >= RARE))
        weight[:first] = np.minimum(weight[:first], weight[first])
        weight[:-1] = np.maximum.accumulate(weight[:-1])
        return cls(weight)

    def of_pairs(self, compared: Compared) -> NDArray[np.float64]:
        """Return the weights of pairs: float64 of shape (n_pairs,), 0 for a missing value."""
        top = len(self.weight) - 1
        position = np.nan_to_num(compared.position, nan=0.0).astype(np.float64)
        equality = self.weight[-1] + compared.frequency
        # A near miss never weighs more than equality in either of its values would.
        below = np.interp(np.minimum(position, top - 1), np.arange(top), self.weight[:-1])
        part = np.clip(position - (top - 1), 0, 1)
        near = np.minimum(below, equality)
        weights = np.where(position >= top, equality, near + part * np.maximum(equality - near, 0))
        return np.where(np.isnan(compared.position), 0.0, weights)

    @property
    def spread(self) -> float:
        """Range of the column's weights: that of equality less that of conflict."""
        return float(self.weight[-1] - self.weight[0])


def _pooled(m: Probabilities, u: Probabilities) -> Probabilities:
    """Log of m over u, of neighbouring knots together where it would fall (isotonic regression).

    A knot that hardly occurs, of which only tables at large know, lifts none above it so.
    """
    runs: list[tuple[float, float, int]] = []
    for run in zip(m.tolist(), u.tolist(), itertools.repeat(1)):
        while runs and runs[-1][0] * run[1] >= run[0] * runs[-1][1]:
            before = runs.pop()
            run = (before[0] + run[0], before[1] + run[1], before[2] + run[2])
        runs.append(run)
    of_m, of_u, n_knots = map(np.array, zip(*runs, strict=True))
    return np.repeat(np.log(of_m / of_u), n_knots)


@dataclass(frozen=True)
class MatchWeights:
    """Match weights of all key columns.

    Attributes
    ----------
    columns
        By key column.
    match_rate
        Share of left records that have an answer, in (0, 1).
    n_right
        How many right records a left one could meet, on average; in one table at most as many as
        in those that the networks learned from.
    table
        float32 of shape (len(RECORD_TABLE_FEATURES),): what the candidate pairs say of the tables;
        None where none is known.
    correction
        float64, as of `pearljoin._scoring.correction.fit_correction`: of the log odds that two
        records of one table are the same thing; None where there is none.
    passing
        Words that tell nothing in one column of text: see `pearljoin._scoring.passing_words`.
    alternatives, of_columns
        Words that name different things in one column of text; and by column, of several.
    shared
        How often pairs of one table share some columns because they are related; None where none
        do.
    of_values
        By the place of each key column of text, what its distinct values teach, compared with each
        other; None unless the records of one table are combinations of values.
    known
        By the place of each column of which more is known than its kind, as of dates of birth, what
        that makes of its weights. `columns` has those usual of its kind, as networks have learned.
    null_shift
        What is added to the log odds that left records have an answer, at most 0: see
        `pearljoin._scoring.null_shift`.
    steps
        By the place of a key column of dates, the days between rows of one table that return at
        even steps: see `pearljoin._scoring.series`.
    texts
        float32 of shape (len(TEXT_TABLE_FEATURES),): what the candidate pairs of one column of text
        of one table say of it; None where that is not asked, and in files of before.
    people
        Key columns by which people are known; their given names tell them apart.
    siblings
        How siblings in the reference compare, beside answers; None where none pass for these.
    usual
        By key column, the weights of the usual m probabilities and of how often all pairs are at
        each knot. Pairs that look like matches and are none, as related records of one table do,
        bend m probabilities that are learned; these they do not. Empty in files of before.
    """

    columns: tuple[ColumnWeights, ...]
    match_rate: float = 0.5
    n_right: float = 1.0
    table: FloatVector | None = None
    correction: Probabilities | None = None
    passing: tuple[str, ...] = ()
    shared: SharedColumns | None = None
    of_values: Mapping[int, MatchWeights] | None = None
    known: Mapping[int, ColumnWeights] = field(default_factory=dict)
    null_shift: float = 0.0
    alternatives: Alternatives = NO_ALTERNATIVES
    usual: tuple[ColumnWeights, ...] = ()
    of_columns: Mapping[int, ColumnAlternatives] = field(default_factory=dict)
    siblings: Siblings | None = None
    steps: Mapping[int, float] = field(default_factory=dict)
    people: People = NOBODY
    texts: FloatVector | None = None

    def of_pairs(self, compared: Sequence[Compared]) -> NDArray[np.float64]:
        """Return the match weight of each key column: float64 of shape (n_pairs, n_columns)."""
        return np.column_stack(
            [column.of_pairs(some) for column, some in zip(self.columns, compared, strict=True)]
        )

    def agreement(self, compared: Sequence[Compared], but: int) -> NDArray[np.float64]:
        """How far all key columns but one agree: float64 of shape (n_pairs,), in [0, 1] or NaN."""
        tops = [len(column.weight) - 1 for column in self.columns]
        each = np.column_stack([some.position for some in compared]) / tops
        mean = np.ma.masked_invalid(np.delete(each, but, axis=1)).mean(axis=1)
        return np.asarray(mean.filled(np.nan), dtype=np.float64)

    def beyond_networks(self, compared: Sequence[Compared]) -> FloatVector:
        """What pairs weigh more than the networks are told: float32 of shape (n_pairs,)."""
        more = np.zeros(len(compared[0].position))
        for at, column in self.known.items():
            more += column.of_pairs(compared[at]) - self.columns[at].of_pairs(compared[at])
        return more.astype(np.float32)

    def usual_of_pairs(self, compared: Sequence[Compared]) -> NDArray[np.float64]:
        """Return what key columns weigh by the usual m probabilities; as of `of_pairs`."""
        return replace(self, columns=self.usual).of_pairs(compared)

    def log_odds(self, compared: Sequence[Compared]) -> NDArray[np.float64]:
        """Log odds of a match, of each pair by itself: float64 of shape (n_pairs,)."""
        rate = np.log(self.match_rate) - np.log(1 - self.match_rate)
        total = self.of_pairs(compared).sum(axis=1)
        return np.asarray(total + rate - np.log(max(1.0, self.n_right)), dtype=np.float64)


def learn(
    compared: Sequence[Compared],
    left: IntVector,
    n_left: int,
    n_right: float,
    among_all: Sequence[Probabilities],
    prior: Sequence[LevelPrior],
) -> MatchWeights:
    """Learn match weights and the match rate from candidate pairs.

    Parameters
    ----------
    compared
        By key column, of every candidate pair.
    left
        int64 of shape (n_pairs,), ascending: the left record of each pair.
    n_left
        Number of left records; some may have no candidate.
    n_right
        How many right records a left one could meet, on average.
    among_all
        By key column, float64 of shape (n_knots,): how many of some pairs at random are at each
        knot.
    prior
        By key column, m and u probabilities in tables at large, which prevail where the tables are
        small.

    Returns
    -------
    weights
        The match weights.

    Notes
    -----
    A left record has at most one answer, so its candidates share one unit of probability with the
    chance that it has none. A share ``s`` of all pairs are matches: one in as many as there are
    right records, for each left record that has an answer. So the share of a knot among all pairs
    is ``s m + (1 - s) u``, which gives u.
    """
    first = [
        usual.of_column(np.zeros_like(among), among)
        for usual, among in zip(prior, among_all, strict=True)
    ]
    m = [
        usual.m if each.known is None else each.known
        for each, usual in zip(prior, first, strict=True)
    ]
    shares = [
        _normalised(counts + PRIOR_U * usual.u)
        for counts, usual in zip(among_all, first, strict=True)
    ]
    u, rate = list(shares), 0.5
    weights = _weights(m, u, rate, n_right, prior, DOUBT)
    usual_weights = _weights([usual.m for usual in first], u, rate, n_right, prior).columns
    counts = [np.zeros_like(among) for among in among_all]
    starts = run_starts(left)
    for _ in range(ROUNDS if len(left) else 0):
        chance = row_shares(weights.of_pairs(compared).sum(axis=1), starts, rate, n_right)
        counts = [
            knot_counts(some.position, len(usual.m), chance)
            for some, usual in zip(compared, prior, strict=True)
        ]
        before, m = m, list(map(_learned_m, counts, among_all, prior))
        rate = float((chance.sum() + PRIOR_ROWS / 2) / (n_left + PRIOR_ROWS))
        matches = rate / max(1.0, n_right)
        u = [
            _normalised(np.maximum((share - matches * mine) / (1 - matches), LEAST_U * share))
            for share, mine in zip(shares, m, strict=True)
        ]
        weights = _weights(m, u, rate, n_right, prior, DOUBT)
        if max(np.abs(new - old).max() for new, old in zip(m, before, strict=True)) < SETTLED:
            break
    weights = _weights(m, u, rate, n_right, prior)
    known = {at: weights.columns[at] for at, each in enumerate(prior) if each.known is not None}
    # Which pairs match was learned with what is known; networks take what is usual of these pairs.
    for at in known:
        m[at] = _usual_m(counts[at], among_all[at], prior[at])
    learned = _weights(m, u, rate, n_right, prior) if known else weights
    return replace(learned, known=known, usual=usual_weights)


def _learned_m(matches: Probabilities, among: Probabilities, prior: LevelPrior) -> Probabilities:
    if prior.known is None:
        return _usual_m(matches, among, prior)
    if prior.is_fixed:
        return prior.known
    return _normalised(matches + KNOWN_M * prior.known)


def _usual_m(matches: Probabilities, among: Probabilities, prior: LevelPrior) -> Probabilities:
    return _normalised(matches + PRIOR_M * prior.of_column(matches, among).m)


def _weights(
    m: Sequence[Probabilities],
    u: Sequence[Probabilities],
    rate: float,
    n_right: float,
    prior: Sequence[LevelPrior],
    most_against: float = 0.0,
) -> MatchWeights:
    columns = [
        ColumnWeights.of(*each, is_text=usual.is_text)
        for *each, usual in zip(m, u, prior, strict=True)
    ]
    for column, usual in zip(columns, prior, strict=True):
        if usual.against is not None:
            column.weight[usual.against] = min(column.weight[usual.against], most_against)
    return MatchWeights(tuple(columns), rate, n_right)


def row_shares(
    weight: NDArray[np.float64], starts: IntVector, rate: float, n_right: float
) -> NDArray[np.float64]:
    """Probability that each pair is the answer: float64 of shape (n_pairs,).

    The candidates of a record share one unit.

    Parameters
    ----------
    weight
        float64 of shape (n_pairs,): the match weight of each.
    starts
        int64 of shape (n_records,): where the pairs of each left record start.
    rate, n_right
        As `match_rate` and `n_right` of `MatchWeights`.
    """
    if not len(weight):
        return np.zeros(0)
    joint = weight + np.log(rate) - np.log(max(1.0, n_right))
    none = np.log(1 - rate)
    sizes = np.diff(np.append(starts, len(joint)))
    highest = np.maximum(np.maximum.reduceat(joint, starts), none)
    mass = np.exp(joint - np.repeat(highest, sizes))
    total = np.add.reduceat(mass, starts) + np.exp(none - highest)
    return np.asarray(mass / np.repeat(total, sizes), dtype=np.float64)


def _normalised(counts: NDArray[np.float64]) -> Probabilities:
    return np.asarray(counts / counts.sum(), dtype=np.float64)
