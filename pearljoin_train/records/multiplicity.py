"""How many rows a table has of one thing: one, a few, or hundreds of some."""

from __future__ import annotations

from random import Random

__all__ = ["Multiplicity"]

MORE_RATES = (0.1, 0.2, 0.4, 0.5, 0.7)
"""Chance that there is one row more, and again one more."""

HEAVY_SHARE = 0.2
"""Share of tables in which a few things have very many rows."""

TAILS = (0.9, 1.3, 1.8)
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
    """

    def __init__(self, is_many: bool, n_rows: int, rng: Random) -> None:
        self._rng = rng
        self._is_many = is_many
        self._more = rng.choice(MORE_RATES)
        self._tail = rng.choice(TAILS) if rng.random() < HEAVY_SHARE else 0.0
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
