"""Whether left records have an answer: what their candidates say together."""

import numpy as np
from scipy.special import expit, logit

from pearljoin._scoring.answered import (
    ROW_FEATURES,
    PairLogOdds,
    answered_features,
    mixed_log_odds,
)

ROWS = np.array([0, 0, 1])
ODDS = PairLogOdds(*(np.array(each, dtype=np.float32) for each in (
    [logit(0.5), logit(0.25), -3], [-1, -2, 2], [logit(0.5), logit(0.5), -9],
)))  # fmt: skip


def described(odds: PairLogOdds) -> dict[str, list[float]]:
    same = np.zeros(3, dtype=np.float32)
    features = answered_features(odds, ROWS, same + 4, same - 2)
    assert features.shape == (2, len(ROW_FEATURES))
    return dict(zip(ROW_FEATURES, features.T.tolist(), strict=True))


def test_what_left_records_are_described_by() -> None:
    found = described(ODDS)
    # One candidate is the answer; several may be the same thing.
    np.testing.assert_allclose(expit(found["answer"]), [0.75, expit(-3)], rtol=1e-5)
    np.testing.assert_allclose(expit(found["weights"][0]), expit(-1) + expit(-2), rtol=1e-5)
    np.testing.assert_allclose(expit(found["same"]), [0.75, expit(-9)], rtol=1e-4)
    np.testing.assert_allclose(found["most_same"], [0, -9], atol=1e-4)
    np.testing.assert_allclose(found["highest"], [0, -3], atol=1e-6)
    np.testing.assert_allclose(found["n_candidates"], np.log([2, 1]), atol=1e-6)
    assert found["n_right"] == [4, 4]
    assert found["match_rate"] == [-2, -2]


def test_log_odds_stay_finite() -> None:
    for sure in (40.0, -40.0):
        every = PairLogOdds(*(np.full(3, sure, dtype=np.float32) for _ in range(3)))
        found = described(every)
        assert np.isfinite([found[name] for name in ROW_FEATURES]).all()
        assert np.isfinite(mixed_log_odds(every, ROWS)).all()


def test_a_record_is_described_by_its_own_candidates_alone() -> None:
    alone = PairLogOdds(*(each[2:] for each in ODDS))
    one = np.ones(1, dtype=np.float32)
    features = answered_features(alone, np.zeros(1, dtype=int), one * 4, one * -2)
    np.testing.assert_array_equal(features[0], [each[1] for each in described(ODDS).values()])
    np.testing.assert_allclose(
        mixed_log_odds(alone, np.zeros(1, dtype=int)), mixed_log_odds(ODDS, ROWS)[1:]
    )
