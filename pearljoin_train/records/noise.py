"""Columns that have nothing to do with what a row is about."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from pearljoin_train.records.domains.name_pool import NamePool
from pearljoin_train.records.lists import OpenLists
from pearljoin_train.records.values.codes import fill
from pearljoin_train.records.values.dates import draw_date

__all__ = ["Noise"]

YEARS = (2015, 2023), (2015, 2023), (2015, 2023), (1960, 2020)
"""First and last year of columns of dates."""


class Noise:
    """A column of noise, of one kind in all tables of a linkage.

    Parameters
    ----------
    lists
        Names and words.
    rng
        Draws the kind, and then the values.

    Attributes
    ----------
    header
        Its name in a table.
    """

    def __init__(self, lists: OpenLists, rng: Random) -> None:
        self._rng = rng
        self._lists = lists
        kinds: dict[str, Callable[[int], list[str | None]]] = {
            "row": self._row_numbers,
            "record_no": self._shuffled_numbers,
            "source": self._constant,
            "rating": self._small_numbers,
            "score": self._decimals,
            "batch": self._codes,
            "status": self._categories,
            "updated": self._dates,
            "entered_by": self._people,
            "remark": self._remarks,
        }
        self.header = rng.choice(list(kinds))
        self._draw = kinds[self.header]
        self._pool = NamePool(lists, rng)
        self._states = rng.sample(("active", "closed", "new", "open", "A", "B", "C", "pending"), 3)
        self._years = rng.choice(YEARS)
        self._source = rng.choice(("export", "2021", "Y", "import from old system", "0"))

    def values(self, n: int) -> list[str | None]:
        """Return the values of a table of `n` rows, drawn anew for each table."""
        return self._draw(n)

    def _row_numbers(self, n: int) -> list[str | None]:
        return [str(row) for row in range(n)]

    def _shuffled_numbers(self, n: int) -> list[str | None]:
        return [str(row) for row in self._rng.sample(range(1, n + 1), n)]

    def _constant(self, n: int) -> list[str | None]:
        return [self._source] * n

    def _small_numbers(self, n: int) -> list[str | None]:
        return [str(self._rng.randint(1, 5)) for _ in range(n)]

    def _decimals(self, n: int) -> list[str | None]:
        return [f"{self._rng.random():.4f}" for _ in range(n)]

    def _codes(self, n: int) -> list[str | None]:
        return [fill("@#@#-####", self._rng).lower() for _ in range(n)]

    def _categories(self, n: int) -> list[str | None]:
        return [self._rng.choice(self._states) for _ in range(n)]

    def _dates(self, n: int) -> list[str | None]:
        return [draw_date(*self._years, self._rng).isoformat() for _ in range(n)]

    def _people(self, n: int) -> list[str | None]:
        clerks = [self._pool.person() for _ in range(8)]
        return [f"{clerk.given} {clerk.family}" for clerk in self._rng.choices(clerks, k=n)]

    def _remarks(self, n: int) -> list[str | None]:
        rng = self._rng
        return [rng.choice(self._lists.clauses) if rng.random() < 0.2 else None for _ in range(n)]
