"""Match weights of key columns: scales with positions between knots, learned by EM."""

from dataclasses import replace

import numpy as np
import pytest

from pearljoin._scoring.compared import Compared
from pearljoin._scoring.knots import knot_counts
from pearljoin._scoring.level_prior import SORT_SHARE, LevelPrior
from pearljoin._scoring.match_weights import ColumnWeights, learn
from pearljoin._scoring.record_features import RECORD_FEATURES
from pearljoin._scoring.record_networks import _row_log_odds


def compared(positions: list[float], frequency: float = 0.0) -> Compared:
    position = np.array(positions, dtype=np.float32)
    return Compared(position, np.full(len(position), frequency, dtype=np.float32))


def test_a_pair_between_two_knots_counts_for_both() -> None:
    position = np.array([0.0, 0.25, 2.0, np.nan], dtype=np.float32)
    assert knot_counts(position, 3).tolist() == pytest.approx([1.75, 0.25, 1.0])
    weight = np.array([1.0, 4.0, 0.5, 9.0])
    assert knot_counts(position, 3, weight).tolist() == pytest.approx([4.0, 1.0, 0.5])


def test_weights_lie_between_those_of_the_knots_and_never_fall() -> None:
    weights = ColumnWeights.of(np.array([0.1, 0.1, 0.2, 0.6]), np.array([0.8, 0.1, 0.05, 0.05]))
    logs = np.log([0.125, 1, 4, 12])
    found = weights.of_pairs(compared([0, 0.5, 1, 2, 3]))
    assert found.tolist() == pytest.approx([logs[0], logs[0] / 2, logs[1], logs[2], logs[3]])
    fine = weights.of_pairs(compared(np.linspace(0, 3, 50).tolist()))
    assert (np.diff(fine) >= 0).all()


def test_a_conflict_that_hardly_occurs_does_not_lift_those_that_do() -> None:
    # As of years of ten: none differs by a century, and those of matches seldom by one or two.
    m, u = np.array([0.01, 0.02, 0.07, 0.9]), np.array([0.0005, 0.4995, 0.4, 0.1])
    weights = ColumnWeights.of(m, u).weight
    assert weights.tolist() == pytest.approx(np.log([0.02 / 0.4995, 0.02 / 0.4995, 0.175, 9]))
    assert weights[0] < 0 < weights[-1]


def test_a_near_miss_that_hardly_occurs_does_not_lift_those_that_do() -> None:
    # As of the times of the last change: no two are equal, and a week apart are hardly any.
    m, u = np.array([0.5, 0.02, 0.18, 0.3]), np.array([0.95, 0.00001, 0.049, 0.0001])
    weights = ColumnWeights.of(m, u).weight
    together = np.log(0.2 / 0.04901)
    assert weights.tolist() == pytest.approx(
        [np.log(0.5 / 0.95), together, together, np.log(0.3 / 0.0001)]
    )
    # Near misses of names are mostly of one name, which equal names hold down where it is common.
    of_names = ColumnWeights.of(m, u, is_text=True).weight
    assert of_names[2] == pytest.approx(np.log(0.02 / 0.00001))


def test_years_within_one_decade_tell_papers_apart() -> None:
    rng = np.random.default_rng(0)
    n, k = 200, 5
    left = np.repeat(np.arange(n), k)
    is_match = np.tile(np.arange(k), n) == 0
    title = np.where(is_match, 2, rng.choice(2, len(left)))
    year = np.where(is_match, 3, rng.choice([1, 2, 3], len(left), p=[0.7, 0.2, 0.1]))
    priors = [
        LevelPrior(np.array([0.1, 0.2, 0.7]), np.array([0.7, 0.2, 0.1])),
        LevelPrior(np.array([0.2, 0.1, 0.2, 0.5]), np.array([0.6, 0.2, 0.1, 0.1])),
    ]
    among = [np.array([9900.0, 4000, 100]), np.array([0.0, 14_000, 4000, 2000])]
    pairs = [compared(title.tolist()), compared(year.tolist())]
    found = learn(pairs, left, n, 50.0, among, priors)
    assert found.columns[1].weight[1] < -2


