"""People's names written otherwise: short forms, initials, swapped order, slips of the ear."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

__all__ = ["SLIPS", "PeopleNames"]

SLIPS = (
    ("mac", "mc"),
    ("mc", "mac"),
    ("ph", "f"),
    ("ck", "k"),
    ("ks", "x"),
    ("ie", "y"),
    ("y", "ie"),
    ("ey", "y"),
    ("er", "ar"),
    ("ar", "er"),
    ("sen", "son"),
    ("son", "sen"),
    ("th", "t"),
    ("z", "s"),
    ("c", "k"),
    ("k", "c"),
    ("ai", "ay"),
    ("ou", "u"),
    ("ei", "ie"),
    ("ll", "l"),
    ("l", "ll"),
    ("nn", "n"),
    ("n", "nn"),
    ("tt", "t"),
    ("ss", "s"),
    ("e", "a"),
    ("a", "e"),
    ("i", "y"),
    ("o", "u"),
    ("h", ""),
)
"""Letters that are heard alike."""


class PeopleNames:
    """Writes people's names otherwise, and makes up their relatives and namesakes.

    Parameters
    ----------
    names
        Names of people, given name first.
    short_forms
        Short forms by given name, in lower case.
    rng
        Draws what happens to each name.
    """

    def __init__(
        self,
        names: Sequence[str],
        short_forms: Mapping[str, Sequence[str]],
        rng: np.random.Generator,
    ) -> None:
        self._names = names
        self._short_forms = short_forms
        self._rng = rng
        self._share = float(rng.choice([0.1, 0.3, 0.6]))
        self._weights = rng.dirichlet(np.full(len(self._ways), 0.7))

    # Parts are told by their place, so what changes their order comes last.
    _ways = ("short", "no_middle", "heard", "initial", "comma", "swapped")

    def relatives(self, reference: Sequence[str], known: set[str]) -> list[str]:
        """Return people who share one part of their name with someone of the reference."""
        found = []
        for name in reference:
            words = name.split()
            if len(words) < 2 or self._rng.random() > self._share:
                continue
            other = self._names[int(self._rng.integers(len(self._names)))].split()
            if len(other) < 2:
                continue
            if self._rng.random() < 0.5:
                relative = " ".join([*other[:-1], words[-1]])
            else:
                relative = " ".join([*words[:-1], other[-1]])
            if relative not in known:
                found.append(relative)
        return found

    def write(self, name: str) -> str:
        """Return a name written otherwise."""
        words = name.split()
        if len(words) < 2:
            return name
        ways = self._rng.choice(self._ways, int(self._rng.choice([1, 1, 1, 2])), p=self._weights)
        for way in sorted(ways.tolist(), key=self._ways.index):
            words = getattr(self, f"_{way}")(words)
        return " ".join(words)

    def _short(self, words: list[str]) -> list[str]:
        forms = self._short_forms.get(words[0].casefold(), ())
        if not forms:
            return words
        return [str(self._rng.choice(list(forms))).title(), *words[1:]]

    def _initial(self, words: list[str]) -> list[str]:
        return [words[0][:1] + str(self._rng.choice([".", ""])), *words[1:]]

    def _comma(self, words: list[str]) -> list[str]:
        return words if any("," in word for word in words) else [f"{words[-1]},", *words[:-1]]

    def _swapped(self, words: list[str]) -> list[str]:
        return words if any("," in word for word in words) else [words[-1], *words[:-1]]

    def _no_middle(self, words: list[str]) -> list[str]:
        if len(words) > 2:
            return [words[0], words[-1]]
        middle = chr(ord("A") + int(self._rng.integers(26)))
        return [words[0], f"{middle}.", *words[1:]]

    def _heard(self, words: list[str]) -> list[str]:
        at = len(words) - 1 if self._rng.random() < 0.7 else 0
        word = words[at]
        for place in self._rng.permutation(len(SLIPS)).tolist():
            heard, written = SLIPS[place]
            start = word.lower().find(heard, 1 if len(heard) < 2 else 0)
            if start >= 0:
                changed = word[:start] + written + word[start + len(heard) :]
                changed = changed[:1].upper() + changed[1:] if word[:1].isupper() else changed
                return [*words[:at], changed, *words[at + 1 :]]
        return words
