"""How siblings compare, beside answers, learned from best candidates."""

import numpy as np
import pytest

from pearljoin._scoring.compared import Compared
from pearljoin._scoring.level_prior import LevelPrior
from pearljoin._scoring.mixture import BestPairs
from pearljoin._scoring.siblings import Siblings, learn_siblings
from pearljoin._typing import BoolVector

TOP = 4
"""Equality, on a scale of five knots."""

USUAL = LevelPrior(np.array([0.05, 0.05, 0.1, 0.2, 0.6]), np.array([0.8, 0.1, 0.05, 0.03, 0.02]))
PRIORS = [USUAL] * 3
LONE = np.zeros(3)
"""No reference record has a value that another has."""

LIKELY = 4.0


def best(given: list[float], others: float = TOP, log_odds: float = LIKELY) -> BestPairs:
    """Pairs that agree in a family name and a street, and in a given name as far as is given."""
    positions = np.array([[first, others, others] for first in given], dtype=np.float32)
    return BestPairs(np.full(len(given), log_odds), positions.reshape(-1, 3))


def households(
    n_present: int = 60, n_absent: int = 40, n_null: int = 100
) -> tuple[BestPairs, BestPairs]:
    """Best candidates of left records and of reference ones, all of which look like answers."""
    return best([TOP] * n_present + [0] * n_absent), best([0] * n_null)


def compared(given: float, others: float = TOP, *, is_new: bool = False) -> list[Compared]:
    return [
        Compared(np.array([at], dtype=np.float32), np.zeros(1), np.array([is_new]))
        for at in (given, others, others)
    ]


def lost_by(siblings: Siblings, pair: list[Compared], known: BoolVector) -> float:
    """What one likely pair loses."""
    return float(siblings.shift(siblings.told(pair, known), np.array([LIKELY]))[0])


def shift_of(
    siblings: Siblings | None, given: float, others: float = TOP, *, is_new: bool = False
) -> float:
    """What a likely pair loses."""
    assert siblings is not None
    known = np.ones((1, 3), dtype=bool)
    pair = compared(given, others, is_new=is_new)
    return lost_by(siblings, pair, known)


@pytest.mark.parametrize("absent", [20, 40, 60])
def test_a_column_in_which_siblings_differ_tells_them(absent: int) -> None:
    siblings = learn_siblings(*households(n_absent=absent), PRIORS, LONE, 0.0)
    assert shift_of(siblings, 0) < -4
    assert shift_of(siblings, TOP) > -0.6


def test_columns_of_which_siblings_share_the_values_tell_nothing() -> None:
    siblings = learn_siblings(*households(), PRIORS, LONE, 0.0)
    assert siblings is not None
    assert shift_of(siblings, TOP, others=0) > -1
    assert min(siblings.ratios[1]) > -1


def test_columns_that_two_tables_write_otherwise_tell_nothing() -> None:
    """Departments in words here and in codes there: those of one table are equal, of two alike."""
    found = best([TOP] * 60 + [0] * 40, others=2)
    siblings = learn_siblings(found, best([0] * 100), PRIORS, LONE, 0.0)
    assert shift_of(siblings, TOP, others=2) > -0.5
    assert shift_of(siblings, 0, others=2) < -3


def test_a_conflict_never_weighs_less_than_what_is_nearer_to_equality() -> None:
    siblings = learn_siblings(*households(), PRIORS, LONE, 0.0)
    assert siblings is not None
    assert all((np.diff(ratio) >= 0).all() for ratio in siblings.ratios)


def test_a_missing_value_says_nothing() -> None:
    siblings = learn_siblings(*households(), PRIORS, LONE, 0.0)
    assert siblings is not None
    unknown = [
        Compared(np.full(1, np.nan, dtype=np.float32), np.zeros(1)),
        *compared(TOP)[1:],
    ]
    known = np.array([[False, True, True]])
    lost = lost_by(siblings, unknown, known)
    assert shift_of(siblings, 0) < lost - 2
    not_asked = lost_by(siblings, compared(0), known)
    assert not_asked == pytest.approx(lost, abs=1e-6)


