"""Candidate pairs: which records are worth scoring, by meaning, by spelling and by equality."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from pearljoin._errors import InputError
from pearljoin._records.encoded import EncodedRecords, sparse_matrices
from pearljoin._records.equality import equality_keys, pair_up
from pearljoin._records.similarity import NumberValues, spread
from pearljoin._search import dense, tfidf
from pearljoin._typing import IntVector

__all__ = ["DEPTH", "MOST_PAIRS", "block_above", "block_nearest", "refuse_above"]

DEPTH = 20
"""Neighbours a record gets from each kind of evidence."""

MOST_PAIRS = 100_000_000
"""More pairs than this are refused rather than left to exhaust the memory."""

BLOCK_CELLS = 4_000_000
ROUNDING = 1e-4
"""What rounding may have added to, or taken from, a score."""

SELECTIVE = 0.3
"""Below this threshold most pairs would be found by an index, and scoring all is cheaper."""

Pairs = tuple[IntVector, IntVector]


def block_nearest(left: EncodedRecords, right: EncodedRecords, *, device: str) -> Pairs:
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
            near_own, near_others = _nearest(*_part(left, right, own, others), device)
            pairs = own[near_own], others[near_others]
        found.append(pairs)
    return _distinct_pairs(found, len(right))


def block_above(
    left: EncodedRecords, right: EncodedRecords, threshold: float, k: int | None
) -> Pairs:
    """List all pairs that can score `threshold` or more; with `k`, each record's best at least.

    One key column of text is searched by index: its score is the mean of two kinds of evidence, or
    the second alone, so where it reaches a value, one of the two does. Anything else is scored
    against everything, a block at a time.

    Raises
    ------
    InputError
        If there are too many pairs to hold.
    """
    found = [pair_up(*equality_keys(left, right, normalised=True))]
    needed = threshold - ROUNDING
    for own, others in _groups(left, right):
        part, reference = _part(left, right, own, others)
        if len(left.values) == 1 and left.text_fields and needed >= SELECTIVE:
            near = [
                dense.above(part.meaning_matrix(), reference.meaning_matrix(), needed),
                tfidf.above(part.spelling_matrix(), reference.spelling_matrix(), needed)[:2],
            ]
        else:
            near = list(_score_everything(part, reference, needed, k))
        found.extend((own[near_own], others[near_others]) for near_own, near_others in near)
        refuse_above(sum(len(pair[0]) for pair in found))
    return _distinct_pairs(found, len(right))


def refuse_above(n_pairs: int) -> None:
    """Refuse more pairs than can be held.

    Raises
    ------
    InputError
        If there are more than `MOST_PAIRS`.
    """
    if n_pairs > MOST_PAIRS:
        raise InputError(
            f"There are too many pairs to return. Got {n_pairs:,} above the threshold, of at most "
            f"{MOST_PAIRS:,}. Hint: raise the threshold, or give k to keep each left row's best."
        )


def _score_everything(
    left: EncodedRecords, right: EncodedRecords, threshold: float, k: int | None
) -> Iterator[Pairs]:
    """Pairs at or above a threshold, from a full table of scores, a block of rows at a time."""
    block = max(1, BLOCK_CELLS // len(right))
    n_pairs = 0
    for start in range(0, len(left), block):
        rows = np.arange(start, min(start + block, len(left)))
        scores = left.take(rows).similarities(right)
        if k is not None and k < len(right):
            # Ties at the edge stay in; the final order settles them.
            edge = np.partition(scores, len(right) - k, axis=1)[:, len(right) - k]
            near = scores >= np.maximum(edge - ROUNDING, threshold)[:, None]
        else:
            near = scores >= threshold
        own, others = np.nonzero(near)
        n_pairs += len(own)
        refuse_above(n_pairs)
        yield rows[own], others.astype(np.int64)


def _part(
    left: EncodedRecords, right: EncodedRecords, own: IntVector, others: IntVector
) -> tuple[EncodedRecords, EncodedRecords]:
    """The records of a group; the sides themselves where that is all of them."""
    if left.groups is None:
        return left, right
    return left.take(own), right.take(others)


def _groups(left: EncodedRecords, right: EncodedRecords) -> Iterator[Pairs]:
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


def _nearest(left: EncodedRecords, right: EncodedRecords, device: str) -> Pairs:
    """Nearest neighbours by every evidence that the key columns offer."""
    found: list[Pairs] = []
    if left.text_fields:
        vectors = left.meaning_matrix(), right.meaning_matrix()
        rows, _ = dense.nearest(*vectors, DEPTH, device=device)
        found.append((np.repeat(np.arange(len(rows)), rows.shape[1]), rows.reshape(-1)))
        spelled = left.spelling_matrix(), right.spelling_matrix()
        found.append(tfidf.nearest(*spelled, DEPTH)[:2])
    if len(left.text_fields) < len(left.values):
        # Columns of other kinds are few and coarse, so none of them is left out as too common.
        found.append(tfidf.nearest(*sparse_matrices(left, right), DEPTH, prune=False)[:2])
        found.append(_nearest_numbers(left, right))
    own, others = (np.concatenate(side) for side in zip(*found, strict=True))
    return own.astype(np.int64), others.astype(np.int64)


def _nearest_numbers(left: EncodedRecords, right: EncodedRecords) -> Pairs:
    """Nearest by the sum of scaled distances of the number columns; nothing without any."""
    columns = []
    for at, (own, others) in enumerate(zip(left.values, right.values, strict=True)):
        if left.weights[at] and isinstance(own, NumberValues) and isinstance(others, NumberValues):
            scale = float(left.weights[at]) / spread(own, others)
            columns.append(
                [
                    _points(np.append(values.values, 0)[side.codes[at]], scale)
                    for values, side in ((own, left), (others, right))
                ]
            )
    if not columns:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    own_points, other_points = (np.stack(side, axis=1) for side in zip(*columns, strict=True))
    depth = min(2 * DEPTH, len(right))
    near = cKDTree(other_points).query(own_points, k=depth, p=1)[1].reshape(len(left), -1)
    return np.repeat(np.arange(len(left)), near.shape[1]), near.reshape(-1).astype(np.int64)


def _points(values: NDArray[np.float64], scale: float) -> NDArray[np.float64]:
    """Scaled numbers that a tree can hold: finite, however large they were."""
    with np.errstate(over="ignore", invalid="ignore"):
        scaled = np.nan_to_num(values * scale, nan=0.0)
    return np.clip(scaled, -1e100, 1e100)


def _distinct_pairs(found: list[Pairs], n_right: int) -> Pairs:
    own = np.concatenate([pair[0] for pair in found]).astype(np.int64)
    others = np.concatenate([pair[1] for pair in found]).astype(np.int64)
    keys = np.unique(own * max(1, n_right) + others)
    return keys // max(1, n_right), keys % max(1, n_right)
