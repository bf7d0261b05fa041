"""From scored candidates to matches: threshold, cardinality, and records back to rows."""

from __future__ import annotations

import numpy as np

from pearljoin._assignment import assign
from pearljoin._candidates.blocking import refuse_above
from pearljoin._comparison import Candidates, Comparison
from pearljoin._matches import Matches, places
from pearljoin._records.records import NULL, Records
from pearljoin._typing import BoolVector, Constraint, FloatVector, IntVector

__all__ = ["all_matches", "runners_up", "select_matches"]


def select_matches(
    comparison: Comparison, threshold: float, constraint: Constraint, k: int | None
) -> Matches:
    """Choose matches and say them in row positions.

    Parameters
    ----------
    comparison
        What was found; asked again, never encoded again.
    threshold
        Lowest score of a match, in [0, 1].
    constraint
        How many partners a row may have.
    k
        Under ``"many_to_many"``, the most right rows a left row may have; None for no limit.

    Returns
    -------
    matches
        By left row, then best first.

    Raises
    ------
    InputError
        If the matches are too many to hold.
    """
    if constraint == "many_to_many":
        return _many_to_many(comparison, threshold, k)
    one_to_one = constraint == "one_to_one"
    candidates = (comparison.mutual if one_to_one else comparison).candidates
    kept = candidates.take(candidates.score >= np.float32(threshold))
    if one_to_one:
        return _one_to_one(kept, comparison.left, comparison.right)
    best = kept.take(kept.place == 0)
    position, rows = comparison.left.rows_of(best.left)
    right_rows = comparison.right.first_row[best.right][position]
    return Matches(rows, right_rows, best.score[position]).ranked()


def all_matches(comparison: Comparison, constraint: Constraint) -> Matches:
    """What would match at threshold 0: all candidates where a row may have any number."""
    if constraint != "many_to_many":
        return select_matches(comparison, 0.0, constraint, None)
    candidates = comparison.candidates
    _check_size(candidates, comparison.left, comparison.right)
    pairs, left_rows, right_rows = _expand(candidates, comparison.left, comparison.right)
    return Matches(left_rows, right_rows, candidates.score[pairs])


def runners_up(comparison: Comparison, matches: Matches) -> tuple[IntVector, FloatVector]:
    """Right row and score of each match's best rival; `NULL` and 0 where there is none."""
    candidates = comparison.candidates
    rows = np.full(len(matches), NULL, dtype=np.int64)
    scores = np.zeros(len(matches), dtype=np.float32)
    left_records = comparison.left.of_row[matches.left]
    right_records = comparison.right.of_row[matches.right]
    start = np.searchsorted(candidates.left, left_records, side="left")
    end = np.searchsorted(candidates.left, left_records, side="right")
    # The rival is the best candidate, or the second where the best is the match itself.
    rival = start.copy()
    own_first = start < end
    own_first[own_first] = candidates.right[start[own_first]] == right_records[own_first]
    rival[own_first] += 1
    found = rival < end
    rows[found] = comparison.right.first_row[candidates.right[rival[found]]]
    scores[found] = candidates.score[rival[found]]
    return rows, scores


def _many_to_many(comparison: Comparison, threshold: float, k: int | None) -> Matches:
    kept = comparison.candidates_above(threshold, k)
    if k is not None:
        kept = kept.take(kept.place < k)
    _check_size(kept, comparison.left, comparison.right, k)
    pairs, left_rows, right_rows = _expand(kept, comparison.left, comparison.right, k)
    order = np.lexsort((right_rows, -kept.score[pairs], -kept.priority[pairs], left_rows))
    matches = Matches(left_rows[order], right_rows[order], kept.score[pairs][order])
    if k is None:
        return matches
    return matches.take(places(matches.left) < k)


