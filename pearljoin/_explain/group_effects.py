"""Effects of each group of features on the log odds of pairs, for one scored comparison."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pearljoin._comparison import Comparison
from pearljoin._features.compute import CandidateFeatures
from pearljoin._features.registry import REGISTRY
from pearljoin._features.rival_groups import Groups
from pearljoin._scoring.scorer import Scorer, ScoreSteps
from pearljoin._typing import FloatMatrix, FloatVector

__all__ = ["GroupEffects"]


class GroupEffects:
    """Computes what each group of features does to a pair's log odds.

    Parameters
    ----------
    comparison
        The comparison that scored the pairs, by a match scorer.
    scorer
        The scorer.
    """

    def __init__(self, comparison: Comparison, scorer: Scorer) -> None:
        self._comparison = comparison
        self._scorer = scorer

    def of_pair(self, left: int, right: int) -> dict[str, float] | None:
        """Return the effects on a pair of records, in log odds; None if it is no candidate.

        The effect of a group is the change of the pair's own log odds when the group's features are
        set to neutral. The later steps of the scorer add to the groups rivals, words and tables.

        Parameters
        ----------
        left, right
            Record numbers.
        """
        pairs = self._pairs
        start, end = np.searchsorted(pairs.left, [left, left + 1])
        found = start + np.flatnonzero(pairs.right[start:end] == right)
        if not len(found):
            return None
        place = int(found[0])
        groups = REGISTRY.groups
        rows = np.repeat(pairs.features[[place]], 1 + len(groups), axis=0)
        for row, columns in enumerate(groups.values(), 1):
            rows[row, columns] = self._neutral[columns]
        odds = self._scorer.pair.logit(rows).astype(np.float64)
        effects = {group: float(odds[0] - odds[row]) for row, group in enumerate(groups, 1)}
        steps = self._steps.pair, self._with_neutral_words, self._steps.context, self._steps.final
        pair, beside, context, final = (float(step[place]) for step in steps)
        effects["rivals"] = effects.get("rivals", 0.0) + beside - pair
        effects["words"] = effects.get("words", 0.0) + context - beside
        effects["tables"] = effects.get("tables", 0.0) + final - context
        return effects

    @cached_property
    def _pairs(self) -> CandidateFeatures:
        """Candidate pairs, by left and then by right record."""
        return self._comparison.compute_features()

    @cached_property
    def _steps(self) -> ScoreSteps:
        """Log odds of the candidate pairs after each step."""
        return self._comparison.score_steps(self._pairs)

    @cached_property
    def _with_neutral_words(self) -> FloatVector:
        """Log odds of the pairs beside their rivals, if their unmatched tokens were neutral."""
        words = self._steps.words
        neutral = np.broadcast_to(self._middle(words), words.shape)
        return self._scorer.in_context(self._steps.pair, Groups(self._pairs.left), neutral)

    @cached_property
    def _neutral(self) -> NDArray[np.float32]:
        """Neutral features."""
        return self._middle(self._pairs.features)

    def _middle(self, numbers: FloatMatrix) -> NDArray[np.float32]:
        """Half way between the medians of likely matches and of the others."""
        likely = self._steps.final >= 0
        medians = [np.median(numbers[k], axis=0) for k in (likely, ~likely) if k.any()]
        return np.asarray(np.mean(medians, axis=0), dtype=np.float32)
