"""Fellegi-Sunter match weights learned by expectation-maximisation."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pearljoin._scoring.fellegi_sunter import (
    MISSING,
    ComparisonLevels,
    RecordModel,
    learn,
    level_shares,
)

law = settings(derandomize=True, deadline=None, max_examples=60)

TRUE_MATCHED = np.array([[0.1, 0.2, 0.7], [0.1, 0.1, 0.8]])
TRUE_CHANCE = np.array([[0.9, 0.08, 0.02], [0.8, 0.15, 0.05]])
USUAL = np.array([[0.2, 0.2, 0.6]] * 2)
USUAL_CHANCE = np.array([[0.6, 0.3, 0.1]] * 2)


def agreement(levels, left, n_right, frequency=None) -> ComparisonLevels:
    levels = np.asarray(levels, dtype=np.int8)
    frequency = np.zeros(levels.shape) if frequency is None else np.asarray(frequency, dtype=float)
    n_pairs = len(levels)
    return ComparisonLevels(levels, frequency, np.asarray(left), np.full(n_pairs, float(n_right)))


def drawn(
    n_left: int, n_right: int, answered: float, seed: int
) -> tuple[ComparisonLevels, np.ndarray]:
    """Every pair of two tables whose levels are drawn from the true chances."""
    rng = np.random.default_rng(seed)
    left = np.repeat(np.arange(n_left), n_right)
    match = np.zeros((n_left, n_right), dtype=bool)
    has = rng.random(n_left) < answered
    match[has, rng.integers(n_right, size=n_left)[has]] = True
    match = match.ravel()
    levels = np.empty((len(left), 2), dtype=np.int8)
    for field in range(2):
        for which, chances in ((match, TRUE_MATCHED[field]), (~match, TRUE_CHANCE[field])):
            levels[which, field] = rng.choice(3, size=which.sum(), p=chances)
    return agreement(levels, left, n_right), match


def learned(pairs: ComparisonLevels, n_left: int) -> RecordModel:
    among_all = level_shares(pairs.levels, np.ones(len(pairs.left)), 10 * USUAL_CHANCE)
    return learn(pairs, n_left, among_all, USUAL, USUAL_CHANCE)


def test_the_chances_are_recovered_without_labels() -> None:
    pairs, match = drawn(3000, 10, 0.7, seed=0)
    model = learned(pairs, 3000)
    assert model.match_rate == pytest.approx(0.7, abs=0.05)
    np.testing.assert_allclose(model.weight, np.log(TRUE_MATCHED / TRUE_CHANCE), atol=0.3)
    shares = model.probability(pairs)
    # Calibrated: as many matches as the probabilities say, among the sure and the unsure.
    for low, high in ((0, 0.1), (0.1, 0.4), (0.4, 0.7), (0.7, 1.01)):
        chosen = (shares >= low) & (shares < high)
        assert chosen.sum() > 100
        assert match[chosen].mean() == pytest.approx(shares[chosen].mean(), abs=0.06)


def test_a_missing_value_says_nothing_and_a_pair_without_any_is_no_match() -> None:
    model = RecordModel(np.log(TRUE_MATCHED / TRUE_CHANCE), 0.5)
    pairs = agreement([[2, MISSING], [2, 0], [MISSING, MISSING]], [0, 1, 2], 1)
    assert model.match_weights(pairs)[0].tolist() == [pytest.approx(np.log(35)), 0]
    one, other, nothing = model.probability(pairs)
    assert one == pytest.approx(35 / 36)
    assert other == pytest.approx(4.375 / 5.375)
    assert nothing == 0


def test_equality_in_a_rare_value_says_more_and_caps_a_near_miss() -> None:
    model = RecordModel(np.log([[0.1 / 0.8, 0.3 / 0.01, 0.6 / 0.19]]), 0.5)
    frequency = np.log([[1.0], [8.0], [0.5], [8.0], [0.5]])
    weights = model.match_weights(
        agreement([[2], [2], [2], [1], [1]], [0, 0, 0, 0, 0], 9, frequency)
    )
    equal = 0.6 / 0.19
    wanted = [equal, 8 * equal, equal / 2, 8 * equal, equal / 2]
    np.testing.assert_allclose(np.exp(weights[:, 0]), wanted)


def test_two_equally_good_candidates_share_the_probability() -> None:
    model = RecordModel(np.log(TRUE_MATCHED / TRUE_CHANCE), 0.5)
    alone = model.probability(agreement([[2, 2]], [0], 100))[0]
    both = model.probability(agreement([[2, 2], [2, 2]], [0, 0], 100))
    assert both[0] == both[1]
    assert both[0] < 0.5 < alone


def test_no_pairs_give_the_usual_chances() -> None:
    model = learned(agreement(np.zeros((0, 2)), [], 1), 0)
    np.testing.assert_allclose(model.weight, np.log(USUAL / USUAL_CHANCE))
    assert model.match_rate == 0.5
    assert len(model.probability(agreement(np.zeros((0, 2)), [], 1))) == 0


LEVELS = st.lists(
    st.tuples(st.integers(0, 4), st.integers(-1, 2), st.integers(-1, 2)), min_size=1, max_size=25
)


@law
@given(LEVELS, st.integers(5, 500))
def test_shares_of_a_row_never_exceed_one_and_more_agreement_never_hurts(rows, n_right) -> None:
    rows.sort()
    pairs = agreement([row[1:] for row in rows], [row[0] for row in rows], n_right)
    model = learned(pairs, 5)
    shares = model.probability(pairs)
    assert np.isfinite(shares).all()
    assert (shares >= 0).all()
    assert (np.bincount(pairs.left, weights=shares) <= 1 + 1e-6).all()
    weights = model.match_weights(agreement([[0, 0], [1, 1], [2, 2]], [0, 1, 2], n_right))
    assert (np.diff(weights, axis=0) >= 0).all()
