"""Contribution of each group of features, and of tokens, to the score of a pair."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from pearljoin._comparison import Comparison
from pearljoin._explain.group_effects import GroupEffects
from pearljoin._records.null_rule import NULL
from pearljoin._records.similarity import TextValues
from pearljoin._scoring.comparison_levels import comparison_levels

__all__ = ["Attributor", "Reason", "Word"]


@dataclass(frozen=True)
class Word:
    """A word of one text or of both.

    Attributes
    ----------
    text
        Normalised.
    weight
        Inverse document frequency in the two columns, at least 1: rare words weigh more.
    """

    text: str
    weight: float


@dataclass(frozen=True)
class Reason:
    """One kind of evidence.

    Attributes
    ----------
    kind
        Group of features: meaning, spelling, words, numbers, rivals, ...; or name of a key column.
    effect
        What it adds to the score, in the explanation's unit.
    """

    kind: str
    effect: float


class Attributor:
    """Attributes the scores of one comparison to kinds of evidence.

    Parameters
    ----------
    comparison
        The scored pairs.
    columns
        Names of the key columns.
    """

    def __init__(self, comparison: Comparison, columns: tuple[str, ...]) -> None:
        self._comparison = comparison
        self._columns = columns

    @property
    def unit(self) -> Literal["log odds", "score"]:
        """Unit of the effects."""
        return "log odds" if self._comparison.calibrated else "score"

    def reasons(self, left: int, right: int) -> tuple[Reason, ...]:
        """Return the kinds of evidence on a pair of records, the largest effect first.

        With a match scorer, see `GroupEffects`; with several key columns learned from the tables,
        the match weight of each column; else each column's part of the score.

        Parameters
        ----------
        left, right
            Record numbers.
        """
        if self._comparison.scorer is not None:
            effects = self._scored(left, right)
        elif self._comparison.learned:
            effects = self._learned(left, right)
        else:
            effects = self._similar(left, right)
        return tuple(
            Reason(kind, effect)
            for kind, effect in sorted(effects.items(), key=lambda item: -abs(item[1]))
        )

    def words(self, left: int, right: int) -> tuple[tuple[Word, ...], ...]:
        """Return the words of a pair's texts: in both, in the left only, in the right only.

        Parameters
        ----------
        left, right
            Record numbers.
        """
        found: tuple[set[Word], set[Word], set[Word]] = (set(), set(), set())
        left_side, right_side = self._comparison.sides
        for at, idf in self._idf.items():
            left_values, right_values = left_side.values[at], right_side.values[at]
            assert isinstance(left_values, TextValues)
            assert isinstance(right_values, TextValues)
            codes = int(left_side.codes[at][left]), int(right_side.codes[at][right])
            if NULL in codes:
                continue
            ours = set(left_values.normal[codes[0]].split())
            theirs = set(right_values.normal[codes[1]].split())
            for kept, words in zip(
                found, (ours & theirs, ours - theirs, theirs - ours), strict=True
            ):
                kept.update(Word(word, round(idf[word], 3)) for word in words)
        return tuple(tuple(sorted(k, key=lambda w: (-w.weight, w.text))) for k in found)

    @cached_property
    def _idf(self) -> dict[int, dict[str, float]]:
        """Inverse document frequency of every word, by text column."""
        found = {}
        for at, (left, right) in enumerate(
            zip(*(side.values for side in self._comparison.sides), strict=True)
        ):
            if isinstance(left, TextValues) and isinstance(right, TextValues):
                texts = [*left.normal, *right.normal]
                count = Counter(word for text in texts for word in set(text.split()))
                n_texts = 1 + len(texts)
                found[at] = {w: float(np.log(n_texts / (1 + df)) + 1) for w, df in count.items()}
        return found

    @cached_property
    def _group_effects(self) -> tuple[GroupEffects, ...]:
        """Of the left records' candidates, and where there are more, of all."""
        scorer = self._comparison.scorer
        assert scorer is not None
        comparisons = dict.fromkeys([self._comparison.left_to_right, self._comparison])
        return tuple(GroupEffects(comparison, scorer) for comparison in comparisons)

    def _scored(self, left: int, right: int) -> dict[str, float]:
        """Effects of the groups of features; none where both keys are null."""
        for effects in self._group_effects:
            found = effects.of_pair(left, right)
            if found is not None:
                return found
        return {}

    def _learned(self, left: int, right: int) -> dict[str, float]:
        """Match weight of each key column."""
        pair = np.array([left], dtype=np.int64), np.array([right], dtype=np.int64)
        levels = comparison_levels(*self._comparison.sides, *pair)
        weights = self._comparison.record_model.match_weights(levels)[0]
        return dict(zip(self._columns, weights.tolist(), strict=True))

    def _similar(self, left: int, right: int) -> dict[str, float]:
        """Each key column's part of the similarity, except where a value is missing."""
        left_side, right_side = self._comparison.sides
        parts = {}
        for at, name in enumerate(self._columns):
            codes = left_side.codes[at][[left]], right_side.codes[at][[right]]
            if NULL not in (codes[0][0], codes[1][0]):
                similarity = float(left_side.similarity(right_side, at, *codes)[0])
                parts[name] = (float(left_side.weights[at]), similarity)
        total = sum(weight for weight, _ in parts.values()) or 1.0
        return {name: weight * similarity / total for name, (weight, similarity) in parts.items()}
