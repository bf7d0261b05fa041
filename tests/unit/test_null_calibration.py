"""Calibration of log odds by null scores."""

import numpy as np
import pytest
from scipy.special import expit

from pearljoin._scoring import null_calibration
from pearljoin._scoring.null_calibration import calibrate_to_null


@pytest.mark.parametrize("answered", [0.2, 0.5, 0.8])
def test_row_log_odds_are_calibrated_by_null_scores(answered) -> None:
    rng = np.random.default_rng(0)
    # Null scores are normal around 0 and those of matches around 3: tilted by exp(1.5 x - 2.25).
    has = rng.random(4000) < answered
    log_odds = rng.normal(3.0 * has, np.sqrt(2))
    intercept, slope = calibrate_to_null(log_odds, rng.normal(0, np.sqrt(2), 2000))
    assert slope == pytest.approx(1.5, abs=0.3)
    chance = expit(intercept + slope * log_odds)
    assert chance.mean() == pytest.approx(answered, abs=0.07)
    for low, high in ((0, 0.2), (0.2, 0.5), (0.5, 0.8), (0.8, 1)):
        part = (chance >= low) & (chance <= high)
        assert has[part].mean() == pytest.approx(chance[part].mean(), abs=0.12)


def test_the_order_of_log_odds_is_kept() -> None:
    rng = np.random.default_rng(1)
    for n_null in (1, 40):
        slope = calibrate_to_null(rng.normal(size=50), rng.normal(size=n_null) + 3)[1]
        assert slope > 0


def test_what_is_held_strongly_moves_little() -> None:
    rng = np.random.default_rng(2)
    log_odds, null_scores = rng.normal(2, 1, 200), rng.normal(0, 1, 200)
    weak, strong = (
        calibrate_to_null(log_odds, null_scores),
        calibrate_to_null(log_odds, null_scores, (1e4, 1e4)),
    )
    assert strong == pytest.approx((0, 1), abs=0.02)
    assert abs(weak[0]) + abs(weak[1] - 1) > 0.1


def test_scores_and_null_scores_in_two_clusters_settle() -> None:
    rng = np.random.default_rng(3)
    for n, high, low, null_share in ((2000, 10.4, -6.9, 0.73), (500, 9.4, -10.3, 0.5)):
        half = n // 2
        log_odds = np.concatenate([rng.normal(high, 1, half), rng.normal(low, 1.5, half)])
        n_high = int(null_share * half)
        null_scores = np.concatenate(
            [rng.normal(high - 1, 1, n_high), rng.normal(low, 1.5, half - n_high)]
        )
        found = []
        for rounds in (99, 100, 101):
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(null_calibration, "ROUNDS", rounds)
                found.append(calibrate_to_null(log_odds, null_scores, (3.0, 20.0)))
        assert found[0] == pytest.approx(found[1], abs=0.05)
        assert found[1] == pytest.approx(found[2], abs=0.05)
        assert (0.0, 1.0) not in found  # It is a result, not given up.
        assert abs(found[0][0]) < 30


def test_a_search_that_does_not_settle_leaves_log_odds_as_they_are(monkeypatch) -> None:
    rng = np.random.default_rng(4)
    log_odds, null_scores = rng.normal(3, 2, 500), rng.normal(-3, 2, 500)
    settled = calibrate_to_null(log_odds, null_scores)
    monkeypatch.setattr(null_calibration, "ROUNDS", 1)
    assert calibrate_to_null(log_odds, null_scores) == (0.0, 1.0) != settled
