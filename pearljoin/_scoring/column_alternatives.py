"""Alternatives in one of several columns, such as the colours of a product that has a price, too.

What is an alternative in the text (see `pearljoin._scoring.alternatives`) may be another name of
the same thing: *Airport Munich* and *Airport München*. Here the other columns tell. Two cities
seldom have the same coordinates, so where they do, *Munich* and *München* are one; two colours have
the same maker and price as a rule, so that says nothing of *black* and *blue*.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from pearljoin._scoring.alternatives import LEAST, LOWERED, Alternatives, only_difference
from pearljoin._typing import BoolVector, FloatVector, IntVector

__all__ = ["ColumnAlternatives", "learn_beside"]

FEWEST_SEEN = 6
"""Pairs in which a word is replaced by an alternative, at least, for which it is known what the
other columns weigh then."""

OFTEN = 0.75
"""Share of these pairs in which the other columns weigh no more than is expected."""

MORE = 1.0
"""By how much more they may weigh before the two words are taken for names of the same thing."""

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
        By word: the match weight of the other columns that is seldom exceeded where an alternative
        stands in its place.
    """

    words: Alternatives
    beside: Mapping[str, float] = field(default_factory=dict)

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
            float64 of shape (n_pairs,): match weight of the other columns.
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
        lowered = log_odds.copy()
        lowered[asked[differ]] -= np.float32(LOWERED)
        return lowered

    def _differ(
        self,
        others: NDArray[np.float64],
        texts: tuple[Sequence[str], Sequence[str]],
        at: tuple[IntVector, IntVector],
    ) -> BoolVector:
        """Mark pairs with alternatives beside which the other columns weigh no more than usual."""
        pairs = zip(*(rows.tolist() for rows in at), others.tolist(), strict=True)
        found = (
            any(
                weight <= max(self._expected(word) for word in alternatives) + MORE
                for alternatives in self.words.between(
                    texts[0][one].split(), texts[1][other].split()
                )
            )
            for one, other, weight in pairs
        )
        return np.fromiter(found, dtype=bool, count=len(others))

    def _expected(self, word: str) -> float:
        return self.beside.get(word, -np.inf)


def learn_beside(
    words: Alternatives,
    others: NDArray[np.float64],
    texts: Sequence[str],
    first: IntVector,
    second: IntVector,
) -> ColumnAlternatives:
    """Learn what the other columns weigh where one word stands in the place of another.

    Parameters
    ----------
    words
        Of the column.
    others
        float64 of shape (n_pairs,): match weight of the other columns in pairs of records.
    texts
        Normalised texts of the column.
    first, second
        int64 of shape (n_pairs,): the place of each record's text.
    """
    seen: dict[str, list[float]] = defaultdict(list)
    for one, other, weight in zip(first.tolist(), second.tolist(), others.tolist(), strict=True):
        fillers = [
            " ".join(part) for part in only_difference(texts[one].split(), texts[other].split())
        ]
        if fillers[1] in words.of.get(fillers[0], ()):
            for filler in fillers:
                seen[filler].append(weight)
    beside = {
        word: float(np.quantile(weights, OFTEN))
        for word, weights in sorted(seen.items())
        if len(weights) >= FEWEST_SEEN
    }
    return ColumnAlternatives(words, beside)
