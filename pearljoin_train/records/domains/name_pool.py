"""Names of people as they occur together in one table: some common, most rare."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random

from pearljoin_train.records.lists import OpenLists, words
from pearljoin_train.records.values.people import Person
from pearljoin_train.records.values.style import skewed

__all__ = ["NamePool"]


@dataclass(frozen=True)
class Parts:
    """Parts of the names of the open lists, as often as they occur there."""

    given: Sequence[str]
    family: Sequence[str]
    middle: Sequence[str]
    short_forms: Mapping[str, tuple[str, ...]]


@cache
def read_parts(lists: OpenLists) -> Parts:
    """Take the names of the open lists apart."""
    given, family, middle = [], [], []
    for name, aliases in lists.people.items():
        first, *_, last = name.split()
        given.append(first)
        family.append(last)
        for alias in aliases:
            between = alias.split()[1:-1]
            if alias.split()[-1] == last and between and len(between[0]) > 2:
                middle.append(between[0])
                break
    short_forms = {
        name: tuple(dict.fromkeys(form.title() for form in found if len(form) > 1))
        for name, found in lists.nicknames.items()
    }
    return Parts(given, family, middle or given, short_forms)


class NamePool:
    """The people's names of one table.

    Parameters
    ----------
    lists
        Names and words.
    rng
        Draws which names the table has, how common each is, and then the names.
    """

    def __init__(self, lists: OpenLists, rng: Random) -> None:
        self._rng = rng
        self._parts = read_parts(lists)
        n_families = rng.choice((60, 400, 3000))
        foreign = rng.choice((0.05, 0.2, 0.6))
        listed = words("people", "families")
        self._families = [
            rng.choice(listed) if rng.random() < foreign else rng.choice(self._parts.family)
            for _ in range(n_families)
        ]
        self._women_rate = rng.choice((0.2, 0.5, 0.5, 0.8))
        self._middle_rate = rng.choice((0.1, 0.5))

    def given(self) -> str:
        """Draw a given name."""
        rng = self._rng
        if rng.random() < self._women_rate:
            return skewed(words("people", "women"), rng)
        if rng.random() < 0.3:
            return skewed(words("people", "men"), rng)
        return rng.choice(self._parts.given)

    def family(self) -> str:
        """Draw a family name."""
        return skewed(self._families, self._rng)

    def person(self, family: str | None = None) -> Person:
        """Draw a person, by default of any family."""
        rng = self._rng
        given = self.given()
        middle = ""
        if rng.random() < self._middle_rate:
            is_listed = rng.random() < 0.5
            middle = rng.choice(self._parts.middle) if is_listed else self.given()
        has_suffix = rng.random() < 0.02
        return Person(
            given=given,
            middle=middle if middle != given else "",
            family=family or self.family(),
            short_forms=self._parts.short_forms.get(given, ()),
            suffix=rng.choice(words("people", "suffixes")) if has_suffix else "",
        )
