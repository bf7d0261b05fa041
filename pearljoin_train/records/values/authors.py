"""Lists of authors."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from pearljoin_train.records.values.people import Person
from pearljoin_train.records.values.slips import cut_off, lose_accents, misread, misspell
from pearljoin_train.records.values.style import Style

__all__ = ["AuthorsStyle"]

Authors = tuple[Person, ...]


def _initials(person: Person, dot: str) -> str:
    return "".join(part[0] + dot for part in f"{person.given} {person.middle}".split())


WAYS: tuple[Callable[[Person], str], ...] = (
    lambda person: f"{person.given} {person.family}",
    lambda person: f"{person.given} {person.family}",
    lambda person: f"{person.given} {person.middle} {person.family}".replace("  ", " "),
    lambda person: f"{person.given[0]}. {person.family}",
    lambda person: f"{_initials(person, '.')} {person.family}",
    lambda person: f"{_initials(person, '')} {person.family}",
    lambda person: f"{person.family}, {person.given[0]}.",
    lambda person: f"{person.family}, {person.given}",
    lambda person: f"{person.family} {_initials(person, '')}",
)
"""How a table writes one author."""


def drop_author(authors: Authors, rng: Random) -> Authors:
    """Leave out one author."""
    if len(authors) < 2:
        return authors
    at = rng.randrange(len(authors))
    return authors[:at] + authors[at + 1 :]


def swap_authors(authors: Authors, rng: Random) -> Authors:
    """Change the order."""
    return tuple(rng.sample(authors, len(authors)))


def keep_first(authors: Authors, rng: Random) -> Authors:
    """Leave the first author, or the first few."""
    return authors[: rng.choice((1, 1, 2, 3))]


class AuthorsStyle(Style[Authors]):
    """Lists of authors: one way to write a name, one separator, and perhaps a greatest length."""

    slips = (drop_author, swap_authors, keep_first)
    text_slips = (misspell, misspell, misread, cut_off, lose_accents)

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self._way = rng.choice(WAYS)
        has_commas = "," in self._way(Person("A", "", "B"))
        self._between = "; " if has_commas else rng.choice((", ", ", ", "; ", " and ", " & "))
        self._last = rng.choice((self._between, " and ", " & "))
        self._most = rng.choice((0, 0, 0, 1, 2, 3, 6))
        self._more = rng.choice((" et al.", " et al", ", ...", ""))

    def write(self, value: Authors, rng: Random) -> str:
        """Write the authors in order."""
        names = [self._way(person) for person in value]
        if self._most and len(names) > self._most:
            return self._between.join(names[: self._most]) + self._more
        if len(names) < 2:
            return "".join(names)
        return self._between.join(names[:-1]) + self._last + names[-1]
