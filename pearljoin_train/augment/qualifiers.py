"""Qualifiers: what stands in brackets behind names."""

from __future__ import annotations

import numpy as np

from pearljoin_train.augment.editions import SAME_NAME

__all__ = ["Qualifiers"]


class Qualifiers:
    """Gives names qualifiers in brackets: a kind of thing, a place or a person.

    In a third of the tables the qualifier identifies the thing: both sides write it, a name may
    have several, and only the same one is a match. In the other tables each name has one, and
    either side may leave it out or, rarely, write a wrong one.

    Parameters
    ----------
    rng
        Draws the words, the style and the rates, and then the qualifiers.
    """

    WORDS = (
        *("film", "album", "song", "band", "novel", "magazine", "newspaper", "company", "book"),
        *("politician", "footballer", "musician", "wrestler", "British actor", "rugby union"),
        *("museum", "town", "river", "genus", "ship", "sculpture", "TV channel", "software"),
        *("London", "Chicago", "New York", "Australia", "Germany", "France", "Japan", "UK", "US"),
        *("Mahler", "Adele", "Davis", "Smith", "Jones", "García", "Ontario", "Alabama", "planet"),
    )
    STYLES = ("{n} ({q})",) * 4 + ("{n} [{q}]", "{n}, {q}", "{n} - {q}")

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        chosen = rng.choice(len(self.WORDS), int(rng.integers(2, 7)), replace=False)
        self._qualifiers = [self.WORDS[at] for at in chosen]
        self._style = str(rng.choice(self.STYLES))
        self._same_name_rate = float(rng.choice(SAME_NAME))
        self._is_distinctive = bool(rng.random() < 1 / 3)
        if self._is_distinctive:
            self._shown_rates, self._mismatch_rate = [1.0, 1.0], float(rng.choice([0.1, 0.3, 0.6]))
            self._most = int(rng.integers(1, 4))
        else:
            self._shown_rates = [float(rng.choice([0.1, 0.5, 1.0])) for _ in range(2)]
            self._mismatch_rate, self._most = float(rng.choice([0.0, 0.0, 0.1])), 1

    def decorate(
        self, reference_names: list[str], pairs: list[tuple[str, str]]
    ) -> tuple[list[str], list[tuple[str, str]]]:
        """Give names qualifiers; parameters and results as of `Editions.decorate`."""
        marks = {
            name: self._some() for name in dict.fromkeys([*reference_names, *(n for n, _ in pairs)])
        }
        written = {
            name: [self._write(0, name, mark) for mark in of_name]
            for name, of_name in marks.items()
        }
        asked = []
        for name, shown in pairs:
            at = int(self._rng.integers(len(marks[name])))
            mark, meant = marks[name][at], written[name][at]
            if self._rng.random() < self._mismatch_rate:
                mark = self._qualifiers[int(self._rng.integers(len(self._qualifiers)))]
                if self._is_distinctive:
                    meant = self._write(0, name, mark)
            if self._rng.random() < self._same_name_rate:
                shown = name
            asked.append((meant, self._write(1, shown, mark)))
        return [text for name in reference_names for text in written[name]], asked

    def _some(self) -> list[str]:
        """Draw the qualifiers of one name."""
        n = int(self._rng.integers(1, min(self._most, len(self._qualifiers)) + 1))
        return [
            self._qualifiers[at] for at in self._rng.choice(len(self._qualifiers), n, replace=False)
        ]

    def _write(self, side: int, name: str, mark: str) -> str:
        if self._rng.random() >= self._shown_rates[side]:
            return name
        return self._style.format(n=name, q=mark)
