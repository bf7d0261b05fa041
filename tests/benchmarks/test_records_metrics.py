"""Rates of clusters and probabilities, against the definitions by brute force."""

import doctest
import itertools
import math
import random

import pytest

from benchmarks.records import generic, hindsight, metrics, sets
from benchmarks.records.hindsight import (
    best_cut,
    best_threshold,
    clusters_at,
    greedy_one_to_one,
    nearest_of_each,
)
from benchmarks.records.metrics import (
    Rates,
    b_cubed,
    calibration_error,
    cluster_pair_rates,
    exact_clusters,
    link_rates,
    rates_of_counts,
    variation_of_information,
)


def clusterings(seed):
    """Two random clusterings of the same rows, with labels of different types."""
    draw = random.Random(seed)
    n_rows = draw.randint(1, 40)
    found = [draw.randint(0, draw.choice([1, 5, 40])) for _ in range(n_rows)]
    true = [f"thing {draw.randint(0, draw.choice([1, 5, 40]))}" for _ in range(n_rows)]
    return found, true


def pairs_within(labels):
    rows = range(len(labels))
    return {(a, b) for a, b in itertools.combinations(rows, 2) if labels[a] == labels[b]}


def members(labels, row):
    return {other for other, label in enumerate(labels) if label == labels[row]}


@pytest.mark.parametrize("seed", range(30))
def test_pairs_of_clusters_are_those_that_enumeration_finds(seed):
    found, true = clusterings(seed)
    assert cluster_pair_rates(found, true) == link_rates(pairs_within(found), pairs_within(true))


@pytest.mark.parametrize("seed", range(30))
def test_b_cubed_is_the_mean_over_rows(seed):
    found, true = clusterings(seed)
    precision = recall = 0.0
    for row in range(len(found)):
        shared = len(members(found, row) & members(true, row))
        precision += shared / len(members(found, row)) / len(found)
        recall += shared / len(members(true, row)) / len(found)
    rates = b_cubed(found, true)
    assert rates.precision == pytest.approx(precision)
    assert rates.recall == pytest.approx(recall)
    assert rates.f1 == pytest.approx(2 * precision * recall / (precision + recall))


@pytest.mark.parametrize("seed", range(30))
def test_exact_clusters_are_equal_sets_of_rows(seed):
    found, true = clusterings(seed)
    got = {frozenset(members(found, row)) for row in range(len(found))}
    wanted = {frozenset(members(true, row)) for row in range(len(true))}
    assert exact_clusters(found, true) == pytest.approx(len(got & wanted) / len(wanted))


@pytest.mark.parametrize("seed", range(30))
def test_variation_of_information_is_the_sum_of_conditional_entropies(seed):
    found, true = clusterings(seed)
    expected = 0.0
    for row in range(len(found)):
        shared = len(members(found, row) & members(true, row))
        expected -= math.log(shared / len(members(found, row))) / len(found)
        expected -= math.log(shared / len(members(true, row))) / len(found)
    assert variation_of_information(found, true) == pytest.approx(expected)


def test_equal_clusterings_under_other_labels_are_perfect():
    found, true = [7, 7, 3, 9], ["b", "b", "a", "c"]
    assert cluster_pair_rates(found, true) == Rates(1.0, 1.0, 1.0)
    assert b_cubed(found, true) == Rates(1.0, 1.0, 1.0)
    assert exact_clusters(found, true) == 1.0
    assert variation_of_information(found, true) == 0.0


def test_no_rows_and_no_pairs():
    assert b_cubed([], []) == Rates(1.0, 1.0, 1.0)
    assert exact_clusters([], []) == 1.0
    assert variation_of_information([], []) == 0.0
    assert cluster_pair_rates([0, 1], ["a", "b"]) == Rates(1.0, 1.0, 1.0)
    assert rates_of_counts(0, 0, 3) == Rates(0.0, 0.0, 0.0)
    assert rates_of_counts(0, 3, 0) == Rates(0.0, 1.0, 0.0)


