"""Effects of each group of features on the log odds of pairs, for one scored comparison."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pearljoin._cached import cached_property
from pearljoin._comparison.comparison import Comparison
from pearljoin._explain.additive import Effects, additive_effects
from pearljoin._features.compute import CandidateFeatures
from pearljoin._features.registry import REGISTRY
from pearljoin._features.rival_groups import Groups
from pearljoin._matches import find_pairs
from pearljoin._scoring.scorer import Scorer
from pearljoin._typing import FloatMatrix, FloatVector, IntVector

__all__ = ["SAMPLE", "GroupEffects", "middle"]

SAMPLE = 500
"""Left records whose candidates tell what neutral evidence is."""


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

    def of_pairs(self, left: IntVector, right: IntVector) -> list[Effects | None]:
        """Return the effects on pairs of records, in log odds; None for what is no candidate.

        A group's features say nothing where they are neutral: half way between those of likely
        matches and of other pairs. The later steps of the scorer add to the groups rivals, words
        and tables.

        Parameters
        ----------
        left, right
            int64 of shape (n_pairs,): record numbers.
        """
        pairs = self._comparison.compute_features(np.unique(left))
        later = self._later_steps(pairs)
        places = find_pairs(pairs.left, pairs.right, left, right)
        return [
            None if place < 0 else self._of_candidate(pairs.features[place], later, place)
            for place in places.tolist()
        ]

    def _of_candidate(
        self, features: NDArray[np.float32], later: dict[str, NDArray[np.float64]], place: int
    ) -> Effects:
        groups, neutral = REGISTRY.groups, self._neutral[0]

        def evaluate(there: NDArray[np.bool_]) -> FloatVector:
            rows = np.tile(neutral, (len(there), 1))
            for at, columns in enumerate(groups.values()):
                rows[np.ix_(there[:, at], columns)] = features[columns]
            return self._scorer.pair.logit(rows)

        base, by_group = additive_effects(len(groups), evaluate)
        effects = dict(zip(groups, by_group.tolist(), strict=True))
        for step, effect in later.items():
            if step in effects or effect[place]:
                effects[step] = effects.get(step, 0.0) + float(effect[place])
        return Effects(base, tuple(effects.items()))

    def _later_steps(self, pairs: CandidateFeatures) -> dict[str, NDArray[np.float64]]:
        """What the steps after the first one add to the log odds of pairs."""
        steps = self._comparison.score_steps(pairs)
        words = np.broadcast_to(self._neutral[1], steps.words.shape)
        beside = self._scorer.in_context(steps.pair, Groups(pairs.left), words)
        after = steps.context, steps.calibrated, steps.named, steps.final
        pair, alone, context, calibrated, named, final = (
            step.astype(np.float64) for step in (steps.pair, beside, *after)
        )
        return {
            "rivals": alone - pair,
            "words": context - alone,
            "tables": calibrated - context,
            "given names": named - calibrated,
            "alternatives": final - named,
        }

    @cached_property
    def _neutral(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Neutral features of a pair, and of its unmatched tokens."""
        sample = self._comparison.sample(SAMPLE)
        pairs = self._comparison.compute_features(sample)
        steps = self._comparison.score_steps(pairs)
        likely = steps.final >= 0
        return middle(pairs.features, likely), middle(steps.words, likely)


def middle(features: FloatMatrix, likely: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Half way between the medians of the features of likely matches and of the others.

    Parameters
    ----------
    features
        float32 of shape (n_pairs, n_features).
    likely
        bool of shape (n_pairs,).

    Returns
    -------
    features
        float32 of shape (n_features,); zeros where there is no pair, so nothing that is explained.
    """
    if not len(features):
        return np.zeros(features.shape[1], dtype=np.float32)
    medians = [np.median(features[k], axis=0) for k in (likely, ~likely) if k.any()]
    return np.asarray(np.mean(medians, axis=0), dtype=np.float32)
