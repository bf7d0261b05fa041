"""What every domain has: columns, things and their near twins, and how a source sees a thing."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar, Literal, TypeAlias

from pearljoin_train.records.lists import OpenLists
from pearljoin_train.records.values.style import Style

__all__ = ["Column", "ColumnKind", "Domain", "Move", "Thing", "column"]

ColumnKind = Literal[
    "name",
    "person",
    "given_name",
    "family_name",
    "address",
    "postcode",
    "date",
    "email",
    "phone",
    "web",
    "code",
    "quantity",
    "price",
    "duration",
    "latitude",
    "longitude",
    "category",
    "authors",
    "description",
    "noise",
]
"""What a column truly holds.

name          names of things and other short text
person        full names of people; `given_name` and `family_name` where they stand apart
address       a street with its number, or the whole address
date          dates, or years alone
code          what identifies a thing, or a part of it: article numbers, pages
quantity      a number; `price` and `duration` (minutes, or seconds) are quantities too
category      values that many things share
authors       lists of people
description   long text
noise         what has nothing to do with the thing
"""

Thing: TypeAlias = dict[str, Any]
"""The true values of a thing by column key, and perhaps others that no column shows."""


@dataclass(frozen=True)
class Column:
    """A column that tables of a domain may have.

    Attributes
    ----------
    headers
        The names it may have in a table.
    kind
        What it holds.
    style
        Draws how one table writes it.
    """

    headers: tuple[str, ...]
    kind: ColumnKind
    style: Callable[[Random], Style[Any]]


def column(headers: str, kind: ColumnKind, style: Callable[[Random], Style[Any]]) -> Column:
    """Make a column; the headers are separated by spaces."""
    return Column(tuple(headers.split()), kind, style)


@dataclass(frozen=True)
class Move:
    """Values that stand in another column than they should.

    Attributes
    ----------
    source, target
        Keys of columns. The target takes the source's value, which is missing then.
    text
        How the target is written with the source's value in it. Empty: the two change places.
    """

    source: str
    target: str
    text: str = "{source} {target}"


class Domain(ABC):
    """The things of one table, or of the two tables of a linkage.

    Parameters
    ----------
    lists
        Names and words.
    rng
        Draws everything about the things.
    """

    name: ClassVar[str]

    core: tuple[str, ...]
    """Keys of the columns that every table has."""

    together: tuple[tuple[str, ...], ...] = ()
    """Keys of columns of which a table has all or none."""

    moves: tuple[Move, ...] = ()

    NEAR_RATES: ClassVar[tuple[float, ...]] = (0.0, 0.0, 0.02, 0.05, 0.1, 0.3, 0.6)
    """Chances that a thing is followed by a near twin: most tables have few, beside those that
    names which happen to be alike bring."""

    def __init__(self, lists: OpenLists, rng: Random) -> None:
        self._lists = lists
        self._rng = rng
        self.near_rate = rng.choice(self.NEAR_RATES)
        """Chance that a thing is followed by a near twin, in [0, 1)."""
        self.columns: Mapping[str, Column] = {}

    def things(self, n: int, twins: float = 1.0) -> list[Thing]:
        """Return things, near twins soon after each other.

        Parameters
        ----------
        n
            How many; at least 0.
        twins
            Factor, in [0, 1], on the chance of near twins that was drawn.
        """
        found: list[Thing] = []
        while len(found) < n:
            found.append(self._new())
            while len(found) < n and self._rng.random() < self.near_rate * twins:
                found.append(self._near(self._rng.choice(found[-4:])))
        return found

    @abstractmethod
    def _new(self) -> Thing:
        """Return any thing of this domain."""

    @abstractmethod
    def _near(self, thing: Thing) -> Thing:
        """Return another thing that is easily taken for this one."""

    def observe(self, thing: Thing, rng: Random) -> Thing:
        """Return what one source has of a thing: values of their time and place, not slips."""
        return thing
