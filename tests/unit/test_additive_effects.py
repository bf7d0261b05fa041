"""Effects that add up: against exact Shapley values, and for sums and many parts."""

from itertools import permutations

import numpy as np
import pytest

from pearljoin._explain.additive import ORDERS, additive_effects


def game(there: np.ndarray) -> np.ndarray:
    """Parts that depend on one another."""
    weights = np.arange(1, there.shape[1] + 1)
    return 3 + there @ weights + 10 * there[:, 0] * there[:, -1]


def test_few_parts_have_their_shapley_values() -> None:
    expected = np.zeros(3)
    for order in permutations(range(3)):
        there = np.zeros((1, 3), dtype=bool)
        for part in order:
            before = game(there)[0]
            there[0, part] = True
            expected[part] += game(there)[0] - before
    base, effects = additive_effects(3, game)
    assert base == 3
    assert effects == pytest.approx(expected / 6)
    assert effects.tolist() == [6, 2, 8]


@pytest.mark.parametrize("n_parts", [1, 2, 5, 12])
def test_effects_add_up_and_those_of_a_sum_are_its_terms(n_parts: int) -> None:
    rng = np.random.default_rng(n_parts)
    terms = rng.normal(size=n_parts)
    base, effects = additive_effects(n_parts, lambda there: 2 + there @ terms)
    assert base == 2
    assert effects == pytest.approx(terms)
    base, effects = additive_effects(n_parts, lambda there: np.sin(there @ terms) + 1)
    assert base + effects.sum() == pytest.approx(np.sin(terms.sum()) + 1)


def test_the_sets_asked_for_are_few_and_distinct() -> None:
    asked = []

    def evaluate(there: np.ndarray) -> np.ndarray:
        asked.append(there.copy())
        return there.sum(axis=1)

    additive_effects(12, evaluate)
    (sets,) = asked
    assert len(np.unique(sets, axis=0)) == len(sets) <= ORDERS * 11 + 2
