"""Contribution of each kind of evidence to the score of a pair, and its words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from pearljoin._cached import cached_property
from pearljoin._comparison.comparison import Comparison
from pearljoin._explain.additive import Effects
from pearljoin._explain.group_effects import GroupEffects
from pearljoin._explain.record_effects import RecordEffects
from pearljoin._records.encoded import EncodedRecords
from pearljoin._records.missing_keys import NULL
from pearljoin._records.similarity import TextValues
from pearljoin._text.term_weights import TermWeights
from pearljoin._typing import Constraint, IntVector

__all__ = ["Attributor", "Reason", "Word"]


@dataclass(frozen=True)
class Word:
    """A word of one text or of both.

    Attributes
    ----------
    text
        Normalised.
    weight
        Inverse document frequency in the reference, held to that of names at large; at least 1.
        Rare words weigh more.
    """

    text: str
    weight: float


@dataclass(frozen=True)
class Reason:
    """One kind of evidence.

    Attributes
    ----------
    kind
        Group of features: meaning, spelling, words, numbers, rivals, ...; name of a key column; or
        one of the steps that `Explanation.waterfall` lists.
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

    def effects(self, left: IntVector, right: IntVector, constraint: Constraint) -> list[Effects]:
        """Return what each kind of evidence does to the score of each pair of records.

        With a match scorer, see `GroupEffects`; with several key columns learned from the tables,
        `RecordEffects`; else each column's part of the score.

        Parameters
        ----------
        left, right
            int64 of shape (n_pairs,): record numbers.
        constraint
            Under which the pairs are scored.
        """
        found: list[Effects | None]
        if self._comparison.scorer is not None:
            found = self._group_effects.of_pairs(left, right)
        elif self._comparison.networks is not None:
            found = self._record_effects.of_pairs(left, right, constraint)
        else:
            found = [
                self._similar(*pair) for pair in zip(left.tolist(), right.tolist(), strict=True)
            ]
        return [effects or Effects(0.0, ()) for effects in found]

    def words(self, left: int, right: int) -> tuple[tuple[Word, ...], ...]:
        """Return the words of a pair's texts: in both, in the left only, in the right only.

        Parameters
        ----------
        left, right
            Record numbers.
        """
        found: tuple[set[Word], set[Word], set[Word]] = (set(), set(), set())
        left_side, right_side = self._sides(left)
        for at, terms in self._terms.items():
            left_values, right_values = left_side.values[at], right_side.values[at]
            assert isinstance(left_values, TextValues)
            assert isinstance(right_values, TextValues)
            codes = int(left_side.codes[at][0]), int(right_side.codes[at][right])
            if NULL in codes:
                continue
            ours = set(left_values.normal[codes[0]].split())
            theirs = set(right_values.normal[codes[1]].split())
            for kept, words in zip(
                found, (ours & theirs, ours - theirs, theirs - ours), strict=True
            ):
                listed = sorted(words)
                weights = terms.of_words(listed) if listed else ()
                pairs = zip(listed, weights, strict=True)
                kept.update(Word(word, round(float(weight), 3)) for word, weight in pairs)
        return tuple(tuple(sorted(k, key=lambda w: (-w.weight, w.text))) for k in found)

    def _sides(self, left: int) -> tuple[EncodedRecords, EncodedRecords]:
        """One left record, and all right ones."""
        return self._comparison.part(np.array([left])).sides

    @cached_property
    def _terms(self) -> dict[int, TermWeights]:
        """Term weights, by text column."""
        listed = enumerate(self._comparison.reference.statistics)
        return {at: column.terms for at, column in listed if column.terms is not None}

    @cached_property
    def _group_effects(self) -> GroupEffects:
        scorer = self._comparison.scorer
        assert scorer is not None
        return GroupEffects(self._comparison, scorer)

    @cached_property
    def _record_effects(self) -> RecordEffects:
        networks = self._comparison.networks
        assert networks is not None
        return RecordEffects(self._comparison, networks, self._columns)

    def _similar(self, left: int, right: int) -> Effects:
        """Each key column's part of the similarity, except where a value is missing."""
        left_side, right_side = self._sides(left)
        parts = []
        for at, name in enumerate(self._columns):
            codes = left_side.codes[at][[0]], right_side.codes[at][[right]]
            if NULL not in (codes[0][0], codes[1][0]):
                similarity = float(left_side.similarity(right_side, at, *codes)[0])
                parts.append((name, float(left_side.weights[at]), similarity))
        total = sum(weight for _, weight, _ in parts) or 1.0
        by_column = tuple((name, weight * similarity / total) for name, weight, similarity in parts)
        return Effects(0.0, by_column)
