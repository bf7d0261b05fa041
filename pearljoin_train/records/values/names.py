"""Names of things, short text, and categories."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from pearljoin_train.records.values.slips import (
    abbreviate,
    change_case,
    cut_off,
    drop_word,
    join_words,
    lose_accents,
    mishear,
    misread,
    misspell,
    punctuate,
    split_word,
    swap_words,
)
from pearljoin_train.records.values.style import Style

__all__ = ["Case", "CategoryStyle", "NameStyle"]


class Case:
    """Writes text in the case of one table: mostly as it is; in capitals, without, or as a title.

    Parameters
    ----------
    rng
        Draws the case.
    """

    WAYS = ("as it is",) * 7 + ("upper", "lower", "title")

    def __init__(self, rng: Random) -> None:
        self._way = rng.choice(self.WAYS)

    def __call__(self, text: str) -> str:
        """Return the text in this case."""
        if self._way == "upper":
            return text.upper()
        if self._way == "lower":
            return text.lower()
        if self._way == "title":
            return " ".join(word[:1].upper() + word[1:] for word in text.split())
        return text


class NameStyle(Style[Sequence[str]]):
    """Names with aliases: the name comes first, and a share of rows has one of the others.

    Parameters
    ----------
    rng
        Draws case, accents, share of aliases, and perhaps a width at which names are cut.
    widths
        Range of these widths in characters.
    """

    text_slips = (
        misspell,
        misspell,
        misread,
        mishear,
        drop_word,
        swap_words,
        abbreviate,
        join_words,
        split_word,
        cut_off,
        change_case,
        punctuate,
    )

    def __init__(self, rng: Random, widths: tuple[int, int] = (18, 40)) -> None:
        super().__init__(rng)
        self._case = Case(rng)
        self._alias_rate = rng.choice((0.0, 0.0, 0.1, 0.3, 0.6))
        self._has_accents = rng.random() < 0.8
        self._width = rng.randint(*widths) if rng.random() < 0.06 else 0

    def write(self, value: Sequence[str], rng: Random) -> str:
        """Write the name or one of its aliases."""
        text = value[0]
        if len(value) > 1 and rng.random() < self._alias_rate:
            text = value[rng.randrange(1, len(value))]
        if not self._has_accents:
            text = lose_accents(text, rng)
        text = self._case(text)
        return text[: self._width].rstrip() if self._width else text


class CategoryStyle(Style[Sequence[str]]):
    """Values that recur, each in a few forms: a table keeps to one form, or mixes them."""

    text_slips = (misspell, change_case)

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self._case = Case(rng)
        self._form = rng.choice((0, 0, 0, 1, 2))
        self._mixed = rng.choice((0.0, 0.0, 0.0, 0.2))

    def write(self, value: Sequence[str], rng: Random) -> str:
        """Write the form of this table, or the last one where a value has not so many."""
        if self._mixed and rng.random() < self._mixed:
            return self._case(rng.choice(value))
        return self._case(value[min(self._form, len(value) - 1)])
