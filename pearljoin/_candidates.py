"""Candidate pairs: which records are worth scoring, by meaning, by spelling and by equality."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.spatial import cKDTree

from pearljoin import _index, _lexical
from pearljoin._scoring import NumberValues, spread
from pearljoin._side import Side, equality_keys, pair_up
from pearljoin._typing import IntVector

__all__ = ["DEPTH", "propose", "propose_above"]

DEPTH = 20
"""Neighbours a record gets from each kind of evidence."""


def propose(left: Side, right: Side, *, device: str) -> tuple[IntVector, IntVector]:
    """List the pairs to score: each record's nearest by meaning and by spelling, and its equals.

    Returns
    -------
    left_record, right_record
        Aligned int64 arrays without repetition, ascending by left and then right record.
    """
    found = [pair_up(*equality_keys(left, right, normalised=True))]
    for own, others in _groups(left, right):
        if len(others) <= 2 * DEPTH:
            pairs = np.repeat(own, len(others)), np.tile(others, len(own))
        else:
            # Without exact-match columns both are everything: no copies are made.
            whole = left.groups is None
            part = (left, right) if whole else (left.take(own), right.take(others))
            near_own, near_others = _nearest(*part, device)
            pairs = own[near_own], others[near_others]
        found.append(pairs)
    return _distinct_pairs(found, len(right))


def propose_above(left: Side, right: Side, threshold: float) -> tuple[IntVector, IntVector]:
    """List every pair that can score `threshold` or more.

    The score of a text is the mean of two kinds of evidence, or the second alone, so where it
    reaches a value, one of the two does; other key columns can add no more than their weight.
    """
    found = [pair_up(*equality_keys(left, right, normalised=True))]
    text_weight = left.weights[left.text_fields].sum()
    needed = (threshold - (1 - text_weight)) / text_weight if text_weight else 0.0
    needed -= 1e-4  # what rounding may have added
    for own, others in _groups(left, right):
        if needed <= 0 or len(others) <= 2 * DEPTH:
            found.append((np.repeat(own, len(others)), np.tile(others, len(own))))
            continue
        part, reference = left.take(own), right.take(others)
        for near_own, near_others in (
            _index.above(part.meaning_matrix(), reference.meaning_matrix(), needed),
            _lexical.above(part.spelling_matrix(), reference.spelling_matrix(), needed)[:2],
        ):
            found.append((own[near_own], others[near_others]))
    return _distinct_pairs(found, len(right))


def _groups(left: Side, right: Side) -> Iterator[tuple[IntVector, IntVector]]:
    """Left and right records of each group that both sides have."""
    if left.groups is None or right.groups is None:
        if len(left) and len(right):
            yield np.arange(len(left)), np.arange(len(right))
        return
    left_order = np.argsort(left.groups, kind="stable")
    right_order = np.argsort(right.groups, kind="stable")
    left_sorted, right_sorted = left.groups[left_order], right.groups[right_order]
    for group in np.intersect1d(left_sorted, right_sorted).tolist():
        own = left_order[slice(*np.searchsorted(left_sorted, [group, group + 1]))]
        others = right_order[slice(*np.searchsorted(right_sorted, [group, group + 1]))]
        yield own, others


def _nearest(left: Side, right: Side, device: str) -> tuple[IntVector, IntVector]:
    """Nearest neighbours by every evidence that the key columns offer."""
    if not left.text_fields:
        return _nearest_numbers(left, right)
    rows, _ = _index.nearest(left.meaning_matrix(), right.meaning_matrix(), DEPTH, device=device)
    dense = np.repeat(np.arange(len(rows)), rows.shape[1]), rows.reshape(-1)
    lexical = _lexical.nearest(left.spelling_matrix(), right.spelling_matrix(), DEPTH)[:2]
    return np.concatenate([dense[0], lexical[0]]), np.concatenate([dense[1], lexical[1]])


def _nearest_numbers(left: Side, right: Side) -> tuple[IntVector, IntVector]:
    """Nearest by the sum of scaled distances; without numbers, those equal in a column."""
    columns = []
    for at, (own, others) in enumerate(zip(left.values, right.values, strict=True)):
        if isinstance(own, NumberValues) and isinstance(others, NumberValues):
            scale = left.weights[at] / spread(own, others)
            columns.append(
                [
                    np.clip(np.append(values.values, 0)[side.codes[at]], -1e300, 1e300) * scale
                    for values, side in ((own, left), (others, right))
                ]
            )
    if not columns:
        return _equal_in_a_column(left, right)
    own_points, other_points = (np.stack(side, axis=1) for side in zip(*columns, strict=True))
    depth = min(2 * DEPTH, len(right))
    near = cKDTree(other_points).query(own_points, k=depth, p=1)[1].reshape(len(left), -1)
    return np.repeat(np.arange(len(left)), near.shape[1]), near.reshape(-1).astype(np.int64)


def _equal_in_a_column(left: Side, right: Side) -> tuple[IntVector, IntVector]:
    found = []
    for at in range(len(left.values)):
        single = [
            Side((side.values[at],), (None,), (side.codes[at],), None, np.ones(1))
            for side in (left, right)
        ]
        own, others = pair_up(*equality_keys(*single, normalised=False))
        _, start, count = np.unique(own, return_index=True, return_counts=True)
        place = np.arange(len(own)) - np.repeat(start, count)
        found.append((own[place < DEPTH], others[place < DEPTH]))
    return _distinct_pairs(found, len(right))


def _distinct_pairs(
    found: list[tuple[IntVector, IntVector]], n_right: int
) -> tuple[IntVector, IntVector]:
    own = np.concatenate([pair[0] for pair in found]).astype(np.int64)
    others = np.concatenate([pair[1] for pair in found]).astype(np.int64)
    keys = np.unique(own * max(1, n_right) + others)
    return keys // max(1, n_right), keys % max(1, n_right)
