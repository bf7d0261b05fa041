"""What the candidate pairs of two tables say of them."""

import numpy as np
import pytest

from pearljoin._scoring.record_table import RECORD_TABLE_FEATURES, describe_pairs

LEFT = np.array([0, 0, 0, 2, 2, 3])
LOG_ODDS = np.array([-4.0, 3.0, -6.0, 1.5, 2.5, -8.0], dtype=np.float32)
TOTAL = 2 * LOG_ODDS


def described(log_odds=LOG_ODDS, total=TOTAL, left=LEFT, n=4):
    found = describe_pairs(log_odds, total, left, n)
    assert found.shape == (len(RECORD_TABLE_FEATURES),)
    return dict(zip(RECORD_TABLE_FEATURES, found.tolist(), strict=True))


def test_quantiles_are_of_the_best_pair_of_each_record():
    found = described()
    assert found["best_0.5"] == pytest.approx(2.5)
    assert found["total_0.5"] == pytest.approx(5.0)
    assert found["place_1_0.5"] == pytest.approx(-4.0)


def test_pairs_are_counted_for_all_records_those_without_a_pair_too():
    assert described()["above_1"] == pytest.approx(np.log1p(3 / 4))
    assert described(n=8)["above_1"] == pytest.approx(np.log1p(3 / 8))
    assert described(n=8)["n_records"] == pytest.approx(np.log(8))


def test_the_order_of_a_records_pairs_is_of_no_consequence():
    order = np.array([2, 0, 1, 4, 3, 5])
    assert described(LOG_ODDS[order], TOTAL[order]) == described()


def test_no_pair_says_nothing():
    none = np.zeros(0, dtype=np.float32)
    assert set(described(none, none, np.zeros(0, dtype=np.int64), 5).values()) == {0.0}
