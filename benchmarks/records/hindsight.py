"""The best F1 that a ranking reaches at a threshold chosen with labels.

Only for rows of the table that are marked *with labels*.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass

from benchmarks.records.metrics import Rates, rates_of_counts

__all__ = [
    "BestCut",
    "Scored",
    "best_cut",
    "best_threshold",
    "clusters_at",
    "greedy_one_to_one",
    "nearest_of_each",
]

Scored = tuple[int, int, float]
"""A left row, a right row and their score, higher is closer."""

Merge = tuple[int, int, float]
"""Two clusters and the distance at which they merge; see `best_cut`."""


@dataclass(frozen=True)
class BestCut:
    """A threshold chosen with labels, and what it gives."""

    threshold: float
    """The lowest score taken, or the largest distance merged; NaN where taking none is best."""
    rates: Rates


def best_threshold(scored: Collection[Scored], true: Collection[tuple[int, int]]) -> BestCut:
    """Return the threshold on the score whose pairs have the highest F1.

    Parameters
    ----------
    scored
        Candidate pairs, each once.
    true
        The true pairs, candidates or not.

    Returns
    -------
    best
        Pairs with equal scores are taken together. The highest threshold among equally good ones.

    Examples
    --------
    >>> best_threshold([(0, 0, 0.9), (1, 1, 0.8), (2, 1, 0.7)], {(0, 0), (1, 1)}).threshold
    0.8
    """
    wanted = set(true)
    ordered = sorted(scored, key=lambda pair: -pair[2])
    best = BestCut(float("nan"), rates_of_counts(0, 0, len(wanted)))
    hits = 0
    for position, (left, right, score) in enumerate(ordered):
        hits += (left, right) in wanted
        last = position + 1 == len(ordered) or ordered[position + 1][2] != score
        if last:
            rates = rates_of_counts(hits, position + 1, len(wanted))
            best = BestCut(score, rates) if rates.f1 > best.rates.f1 else best
    return best


def greedy_one_to_one(scored: Collection[Scored]) -> list[Scored]:
    """Keep each row's pair of highest score, best pairs first, each row at most once.

    Parameters
    ----------
    scored
        Candidate pairs. Equal scores are taken by left row, then by right row.

    Examples
    --------
    >>> greedy_one_to_one([(0, 0, 0.9), (1, 0, 0.8), (1, 1, 0.3)])
    [(0, 0, 0.9), (1, 1, 0.3)]
    """
    kept, used_left, used_right = [], set(), set()
    for left, right, score in sorted(scored, key=lambda pair: (-pair[2], pair[0], pair[1])):
        if left not in used_left and right not in used_right:
            kept.append((left, right, score))
            used_left.add(left)
            used_right.add(right)
    return kept


def nearest_of_each(scored: Collection[Scored], side: int) -> list[Scored]:
    """Keep the pair of highest score of each row of one side.

    Parameters
    ----------
    scored
        Candidate pairs. Equal scores are taken by left row, then by right row.
    side
        0 for left rows, 1 for right rows.

    Examples
    --------
    >>> nearest_of_each([(0, 0, 0.9), (0, 1, 0.8), (1, 0, 0.3)], 1)
    [(0, 0, 0.9), (0, 1, 0.8)]
    """
    best: dict[int, Scored] = {}
    for pair in sorted(scored, key=lambda pair: (-pair[2], pair[0], pair[1])):
        best.setdefault(int(pair[side]), pair)
    return list(best.values())


def best_cut(merges: Sequence[Merge], true: Sequence[Hashable]) -> BestCut:
    """Return the distance at which cutting a dendrogram gives the highest pairwise F1.

    Parameters
    ----------
    merges
        As scipy's linkage gives them: rows are clusters 0 to n - 1, merge i makes cluster n + i,
        distances do not fall.
    true
        The true cluster of each of the n rows.

    Returns
    -------
    best
        Merges at equal distances are made together. The smallest distance among equally good
        ones.

    Examples
    --------
    >>> best_cut([(0, 1, 0.1), (2, 3, 0.9)], ["a", "a", "b"]).threshold
    0.1
    """
    sizes = Counter(true)
    wanted = sum(size * (size - 1) // 2 for size in sizes.values())
    held: dict[int, Counter[Hashable]] = {row: Counter([label]) for row, label in enumerate(true)}
    best = BestCut(float("nan"), rates_of_counts(0, 0, wanted))
    hits = returned = 0
    for number, (one, two, distance) in enumerate(merges):
        small, large = sorted((held.pop(int(one)), held.pop(int(two))), key=len)
        returned += small.total() * large.total()
        hits += sum(count * large[label] for label, count in small.items())
        large.update(small)
        held[len(true) + number] = large
        if number + 1 == len(merges) or merges[number + 1][2] != distance:
            rates = rates_of_counts(hits, returned, wanted)
            best = BestCut(distance, rates) if rates.f1 > best.rates.f1 else best
    return best


def clusters_at(merges: Sequence[Merge], n_rows: int, threshold: float) -> list[int]:
    """Return the cluster of each row where merges up to a distance are made.

    Parameters
    ----------
    merges
        As in `best_cut`.
    n_rows
        Number of rows.
    threshold
        The largest distance merged; NaN merges nothing.

    Examples
    --------
    >>> clusters_at([(0, 1, 0.1), (2, 3, 0.9)], 3, 0.5)
    [3, 3, 2]
    """
    parent = list(range(n_rows + len(merges)))
    for number, (one, two, distance) in enumerate(merges):
        if distance <= threshold:
            parent[int(one)] = parent[int(two)] = n_rows + number
    # A merge's number is above those of its parts, so parents are known before their parts.
    for cluster in range(len(parent) - 1, -1, -1):
        parent[cluster] = parent[parent[cluster]]
    return parent[:n_rows]
