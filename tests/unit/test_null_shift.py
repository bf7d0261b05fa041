"""Log odds of left records shifted by reference records among the others."""

import numpy as np
import pytest
from scipy.special import expit

from pearljoin._scoring.null_shift import LARGEST, null_shift


def drawn(rate: float, n: int, seed: int, null_mean: float) -> tuple[np.ndarray, np.ndarray]:
    """True log odds of left records, and of null ones: normal, two standard deviations apart."""
    rng = np.random.default_rng(seed)
    has_answer = rng.random(n) < rate
    scores = rng.normal(np.where(has_answer, null_mean + 4, null_mean), 2)
    null = rng.normal(null_mean, 2, n)

    def log_odds(x: np.ndarray) -> np.ndarray:
        return (x - null_mean - 2) + np.log(rate / (1 - rate))

    return log_odds(scores), log_odds(null)


@pytest.mark.parametrize("rate", [0.3, 0.6, 0.8])
def test_true_log_odds_are_hardly_shifted(rate: float) -> None:
    found, null = drawn(rate, 20_000, 1, 0.0)
    assert -0.1 < null_shift(found, null, 0.0) <= 0


@pytest.mark.parametrize("too_high", [0.5, 1.0, 1.5])
def test_a_shift_upwards_is_taken_back_in_part(too_high: float) -> None:
    found, null = drawn(0.6, 20_000, 2, 0.0)
    shift = null_shift(found + too_high, null + too_high, 0.0)
    assert -1.3 * too_high - 0.2 < shift < -0.3 * too_high


def test_log_odds_that_are_too_low_stay() -> None:
    found, null = drawn(0.6, 20_000, 3, 0.0)
    assert null_shift(found - 1.0, null - 1.0, 0.0) == 0.0


def test_siblings_in_the_reference_alone_shift() -> None:
    found = np.array([6.0] * 60 + [1.0] * 40)
    none, some = np.full(300, -8.0), np.array([-8.0] * 220 + [1.0] * 80)
    assert null_shift(found, none, 0.0) == 0.0
    assert -LARGEST <= null_shift(np.array([6.0] * 60 + [-8.0] * 30 + [3.0] * 10), some, 0.0) < -0.1


def test_what_says_nothing_does_not_shift() -> None:
    found = np.array([3.0] * 80 + [-8.0] * 20)
    half = np.array([3.0, -8.0] * 100)
    shift = null_shift(found, half, 0.0)
    assert -LARGEST <= shift < -0.1
    assert shift < null_shift(found, half, 0.25) < 0
    assert null_shift(found, half, 0.5) == 0.0
    assert null_shift(found, np.full(300, 3.0), 0.0) == 0.0  # no list of different things
    assert null_shift(found, half[:0], 0.0) == null_shift(found[:0], half, 0.0) == 0.0
    # Few reference records say little.
    assert shift < null_shift(found, half[:10], 0.0) < 0


def test_the_order_does_not_matter() -> None:
    found, null = drawn(0.5, 500, 4, 0.0)
    found, null = found + 1, null + 1
    rng = np.random.default_rng(5)
    again = null_shift(rng.permutation(found), rng.permutation(null), 0.1)
    assert again == pytest.approx(null_shift(found, null, 0.1), abs=1e-6)
    assert expit(found + again).mean() < expit(found).mean()