def test_a_missing_value_weighs_nothing() -> None:
    weights = ColumnWeights.of(np.array([0.2, 0.8]), np.array([0.9, 0.1]))
    assert weights.of_pairs(compared([np.nan, 1.0]))[0] == 0


def test_equality_in_a_common_value_weighs_less_and_caps_near_misses() -> None:
    weights = ColumnWeights.of(np.array([0.1, 0.2, 0.7]), np.array([0.8, 0.1, 0.1]))
    usual = weights.of_pairs(compared([1, 2]))
    common = weights.of_pairs(compared([1, 2], frequency=-3.0))
    assert common[1] == pytest.approx(usual[1] - 3)
    assert common[0] == pytest.approx(common[1])


def test_the_column_that_tells_matches_apart_is_found() -> None:
    rng = np.random.default_rng(0)
    n, k = 200, 5
    left = np.repeat(np.arange(n), k)
    right = np.tile(np.arange(k), n) == 0
    telling = np.where(right, rng.choice([1, 2], len(left), p=[0.1, 0.9]), rng.choice(2, len(left)))
    noise = rng.choice(3, len(left), p=[0.6, 0.3, 0.1])
    prior = LevelPrior(np.array([0.1, 0.2, 0.7]), np.array([0.7, 0.2, 0.1]))
    among = [np.array([5000.0, 4990, 10]), np.array([6000.0, 3000, 1000])]
    found = learn(
        [compared(telling.tolist()), compared(noise.tolist())], left, n, 20.0, among, [prior] * 2
    )
    assert found.columns[0].spread > 4 > 1 > abs(found.columns[1].spread)
    assert 0.7 < found.match_rate < 1


def test_related_records_do_not_bend_the_usual_weights() -> None:
    """Where all candidates share one column and differ in another, both become usual of matches."""
    n, k = 200, 5
    left = np.repeat(np.arange(n), k)
    shared, differing = compared([2] * (n * k)), compared([0] * (n * k))
    prior = LevelPrior(np.array([0.1, 0.2, 0.7]), np.array([0.7, 0.2, 0.1]))
    among = [np.array([5000.0, 4990, 10]), np.array([9000.0, 900, 100])]
    found = learn([shared, differing], left, n, 20.0, among, [prior] * 2)
    alone = learn((), np.zeros(0, dtype=np.int64), 0, 20.0, among, [prior] * 2)
    assert found.columns[1].weight[0] > -0.2 > -1.5 > found.usual[1].weight[0]
    for column, usual in zip(alone.columns, found.usual, strict=True):
        assert column.weight == pytest.approx(usual.weight)


def test_without_left_records_the_prior_stands() -> None:
    prior = LevelPrior(np.array([0.1, 0.9]), np.array([0.8, 0.2]))
    none = np.zeros(0, dtype=np.int64)
    found = learn((), none, 0, 10.0, [np.array([800.0, 200.0])], [prior])
    assert found.columns[0].weight == pytest.approx(np.log([0.1 / 0.8, 0.9 / 0.2]))
    assert found.match_rate == 0.5


def test_the_candidates_of_a_record_share_a_unit_with_no_answer() -> None:
    features = np.zeros((3, len(RECORD_FEATURES)), dtype=np.float32)
    features[:, RECORD_FEATURES.index("total")] = [3.0, 1.0, 2.0]
    features[:, RECORD_FEATURES.index("n_right")] = np.log(10)
    features[:, RECORD_FEATURES.index("match_rate")] = np.log(0.8 / 0.2)
    found = _row_log_odds(features, np.array([0, 0, 1]))
    mass = np.exp([3.0, 1.0, 2.0]) * 0.8 / 10
    wanted = [mass[0] / (mass[1] + 0.2), mass[1] / (mass[0] + 0.2), mass[2] / 0.2]
    assert found.tolist() == pytest.approx(np.log(wanted), rel=1e-5)


