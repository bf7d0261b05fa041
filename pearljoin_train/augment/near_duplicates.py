"""Near duplicates: names of other things that differ in one word or number."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from collections.abc import Sequence, Set
from functools import cached_property

import numpy as np

from pearljoin.scoring import LIGHT_WORDS

__all__ = ["NearDuplicates"]


def _bare(word: str) -> str:
    """Return a word without accents, case and punctuation."""
    apart = unicodedata.normalize("NFD", word.casefold())
    return "".join(filter(str.isalnum, apart))


def _core(name: str) -> list[str]:
    """Return the words that identify a name, bare and in alphabetical order."""
    return sorted(word for word in map(_bare, name.split()) if word not in LIGHT_WORDS)


class NearDuplicates:
    """Adds names of other things that differ from a name in one word or one number.

    A near duplicate has another word or number in place of one of the name's, or a word more or
    less: the Pacific Cup and the Pacific Nations Cup. The new word is any word of the names, or one
    of similar spelling, as Saskatoon is to Saskatchewan: a scorer must learn to distinguish a typo
    from another word.

    Parameters
    ----------
    names
        All names, from whose words the new ones are drawn.
    rng
        Draws which names get near duplicates, and which ones.
    """

    LOOKALIKE = 0.3
    """Share of near duplicates whose new word is one of similar spelling."""

    MORE_OR_LESS = 0.35
    """Share of near duplicates with a word more or less, among names of several words."""

    def __init__(self, names: Sequence[str], rng: np.random.Generator) -> None:
        self._names = names
        self._rng = rng
        self._share = float(rng.choice([0.2, 0.5, 1.0]))

    def add(self, reference: list[str], asked: list[str], known: Set[str]) -> list[str]:
        """Add near duplicates of some names to the reference.

        Parameters
        ----------
        reference
            Its names.
        asked
            Names that are looked up. Those without an answer get as many near duplicates.
        known
            Names and aliases, none of which is added. Nor is what differs from its name only in
            `LIGHT_WORDS`, as "3M" does from "3M Company".

        Returns
        -------
        reference
            The names given and the new ones, distinct.
        """
        shares = dict.fromkeys(asked, self._share) | dict.fromkeys(reference, self._share)
        chosen = [name for name, share in shares.items() if self._rng.random() < share]
        duplicates = [(name, self._near_duplicate(name)) for name in chosen]
        written = {_bare(name) for name in known}
        added = [
            duplicate
            for name, duplicate in duplicates
            if _bare(duplicate) not in written and _core(duplicate) != _core(name)
        ]
        return list(dict.fromkeys([*reference, *added]))

    def _near_duplicate(self, name: str) -> str:
        words = name.split()
        if len(words) > 1 and self._rng.random() < self.MORE_OR_LESS:
            return " ".join(self._more_or_less(words))
        numbers = [at for at, word in enumerate(words) if word.isdecimal() and len(word) < 9]
        if numbers:
            at = numbers[int(self._rng.integers(len(numbers)))]
            words[at] = str(int(words[at]) + int(self._rng.integers(1, 10)))
            return " ".join(words)
        if words and self._rng.random() < self.LOOKALIKE:
            at = int(self._rng.integers(len(words)))
            words[at] = self._lookalike(words[at])
            return " ".join(words)
        other = self._any_words()
        if len(words) < 2:
            return f"{name} {other[0]}"
        words[int(self._rng.integers(len(words)))] = other[int(self._rng.integers(len(other)))]
        return " ".join(words)

    def _more_or_less(self, words: list[str]) -> list[str]:
        """Leave out a word without digits, or insert a word of any name."""
        at = int(self._rng.integers(len(words)))
        if self._rng.random() < 0.5 and not any(map(str.isdigit, words[at])):
            return words[:at] + words[at + 1 :]
        at, other = int(self._rng.integers(len(words) + 1)), self._any_words()
        return [*words[:at], other[int(self._rng.integers(len(other)))], *words[at:]]

    def _any_words(self) -> list[str]:
        """Return the words of a random name."""
        return self._names[int(self._rng.integers(len(self._names)))].split() or ["II"]

    def _lookalike(self, word: str) -> str:
        """Return a word of the names with the same beginning or the same end."""
        # Imported here, so that training runs on a machine without it.
        from rapidfuzz.distance import OSA

        backwards = self._rng.random() < 0.5
        listed = self._words[backwards]
        sought = word[::-1] if backwards else word
        at = bisect_left(listed, sought)
        # One letter less or more may be the same word: a plural, a misprint, another spelling.
        near = [
            other
            for other in listed[max(0, at - 2) : at + 3]
            if OSA.distance(_bare(other), _bare(sought), score_cutoff=1) > 1
        ]
        found = near[int(self._rng.integers(len(near)))] if near else sought + "a"
        return found[::-1] if backwards else found

    @cached_property
    def _words(self) -> tuple[list[str], list[str]]:
        """The words of all names in alphabetical order, and again written backwards."""
        words = {word for name in self._names for word in name.split() if word.isalpha()}
        return sorted(words), sorted(word[::-1] for word in words)
