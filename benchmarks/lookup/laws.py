"""Whether a fitted matcher answers row by row as it answers many, in batches and any order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypedDict

import numpy as np

import pearljoin as pj
from benchmarks.lookup.names import Names

__all__ = ["Differences", "compare_ways"]

CLOSE = 1e-5
"""Scores may differ by that much, and decisions where a score lies that near to its threshold or
to its rival."""

BATCHES = (1, 7, 500)
"""Rows that are looked up at a time."""

Rows = dict[int, tuple[int, float, float]]
"""Best right row of a left row, its score and that of its rival."""


class Differences(TypedDict):
    """How other ways to ask differ from asking for all rows at once."""

    rows: int
    names: int
    calibrated: bool
    """Whether the matcher was calibrated on the rows."""
    way: str
    largest_score_difference: float
    other_decisions: int
    """Rows that were decided otherwise, near ties and threshold apart."""
    near: int
    """Rows that were decided otherwise so near to a tie or to the threshold that they may be."""


def compare_ways(names: Names, *, seed: int = 0) -> Iterator[Differences]:
    """Look names up in batches of several sizes, in random order and beside repeated rows.

    Parameters
    ----------
    names
        The reference and the queries.
    seed
        Draws the order.
    """
    matcher = pj.Matcher().fit(names.reference)
    for calibrated in (False, True):
        if calibrated:
            matcher.calibrate(names.queries)
        expected, threshold = _ask(matcher, names.queries)
        order = np.random.default_rng(seed).permutation(len(names.queries))
        for size in BATCHES:
            found: Rows = {}
            for start in range(0, len(order), size):
                part = order[start : start + size]
                answers, _ = _ask(matcher, [names.queries[at] for at in part])
                found |= {int(part[at]): answer for at, answer in answers.items()}
            way = f"{size} at a time, in random order"
            yield _differences(names, calibrated, way, expected, found, threshold)
        repeated = [*names.queries, *names.queries[:1] * 1000]
        found, _ = _ask(matcher, repeated)
        way = "beside a row that is there a thousand times"
        yield _differences(names, calibrated, way, expected, found, threshold)


def _ask(matcher: pj.Matcher, queries: Sequence[str]) -> tuple[Rows, float]:
    """Return the best right row of each query, and the threshold."""
    result = matcher.match(list(queries))
    best = result.matches(threshold=0.0, constraint="many_to_many", k=2)
    found: Rows = {}
    for at in np.lexsort((best.right, -best.score, best.left)).tolist():
        left, score = int(best.left[at]), float(best.score[at])
        if left in found:
            found[left] = (*found[left][:2], score)
        else:
            found[left] = (int(best.right[at]), score, 0.0)
    return found, result.threshold


def _differences(
    names: Names, calibrated: bool, way: str, expected: Rows, found: Rows, threshold: float
) -> Differences:
    largest, other, near = 0.0, 0, 0
    for row in range(len(names.queries)):
        before, after = expected.get(row, (-1, 0.0, 0.0)), found.get(row, (-1, 0.0, 0.0))
        largest = max(largest, abs(before[1] - after[1]))
        decided = [answer[0] if answer[1] >= threshold else -1 for answer in (before, after)]
        if decided[0] == decided[1]:
            continue
        is_near = min(abs(before[1] - threshold), abs(before[1] - before[2])) <= CLOSE
        near, other = near + is_near, other + (not is_near)
    return Differences(
        rows=len(names.queries),
        names=len(names.reference),
        calibrated=calibrated,
        way=way,
        largest_score_difference=largest,
        other_decisions=other,
        near=near,
    )
