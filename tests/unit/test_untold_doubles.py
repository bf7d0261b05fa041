"""Doubles of a reference that left records tell from siblings."""

from __future__ import annotations

import numpy as np
import pytest

from pearljoin._scoring.level_prior import LevelPrior
from pearljoin._scoring.mixture import BestPairs
from pearljoin._scoring.untold_doubles import chance_of_double

PRIOR = LevelPrior(np.array([0.05, 0.15, 0.8]), np.array([0.9, 0.08, 0.02]))
PRIORS = [PRIOR] * 3
LIKELY, UNLIKELY = 4.0, -8.0


def pairs(*groups: tuple[int, list[float]], log_odds: float = LIKELY) -> BestPairs:
    """So many records whose best candidates compare so."""
    positions = np.array([at for n, at in groups for _ in range(n)], dtype=np.float32)
    return BestPairs(np.full(len(positions), log_odds), positions)


ANSWERS = pairs((80, [2, 2, 2]), (20, [2, 1, 2]))
SIBLINGS = pairs((30, [2, 0, 2]))
"""They differ in the second column."""
UNLIKE = pairs((270, [0, 0, 0]), log_odds=UNLIKELY)
DOUBLES = pairs((120, [2, 1, 1]), (30, [1, 2, 1]))


def both(*several: BestPairs) -> BestPairs:
    return BestPairs(*(np.concatenate(each) for each in zip(*map(parts, several), strict=True)))


def parts(some: BestPairs) -> tuple[np.ndarray, np.ndarray]:
    return some.log_odds, some.positions


def test_what_the_left_side_does_not_have_is_double() -> None:
    null, own = both(SIBLINGS, DOUBLES), both(SIBLINGS, UNLIKE)
    chance = chance_of_double(null, own, ANSWERS, 300, PRIORS)
    assert chance[:30].max() < 0.1
    assert chance[30:].min() > 0.7


def test_siblings_of_both_sides_are_none() -> None:
    null = both(SIBLINGS, SIBLINGS, UNLIKE)
    chance = chance_of_double(null, both(SIBLINGS, UNLIKE), ANSWERS, 300, PRIORS)
    assert not chance.any()


def test_a_left_side_with_doubles_tells_nothing() -> None:
    chance = chance_of_double(both(SIBLINGS, UNLIKE), DOUBLES, ANSWERS, 150, PRIORS)
    assert not chance.any()


def test_what_never_agrees_where_answers_do_is_no_double() -> None:
    """A left side that lists one of several siblings alone has none: others look alike."""
    null = pairs((150, [2, 0, 2]))
    own = both(pairs((10, [1, 1, 1])), UNLIKE)
    assert not chance_of_double(null, own, ANSWERS, 280, PRIORS).any()


@pytest.mark.parametrize("few", [(DOUBLES, SIBLINGS.in_order()), (SIBLINGS, DOUBLES)])
def test_few_records_tell_nothing(few: tuple[BestPairs, BestPairs]) -> None:
    null, own = (BestPairs(one.log_odds[:4], one.positions[:4]) for one in few)
    assert not chance_of_double(null, few[1], ANSWERS, 300, PRIORS).any()
    assert not chance_of_double(few[0], own, ANSWERS, 300, PRIORS).any()


def test_the_order_of_records_does_not_matter() -> None:
    null, own = both(SIBLINGS, DOUBLES), both(SIBLINGS, UNLIKE)
    turned = [BestPairs(one.log_odds[::-1], one.positions[::-1]) for one in (null, own, ANSWERS)]
    chance = chance_of_double(null, own, ANSWERS, 300, PRIORS)
    assert (chance_of_double(*turned, 300, PRIORS)[::-1] == chance).all()


def test_columns_in_which_answers_never_agree_say_nothing() -> None:
    null, own = both(SIBLINGS, DOUBLES), both(SIBLINGS, UNLIKE)
    found = BestPairs(ANSWERS.log_odds, ANSWERS.positions * np.float32([0, 1, 1]))
    chance = chance_of_double(null, own, found, 300, PRIORS)
    assert (chance == chance_of_double(null, own, ANSWERS, 300, PRIORS)).all()
