"""Optimal assignment on sparse graphs against brute force and against scipy's dense solver."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from pearljoin import _assignment_solver
from pearljoin._assignment_solver import assign


def chosen_pairs(left, right, score, **options) -> list[tuple[int, int]]:
    left, right = np.asarray(left, np.int64), np.asarray(right, np.int64)
    kept = assign(left, right, np.asarray(score, np.float32), **options)
    assert kept.dtype == bool
    return list(zip(left[kept].tolist(), right[kept].tolist(), strict=True))


def total(pairs: list[tuple[int, int]], table: np.ndarray) -> float:
    return float(sum(table[pair] for pair in pairs))


def is_one_to_one(pairs: list[tuple[int, int]]) -> bool:
    return len({a for a, _ in pairs}) == len({b for _, b in pairs}) == len(pairs)


def brute_force(table: np.ndarray) -> float:
    """Greatest sum over all ways to pair, by trying each; absent edges are 0."""
    square = np.zeros((max(table.shape),) * 2)
    square[: table.shape[0], : table.shape[1]] = table
    rows = np.arange(len(square))
    return max(square[rows, list(order)].sum() for order in permutations(range(len(square))))


def random_graph(seed: int, n: int, m: int, density: float) -> np.ndarray:
    rng = np.random.default_rng(seed)
    table = np.round(rng.random((n, m)) * 0.98 + 0.01, 5)
    return np.where(rng.random((n, m)) < density, table, 0)


@pytest.mark.parametrize("density", [0.2, 0.5, 1.0])
@pytest.mark.parametrize(("n", "m"), [(1, 1), (1, 5), (5, 1), (3, 4), (6, 6), (5, 7)])
@pytest.mark.parametrize("seed", range(4))
def test_the_sum_is_that_of_brute_force(seed: int, n: int, m: int, density: float) -> None:
    table = random_graph(seed, n, m, density)
    left, right = np.nonzero(table)
    pairs = chosen_pairs(left, right, table[left, right])
    assert is_one_to_one(pairs)
    assert all(table[pair] > 0 for pair in pairs)
    assert total(pairs, table) == pytest.approx(brute_force(table), abs=1e-5)


@pytest.mark.parametrize("dense_cells", [0, 4_000_000])
@pytest.mark.parametrize("density", [0.02, 0.1, 0.6])
@pytest.mark.parametrize(("n", "m"), [(60, 60), (80, 30), (30, 80)])
def test_both_solvers_reach_scipys_dense_optimum(
    monkeypatch, n: int, m: int, density: float, dense_cells: int
) -> None:
    monkeypatch.setattr(_assignment_solver, "DENSE_CELLS", dense_cells)
    table = random_graph(n + m, n, m, density)
    left, right = np.nonzero(table)
    pairs = chosen_pairs(left, right, table[left, right])
    best = table[linear_sum_assignment(table, maximize=True)].sum()
    assert is_one_to_one(pairs)
    assert total(pairs, table) == pytest.approx(best, abs=1e-4)


@settings(derandomize=True, deadline=None, max_examples=60)
@given(
    st.lists(
        st.tuples(st.integers(0, 4), st.integers(0, 4), st.sampled_from([0.0, 0.3, 0.5, 0.9])),
        unique_by=lambda edge: edge[:2],
        max_size=14,
    ),
    st.randoms(use_true_random=False),
)
def test_the_order_of_the_edges_does_not_matter(edges: list, order) -> None:
    table = np.zeros((5, 5))
    for a, b, score in edges:
        table[a, b] = score
    first = chosen_pairs(*(zip(*edges, strict=True) if edges else ([], [], [])))
    shuffled = list(edges)
    order.shuffle(shuffled)
    second = chosen_pairs(*(zip(*shuffled, strict=True) if edges else ([], [], [])))
    assert sorted(first) == sorted(second)
    assert is_one_to_one(first)
    assert total(first, table) == pytest.approx(brute_force(table), abs=1e-5)


def test_row_numbers_may_be_any() -> None:
    assert chosen_pairs([900, 900, 7], [3, 10**12, 3], [0.9, 0.8, 0.7]) == [(900, 10**12), (7, 3)]


def test_no_edges_choose_nothing() -> None:
    assert chosen_pairs([], [], []) == []


def test_equal_sums_keep_rows_parallel_and_low() -> None:
    assert chosen_pairs([0, 0, 1, 1], [0, 1, 0, 1], [0.5] * 4) == [(0, 0), (1, 1)]
    assert chosen_pairs([0, 0, 0], [4, 2, 3], [0.5] * 3) == [(0, 2)]
    square = np.indices((6, 6)).reshape(2, -1)
    assert chosen_pairs(*square, np.full(36, 0.25)) == [(at, at) for at in range(6)]


def test_a_pair_that_scores_nothing_is_better_than_none() -> None:
    assert chosen_pairs([0], [0], [0.0]) == [(0, 0)]
    assert chosen_pairs([0, 0, 1], [0, 1, 0], [0.0, 0.5, 0.0]) == [(0, 1), (1, 0)]


def test_equal_texts_are_settled_before_all_else() -> None:
    # Together 1.8 would beat 1.0, but equal texts belong together.
    assert chosen_pairs([0, 0, 1], [0, 1, 0], [1.0, 0.9, 0.9]) == [(0, 0)]
    # Of equal texts the first rows are paired.
    assert chosen_pairs([0, 0, 1, 1], [5, 6, 5, 6], [1.0] * 4) == [(0, 5), (1, 6)]


def test_equal_texts_are_settled_first_and_as_many_as_can_be() -> None:
    assert chosen_pairs([0, 0, 1], [0, 1, 0], [1, 1, 1]) == [(0, 1), (1, 0)]
    assert chosen_pairs([0, 1, 1], [0, 0, 1], [1.0, 0.9, 0.1]) == [(0, 0), (1, 1)]


@pytest.mark.parametrize("seed", range(3))
def test_many_components_at_once(seed: int) -> None:
    tables = [random_graph(seed * 100 + at, 4, 3, 0.7) for at in range(40)]
    left = np.concatenate([np.nonzero(table)[0] + 4 * at for at, table in enumerate(tables)])
    right = np.concatenate([np.nonzero(table)[1] + 3 * at for at, table in enumerate(tables)])
    score = np.concatenate([table[np.nonzero(table)] for table in tables])
    pairs = chosen_pairs(left, right, score)
    found = sum(tables[a // 4][a % 4, b % 3] for a, b in pairs)
    assert is_one_to_one(pairs)
    assert found == pytest.approx(sum(map(brute_force, tables)), abs=1e-3)
