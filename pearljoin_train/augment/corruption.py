"""Corruption of names: typos, cut or joined words, case, tails."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

import numpy as np

__all__ = ["Corruption", "corrupt_name"]


def corrupt_name(name: str, rng: np.random.Generator) -> str:
    """Corrupt a name: a typo, a word left out or moved, or other case or punctuation."""
    words = name.split()
    kind = int(rng.integers(5))
    if kind == 0 and len(words) > 2:
        at = int(rng.integers(len(words)))
        if not any(map(str.isdigit, words[at])):
            del words[at]
        return " ".join(words)
    if kind == 1 and len(words) > 1:
        at = int(rng.integers(len(words) - 1))
        words[at], words[at + 1] = words[at + 1], words[at]
        return " ".join(words)
    if kind == 2:
        return name.upper() if rng.random() < 0.5 else name.lower()
    if kind == 3 and len(words) > 1:
        return f"{words[-1]}, {' '.join(words[:-1])}"
    return _typo(name, rng)


def _typo(name: str, rng: np.random.Generator) -> str:
    """Leave out a letter, or swap it with the next one. Digits stay: they identify things."""
    letters = [
        at for at, letter in enumerate(name[:-1]) if not any(map(str.isdigit, name[at : at + 2]))
    ]
    if not letters:
        return name
    at = letters[int(rng.integers(len(letters)))]
    if rng.random() < 0.5:
        return name[:at] + name[at + 1 :] or name
    return name[:at] + name[at + 1 : at + 2] + name[at : at + 1] + name[at + 2 :]


def _shortened(name: str, rng: np.random.Generator) -> str:
    """Cut one long word short, with or without a dot."""
    words = name.split()
    long = [at for at, word in enumerate(words) if len(word) > 4 and word.isalpha()]
    if not long:
        return name
    at = long[int(rng.integers(len(long)))]
    words[at] = words[at][: int(rng.integers(1, 5))] + str(rng.choice([".", ""]))
    return " ".join(words)


def _joined(name: str, rng: np.random.Generator) -> str:
    """Leave out one space."""
    words = name.split()
    if len(words) < 2:
        return name
    at = int(rng.integers(len(words) - 1))
    return " ".join([*words[:at], words[at] + words[at + 1], *words[at + 2 :]])


def _plain(name: str, rng: np.random.Generator) -> str:
    """Leave out accents."""
    apart = unicodedata.normalize("NFD", name)
    return "".join(letter for letter in apart if not unicodedata.combining(letter))


class Corruption:
    """The corruption of one table: one to three kinds on a share of its rows, a tail on all.

    Parameters
    ----------
    rng
        Draws the kinds, the share and the tail, and then what happens to each name.

    Attributes
    ----------
    tail
        Text that follows every name, such as ``" (official)"``; often empty.
    """

    KINDS: tuple[Callable[[str, np.random.Generator], str], ...] = (
        _typo,
        corrupt_name,
        _shortened,
        _joined,
        _plain,
    )
    TAILS = ("",) * 15 + (" (official)", ", the", " - home", " *", " (new)")

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        n_kinds = int(rng.integers(1, 4))
        chosen = rng.choice(len(self.KINDS), n_kinds, replace=False)
        self._kinds: list[Callable[[str, np.random.Generator], str]] = [
            self.KINDS[at] for at in chosen
        ]
        self._share = float(rng.choice([0.0, 0.0, 0.1, 0.3, 0.6]))
        self.tail = str(rng.choice(self.TAILS))

    def corrupt(self, name: str) -> str:
        """Return a name as this table writes it, without the tail."""
        if self._rng.random() < self._share:
            return self._kinds[int(self._rng.integers(len(self._kinds)))](name, self._rng)
        return name
