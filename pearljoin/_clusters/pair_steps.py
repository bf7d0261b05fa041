"""Steps from nothing to the score of a pair of records of one table: columns, then other evidence.

Each step is what a stage of the scoring adds, in the order in which it comes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pearljoin._clusters.pair_scorer import Stages
from pearljoin._clusters.similar_pairs import SimilarPairs
from pearljoin._clusters.table_pairs import TablePairs
from pearljoin._records.missing_keys import NULL
from pearljoin._scoring.record_features import RecordPairs
from pearljoin._typing import BoolVector, FloatVector, IntVector

__all__ = ["REST", "PairSteps", "pair_steps"]

REST = "other evidence"
"""The step that no other accounts for."""

SLIGHT = 0.005
"""What a step changes at least to be told, unless it is of a column."""


@dataclass(frozen=True)
class PairSteps:
    """Steps that add up to the log odds of pairs, or to their similarities.

    Attributes
    ----------
    names
        Names of the steps: the key columns, the later stages, and `REST`.
    effects
        float64 of shape (n_pairs, n_steps); 0 where a step says nothing.
    is_told
        bool of the same shape: key columns where both values are there, and later steps that change
        the score.
    n_columns
        How many steps are those of key columns.
    """

    names: tuple[str, ...]
    effects: NDArray[np.float64]
    is_told: NDArray[np.bool_]
    n_columns: int

    def of(self, pair: int) -> list[tuple[int, float]]:
        """List the places and effects of a pair's steps: columns by size, then the others.

        What is too slight to be told is added to the last step, so that they add up; `REST` is the
        only one where no other is told.
        """
        effects = self.effects[pair]
        told = np.flatnonzero(self.is_told[pair]).tolist()
        told.sort(key=lambda at: -abs(effects[at]) if at < self.n_columns else 0.0)
        steps = [(at, float(effects[at])) for at in told]
        slight = float(effects[~self.is_told[pair]].sum())
        if not steps:
            return [(len(effects) - 1, slight)]
        if math.isfinite(slight):
            steps[-1] = steps[-1][0], steps[-1][1] + slight
        return steps


def pair_steps(
    comparison: TablePairs | SimilarPairs,
    columns: Sequence[str],
    first: IntVector,
    second: IntVector,
    score: FloatVector,
) -> PairSteps:
    """Compute the steps of pairs.

    Parameters
    ----------
    comparison
        Scored pairs of one table.
    columns
        Names of the key columns.
    first, second
        int64 of shape (n_pairs,): the records.
    score
        float32 of shape (n_pairs,): what the steps add up to, as log odds where scores are
        calibrated. Scores of 1 are of equal keys, of which the columns alone are told.
    """
    if not len(first):
        return PairSteps(tuple(columns), np.empty((0, 0)), np.empty((0, 0), bool), len(columns))
    later: dict[str, NDArray[np.float64]] = {}
    total = score.astype(np.float64)
    if isinstance(comparison, TablePairs):
        compared = comparison.compare(first, second)
        stages = comparison.stages(compared, first, second)
        effects, is_known = _by_columns(comparison, compared, stages)
        later = _added(stages, effects.sum(axis=1))
        with np.errstate(divide="ignore"):
            total = np.log(total) - np.log1p(-total)
    else:
        effects, is_known = _by_similarity(comparison, first, second)
    steps = np.column_stack([effects, *later.values()])
    steps = np.column_stack([steps, _less(total, steps.sum(axis=1))])
    told = np.abs(steps[:, len(columns) :]) >= SLIGHT
    told[total == np.inf] = False
    names = (*columns, *later, REST)
    return PairSteps(names, steps, np.column_stack([is_known, told]), len(columns))


def _by_columns(
    comparison: TablePairs, compared: RecordPairs, stages: Stages
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Log odds by each key column's values alone, and whether both are there."""
    columns = compared.columns
    is_known = np.stack([~np.isnan(column.position) for column in columns], axis=1)
    if comparison.scorer.is_text:
        return stages[0][1].astype(np.float64)[:, None], is_known
    effects = comparison.weights.of_pairs(columns).astype(np.float64)
    for at, weights in comparison.weights.known.items():
        effects[:, at] = weights.of_pairs(columns[at])
    return effects, is_known


def _added(stages: Stages, before: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
    """What each stage of the scoring adds to what stood before."""
    found: dict[str, NDArray[np.float64]] = {}
    for name, log_odds in stages:
        after = log_odds.astype(np.float64)
        found[name] = _less(after, before)
        before = after
    return found


def _by_similarity(
    comparison: SimilarPairs, first: IntVector, second: IntVector
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Parts of the similarity by each key column, and whether both values are there."""
    side = comparison.side
    found: list[NDArray[np.float64]] = []
    listed: list[BoolVector] = []
    for at, (codes, weight) in enumerate(zip(side.codes, side.weights.tolist(), strict=True)):
        is_known = (codes[first] != NULL) & (codes[second] != NULL)
        effect = np.zeros(len(first))
        pair = codes[first[is_known]], codes[second[is_known]]
        effect[is_known] = weight * side.similarity(side, at, *pair)
        found.append(effect)
        listed.append(is_known)
    return np.stack(found, axis=1), np.stack(listed, axis=1)


def _less(after: NDArray[np.float64], before: NDArray[np.float64]) -> NDArray[np.float64]:
    """Difference, 0 between equal infinities."""
    with np.errstate(invalid="ignore"):
        return np.where(after == before, 0.0, after - before)
