"""Hard negatives made by adding different years, numbers or words to one name."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

__all__ = ["Editions"]


def _roman(number: int) -> str:
    tens, ones = divmod(number, 10)
    return "X" * tens + ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")[ones]


def _ordinal(number: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if number // 10 == 1 else ending}"


SMALL_NUMBERS = (str, str, _roman, _ordinal, "{:02d}".format, "no. {}".format)
YEARS = (
    str,
    str,
    lambda year: f"{year}–{(year + 1) % 100:02d}",
    lambda year: f"{year}/{(year + 1) % 100:02d}",
    lambda year: f"{year}-{year + 1}",
)
"""Styles of numbers, years, and spans of two years."""

SAME_NAME = (0.0, 0.3, 0.8)
"""Shares of rows on which both sides write the name alike, the mark beside it apart."""


class Editions:
    """Gives names editions, so that a name alone does not identify a thing.

    Each name comes in several editions. Reference and queries write them in different styles, and
    only the same edition is a match. In many tables both sides write the name alike, and only the
    edition differs.

    Parameters
    ----------
    kind
        ``"editions"``: numbers and years. ``"branches"``: words.
    names
        All names, whose last words serve as branches.
    rng
        Draws styles, marks and rates, and then the editions.
    """

    STYLES = ("{e} {n}", "{n} {e}", "{n} ({e})", "{n}, {e}", "{n}: {e}", "{n} - {e}")
    TAILS = ("", "", " season", " team", " edition", " list", " report")

    def __init__(self, kind: str, names: Sequence[str], rng: np.random.Generator) -> None:
        self._rng = rng
        self._styles = [str(rng.choice(self.STYLES)) for _ in range(2)]
        self._tails = [str(rng.choice(self.TAILS)) for _ in range(2)]
        self._marks = self._numbers() if kind == "editions" else self._words(names)
        # With one edition a name, the nearest one is wrong where the edition asked for is absent.
        self._most = int(rng.choice([1, 2, 4, 8]))
        self._absent_rate = float(rng.choice([0.0, 0.3, 0.6]))
        self._same_name_rate = float(rng.choice(SAME_NAME))

    def _numbers(self) -> list[tuple[str, str]]:
        """Return twenty numbers or years in a row, as each side writes them."""
        start = int(self._rng.choice([1, 1, 1900, 1990, 2005]))
        ways = SMALL_NUMBERS if start == 1 else YEARS
        in_reference, in_queries = (ways[int(self._rng.integers(len(ways)))] for _ in range(2))
        return [(in_reference(start + at), in_queries(start + at)) for at in range(20)]

    def _words(self, names: Sequence[str]) -> list[tuple[str, str]]:
        """Return the last words of some names, which both sides write alike."""
        lasts = [
            names[at].split()[-1].strip("()[],.;") for at in self._rng.integers(0, len(names), 30)
        ]
        words = list(dict.fromkeys(word for word in lasts if word)) or ["new"]
        return list(zip(words, words, strict=True))

    def decorate(
        self, reference_names: list[str], pairs: list[tuple[str, str]]
    ) -> tuple[list[str], list[tuple[str, str]]]:
        """Give every name editions.

        Parameters
        ----------
        reference_names
            The names of the reference.
        pairs
            For each query the name that it means, and the text that it shows.

        Returns
        -------
        reference, pairs
            Both again, with editions.
        """
        most = min(self._most, len(self._marks))
        editions = {
            name: self._rng.choice(len(self._marks), int(self._rng.integers(1, most + 1)), False)
            for name in dict.fromkeys([*reference_names, *(name for name, _ in pairs)])
        }
        reference = [
            self.write(0, name, int(at)) for name in reference_names for at in editions[name]
        ]
        asked = []
        for name, shown in pairs:
            # Some queries ask for an edition that the reference lacks.
            of_name = editions[name]
            is_absent = self._rng.random() < self._absent_rate
            at = int(
                self._rng.integers(len(self._marks)) if is_absent else self._rng.choice(of_name)
            )
            if self._rng.random() < self._same_name_rate:
                shown = name
            asked.append((self.write(0, name, at), self.write(1, shown, at)))
        return reference, asked

    def draw(self, most: int) -> list[int]:
        """Draw the numbers of some editions, all different."""
        n = min(most, len(self._marks))
        return [int(at) for at in self._rng.choice(len(self._marks), n, replace=False)]

    def write(self, side: int, name: str, edition: int) -> str:
        """Write an edition of a name in the style of a side: 0 the reference, 1 the queries."""
        mark = self._marks[edition][side]
        return self._styles[side].format(n=name, e=mark) + self._tails[side]