def test_large_clusters_are_counted_without_overflow_or_enumeration():
    rows = 3_000_000
    rates = cluster_pair_rates([0] * rows, [0] * (rows - 1) + [1])
    assert rates.precision == pytest.approx((rates.recall * (rows - 2)) / rows)
    assert rates.recall == 1.0


def test_clusterings_of_different_lengths_are_refused():
    with pytest.raises(ValueError, match=r"equally many rows\. Got 1 and 2"):
        cluster_pair_rates([0], [0, 0])


def test_calibration_error_by_hand():
    probability = [0.1, 0.2, 0.8, 0.9]
    right = [False, True, True, True]
    # Two bins: |.15 - .5| and |.85 - 1|.
    assert calibration_error(probability, right, bins=2) == pytest.approx((0.35 + 0.15) / 2)
    assert calibration_error([], []) is None


def test_calibration_error_does_not_depend_on_the_order_of_ties():
    probability = [0.5] * 20
    right = [True] * 10 + [False] * 10
    assert calibration_error(probability, right) == pytest.approx(0.0)
    assert calibration_error(probability, right[::-1]) == pytest.approx(0.0)


@pytest.mark.parametrize("seed", range(20))
def test_the_best_threshold_is_the_best_of_all(seed):
    draw = random.Random(seed)
    every = list(itertools.product(range(6), range(6)))
    scored = [(a, b, draw.randint(1, 8) / 8) for a, b in draw.sample(every, 20)]
    true = set(draw.sample(every, 8))
    tried = {
        at: link_rates([(a, b) for a, b, score in scored if score >= at], true)
        for at in {score for _, _, score in scored}
    }
    best = best_threshold(scored, true)
    assert best.rates.f1 == max(rates.f1 for rates in tried.values())
    if best.rates.f1 > 0:
        assert tried[best.threshold] == best.rates


def test_where_taking_nothing_is_best_the_threshold_is_not_a_number():
    best = best_threshold([(0, 0, 0.9)], {(1, 1)})
    assert math.isnan(best.threshold)
    assert best.rates == Rates(0.0, 0.0, 0.0)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("rule", ["single", "average", "complete"])
def test_the_best_cut_is_the_best_of_all(seed, rule):
    linkage = pytest.importorskip("scipy.cluster.hierarchy").linkage
    draw = random.Random(seed)
    n_rows = 15
    points = [[draw.randint(0, 10)] for _ in range(n_rows)]
    true = [draw.randint(0, 5) for _ in range(n_rows)]
    merges = [(int(a), int(b), float(at)) for a, b, at, _ in linkage(points, method=rule)]
    cuts = [-1.0, *(at for _, _, at in merges)]
    tried = {at: cluster_pair_rates(clusters_at(merges, n_rows, at), true) for at in cuts}
    best = best_cut(merges, true)
    assert best.rates.f1 == pytest.approx(max(rates.f1 for rates in tried.values()))
    if best.rates.f1 > 0:
        assert tried[best.threshold] == best.rates


def test_cutting_at_nothing_leaves_every_row_alone():
    merges = [(0, 1, 0.1), (2, 3, 0.9)]
    assert clusters_at(merges, 3, float("nan")) == [0, 1, 2]
    assert clusters_at(merges, 3, 0.9) == [4, 4, 4]


def test_one_to_one_takes_the_best_pairs_first():
    scored = [(0, 0, 0.5), (0, 1, 0.9), (1, 1, 0.8), (1, 0, 0.4)]
    assert greedy_one_to_one(scored) == [(0, 1, 0.9), (1, 0, 0.4)]
    assert nearest_of_each(scored, 0) == [(0, 1, 0.9), (1, 1, 0.8)]
    assert nearest_of_each(scored, 1) == [(0, 1, 0.9), (0, 0, 0.5)]


@pytest.mark.parametrize("module", [generic, hindsight, metrics, sets])
def test_docstring_examples(module):
    result = doctest.testmod(module)
    assert result.attempted > 0
    assert result.failed == 0
