"""The type of an augmentation: a pure function of text and random source."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias, TypeVar

__all__ = ["Chance", "Rule", "pick", "place"]

T = TypeVar("T")


class Chance(Protocol):
    """A source of chance: `random.Random` (quicker) and `numpy.random.Generator` are both one."""

    def random(self) -> float:
        """Return a number of [0, 1)."""
        ...


Rule: TypeAlias = Callable[[str, Chance], str]
"""Gives another form of a text, or the very same text where it has none to give."""


def place(size: int, rng: Chance) -> int:
    """Return a whole number of [0, size), each as likely."""
    return int(rng.random() * size)


def pick(items: Sequence[T], rng: Chance) -> T:
    """Return one of `items`, which must not be empty, each as likely."""
    return items[int(rng.random() * len(items))]