def _one_to_one(kept: Candidates, left: Records, right: Records) -> Matches:
    """Settle equal records first, in the order of rows; assign the rest optimally."""
    left_free, right_free = _FreeRows(left), _FreeRows(right)
    equal_left: list[IntVector] = []
    equal_right: list[IntVector] = []
    for level in (2, 1):
        level_pairs = kept.take(kept.priority == level)
        order = np.lexsort((level_pairs.right, level_pairs.left))
        for own, other in zip(
            level_pairs.left[order].tolist(), level_pairs.right[order].tolist(), strict=True
        ):
            taken = min(left_free.count[own], right_free.count[other])
            if taken:
                equal_left.append(left_free.pop(own, taken))
                equal_right.append(right_free.pop(other, taken))
    rest = kept.take(
        (kept.priority == 0) & (left_free.count[kept.left] > 0) & (right_free.count[kept.right] > 0)
    )
    star_left, star_right, star_score, rest = _settle_stars(rest, left_free, right_free)
    refuse_above(int((left_free.count[rest.left] * right_free.count[rest.right]).sum()))
    pairs, left_rows, right_rows = _expand(rest, left, right)
    free = left_free.is_free(left_rows) & right_free.is_free(right_rows)
    pairs, left_rows, right_rows = pairs[free], left_rows[free], right_rows[free]
    chosen = assign(left_rows, right_rows, rest.score[pairs])
    equals = np.concatenate([*equal_left, np.zeros(0, dtype=np.int64)])
    return Matches(
        np.concatenate([equals, *star_left, left_rows[chosen]]),
        np.concatenate([*equal_right, *star_right, right_rows[chosen]]),
        np.concatenate([np.ones(len(equals)), *star_score, rest.score[pairs][chosen]]),
    ).ranked()


def _settle_stars(
    rest: Candidates, left_free: _FreeRows, right_free: _FreeRows
) -> tuple[list[IntVector], list[IntVector], list[FloatVector], Candidates]:
    """Settle records that have one possible partner which has no other either.

    Rows of such a pair are interchangeable, so they are paired in order, however many they are.

    Returns
    -------
    left_rows, right_rows, scores, rest
        The rows settled, and the pairs that remain.
    """
    n_left = np.bincount(rest.left, minlength=len(left_free.count))
    n_right = np.bincount(rest.right, minlength=len(right_free.count))
    alone = (n_left[rest.left] == 1) & (n_right[rest.right] == 1)
    settled: tuple[list[IntVector], list[IntVector], list[FloatVector]] = ([], [], [])
    for at in np.flatnonzero(alone).tolist():
        own, other = int(rest.left[at]), int(rest.right[at])
        n_rows = int(min(left_free.count[own], right_free.count[other]))
        settled[0].append(left_free.pop(own, n_rows))
        settled[1].append(right_free.pop(other, n_rows))
        settled[2].append(np.full(n_rows, rest.score[at], dtype=np.float32))
    return *settled, rest.take(~alone)


class _FreeRows:
    """Rows of each record that are still free, taken from the first on."""

    def __init__(self, records: Records) -> None:
        position, self._rows = records.rows_of(np.arange(records.n_records))
        self.count = np.bincount(position, minlength=records.n_records)
        self._next = np.cumsum(self.count) - self.count
        self._free = np.ones(records.n_rows, dtype=bool)

    def pop(self, record: int, n_rows: int) -> IntVector:
        """Take the first `n_rows` free rows of a record."""
        start = self._next[record]
        rows = self._rows[start : start + n_rows]
        self._next[record] += n_rows
        self.count[record] -= n_rows
        self._free[rows] = False
        return rows

    def is_free(self, rows: IntVector) -> BoolVector:
        """Tell which rows have not been taken."""
        return np.asarray(self._free[rows], dtype=bool)


def _expand(
    kept: Candidates, left: Records, right: Records, k: int | None = None
) -> tuple[IntVector, IntVector, IntVector]:
    """All row pairs of each record pair: (position of the pair, left row, right row).

    With `k`, of each right record its first `k` rows, which are all that a left row may have.
    """
    left_pairs, left_rows = left.rows_of(kept.left)
    position, right_rows = right.rows_of(kept.right[left_pairs], k)
    return left_pairs[position], left_rows[position], right_rows


def _check_size(kept: Candidates, left: Records, right: Records, k: int | None = None) -> None:
    sizes = right.sizes[kept.right]
    refuse_above(int((left.sizes[kept.left] * np.minimum(sizes, k or sizes)).sum()))
