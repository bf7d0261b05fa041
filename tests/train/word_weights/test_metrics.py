"""Split error, divergence and the binomial test, by hand."""

import numpy as np
import pytest
from scipy.stats import norm

from pearljoin_train.word_weights.metrics import (
    best_threshold,
    binomial_p,
    jensen_shannon,
    split_error,
)

RELATED = np.array([True, True, True, False, False, False])


def test_the_threshold_makes_the_fewest_errors() -> None:
    distance = np.array([1.0, 2.0, 5.0, 4.0, 6.0, 7.0])
    # 2 < t < 4 misses the related pair at 5; 5 < t < 6 takes in the unrelated one at 4.
    assert best_threshold(distance, RELATED) == 3.0
    assert split_error(distance, RELATED, 3.0) == pytest.approx(1 / 6)


def test_no_threshold_lies_between_equal_distances() -> None:
    distance = np.array([1.0, 2.0, 2.0, 2.0, 3.0, 3.0])
    threshold = best_threshold(distance, RELATED)
    assert threshold == 2.5
    assert split_error(distance, RELATED, threshold) == pytest.approx(1 / 6)


def test_where_distance_tells_nothing_all_or_none_are_taken() -> None:
    distance = np.ones(6)
    assert split_error(distance, RELATED, best_threshold(distance, RELATED)) == 0.5


def test_the_divergence_of_two_histograms() -> None:
    # Related: all in the first of two bins. Unrelated: half in each.
    distance = np.array([0.0, 0.1, 0.2, 1.0])
    related = np.array([True, True, False, False])
    middle = np.array([0.75, 0.25])
    one = np.log2(1 / 0.75)
    other = 0.5 * np.log2(0.5 / middle[0]) + 0.5 * np.log2(0.5 / middle[1])
    assert jensen_shannon(distance, related, bins=2) == pytest.approx((one + other) / 2)


def test_the_divergence_of_normal_distributions() -> None:
    rng = np.random.default_rng(0)
    distance = np.concatenate([rng.normal(0, 1, 200_000), rng.normal(2, 1, 200_000)])
    grid = np.linspace(-8, 10, 20_001)
    p, q = norm.pdf(grid), norm.pdf(grid, 2)
    middle = (p + q) / 2
    expected = np.sum(p * np.log2(p / middle) + q * np.log2(q / middle)) / 2 * (grid[1] - grid[0])
    found = jensen_shannon(distance, np.arange(400_000) < 200_000)
    assert found == pytest.approx(expected, abs=0.01)


def test_the_binomial_test_is_two_tailed_and_looks_at_disagreements() -> None:
    one = np.array([True] * 9 + [False] * 1 + [True] * 50)
    other = np.array([False] * 9 + [True] * 1 + [True] * 50)
    # Of ten disagreements at most one or at least nine: 2 * (1 + 10) / 2**10.
    assert binomial_p(one, other) == pytest.approx(22 / 1024)
    assert binomial_p(one, other) == binomial_p(other, one)
    assert binomial_p(one, one) == 1.0
