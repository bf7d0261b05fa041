"""The style of a column: how one table writes its values, rightly and wrongly."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from itertools import accumulate
from random import Random
from typing import Generic, TypeAlias, TypeVar

__all__ = ["Slip", "Style", "TextSlip", "skewed"]

V = TypeVar("V")
T = TypeVar("T")

TextSlip: TypeAlias = Callable[[str, Random], str]
"""Changes a written value; returns it unchanged where it has nothing to change."""

Slip: TypeAlias = Callable[[V, Random], V]
"""Changes a value before it is written."""

TRIES = 4
"""Slips that are tried until one changes what is written."""


class Style(ABC, Generic[V]):
    """How one table writes one column.

    A style draws its format once, and how common each slip is in this table: there are tables full
    of typos, and others full of abbreviations.

    Parameters
    ----------
    rng
        Draws format and shares of slips.
    """

    slips: Sequence[Slip[V]] = ()
    """Changes of the value, drawn as often as those of the text."""

    text_slips: Sequence[TextSlip] = ()
    """Changes of the written text."""

    def __init__(self, rng: Random) -> None:
        shares = [rng.gammavariate(0.7, 1.0) for _ in (*self.slips, *self.text_slips)]
        self._shares = list(accumulate(shares))

    @abstractmethod
    def write(self, value: V, rng: Random) -> str:
        """Write a value as this table does."""

    def write_wrongly(self, value: V, rng: Random) -> str:
        """Write a value with one slip; as `write` does where no slip has anything to change."""
        written = self.write(value, rng)
        for _ in range(TRIES if self._shares else 0):
            at = rng.choices(range(len(self._shares)), cum_weights=self._shares)[0]
            if at < len(self.slips):
                changed = self.write(self.slips[at](value, rng), rng)
            else:
                changed = self.text_slips[at - len(self.slips)](written, rng)
            if changed and changed != written:
                return changed
        return written


def skewed(items: Sequence[T], rng: Random) -> T:
    """Return one of the items, the first ones far more often than the last.

    Examples
    --------
    >>> [skewed("abcdefghij", Random(seed)) for seed in range(6)]
    ['g', 'a', 'i', 'a', 'a', 'd']
    """
    return items[int(len(items) * rng.random() ** 2.5)]
