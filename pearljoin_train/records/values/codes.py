"""Codes that identify a thing: numbers of customers, articles, companies, pages."""

from __future__ import annotations

from random import Random

from pearljoin_train.records.values.slips import change_digit, cut_off, misread, swap_digits
from pearljoin_train.records.values.style import Style

__all__ = ["CodeStyle", "PagesStyle", "fill"]


def fill(pattern: str, rng: Random) -> str:
    """Put a digit for each ``#`` of a pattern and a capital letter for each ``@``.

    Examples
    --------
    >>> fill("@@-####", Random(0))
    'WU-4254'
    """
    letters = "ABCDEFGHJKLMNPRSTUVWXYZ"
    return "".join(
        str(int(rng.random() * 10))
        if mark == "#"
        else letters[int(rng.random() * len(letters))]
        if mark == "@"
        else mark
        for mark in pattern
    )


def lose_zeros(text: str, rng: Random) -> str:
    """Leave out leading zeros, as spreadsheets do."""
    return text.lstrip("0") or text


class CodeStyle(Style[str]):
    """Codes of one pattern: with separators or without, and perhaps with a prefix."""

    text_slips = (change_digit, swap_digits, misread, lose_zeros, cut_off)

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self._separator = rng.choice(("-", "-", "-", "", " ", "/"))
        self._prefix = rng.choice(("",) * 8 + ("ID ", "#", "No. "))
        self._is_lower = rng.random() < 0.08

    def write(self, value: str, rng: Random) -> str:
        """Write the code, whose own separator is a hyphen."""
        text = self._prefix + value.replace("-", self._separator)
        return text.lower() if self._is_lower else text


class PagesStyle(Style[tuple[int, int]]):
    """First and last page."""

    text_slips = (change_digit, swap_digits, cut_off)
    WAYS = ("{first}-{last}",) * 4 + (
        "pp. {first}-{last}",
        "{first}–{last}",
        "{first}",
        "{first}--{last}",
    )

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self._way = rng.choice(self.WAYS)

    def write(self, value: tuple[int, int], rng: Random) -> str:
        """Write the pages."""
        return self._way.format(first=value[0], last=value[1])
