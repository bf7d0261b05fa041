"""Pairs inside clusters that blocking missed."""

from itertools import combinations

import numpy as np
import pytest

from pearljoin._clusters.linkage import Bounds, average_linkage
from pearljoin._clusters.missing_pairs import MOST_OFFSETS, complete_clusters, pairs_within
from pearljoin._clusters.partition import cut_log_odds


def listed(pairs) -> set[tuple[int, int]]:
    return set(zip(*(ends.tolist() for ends in pairs), strict=True))


@pytest.mark.parametrize("size", [1, 2, 3, 7, 2 * MOST_OFFSETS, 2 * MOST_OFFSETS + 1])
def test_all_pairs_of_small_clusters_are_listed_once(size: int) -> None:
    rng = np.random.default_rng(size)
    labels = rng.permutation(np.repeat([3, 9, 4], size))
    found = pairs_within(labels, rng.permutation(len(labels)))
    expected = {
        pair for label in (3, 4, 9) for pair in combinations(np.flatnonzero(labels == label), 2)
    }
    assert listed(found) == expected
    assert len(found[0]) == len(expected)


@pytest.mark.parametrize("size", [2 * MOST_OFFSETS + 2, 100, 101, 1000])
def test_members_of_large_clusters_are_met_equally_often(size: int) -> None:
    found = pairs_within(np.zeros(size, dtype=np.int64), np.arange(size))
    met = np.bincount(np.concatenate(found), minlength=size)
    # The farthest in an even circle is met once, not from both sides.
    assert met.min() == met.max()
    assert met.max() in (2 * MOST_OFFSETS, 2 * MOST_OFFSETS - 1)
    apart = (found[1] - found[0]) % size
    assert np.minimum(apart, size - apart).max() == size // 2


def test_the_order_of_records_plays_no_part() -> None:
    rng = np.random.default_rng(4)
    labels, keys, order = rng.integers(0, 5, 400), rng.permutation(400), rng.permutation(400)
    found = pairs_within(labels, keys)
    again = pairs_within(labels[order], keys[order])
    turned = {tuple(sorted((order[one], order[other]))) for one, other in listed(again)}
    assert turned == listed(found)


def test_no_record_has_no_pair() -> None:
    nothing = np.zeros(0, dtype=np.int64)
    assert listed(pairs_within(nothing, nothing)) == set()


def test_groups_that_one_likely_pair_connects_are_told_apart_by_their_other_pairs() -> None:
    group = np.repeat([0, 1], 5)
    inside = [pair for pair in combinations(range(10), 2) if group[pair[0]] == group[pair[1]]]
    first, second = np.array([*inside, (4, 5)]).T
    order = np.lexsort((second, first))
    scored = first[order], second[order], np.full(len(first), 3.0, dtype=np.float32)
    asked: list[tuple[int, int]] = []

    def score(one, other):
        asked.extend(listed((one, other)))
        return np.where(group[one] == group[other], 3.0, -4.0).astype(np.float32)

    def permitted(one, other):
        kept = (one != 0) | (other != 9)
        return one[kept], other[kept]

    keys = np.arange(10)
    found = complete_clusters(scored, keys, score, permitted)
    across = {(one, other) for one in range(5) for other in range(5, 10)}
    assert set(asked) == across - {(4, 5), (0, 9)}
    assert len(asked) == len(set(asked))
    nothing = np.zeros(len(found[0]), dtype=bool)
    bounds = Bounds(np.ones(10, dtype=np.int64))
    labels = average_linkage(10, *found[:2], cut_log_odds(found[2]), nothing, bounds, keys)
    assert (labels == labels[group * 5]).all()
    assert labels[0] != labels[5]