TELLING, NOISE = np.array([0.02, 0.08, 0.9]), np.array([0.8, 0.15, 0.05])
OF_SORTS = LevelPrior(
    (TELLING + NOISE) / 2,
    np.array([0.7, 0.2, 0.1]),
    np.stack([TELLING, NOISE]),
    np.array([[0.8, 0.19, 0.01], [0.6, 0.2, 0.2]]),
    np.array([0.5, 0.5]),
)


def test_what_is_usual_of_a_column_is_that_of_its_sort() -> None:
    none = np.zeros(3)
    agreeing = OF_SORTS.of_column(np.array([1.0, 2, 20]), none)
    kept = (1 - SORT_SHARE) * OF_SORTS.m
    assert agreeing.m == pytest.approx(SORT_SHARE * TELLING + kept, abs=1e-3)
    differing = OF_SORTS.of_column(np.array([20.0, 2, 1]), none)
    assert differing.m == pytest.approx(SORT_SHARE * NOISE + kept, abs=1e-3)
    # Pairs at random tell, too; as many as there are do not silence the matches.
    rare, common = np.array([8e4, 19e3, 1e3]), np.array([6e4, 2e4, 2e4])
    assert OF_SORTS.of_column(none, rare).m[2] > 0.6 > OF_SORTS.of_column(none, common).m[2]
    assert OF_SORTS.of_column(np.array([2.0, 8, 90]), common).m[2] > 0.6
    assert OF_SORTS.of_all.of_column(none, rare).m.tolist() == OF_SORTS.m.tolist()


def test_few_namesakes_do_not_make_a_telling_column_noise() -> None:
    """Five people are found; of fifteen others there is a namesake born at another time."""
    left = np.repeat(np.arange(20), 2)
    name = np.tile([2, 0], 20)
    born = np.where(name == 2, np.where(left < 5, 2, 0), 0)
    names = LevelPrior(np.array([0.1, 0.2, 0.7]), np.array([0.8, 0.15, 0.05]))
    dates = LevelPrior(TELLING, np.array([0.8, 0.19, 0.01]))
    among = [np.array([350.0, 30, 20]), np.array([360.0, 36, 4])]
    pairs = [compared(name.tolist()), compared(born.tolist())]
    found = learn(pairs, left, 20, 20.0, among, [names, dates])
    odds = found.log_odds(pairs)
    assert odds[::2][:5].min() > 0 > odds[::2][5:].max()


def test_what_is_known_of_a_column_outweighs_few_rows_and_yields_to_many() -> None:
    """Of half of the names that are found, the dates of birth are others."""
    known = np.array([0.02, 0.02, 0.96])
    prior = LevelPrior((TELLING + NOISE) / 2, np.array([0.7, 0.2, 0.1]))
    weighs = []
    for n in (20, 5_000):
        left = np.repeat(np.arange(n), 2)
        name = np.tile([2, 0], n)
        born = np.where((name == 2) & (left % 2 == 0), 2, 0)
        pairs = [compared(name.tolist()), compared(born.tolist())]
        among = [np.array([9900.0, 90, 10])] * 2
        usual = learn(pairs, left, n, 100.0, among, [prior, prior])
        held = learn(pairs, left, n, 100.0, among, [prior, replace(prior, known=known)])
        assert usual.known == {}
        assert list(held.known) == [1]
        beyond = held.beyond_networks([one.take(np.array([0, 2])) for one in pairs])
        assert usual.beyond_networks(pairs).tolist() == [0] * len(left)
        weighs.append(beyond.tolist())
    (equal, other), (_, other_of_many) = weighs
    assert equal > -0.5
    assert other < -1.2 < -0.3 < other_of_many


def test_what_is_known_of_a_column_holds_without_left_records() -> None:
    prior = LevelPrior(np.array([0.3, 0.7]), np.array([0.8, 0.2]), known=np.array([0.05, 0.95]))
    none = np.zeros(0, dtype=np.int64)
    found = learn((), none, 0, 10.0, [np.array([800.0, 200.0])], [prior])
    assert found.columns[0].weight == pytest.approx(np.log([0.3 / 0.8, 0.7 / 0.2]))
    assert found.known[0].weight == pytest.approx(np.log([0.05 / 0.8, 0.95 / 0.2]))
