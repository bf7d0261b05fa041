"""Blocking: candidate pairs by nearest vectors, by spelling and by equal values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pearljoin._errors import InputError
from pearljoin._progress import stage
from pearljoin._records.encoded import EncodedRecords
from pearljoin._records.similarity import NumberValues
from pearljoin._records.sparse_vectors import sparse_matrices
from pearljoin._search import tfidf, vectors
from pearljoin._typing import IntVector, Pairs

__all__ = [
    "DEPTH",
    "LARGE",
    "MOST_ALIKE",
    "MOST_PAIRS",
    "RECORDS_IN_LARGE",
    "Pairs",
    "Rules",
    "block_above",
    "block_by",
    "block_equal",
    "block_nearest",
    "depth_among",
    "distinct_pairs",
    "group_pairs",
    "nearest_by_other_kinds",
    "nearest_by_text",
    "nearest_equal",
    "nearest_rules",
    "part_of_group",
    "refuse_above",
]

DEPTH = 20
"""Neighbours of a record in each search."""

LARGE, DEPTH_IN_LARGE = 50_000, 5
"""Reference records beyond which there are fewer, as features take most of the time there."""

RECORDS_IN_LARGE = 8
"""The same of records of several columns, and of duplicates, which may be many."""

MOST_ALIKE = 50
"""Right records with equal normalised keys that a left record is compared with. All of them are
its equals; features of more would tell nothing, and take memory by the square of their number."""

MOST_PAIRS = 20_000_000
"""Largest number of pairs that is listed. They take some 2 GB."""

BLOCK_CELLS = 4_000_000
"""Scores computed at once."""

ROUNDING = 1e-4
"""Largest rounding error of a score."""

SELECTIVE = 0.3
"""Lowest threshold for an index search: below it scoring all pairs is cheaper."""

Rules: TypeAlias = Callable[[EncodedRecords, EncodedRecords], list[Pairs]]


@stage("search")
def block_nearest(left: EncodedRecords, right: EncodedRecords, *, device: str) -> Pairs:
    """List each record's nearest by meaning and by spelling, and its equals.

    Returns
    -------
    left_record, right_record
        Aligned int64 arrays without repetition, ascending by left and then right record.
    """
    return block_by(partial(nearest_rules, device=device), left, right)


def block_by(rules: Rules, left: EncodedRecords, right: EncodedRecords) -> Pairs:
    """List the pairs that rules propose in each group, and the equals; all pairs of small groups.

    Parameters
    ----------
    rules
        Returns the pairs of each rule, of the records of one group.
    left, right
        The two sides.

    Returns
    -------
    left_record, right_record
        As of `block_nearest`.
    """
    found = nearest_equal(left, right)
    for left_records, right_records in group_pairs(left, right):
        n_left, n_right = len(left_records), len(right_records)
        if n_right <= 2 * DEPTH:
            found.append((np.repeat(left_records, n_right), np.tile(right_records, n_left)))
        else:
            near = rules(*part_of_group(left, right, left_records, right_records))
            found += [(left_records[one], right_records[other]) for one, other in near]
    return distinct_pairs(found, len(right))


@stage("search")
def block_above(
    left: EncodedRecords, right: EncodedRecords, threshold: float, k: int | None
) -> Pairs:
    """List all pairs whose similarity can reach `threshold`; with `k`, at least each record's best.

    One key column of text is searched by index. Its similarity is the mean of meaning and spelling,
    or spelling alone, so at least one of the two reaches the threshold where their mean does. For
    other keys all pairs are scored, a block at a time.

    Raises
    ------
    InputError
        If there are too many pairs to hold.
    """
    found = [block_equal(left, right)]
    needed, n_pairs = threshold - ROUNDING, 0
    for left_records, right_records in group_pairs(left, right):
        part, reference = part_of_group(left, right, left_records, right_records)
        if len(left.values) == 1 and left.text_fields and needed >= SELECTIVE:
            spelling = part.spelling_matrix, reference.spelling_matrix
            near = [
                vectors.above(part.meaning, reference.meaning, needed, MOST_PAIRS),
                tfidf.above(*spelling, needed, MOST_PAIRS)[:2],
            ]
        else:
            near = list(_score_everything(part, reference, needed, k))
        left_at, right_at = distinct_pairs(near, len(reference))
        n_pairs += len(left_at)
        refuse_above(n_pairs)
        found.append((left_records[left_at], right_records[right_at]))
    return distinct_pairs(found, len(right))


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
            f"{MOST_PAIRS:,}. Hint: raise the threshold, tell rows apart by a by= column, or, in a "
            "join, give k= to keep each left row's best."
        )


def block_equal(left: EncodedRecords, right: EncodedRecords, most: int | None = None) -> Pairs:
    """List all pairs of records with equal normalised keys.

    Parameters
    ----------
    left, right
        Encoded records of the left and of the right table.
    most
        The most right records of a left record, from the first on; None for all.

    Returns
    -------
    left_record, right_record
        Aligned int64 arrays without repetition, ascending by left and then right record.

    Raises
    ------
    InputError
        If there are too many pairs to hold.
    """
    index = right.equal_normalised
    keys = index.keys_of(left.values, left.codes, left.groups)
    refuse_above(index.n_pairs(keys, most))
    return index.pairs(keys, most)


def nearest_equal(left: EncodedRecords, right: EncodedRecords) -> list[Pairs]:
    """Pairs with equal normalised keys, at most `MOST_ALIKE` of a left record, and its very own."""
    found = [block_equal(left, right, MOST_ALIKE)]
    if right.equal_normalised.largest > MOST_ALIKE:
        index = right.equal_as_is
        keys = index.keys_of(left.values, left.codes, left.groups)
        found.append(index.pairs(keys, MOST_ALIKE))
    return found


def _score_everything(
    left: EncodedRecords, right: EncodedRecords, threshold: float, k: int | None
) -> Iterator[Pairs]:
    """Score all pairs and yield those at or above a threshold, a block of records at a time."""
    block = max(1, BLOCK_CELLS // len(right))
    n_pairs = 0
    for start in range(0, len(left), block):
        rows = np.arange(start, min(start + block, len(left)))
        scores = left.take(rows).similarities(right)
        if k is not None and k < len(right):
            # Ties with the k-th best are kept; the final order breaks them.
            edge = np.partition(scores, len(right) - k, axis=1)[:, len(right) - k]
            near = scores >= np.maximum(edge - ROUNDING, threshold)[:, None]
        else:
            near = scores >= threshold
        in_block, right_records = np.nonzero(near)
        n_pairs += len(in_block)
        refuse_above(n_pairs)
        yield rows[in_block], right_records.astype(np.int64)


def part_of_group(
    left: EncodedRecords,
    right: EncodedRecords,
    left_records: IntVector,
    right_records: IntVector,
) -> tuple[EncodedRecords, EncodedRecords]:
    """Take the records of one group; without groups, all records."""
    if left.groups is None:
        return left, right
    return left.take(left_records), right.take(right_records)


def group_pairs(left: EncodedRecords, right: EncodedRecords) -> Iterator[Pairs]:
    """Yield the left and right records of each group that both tables have."""
    if left.groups is None or right.groups is None:
        if len(left) and len(right):
            yield np.arange(len(left)), np.arange(len(right))
        return
    (left_order, left_sorted), (right_order, right_sorted) = left.by_group, right.by_group
    for group in np.intersect1d(left_sorted, right_sorted).tolist():
        yield (
            left_order[slice(*np.searchsorted(left_sorted, [group, group + 1]))],
            right_order[slice(*np.searchsorted(right_sorted, [group, group + 1]))],
        )


def nearest_rules(left: EncodedRecords, right: EncodedRecords, device: str) -> list[Pairs]:
    """Find nearest neighbours by meaning, spelling, numbers and other values, as the keys allow.

    Parameters
    ----------
    left, right
        Records of one group.
    device
        Where vectors are searched.

    Returns
    -------
    pairs
        By rule, aligned int64 arrays of left and right records.
    """
    depth = depth_among(len(right), DEPTH_IN_LARGE if len(left.values) == 1 else RECORDS_IN_LARGE)
    found = nearest_by_text(left, right, depth, device) if left.text_fields else []
    return [*found, *nearest_by_other_kinds(left, right)]


def nearest_by_text(
    left: EncodedRecords, right: EncodedRecords, depth: int, device: str
) -> list[Pairs]:
    """Find `depth` nearest neighbours by meaning and by spelling; some key columns are text."""
    rows, _ = right.meaning_index.nearest(left.meaning, depth, device=device)
    by_meaning = np.repeat(np.arange(len(rows)), rows.shape[1]), rows.reshape(-1).astype(np.int64)
    return [by_meaning, right.spelling_index.nearest(left.spelling_matrix, depth)[:2]]


def depth_among(n_records: int, in_large: int = DEPTH_IN_LARGE) -> int:
    """Return how many neighbours of a record are candidates, among so many."""
    return DEPTH if n_records <= LARGE else in_large


def nearest_by_other_kinds(left: EncodedRecords, right: EncodedRecords) -> list[Pairs]:
    """Find nearest neighbours where some key columns are not text; none where all are."""
    if len(left.text_fields) == len(left.values):
        return []
    # Other kinds of columns have few distinct values, so frequent ones are not pruned, until their
    # time, which is a product of both sides' rows, is most of the whole.
    depth, prune = depth_among(len(right), RECORDS_IN_LARGE), len(right) > LARGE
    near = tfidf.nearest(*sparse_matrices(left, right, prune=prune), depth, prune=prune)[:2]
    return [near, _nearest_numbers(left, right)]


def _nearest_numbers(left: EncodedRecords, right: EncodedRecords) -> Pairs:
    """Find nearest neighbours by the scaled distances of number columns; none without any."""
    columns = []
    for at, pair in enumerate(zip(left.values, right.values, strict=True)):
        left_values, right_values = pair
        if not isinstance(left_values, NumberValues) or not isinstance(right_values, NumberValues):
            continue
        if left.weights[at]:
            scale = float(left.weights[at]) / right.statistics[at].spread
            columns.append(
                [
                    _points(np.append(values.values, 0)[records.codes[at]], scale)
                    for values, records in ((left_values, left), (right_values, right))
                ]
            )
    if not columns:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    # Imported here, for only columns of numbers need it: a quarter of a second.
    from scipy.spatial import cKDTree

    left_points, right_points = (np.stack(part, axis=1) for part in zip(*columns, strict=True))
    depth = min(2 * depth_among(len(right), RECORDS_IN_LARGE), len(right))
    near = cKDTree(right_points).query(left_points, k=depth, p=1)[1].reshape(len(left), -1)
    return np.repeat(np.arange(len(left)), near.shape[1]), near.reshape(-1).astype(np.int64)


def _points(values: NDArray[np.float64], scale: float) -> NDArray[np.float64]:
    """Scale numbers and clip them to finite values, which a k-d tree needs."""
    with np.errstate(over="ignore", invalid="ignore"):
        scaled = np.nan_to_num(values * scale, nan=0.0)
    return np.clip(scaled, -1e100, 1e100)


def distinct_pairs(found: list[Pairs], n_right: int) -> Pairs:
    """Merge lists of pairs, without repetition, by left and then right record."""
    left_records = np.concatenate([pair[0] for pair in found]).astype(np.int64)
    right_records = np.concatenate([pair[1] for pair in found]).astype(np.int64)
    keys = np.unique(left_records * max(1, n_right) + right_records)
    return keys // max(1, n_right), keys % max(1, n_right)
