"""Silent columns: key columns in which answers are no more alike than any two records.

Both tables may have a column of one name that is each table's own: row numbers, the time of the
last change, the name of the system that the table is from. Its match weights come out near 0, but
networks over records take what differs in it for a conflict all the same, and whole records differ.
So such a column is not to be compared.

What says who is meant must not be left out where the likeliest candidates are others than those
that are meant. So a column stays that tells records of the reference apart which are alike in all
others, as given names do in a household. One clear answer by the other columns may also be a
namesake of somebody who is not listed: so many left records must have one, and dates of birth stay.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from pearljoin._records.encoded import EncodedRecords
from pearljoin._scoring.clear_answers import clear_answers
from pearljoin._scoring.column_pairs import PairedRecords
from pearljoin._scoring.compared import Compared
from pearljoin._scoring.knots import knot_counts
from pearljoin._scoring.level_prior import LevelPrior, Probabilities
from pearljoin._scoring.match_weights import MatchWeights, learn
from pearljoin._scoring.record_features import RecordPairs
from pearljoin._scoring.related_values import are_related, written_values

__all__ = ["silent_columns"]

FEWEST = 15.0
"""Answers by which a column is judged, at least."""

LEAST_CLEAR = 0.3
"""Share of the left records that have a clear answer by the other columns, at least."""

LEAST_TOLD, MOST_TOLD = 0.03, 0.1
"""What an answer tells in a silent column, at most, in nats (the natural unit of information): of
many answers and of few."""

DOUBTFUL = 0.5
"""Likewise, in a column that is judged by answers of which it has no part."""

SPREADS = 3.0
"""How many standard deviations above its mean what all answers tell may be by chance."""

MOSTLY_EQUAL = 0.9
"""Share of the answers whose values are equal from which on a column is not silent."""

TOLD_APART = 0.85
"""Share of the distinct records of the reference that the other columns tell apart, at least."""


def silent_columns(
    pairs: RecordPairs,
    weights: MatchWeights,
    n_left: int,
    among_all: Sequence[Probabilities],
    at_random: Sequence[Probabilities],
    prior: Sequence[LevelPrior],
    written: PairedRecords,
    may_drop: Collection[int],
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
    at_random
        As `among_all`, of pairs at random alone: of a column in which hardly any candidates are
        alike, these do not tell how many pairs are.
    written
        The records of these candidates. A column stays, however it compares, whose values are
        related in answers: see `pearljoin._scoring.related_values`.
    may_drop
        The columns that are asked for.

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
    total, told = of_columns.sum(axis=1), {}
    for at in sorted(may_drop):
        if prior[at].known is None:
            clear = clear_answers(pairs, total - of_columns[:, at], weights)
            told[at] = _told(pairs.columns[at], clear, at_random[at])[0]
    asked = sorted((at for at in told if told[at] < DOUBTFUL), key=lambda at: told[at])
    found: list[int] = []

    @cache
    def clear_by(rest: tuple[int, ...]) -> NDArray[np.float64]:
        """The clear answers by some columns alone, by which several others are judged."""
        others = [pairs.columns[other] for other in rest]
        known = [among_all[other] for other in rest], [prior[other] for other in rest]
        alone = learn(others, pairs.left, n_left, weights.n_right, *known)
        return clear_answers(pairs, alone.of_pairs(others).sum(axis=1), alone)

    def is_silent(at: int) -> bool:
        """Judge by weights that are learned without columns that are, or may be, silent."""
        hidden = {at, *found, *(other for other in asked if not prior[other].is_text)}
        rest = [other for other in range(n_columns) if other not in hidden]
        if not any(prior[other].is_text for other in rest):
            rest = [other for other in range(n_columns) if other not in (*found, at)]
            if prior[at].is_text or not rest:
                return False
        if not _are_told_apart(written.right, rest, at):
            return False
        clear = clear_by(tuple(rest))
        by_others, at_most = _told(pairs.columns[at], clear, at_random[at])
        if by_others >= at_most or clear.sum() < LEAST_CLEAR * n_left:
            return False
        return not are_related(written_values(written.take(clear > 0).column(at)))

    while (silent := next(filter(is_silent, asked), None)) is not None:
        asked.remove(silent)
        found.append(silent)
    return tuple(sorted(found))


def _told(
    compared: Compared, clear: NDArray[np.float64], among: Probabilities
) -> tuple[float, float]:
    """What a clear answer tells in a column on average, and what it may where that is silent.

    Few answers tell nothing yet. Those that are mostly equal tell more than any: such a column does
    no harm.
    """
    answers = knot_counts(compared.position, len(among), clear)
    n = float(answers.sum())
    if not among.sum():
        return math.inf, 0.0
    if n < FEWEST:
        return 0.0, 0.0
    if answers[-1] >= MOSTLY_EQUAL * n:
        return math.inf, 0.0
    # Every pair that is an answer is among all of them.
    expected = among + answers / n
    expected /= expected.sum()
    seen = answers > 0
    told = float(answers[seen] @ np.log(answers[seen] / n / expected[seen])) / n
    mean = len(among) - 1
    chance = (mean + SPREADS * math.sqrt(2 * mean)) / 2 / n
    return told, min(MOST_TOLD, max(LEAST_TOLD, chance))


def _are_told_apart(right: EncodedRecords, columns: Sequence[int], more: int) -> bool:
    """Whether some columns tell the records apart as well as with one more."""
    n_apart, n_with = (
        len(np.unique(np.column_stack([right.codes[at] for at in some]), axis=0))
        for some in (columns, [*columns, more])
    )
    return n_apart >= TOLD_APART * n_with
