"""How many rows a table has of one thing: one, a few, or hundreds of some."""

from __future__ import annotations

from random import Random
from typing import Literal

__all__ = ["RELATIONS", "Multiplicity", "Relation", "draw_counts"]

Relation = Literal["one_to_one", "one_to_many", "many_to_one", "many_to_many"]
"""How many rows of the left side, and of the right, are of one thing."""

RELATIONS: dict[Relation, float] = {
    "one_to_one": 0.45,
    "many_to_one": 0.2,
    "one_to_many": 0.1,
    "many_to_many": 0.25,
}
"""How often each is drawn."""

MORE_RATES = (0.1, 0.2, 0.4, 0.5, 0.7)
"""Chance that there is one row more, and again one more."""

FEW_RATES = (0.05, 0.1, 0.2)
"""The same in tables of which few things have several rows."""

HEAVY_SHARE = 0.25
"""Share of tables in which a few things have very many rows."""

TAILS = (0.7, 1.0, 1.4)
"""Exponents of the Pareto distribution in these; the smaller, the heavier."""

MOST = 300


class Multiplicity:
    """Draws the number of rows of one thing after another.

    Parameters
    ----------
    is_many
        Whether things may have several rows; else each has one.
    n_rows
        Rows of the table: no thing has more than a third of them.
    rng
        Draws the distribution, and then the numbers.
    few
        Whether few things have several rows, and none very many.
    """

    def __init__(self, is_many: bool, n_rows: int, rng: Random, few: bool = False) -> None:
        self._rng = rng
        self._is_many = is_many
        self._more = rng.choice(FEW_RATES if few else MORE_RATES)
        self._tail = rng.choice(TAILS) if not few and rng.random() < HEAVY_SHARE else 0.0
        self._most = max(2, min(MOST, n_rows // 3))

    def draw(self) -> int:
        """Return a number of rows, at least 1."""
        if not self._is_many:
            return 1
        if self._tail:
            return min(self._most, int(self._rng.paretovariate(self._tail)))
        n = 1
        while n < self._most and self._rng.random() < self._more:
            n += 1
        return n

    def draw_until(self, n_rows: int) -> list[int]:
        """Return numbers of rows of things that make `n_rows` together."""
        found: list[int] = []
        left = n_rows
        while left > 0:
            found.append(min(left, self.draw()))
            left -= found[-1]
        return found


def draw_counts(
    relation: Relation,
    unmatched: tuple[float, float],
    n_left: int,
    most_rows: int,
    rng: Random,
) -> tuple[list[int], list[int]]:
    """Draw how many rows of each thing each side has.

    Returns
    -------
    left_counts, right_counts
        For each thing, of which those without a match have 0 rows on one side. In random order,
        so that near twins may be of any sort.
    """
    left = Multiplicity(relation.startswith("many"), n_left, rng)
    right = Multiplicity(relation.endswith("many"), n_left, rng)
    matched = left.draw_until(round(n_left * (1 - unmatched[0])))
    answers = [right.draw() for _ in matched]
    while sum(answers) > most_rows:
        matched.pop()
        answers.pop()
    left_only = left.draw_until(n_left - sum(matched))
    n_right_only = round(sum(answers) * unmatched[1] / (1 - unmatched[1])) or not answers
    right_only = right.draw_until(min(most_rows - sum(answers), n_right_only))
    counts = [
        *zip(matched, answers, strict=True),
        *((count, 0) for count in left_only),
        *((0, count) for count in right_only),
    ]
    rng.shuffle(counts)
    return [left for left, _ in counts], [right for _, right in counts]
