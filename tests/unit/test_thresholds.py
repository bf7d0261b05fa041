"""Thresholds: a fixed score, and the rule that aims at a precision without labels."""

from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pearljoin as pj
from pearljoin._decision.thresholds import USUAL_ROWS, as_threshold


@dataclass
class Scores:
    best: np.ndarray
    neighbours: np.ndarray
    rivals: np.ndarray
    calibrated: bool = False
    fallback: float = 0.37
    equal_only: bool = False
    least: float = 0.3
    usual: np.ndarray = field(default_factory=lambda: np.zeros(0, np.float32))

    @property
    def pairs(self) -> np.ndarray:
        return self.best


def scores_of(best, neighbours, rivals=None, *, calibrated: bool = False) -> Scores:
    """Rivals are as far below the best as can be, unless they are given."""
    second = np.zeros(len(best)) if rivals is None else rivals
    arrays = (np.asarray(part, np.float32) for part in (best, neighbours, second))
    return Scores(*arrays, calibrated=calibrated)


LOW = np.linspace(0.1, 0.5, 100)


def test_a_fixed_threshold_is_its_value() -> None:
    assert pj.FixedThreshold(0.8).choose(scores_of([], [])) == 0.8
    assert pj.FixedThreshold(1).choose(None) == 1.0
    assert type(pj.FixedThreshold(1).choose(None)) is float


@pytest.mark.parametrize("value", [-0.01, 1.01, float("nan"), "0.5", None, True, [0.5], 1j])
def test_what_is_no_rate_is_refused(value) -> None:
    with pytest.raises(pj.InputError, match=r"The threshold must be a number from 0 to 1. Got"):
        pj.FixedThreshold(value)
    with pytest.raises(pj.InputError, match=r"The precision must be a number from 0 to 1. Got"):
        pj.PrecisionTarget(value)


@pytest.mark.parametrize("value", [np.array(0.5), np.array([0.5]), pj.PrecisionTarget, np.True_])
def test_what_can_choose_and_is_no_rule_is_refused(value) -> None:
    with pytest.raises(pj.InputError, match=r"The threshold must be a number from 0 to 1. Got"):
        as_threshold(value, 0.9)


@pytest.mark.parametrize("value", [0, 1, 0.5, np.float32(0.25), np.float64(0.3), np.int64(1)])
def test_numbers_of_every_kind_are_read(value) -> None:
    assert as_threshold(value, 0.9) == pj.FixedThreshold(value)
    assert as_threshold(value, 0.9).choose(scores_of([], [])) == float(value)


def test_auto_is_a_precision_target() -> None:
    assert as_threshold("auto", 0.8) == pj.PrecisionTarget(0.8)
    assert pj.PrecisionTarget() == pj.PrecisionTarget(0.9)
    rule = pj.FixedThreshold(0.3)
    assert as_threshold(rule, 0.9) is rule


@pytest.mark.parametrize("n_reference", [0, 1, 29])
def test_a_small_reference_takes_the_models_own_threshold(n_reference: int) -> None:
    found = pj.PrecisionTarget(0.9).choose(scores_of(LOW, LOW[:n_reference]))
    assert found == 0.37


@pytest.mark.parametrize("n_left", [0, 1, 9])
def test_few_left_rows_take_a_quantile_of_the_reference(n_left: int) -> None:
    found = pj.PrecisionTarget(0.9).choose(scores_of(LOW[:n_left], LOW))
    assert found == pytest.approx(np.quantile(LOW, 0.9))


def expected_precision(threshold: float, found: Scores) -> float:
    """1 - p0 n f(t) / #(left rows above t), as the documentation has it."""
    n_left = len(found.best)
    alike = np.quantile(found.neighbours, np.linspace(0, 1, n_left))
    chance = np.concatenate([found.rivals, alike])
    middle = np.median(chance)
    share = np.clip(np.mean(found.best < middle) / np.mean(chance < middle), 0.2, 1)
    reached = (1 + np.sum(chance >= threshold)) / (1 + len(chance))
    return 1 - share * n_left * reached / np.sum(found.best >= threshold)


@pytest.mark.parametrize("precision", [0.5, 0.8, 0.9, 0.95])
@pytest.mark.parametrize("answered", [0.3, 0.6, 1.0])
def test_it_is_the_lowest_score_that_reaches_the_precision(answered, precision) -> None:
    rng = np.random.default_rng(0)
    n_right = int(200 * answered)
    best = np.concatenate([rng.beta(9, 2, n_right), rng.beta(4, 6, 200 - n_right)])
    found = scores_of(best, rng.beta(4, 6, 300), best * rng.random(200))
    chosen = pj.PrecisionTarget(precision).choose(found)
    scores = np.sort(found.best)
    reached = [t for t in scores if expected_precision(t, found) >= precision]
    assert chosen == pytest.approx(reached[0] if reached else 1.0)


