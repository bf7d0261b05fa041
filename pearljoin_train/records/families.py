"""Names that come in families, whose members differ in a word: siblings, each a thing of its own.

*Oat drink original*, *oat drink unsweetened* and *soya drink unsweetened* are three things; so are
the branches of a bank, the packages of a program and the trials of a drug. Lists of names, of which
other tables are made, hold few such families, since each was drawn from very many names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from random import Random
from typing import NamedTuple

from pearljoin_train.records.lists import OpenLists

__all__ = ["Member", "draw_families"]

LONE_SHARES = (0.0, 0.2, 0.5, 0.8)
"""Shares of the names that have no sibling."""

POOL_SIZES = (2, 3, 5, 12, 40)
"""Numbers of words that take the same place in the siblings of a table."""

OWN_POOLS = 0.3
"""Chance that each family of a table has words of its own."""

N_PLACES = (1, 1, 1, 2, 2)
"""Numbers of places in which the siblings of a family differ."""

TAKEN = (0.3, 0.6, 1.0)
"""Shares of the possible siblings of a family that the table has."""

MOST_SIBLINGS = 30

ADDED = 0.5
"""Chance that a place is added to a name, rather than that of one of its words."""

BARE = 0.6
"""Chance that an added word may be missing, too."""

NUMBERED = ("{} ml", "{}mg", "{} kg", "v{}", "{}", "No. {}", "{}cm", "Phase {}", "{} pack", "#{}")

Writing = Callable[[str], str]
"""Writes the base of a name into a sibling's name."""


class Member(NamedTuple):
    """A member of a family.

    Attributes
    ----------
    base
        The name that the family has in common.
    aliases
        What else that is called.
    write
        Writes the base, or an alias of it, into the member's name.
    """

    base: str
    aliases: Sequence[str]
    write: Writing

    @property
    def names(self) -> tuple[str, ...]:
        """The name, and what else the member is called."""
        return tuple(map(self.write, (self.base, *self.aliases)))


def draw_families(lists: OpenLists, n: int, rng: Random) -> list[list[Member]]:
    """Draw families of names of one sort, no two of whose members have one name.

    Parameters
    ----------
    lists
        Names and words, see `read_lists`.
    n
        How many members they have together.
    rng
        Draws the sort, how large families are, and the words in which members differ.
    """
    bases = _bases(lists, rng)
    names = sorted(bases)
    lone, shared = rng.choice(LONE_SHARES), _pools(lists, rng)
    own = rng.random() < OWN_POOLS
    taken: set[str] = set()
    found: list[list[Member]] = []
    while len(taken) < n:
        base = rng.choice(names)
        family: Sequence[Writing] = [str]
        if rng.random() >= lone:
            family = _family(base, _pools(lists, rng) if own else shared, rng)
        found.append([])
        for write in family:
            name = write(base).casefold()
            if name not in taken and len(taken) < n:
                taken.add(name)
                found[-1].append(Member(base, bases[base], write))
        if len(family) > 1 and not found[-1]:
            shared = _pools(lists, rng)  # else few bases and few words would never make so many
    return [family for family in found if family]


def _bases(lists: OpenLists, rng: Random) -> Mapping[str, Sequence[str]]:
    """Draw a list of names of one sort, with their aliases."""
    listed: Sequence[Mapping[str, Sequence[str]] | Sequence[str]] = (
        lists.companies,
        lists.organisations,
        lists.journals,
        lists.places,
        lists.jobs,
        lists.biomedicine,
        lists.computing,
        lists.artists,
        lists.songs,
        lists.clauses,
        [*lists.artefacts],
    )
    some = rng.choice(listed)
    return some if isinstance(some, Mapping) else dict.fromkeys(some, ())


def _pools(lists: OpenLists, rng: Random) -> list[list[str]]:
    """Draw the words that take the same place, for each place in which siblings may differ."""
    return [_pool(lists, rng) for _ in range(max(N_PLACES))]


def _pool(lists: OpenLists, rng: Random) -> list[str]:
    size = rng.choice(POOL_SIZES)
    if rng.random() < 0.2:
        pattern = rng.choice(NUMBERED)
        return [pattern.format(rng.choice((1, 5, 10, 50)) * (at + 1)) for at in range(size)]
    sources: Sequence[Sequence[str]] = (
        [*lists.artefacts],
        lists.concepts,
        [*lists.places],
        [*lists.nicknames],
        [*lists.jobs],
        lists.biomedicine,
        lists.clauses,
    )
    source = rng.choice(sources)
    n_words = rng.choice((1, 1, 1, 2))
    return [_last_words(rng.choice(source), n_words) for _ in range(size)]


def _last_words(name: str, n: int) -> str:
    return " ".join(name.split()[-n:]).strip('()[],.;:"')


def _family(base: str, pools: Sequence[Sequence[str]], rng: Random) -> list[Writing]:
    """Draw how the siblings of a family write its base."""
    words = base.split()
    places = []
    for pool in pools[: rng.choice(N_PLACES)]:
        fillers: list[str | None] = [*pool]
        if rng.random() < ADDED or len(words) < 2:
            at, is_added = rng.choice((0, len(words), len(words))), True
            if rng.random() < BARE:
                fillers.append(None)
        else:
            at, is_added = rng.randrange(len(words)), False
            fillers.append(words[at])
        places.append([(at, is_added, filler) for filler in fillers])
    every = [*product(*places)]
    n = max(2, min(MOST_SIBLINGS, round(rng.choice(TAKEN) * len(every))))
    return [_writing(some) for some in rng.sample(every, min(n, len(every)))]


def _writing(places: Sequence[tuple[int, bool, str | None]]) -> Writing:
    def write(base: str) -> str:
        words = [[word] for word in base.split()]
        before: list[str] = []
        for at, is_added, filler in places:
            if filler is None:
                continue
            if not is_added:
                words[min(at, len(words) - 1)][0] = filler
            elif at == 0:
                before.append(filler)
            else:
                words[-1].append(filler)
        return " ".join([*before, *(word for joint in words for word in joint)])

    return write
