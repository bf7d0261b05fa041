"""What the evidence on a pair does to its score, kind by kind and word by word."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pearljoin._comparison import Comparison
from pearljoin._features.compute import CandidateFeatures
from pearljoin._features.registry import REGISTRY
from pearljoin._records.nulls import NULL
from pearljoin._records.similarity import TextValues
from pearljoin._scoring.comparison_levels import comparison_levels
from pearljoin._scoring.scorer import ScoreSteps
from pearljoin._typing import FloatMatrix, FloatVector

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
        What it is: meaning, spelling, words, numbers, rivals, ...; or the name of a key column.
    effect
        What it does to the score, in the explanation's unit: above 0 it speaks for a match.
    """

    kind: str
    effect: float


class Attributor:
    """Works out what a pair's evidence does, for one comparison.

    Parameters
    ----------
    comparison
        What was compared.
    columns
        What the key columns are called.
    """

    def __init__(self, comparison: Comparison, columns: tuple[str, ...]) -> None:
        self._comparison = comparison
        self._columns = columns

    @property
    def unit(self) -> Literal["log odds", "score"]:
        """What the effects are counted in."""
        return "log odds" if self._comparison.calibrated else "score"

    def reasons(self, own: int, other: int) -> tuple[Reason, ...]:
        """What speaks for and against a pair of records, the weightiest first.

        With a match scorer, a kind's effect is the change of the pair's own log odds when its
        features are put back to neutral, half way between the medians of the likely matches among
        the candidates and of the others; rivals, words and tables have what the scorer's later
        steps add. Several key columns learned from the tables: each one's log odds. Else: each
        part of the score.
        """
        if self._comparison.scorer is not None:
            effects = self._scored(own, other)
        elif self._comparison.learned:
            effects = self._learned(own, other)
        else:
            effects = self._similar(own, other)
        return tuple(
            Reason(kind, effect)
            for kind, effect in sorted(effects.items(), key=lambda item: -abs(item[1]))
        )

    def words(self, own: int, other: int) -> tuple[tuple[Word, ...], ...]:
        """Words of both records' texts: in both, in the left only, in the right only."""
        found: tuple[set[Word], set[Word], set[Word]] = (set(), set(), set())
        left, right = self._comparison.sides
        for at, idf in self._idf.items():
            values, other_values = left.values[at], right.values[at]
            assert isinstance(values, TextValues)
            assert isinstance(other_values, TextValues)
            codes = int(left.codes[at][own]), int(right.codes[at][other])
            if NULL in codes:
                continue
            one = set(values.normal[codes[0]].split())
            two = set(other_values.normal[codes[1]].split())
            for kept, words in zip(found, (one & two, one - two, two - one), strict=True):
                kept.update(Word(word, round(idf[word], 3)) for word in words)
        return tuple(tuple(sorted(k, key=lambda w: (-w.weight, w.text))) for k in found)

    @cached_property
    def _idf(self) -> dict[int, dict[str, float]]:
        """Inverse document frequency of every word, by text column."""
        found = {}
        for at, (values, others) in enumerate(
            zip(*(side.values for side in self._comparison.sides), strict=True)
        ):
            if isinstance(values, TextValues) and isinstance(others, TextValues):
                texts = [*values.normal, *others.normal]
                count = Counter(word for text in texts for word in set(text.split()))
                n_texts = 1 + len(texts)
                found[at] = {w: float(np.log(n_texts / (1 + df)) + 1) for w, df in count.items()}
        return found

    @cached_property
    def _pairs(self) -> CandidateFeatures:
        """Candidate pairs, by left and then by right record."""
        return self._comparison.described()

    @cached_property
    def _judged(self) -> ScoreSteps:
        """The scorer's judgements of the candidate pairs, step by step."""
        assert self._comparison.scorer is not None
        return self._comparison.scorer.steps(*self._pairs)

    @cached_property
    def _beside_rivals(self) -> FloatVector:
        """The judgement of pairs beside their rivals, were the words they leave over neutral."""
        assert self._comparison.scorer is not None
        words = self._judged.words
        neutral = np.broadcast_to(self._middle(words), words.shape)
        pairs = self._pairs
        return self._comparison.scorer.beside_rivals(self._judged, pairs.left, pairs.right, neutral)

    @cached_property
    def _neutral(self) -> NDArray[np.float32]:
        """Neutral evidence."""
        return self._middle(self._pairs.features)

    def _middle(self, numbers: FloatMatrix) -> NDArray[np.float32]:
        """Half way between the medians of likely matches and of the others."""
        likely = self._judged.final >= 0
        medians = [np.median(numbers[k], axis=0) for k in (likely, ~likely) if k.any()]
        return np.asarray(np.mean(medians, axis=0), dtype=np.float32)

    def _scored(self, own: int, other: int) -> dict[str, float]:
        assert self._comparison.scorer is not None
        features, left, right, _ = self._pairs
        start, end = np.searchsorted(left, [own, own + 1])
        found = start + np.flatnonzero(right[start:end] == other)
        if not len(found):
            return {}  # both keys are null
        place = int(found[0])
        groups = REGISTRY.groups
        rows = np.repeat(features[[place]], 1 + len(groups), axis=0)
        for row, columns in enumerate(groups.values(), 1):
            rows[row, columns] = self._neutral[columns]
        odds = self._comparison.scorer.pair.logit(rows).astype(np.float64)
        effects = {group: float(odds[0] - odds[row]) for row, group in enumerate(groups, 1)}
        # What the later steps add to the judgement of the pair alone.
        judged = self._judged
        steps = judged.pair, judged.context, judged.final
        pair, standing, final = (float(step[place]) for step in steps)
        beside = float(self._beside_rivals[place])
        effects["rivals"] = effects.get("rivals", 0.0) + beside - pair
        effects["words"] = effects.get("words", 0.0) + standing - beside
        effects["tables"] = effects.get("tables", 0.0) + final - standing
        return effects

    def _learned(self, own: int, other: int) -> dict[str, float]:
        pair = np.array([own], dtype=np.int64), np.array([other], dtype=np.int64)
        agreement = comparison_levels(*self._comparison.sides, *pair)
        told = self._comparison.record_model.match_weights(agreement)[0]
        return dict(zip(self._columns, told.tolist(), strict=True))

    def _similar(self, own: int, other: int) -> dict[str, float]:
        """Each key column's part of the similarity; nothing for what is missing."""
        left, right = self._comparison.sides
        parts = {}
        for at, name in enumerate(self._columns):
            codes = left.codes[at][[own]], right.codes[at][[other]]
            if NULL not in (codes[0][0], codes[1][0]):
                similarity = float(left.similarity(right, at, *codes)[0])
                parts[name] = (float(left.weights[at]), similarity)
        total = sum(weight for weight, _ in parts.values()) or 1.0
        return {name: weight * similarity / total for name, (weight, similarity) in parts.items()}
