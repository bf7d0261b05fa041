"""Metrics, as pure functions of returned and true pairs.

Pairs are compared as given: by title, where the caller passes titles, or by id. A pair that is
returned twice, say because a title stands in two rows, counts once.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

__all__ = ["PairScores", "average_precision", "macro", "pair_scores", "top1_accuracy"]

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True)
class PairScores:
    """Precision, recall and F1 of a set of returned pairs, each in [0, 1]."""

    precision: float
    recall: float
    f1: float


def top1_accuracy(
    queries: Sequence[str], best: Sequence[str | None], answers: Mapping[str, Collection[str]]
) -> float | None:
    """Return the share of labelled queries whose best reference title is a right one.

    Parameters
    ----------
    queries
        Query titles.
    best
        For each of them the title that stands first, None where there is none.
    answers
        The right titles of each labelled query. Queries that are no key do not count.

    Returns
    -------
    accuracy
        In [0, 1]; None where no query is labelled.

    Examples
    --------
    >>> top1_accuracy(["a", "b", "c"], ["A", "A", "A"], {"a": {"A"}, "b": {"B"}})
    0.5
    """
    right = [
        found in answers[query]
        for query, found in zip(queries, best, strict=True)
        if query in answers
    ]
    return sum(right) / len(right) if right else None


def pair_scores(returned: Iterable[Hashable], true: Iterable[Hashable]) -> PairScores:
    """Return precision, recall and F1 of the returned pairs.

    Parameters
    ----------
    returned, true
        Pairs; their order and their repetitions do not matter. A pair for a query that has no
        match is in no true pair, so it counts against precision.

    Returns
    -------
    scores
        Where nothing is returned, precision is 0 (an empty answer is not rewarded), and 1 only
        where there was nothing to find either; recall is 1 where there was nothing to find.

    Examples
    --------
    >>> pair_scores([("a", "A"), ("b", "C"), ("b", "C")], [("a", "A"), ("b", "B"), ("c", "C")])
    PairScores(precision=0.5, recall=0.3333333333333333, f1=0.4)
    """
    got, wanted = set(returned), set(true)
    hits = len(got & wanted)
    precision = hits / len(got) if got else float(not wanted)
    recall = hits / len(wanted) if wanted else 1.0
    f1 = 2 * precision * recall / (precision + recall) if hits or not wanted else 0.0
    return PairScores(precision, recall, f1 if precision else 0.0)


def average_precision(scored: Iterable[tuple[Key, float]], true: Collection[Key]) -> float | None:
    """Return the area under the precision-recall curve of a ranking of pairs.

    Parameters
    ----------
    scored
        Pairs with scores, higher is closer. A pair given twice keeps its higher score.
    true
        The true pairs. Those that are not ranked are never found, so the curve ends before
        recall 1.

    Returns
    -------
    area
        In [0, 1]: the sum over distinct scores, falling, of the gain in recall times the
        precision down to there. Pairs with equal scores are taken in together, so their order
        does not matter. None where there is no true pair.

    Examples
    --------
    >>> average_precision([("aA", 0.9), ("bX", 0.8), ("cC", 0.7)], {"aA", "bB", "cC"})
    0.5555555555555556
    """
    wanted = set(true)
    if not wanted:
        return None
    highest: dict[Key, float] = {}
    for pair, score in scored:
        highest[pair] = max(score, highest.get(pair, -np.inf))
    if not highest:
        return 0.0
    scores = np.array(list(highest.values()), dtype=np.float64)
    right = np.array([pair in wanted for pair in highest], dtype=np.float64)
    order = np.argsort(-scores, kind="stable")
    scores, found = scores[order], np.cumsum(right[order])
    ends = np.flatnonzero(np.append(scores[1:] != scores[:-1], True))
    precision = found[ends] / (ends + 1)
    gained = np.diff(found[ends], prepend=0.0) / len(wanted)
    return float(np.sum(precision * gained))


def macro(values: Iterable[float | None]) -> float | None:
    """Return the mean over tables, leaving out those without a value; None where all are."""
    present = [value for value in values if value is not None]
    return sum(present) / len(present) if present else None
