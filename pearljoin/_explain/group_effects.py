"""Effects of each group of features on the log odds of pairs, for one scored comparison."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pearljoin._comparison import Comparison
from pearljoin._explain.additive import Effects, additive_effects
from pearljoin._features.compute import CandidateFeatures
from pearljoin._features.registry import REGISTRY
from pearljoin._features.rival_groups import Groups
from pearljoin._records.sampling import sample_records
from pearljoin._scoring.scorer import Scorer
from pearljoin._typing import FloatMatrix, FloatVector

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

    def of_pair(self, left: int, right: int) -> Effects | None:
        """Return the effects on a pair of records, in log odds; None if it is no candidate.

        A group's features say nothing where they are neutral: half way between those of likely
        matches and of other pairs. The later steps of the scorer add to the groups rivals, words
        and tables.

        Parameters
        ----------
        left, right
            Record numbers.
        """
        pairs = self._comparison.compute_features(np.array([left]))
        found = np.flatnonzero(pairs.right == right)
        if not len(found):
            return None
        place = int(found[0])
        groups = REGISTRY.groups
        features, neutral = pairs.features[place], self._neutral[0]

        def evaluate(there: NDArray[np.bool_]) -> FloatVector:
            rows = np.tile(neutral, (len(there), 1))
            for at, columns in enumerate(groups.values()):
                rows[np.ix_(there[:, at], columns)] = features[columns]
            return self._scorer.pair.logit(rows)

        base, by_group = additive_effects(len(groups), evaluate)
        effects = dict(zip(groups, by_group.tolist(), strict=True))
        for step, effect in self._later_steps(pairs, place).items():
            effects[step] = effects.get(step, 0.0) + effect
        return Effects(base, tuple(effects.items()))

    def _later_steps(self, pairs: CandidateFeatures, place: int) -> dict[str, float]:
        """What the steps after the first one add to the log odds of a pair."""
        steps = self._comparison.score_steps(pairs)
        words = np.broadcast_to(self._neutral[1], steps.words.shape)
        beside = self._scorer.in_context(steps.pair, Groups(pairs.left), words)
        pair, alone, context, final = (
            float(step[place]) for step in (steps.pair, beside, steps.context, steps.final)
        )
        return {"rivals": alone - pair, "words": context - alone, "tables": final - context}

    @cached_property
    def _neutral(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Neutral features of a pair, and of its unmatched tokens."""
        sample = sample_records(self._comparison.sides[0], SAMPLE)
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
        float32 of shape (n_features,).
    """
    medians = [np.median(features[k], axis=0) for k in (likely, ~likely) if k.any()]
    return np.asarray(np.mean(medians, axis=0), dtype=np.float32)
