"""Columns that tell siblings from answers, learned from best candidates."""

import numpy as np
import pytest

from pearljoin._scoring.telling_columns import BestCandidate, TellingColumns, learn_telling

AGREE, DIFFER = 3.0, -2.0
LONE = np.zeros(3)
"""No reference record has a value that another has."""


def best(rng: np.random.Generator, given: list[float], log_odds: float) -> BestCandidate:
    """Pairs that agree in a family name and a street, and in a given name as far as is given."""
    weights = np.array([[first, AGREE, AGREE] for first in given])
    weights += rng.normal(0, 0.3, weights.shape)
    return BestCandidate(rng.normal(log_odds, 0.5, len(given)), weights)


def households(
    n_present: int = 60, n_absent: int = 40, n_null: int = 100, log_odds: float = 4.0
) -> tuple[BestCandidate, BestCandidate]:
    """Best candidates of left records and of reference ones, all of which look like answers."""
    rng = np.random.default_rng(0)
    found = best(rng, [AGREE] * n_present + [DIFFER] * n_absent, log_odds)
    return found, best(rng, [DIFFER] * n_null, log_odds)


NEW, OLD = np.ones((1, 3), dtype=bool), np.zeros((1, 3), dtype=bool)


def shift_of(telling: TellingColumns, given: float, is_new: np.ndarray = OLD) -> float:
    known = np.ones((1, 3), dtype=bool)
    return float(telling.shift(np.array([[given, AGREE, AGREE]]), known, is_new)[0])


@pytest.mark.parametrize("absent", [20, 40, 100])
def test_a_column_in_which_siblings_differ_tells_them(absent: int) -> None:
    telling = learn_telling(*households(n_absent=absent), LONE, 0.0)
    assert telling is not None
    assert telling.slopes[0] > 5 * telling.slopes[1:].max()
    assert shift_of(telling, DIFFER) < -4
    assert shift_of(telling, AGREE) == 0


def test_a_slip_of_writing_costs_nothing() -> None:
    telling = learn_telling(*households(), LONE, 0.0)
    assert telling is not None
    assert shift_of(telling, AGREE - 1) == 0


def test_a_missing_value_says_nothing() -> None:
    telling = learn_telling(*households(), LONE, 0.0)
    assert telling is not None
    known = np.array([[False, True, True]])
    assert telling.shift(np.array([[0.0, AGREE, AGREE]]), known, OLD) == 0


@pytest.mark.parametrize(("covered", "protected"), [(0.0, 0.0), (0.6, 0.0), (1.0, 1.0)])
def test_another_way_of_writing_one_of_few_values_costs_nothing(
    covered: float, protected: float
) -> None:
    telling = learn_telling(*households(), np.full(3, covered), 0.0)
    assert telling is not None
    lost = shift_of(telling, DIFFER)
    assert shift_of(telling, DIFFER, NEW) == pytest.approx((1 - protected) * lost, abs=1e-6)
    assert lost < -4


def test_few_left_records_are_believed_less() -> None:
    few = learn_telling(*households(6, 4), LONE, 0.0)
    many = learn_telling(*households(60, 40), LONE, 0.0)
    assert many is not None
    assert few is None or shift_of(few, DIFFER) > shift_of(many, DIFFER) / 2


def test_nothing_is_learned_where_siblings_do_not_pass_for_answers() -> None:
    found, null = households()
    unlikely = BestCandidate(null.log_odds - 8, null.weights)
    assert learn_telling(found, unlikely, LONE, 0.0) is None


def test_nothing_is_learned_of_few_records_or_of_doubles() -> None:
    assert learn_telling(*households(n_present=2, n_absent=2), LONE, 0.0) is None
    assert learn_telling(*households(n_null=4), LONE, 0.0) is None
    assert learn_telling(*households(), LONE, 0.5) is None


def test_doubles_that_were_not_recognised_tell_nothing() -> None:
    rng = np.random.default_rng(1)
    found = best(rng, [AGREE] * 60 + [DIFFER] * 40, 4.0)
    twice = best(rng, [AGREE] * 60 + [DIFFER] * 40, 4.0)
    telling = learn_telling(found, twice, LONE, 0.0)
    assert telling is None or shift_of(telling, DIFFER) > -0.5


def test_the_order_of_records_does_not_matter() -> None:
    found, null = households()
    turned = [BestCandidate(one.log_odds[::-1], one.weights[::-1]) for one in (found, null)]
    one, other = learn_telling(found, null, LONE, 0.0), learn_telling(*turned, LONE, 0.0)
    assert one is not None
    assert other is not None
    assert one.slopes.tolist() == other.slopes.tolist()
    assert one.origin.tolist() == other.origin.tolist()
