"""Groups of neighbours."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pearljoin_train.training.neighbours import leaves


@given(n=st.integers(0, 200), size=st.integers(1, 20), seed=st.integers(0, 9))
@settings(max_examples=60, deadline=None)
def test_groups_cover_each_row_once_and_are_at_least_half_full(n, size, seed) -> None:
    vectors = np.random.default_rng(seed).normal(size=(n, 4)).astype(np.float32)
    groups = leaves(vectors, size, np.random.default_rng(seed))
    assert sorted(row for group in groups for row in group) == list(range(n))
    assert all(len(group) <= size for group in groups)
    if n > size:
        assert all(2 * len(group) >= size for group in groups)


def test_groups_depend_on_the_generator_alone() -> None:
    vectors = np.random.default_rng(0).normal(size=(50, 4))
    one, two, other = (leaves(vectors, 4, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert [group.tolist() for group in one] == [group.tolist() for group in two]
    assert [group.tolist() for group in one] != [group.tolist() for group in other]


def test_neighbours_are_nearer_than_chance() -> None:
    rng = np.random.default_rng(0)
    vectors = rng.normal(size=(512, 6))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    groups = leaves(vectors, 8, rng)
    own = np.mean([(vectors[g] @ vectors[g].T).mean() for g in groups])
    drawn = rng.permutation(512).reshape(-1, 8)
    chance = np.mean([(vectors[g] @ vectors[g].T).mean() for g in drawn])
    assert own > chance + 0.3


def test_equal_vectors_are_split_too() -> None:
    groups = leaves(np.ones((9, 3)), 2, np.random.default_rng(0))
    assert sorted(np.concatenate(groups).tolist()) == list(range(9))
    assert max(map(len, groups)) == pytest.approx(2)
