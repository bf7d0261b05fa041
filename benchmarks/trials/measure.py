"""What the library finds in trial tables at default settings, without naming a column."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass

import pearljoin as pj
from benchmarks.trials.tables import TrialJoin, TrialTable

__all__ = ["Found", "deduplicate", "join", "pooled"]

REFUSED = "cannot be guessed"
"""What errors say where the columns to compare are to be named."""


@dataclass(frozen=True)
class Found:
    """Rows of a join, or pairs of rows of one table.

    Attributes
    ----------
    there
        Left rows that have an answer, or pairs of one thing.
    returned
        Left rows that were given a match, or pairs that were put into one cluster.
    right
        How many of those returned are true.
    expected
        How many of them were expected to be, by the library's own scores.
    is_refused
        Whether the library wanted to be told the columns, and nothing was returned.
    """

    there: int
    returned: int = 0
    right: int = 0
    expected: float = 0.0
    is_refused: bool = False

    @property
    def precision(self) -> float:
        """Share of those returned that are true; 1 of none."""
        return self.right / self.returned if self.returned else 1.0

    @property
    def expected_precision(self) -> float:
        """Share of those returned that were expected to be true; 1 of none."""
        return self.expected / self.returned if self.returned else 1.0

    @property
    def recall(self) -> float:
        """Share of what is there that was found; 1 where nothing is."""
        return self.right / self.there if self.there else 1.0

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall; 1 where nothing is there nor returned."""
        total = self.returned + self.there
        return 2 * self.right / total if total else 1.0


def pooled(found: Iterable[Found]) -> Found:
    """Add up what was found in several tables."""
    every = list(found)
    return Found(
        sum(each.there for each in every),
        sum(each.returned for each in every),
        sum(each.right for each in every),
        sum(each.expected for each in every),
        any(each.is_refused for each in every),
    )


def join(trial: TrialJoin, encoder: str | pj.Encoder) -> Found:
    """Match two tables, each left row with one right row at most."""
    try:
        result = pj.match(trial.left.table, trial.right.table, encoder=encoder)
    except pj.InputError as error:
        return _refused(trial.n_answerable, error)
    found = result.matches()
    left, right = trial.left.things, trial.right.things
    pairs = zip(found.left.tolist(), found.right.tolist(), strict=True)
    n_right = sum(left[one] == right[other] for one, other in pairs)
    expected = float(found.score.sum())
    return Found(trial.n_answerable, len(found.left), n_right, expected)


def deduplicate(trial: TrialTable, encoder: str | pj.Encoder) -> Found:
    """Put the rows of a table into clusters."""
    there = _n_pairs(trial.things)
    try:
        result = pj.find_duplicates(trial.table, encoder=encoder)
    except pj.InputError as error:
        return _refused(there, error)
    clusters = [int(number) for number in result.clusters()]
    returned = _n_pairs(clusters)
    right = _n_pairs(zip(clusters, trial.things, strict=True))
    expected = returned * result.expected_precision() if returned else 0.0
    return Found(there, returned, right, expected)


def _refused(there: int, error: pj.InputError) -> Found:
    """Nothing is returned where columns must be named; any other error is one."""
    if REFUSED not in str(error):
        raise error
    return Found(there, is_refused=True)


def _n_pairs(labels: Iterable[Hashable]) -> int:
    """Count the pairs of rows of one label."""
    return sum(n * (n - 1) // 2 for n in Counter(labels).values())
