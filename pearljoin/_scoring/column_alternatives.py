"""Alternatives in one of several columns, such as the colours of a product that has a price, too.

What is an alternative in the text (see `pearljoin._scoring.alternatives`) may be another name of
the same thing: *Airport Munich* and *Airport München*. Here the other columns tell. Two cities
seldom have the same coordinates, so where *Munich* and *München* have them, and neither has those
of *Vienna*, the two are one city; of *black* and *blue* both have the maker and the price of *red*.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from pearljoin._scoring.alternatives import (
    LEAST,
    NO_ALTERNATIVES,
    Alternatives,
    fillers_of,
    lowered,
)
from pearljoin._typing import BoolVector, FloatVector, IntVector

__all__ = ["ColumnAlternatives", "learn_beside"]

FEWEST_SEEN = 6
"""Pairs in which a word is replaced by an alternative, at least, for which it is known how far
the other columns agree then."""

OFTEN = 0.75
"""Share of these pairs in which the other columns agree no more than is expected."""

MORE = 0.3
"""By how much more they may agree before two words are taken for names of the same thing."""

DOUBTFUL_TEXT = 1.5
"""Log odds of the texts by themselves above which alternatives say nothing: of nicknames and of
spellings the network of texts is surer."""


@dataclass(frozen=True)
class ColumnAlternatives:
    """Alternatives of a column of text.

    Attributes
    ----------
    words
        What words, or two words together, stand in each other's place.
    beside
        By word: how far the other columns agree, at most as a rule, where an alternative stands in
        its place; in [0, 1].
    names
        Pairs of `words` that name one thing.
    """

    words: Alternatives
    beside: Mapping[str, float] = field(default_factory=dict)
    names: Alternatives = NO_ALTERNATIVES

    def lower(
        self,
        log_odds: FloatVector,
        of_texts: FloatVector,
        others: NDArray[np.float64],
        texts: tuple[Sequence[str], Sequence[str]],
        at: tuple[IntVector, IntVector],
    ) -> FloatVector:
        """Lower the log odds of records that differ in alternatives.

        Parameters
        ----------
        log_odds
            float32 of shape (n_pairs,): of the records.
        of_texts
            float32 of shape (n_pairs,): of the texts by themselves, NaN where one is missing.
        others
            float64 of shape (n_pairs,), in [0, 1]: how far the other columns agree, or NaN.
        texts
            Normalised texts of each side.
        at
            int64 of shape (n_pairs,) each: the place of each record's text among those of its side.

        Returns
        -------
        log_odds
            float32 of shape (n_pairs,).
        """
        asked = np.flatnonzero((log_odds > LEAST) & (of_texts <= DOUBTFUL_TEXT))
        differ = self._differ(others[asked], texts, (at[0][asked], at[1][asked]))
        return lowered(log_odds, asked[differ])

    def _differ(
        self,
        others: NDArray[np.float64],
        texts: tuple[Sequence[str], Sequence[str]],
        at: tuple[IntVector, IntVector],
    ) -> BoolVector:
        """Mark pairs with alternatives beside which the other columns agree no more than usual."""
        pairs = zip(*(rows.tolist() for rows in at), others.tolist(), strict=True)
        found = (
            any(
                agreement <= self._expected(a, b) + MORE
                for a, b in self.words.between(texts[0][one].split(), texts[1][other].split())
            )
            for one, other, agreement in pairs
        )
        return np.fromiter(found, dtype=bool, count=len(others))

    def _expected(self, one: str, other: str) -> float:
        """How far the other columns agree at most where one word stands in the other's place."""
        known = one in self.words.of and other in self.words.of
        if other in self.names.of.get(one, ()) or (known and other not in self.words.of[one]):
            return -np.inf
        return max(self.beside.get(word, -np.inf) for word in (one, other))


def learn_beside(
    words: Alternatives,
    others: NDArray[np.float64],
    texts: Sequence[str],
    first: IntVector,
    second: IntVector,
) -> ColumnAlternatives:
    """Learn how far the other columns agree where one word stands in the place of another.

    Parameters
    ----------
    words
        Of the column.
    others
        float64 of shape (n_pairs,), in [0, 1]: how far they agree in pairs of records.
    texts
        Normalised texts of the column.
    first, second
        int64 of shape (n_pairs,): the place of each record's text.
    """
    of_pairs: dict[tuple[str, str], list[float]] = defaultdict(list)
    rows = first.tolist(), second.tolist()
    for one, other, agreement in zip(*rows, others.tolist(), strict=True):
        a, b = sorted(fillers_of(texts[one].split(), texts[other].split()))
        if b in words.of.get(a, ()) and not np.isnan(agreement):
            of_pairs[a, b].append(agreement)
    names = tuple(pair for pair in sorted(of_pairs) if _name_one_thing(pair, of_pairs, words))
    for pair in names:
        del of_pairs[pair]
    beside = {word: _usual(_beside(word, of_pairs, words)) for word in sorted(words.of)}
    known = {word: usual for word, usual in beside.items() if usual is not None}
    return ColumnAlternatives(words, known, Alternatives(names))


def _name_one_thing(
    pair: tuple[str, str], of_pairs: Mapping[tuple[str, str], list[float]], words: Alternatives
) -> bool:
    """Whether the other columns agree beside two words more than beside each and a third one."""
    usual = [_usual(_beside(word, of_pairs, words, but=pair)) for word in pair]
    known = [most for most in usual if most is not None]
    return bool(known) and float(np.median(of_pairs[pair])) > max(known) + MORE


def _beside(
    word: str,
    of_pairs: Mapping[tuple[str, str], list[float]],
    words: Alternatives,
    but: tuple[str, str] | None = None,
) -> list[float]:
    """How far the other columns agree where alternatives, but for one, stand in a word's place."""
    pairs = ((min(word, other), max(word, other)) for other in words.of.get(word, ()))
    return [found for pair in pairs if pair != but for found in of_pairs.get(pair, ())]


def _usual(found: Sequence[float]) -> float | None:
    return float(np.quantile(found, OFTEN)) if len(found) >= FEWEST_SEEN else None
