"""Descriptions: long texts made of facts that each have several wordings."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from pearljoin_train.records.values.slips import change_case, cut_off, drop_word, misspell
from pearljoin_train.records.values.style import Style

__all__ = ["DescriptionStyle", "Facts"]

Facts = Sequence[Sequence[str]]
"""The wordings of each fact."""


class DescriptionStyle(Style[Facts]):
    """Texts that word most of the facts, in order or not, and add what a table adds everywhere.

    Parameters
    ----------
    rng
        Draws share and order of the facts.
    additions
        Sentences that say nothing about the thing.
    """

    text_slips = (misspell, drop_word, cut_off, change_case)

    def __init__(self, rng: Random, additions: Sequence[str] = ()) -> None:
        super().__init__(rng)
        self._share = rng.choice((0.3, 0.6, 0.8, 1.0))
        self._is_in_order = rng.random() < 0.6
        self._between = rng.choice((" ", ", ", "; ", ". ", " - ", " | "))
        self._keeps_wording = rng.random() < 0.5
        self._additions = list(additions)
        self._adds = rng.choice((0.0, 0.0, 0.3, 0.8)) if additions else 0.0
        self._width = rng.choice((0, 0, 0, 60, 120, 250))

    def write(self, value: Facts, rng: Random) -> str:
        """Write some of the facts, at least one."""
        chosen = [fact for fact in value if rng.random() < self._share] or [value[0]]
        if not self._is_in_order:
            rng.shuffle(chosen)
        texts = [fact[0] if self._keeps_wording else rng.choice(fact) for fact in chosen]
        if self._adds and rng.random() < self._adds:
            texts.append(rng.choice(self._additions))
        text = self._between.join(texts)
        return text[: self._width].rstrip() if self._width else text