@pytest.mark.parametrize("precision", [0.5, 0.7, 0.9, 0.99])
def test_calibrated_scores_are_taken_at_their_word(precision: float) -> None:
    rng = np.random.default_rng(5)
    best = np.round(rng.beta(2, 1, 80), 2).astype(np.float32)
    chosen = pj.PrecisionTarget(precision).choose(scores_of(best, [], calibrated=True))
    reached = [t for t in best if t >= 0.3 and best[best >= t].mean() >= precision - 1e-6]
    assert chosen == pytest.approx(min(reached) if reached else 1.0)


@pytest.mark.parametrize(("precision", "least"), [(0.9, 0.5), (0.445, 0.45), (0.1, 0.3)])
def test_a_pair_judged_by_itself_is_likelier_right_than_wrong(
    precision: float, least: float
) -> None:
    sure = np.linspace(0.2, 1, 81).astype(np.float32).repeat([1] * 80 + [900])
    scores = replace(scores_of(sure, [], calibrated=True), least=0.5)
    assert pj.PrecisionTarget(precision).choose(scores) == pytest.approx(least)


@pytest.mark.parametrize("precision", [0.6, 0.8, 0.9])
def test_usual_scores_count_for_some_rows(precision: float) -> None:
    rng = np.random.default_rng(5)
    usual = np.round(rng.beta(3, 1, 400), 2).astype(np.float32)
    rule = pj.PrecisionTarget(precision)

    def choose(best: np.ndarray) -> float:
        scores = scores_of(best, [], calibrated=True)
        return rule.choose(replace(scores, usual=usual))

    def wanted(best: np.ndarray) -> float:
        every = np.concatenate([best, usual]).astype(float)
        weight = np.concatenate([np.ones(len(best)), np.full(400, USUAL_ROWS / 400)])
        means = {t: np.average(every[every >= t], weights=weight[every >= t]) for t in every}
        return min((t for t, mean in means.items() if t >= 0.3 and mean >= precision), default=1.0)

    # Without a row they alone decide; one row moves that by little, many rows by much.
    for n_rows in (0, 1, 20, 2000):
        best = np.round(rng.beta(1, 3, n_rows), 2).astype(np.float32)
        assert choose(best) == pytest.approx(wanted(best), abs=1e-6)
    alone, one = choose(np.zeros(0)), choose(np.array([0.55]))
    assert 0.3 <= alone < 1
    assert abs(one - alone) < 0.1


@pytest.mark.parametrize(("best", "wanted"), [([], 1.0), ([0.4, 0.1], 1.0), ([0.95, 0.29], 0.95)])
def test_no_match_is_more_likely_wrong_than_right(best, wanted: float) -> None:
    chosen = pj.PrecisionTarget(0.5).choose(scores_of(best, LOW, calibrated=True))
    assert chosen == pytest.approx(wanted)


def test_right_matches_far_above_chance_are_all_kept() -> None:
    best = np.concatenate([np.linspace(0.8, 0.99, 150), LOW[:50]])
    chosen = pj.PrecisionTarget(0.9).choose(scores_of(best, LOW, np.linspace(0.1, 0.5, 200)))
    # Between the right rows and chance there are no scores: the lowest right one is taken.
    assert chosen == pytest.approx(0.8)


def test_where_nothing_rises_above_chance_equality_alone_is_left() -> None:
    assert pj.PrecisionTarget(0.9).choose(scores_of(LOW, LOW + 0.2, LOW - 0.01)) == 1.0


@settings(derandomize=True, deadline=None, max_examples=80)
@given(
    st.lists(st.floats(0, 1, width=16), max_size=40),
    st.lists(st.floats(0, 1, width=16), max_size=60),
    st.floats(0, 1),
    st.floats(0, 1),
    st.booleans(),
)
def test_a_higher_precision_is_never_a_lower_threshold(
    best, neighbours, one, two, calibrated
) -> None:
    low, high = sorted([one, two])
    found = scores_of(best, neighbours, np.array(best) / 2, calibrated=calibrated)
    lower, higher = (pj.PrecisionTarget(p).choose(found) for p in (low, high))
    assert 0 <= lower <= higher <= 1


def test_thresholds_are_values() -> None:
    assert pj.PrecisionTarget(0.9) == pj.PrecisionTarget(0.9) != pj.PrecisionTarget(0.8)
    assert len({pj.FixedThreshold(0.5), pj.FixedThreshold(0.5)}) == 1
    with pytest.raises(AttributeError, match=r"cannot assign to field"):
        pj.FixedThreshold(0.5).value = 0.6