@pytest.mark.parametrize(("covered", "protected"), [(0.0, False), (0.6, False), (1.0, True)])
def test_another_way_of_writing_one_of_few_values_costs_nothing(
    covered: float, protected: bool
) -> None:
    siblings = learn_siblings(*households(), PRIORS, np.full(3, covered), 0.0)
    lost, new = shift_of(siblings, 0), shift_of(siblings, 0, is_new=True)
    assert lost < -4
    assert (new > lost + 2) == protected


@pytest.mark.parametrize(("covered", "apart"), [(0.0, False), (0.6, False), (1.0, True)])
def test_a_known_value_is_no_other_way_of_writing_a_near_one(covered: float, apart: bool) -> None:
    """Where answers are equal, *grey* is as far from *green* as *red* is, and *gry* is not."""
    siblings = learn_siblings(*households(), PRIORS, np.full(3, covered), 0.0)
    near = TOP - 1
    lost, new = shift_of(siblings, near), shift_of(siblings, near, is_new=True)
    assert new > -0.6
    assert (lost < new - 2) == apart


def test_known_values_in_which_answers_differ_are_learned() -> None:
    """A year is the one before in half of the answers, and two years before among siblings."""
    near, far = TOP - 1, TOP - 2
    found, null = best([near, TOP] * 30 + [far] * 40), best([far] * 100)
    siblings = learn_siblings(found, null, PRIORS, np.ones(3), 0.0)
    assert shift_of(siblings, near) > -0.6
    assert shift_of(siblings, far) < -3


def test_few_records_are_believed_less() -> None:
    many = learn_siblings(*households(60, 40), PRIORS, LONE, 0.0)
    few_left = learn_siblings(*households(6, 4), PRIORS, LONE, 0.0)
    few_siblings = learn_siblings(*households(60, 40, 8), PRIORS, LONE, 0.0)
    assert shift_of(few_left, 0) > 0.7 * shift_of(many, 0)
    assert shift_of(few_siblings, 0) > 0.8 * shift_of(many, 0)


def test_nothing_is_learned_where_siblings_do_not_pass_for_answers() -> None:
    found, null = households()
    unlikely = BestPairs(null.log_odds - 8, null.positions)
    assert learn_siblings(found, unlikely, PRIORS, LONE, 0.0) is None


def test_nothing_is_learned_of_few_records_or_of_doubles() -> None:
    assert learn_siblings(*households(n_present=2, n_absent=2), PRIORS, LONE, 0.0) is None
    assert learn_siblings(*households(n_null=4), PRIORS, LONE, 0.0) is None
    assert learn_siblings(*households(), PRIORS, LONE, 0.5) is None


def test_nothing_is_learned_where_few_likely_answers_are_any() -> None:
    """What they agree in may be a batch number as well as the name of a thing."""
    assert learn_siblings(*households(5, 95), PRIORS, LONE, 0.0) is None


def test_doubles_that_were_not_recognised_tell_nothing() -> None:
    found = best([TOP] * 60 + [0] * 40)
    siblings = learn_siblings(found, found, PRIORS, LONE, 0.0)
    assert siblings is None or shift_of(siblings, TOP) > -1


def test_the_order_of_records_does_not_matter() -> None:
    found, null = households()
    turned = [BestPairs(one.log_odds[::-1], one.positions[::-1]) for one in (found, null)]
    one = learn_siblings(found, null, PRIORS, LONE, 0.0)
    other = learn_siblings(*turned, PRIORS, LONE, 0.0)
    assert one is not None
    assert other is not None
    assert [each.tolist() for each in one.ratios] == [each.tolist() for each in other.ratios]
    assert one.log_odds == other.log_odds
