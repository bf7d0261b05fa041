"""Silent columns: key columns in which answers are no more alike than any two records.

Both tables may have a column of one name that is each table's own: row numbers, the time of the
last change, the name of the system that the table is from. Its match weights come out near 0, but
networks over records take what differs in it for a conflict all the same, and whole records differ.
So such a column is not to be compared.

What says who is meant must not be left out where the likeliest candidates are only related to the
left records: members of a household whose given names differ are as many as there are absent rows.
So a column stays that tells records of the reference apart which are alike in all others, and only
left records count to which the other columns find one clear answer.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pearljoin._ragged import run_starts
from pearljoin._records.encoded import EncodedRecords
from pearljoin._scoring.knots import knot_counts
from pearljoin._scoring.level_prior import LevelPrior, Probabilities
from pearljoin._scoring.match_weights import MatchWeights, learn, row_shares
from pearljoin._scoring.record_features import RecordPairs

__all__ = ["silent_columns"]

CLEAR = 0.5
"""Probability of a pair from which on it is a clear answer."""

FEWEST = 15.0
"""Answers by which a column is judged, at least."""

MOST_TOLD = 0.1
"""What an answer tells in a silent column, at most, in nats (the natural unit of information)."""

DOUBTFUL = 0.5
"""Likewise, in a column that is judged by answers of which it has no part."""

SPREADS = 3.0
"""How many standard deviations above its mean what all answers tell may be by chance."""

TOLD_APART = 0.95
"""Share of the distinct records of the reference that the other columns tell apart, at least."""


def silent_columns(
    pairs: RecordPairs,
    weights: MatchWeights,
    n_left: int,
    among_all: Sequence[Probabilities],
    prior: Sequence[LevelPrior],
    right: EncodedRecords,
) -> tuple[int, ...]:
    """Find the key columns that say nothing of which record is the answer.

    Parameters
    ----------
    pairs
        How all candidates of sampled left records compare.
    weights
        Match weights that were learned from them.
    n_left, among_all, prior
        As of `learn`.
    right
        The reference.

    Returns
    -------
    columns
        Their places, ascending. The only column of names is none: two names are hardly alike by
        chance, but row numbers of two tables are.

    Notes
    -----
    The answers are those by all other columns but silent ones. What they tell is the log of how
    much likelier their positions are by themselves than those of pairs at random. Twice that is
    chi-square distributed where they are the same, with a mean of one less than there are knots
    (Wilks 1938).
    """
    n_columns = len(pairs.columns)
    if not len(pairs) or n_columns == 1:
        return ()
    of_columns = weights.of_pairs(pairs.columns)
    told = [
        _told(pairs, at, of_columns.sum(axis=1) - of_columns[:, at], weights, among_all[at])[0]
        for at in range(n_columns)
    ]
    found: list[int] = []
    for at in np.argsort(told, kind="stable").tolist():
        rest = [other for other in range(n_columns) if other not in (*found, at)]
        can_judge = any(prior[other].is_text for other in rest) if prior[at].is_text else rest
        if told[at] >= DOUBTFUL or not can_judge or not _are_told_apart(right, rest, at):
            continue
        others = [pairs.columns[other] for other in rest]
        known = [among_all[other] for other in rest], [prior[other] for other in rest]
        alone = learn(others, pairs.left, n_left, weights.n_right, *known)
        of_others = alone.of_pairs(others).sum(axis=1)
        by_others, by_chance = _told(pairs, at, of_others, alone, among_all[at])
        if by_others < min(MOST_TOLD, by_chance):
            found.append(at)
    return tuple(sorted(found))


def _told(
    pairs: RecordPairs,
    at: int,
    of_others: NDArray[np.float64],
    weights: MatchWeights,
    among: Probabilities,
) -> tuple[float, float]:
    """What an answer tells in a column on average, and what it may by chance.

    Answers are those by the match weights of other columns. Of few, both are infinite and 0.
    """
    chance = row_shares(of_others, run_starts(pairs.left), weights.match_rate, weights.n_right)
    clear = np.where(chance >= CLEAR, chance, 0.0)
    answers = knot_counts(pairs.columns[at].position, len(among), clear)
    n = float(answers.sum())
    if n < FEWEST or not among.sum():
        return math.inf, 0.0
    # Every pair that is an answer is among all of them.
    expected = among + answers / n
    expected /= expected.sum()
    seen = answers > 0
    told = float(answers[seen] @ np.log(answers[seen] / n / expected[seen]))
    mean = len(among) - 1
    return told / n, (mean + SPREADS * math.sqrt(2 * mean)) / 2 / n


def _are_told_apart(right: EncodedRecords, columns: Sequence[int], more: int) -> bool:
    """Whether some columns tell the records apart as well as with one more."""
    n_apart, n_with = (
        len(np.unique(np.column_stack([right.codes[at] for at in some]), axis=0))
        for some in (columns, [*columns, more])
    )
    return n_apart >= TOLD_APART * n_with
