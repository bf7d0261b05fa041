"""Nearest neighbours by cosine against brute force, by value, ties included."""

import numpy as np
import pytest

from pearljoin import _parallel
from pearljoin._search import dense

DEVICES = ["cpu", "cpu:0"]  # faiss, and torch as on a graphics card


def unit(rng: np.random.Generator, n: int, dim: int = 16) -> np.ndarray:
    vectors = rng.normal(size=(n, dim)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def brute(queries: np.ndarray, reference: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Best first; equal to five decimals means the smaller row."""
    cosines = queries.astype(np.float64) @ reference.astype(np.float64).T
    rounded = np.round(cosines, 5)
    rows = np.argsort(-rounded, axis=1, kind="stable")[:, :k]
    return rows, np.take_along_axis(rounded, rows, 1)


@pytest.fixture(params=DEVICES)
def device(request) -> str:
    if request.param != "cpu":
        pytest.importorskip("torch")
    return request.param


@pytest.mark.parametrize("k", [1, 7, 20, 300])
@pytest.mark.parametrize(("n", "m"), [(1, 1), (3, 300), (200, 40), (50, 300)])
def test_nearest_is_brute_force(device: str, n: int, m: int, k: int) -> None:
    rng = np.random.default_rng(n * m + k)
    queries, reference = unit(rng, n), unit(rng, m)
    rows, cosines = dense.nearest(queries, reference, k, device=device)
    wanted_rows, wanted = brute(queries, reference, k)
    assert rows.shape == cosines.shape == (n, min(k, m))
    assert (rows.dtype, cosines.dtype) == (np.int64, np.float32)
    np.testing.assert_allclose(cosines, wanted, atol=1.5e-5)
    # Where float32 rounds otherwise than float64, neighbours a hair apart may change places.
    assert (rows == wanted_rows).mean() > 0.99
    exact = np.take_along_axis(queries.astype(np.float64) @ reference.T.astype(np.float64), rows, 1)
    np.testing.assert_allclose(exact, wanted, atol=2e-5)


@pytest.mark.parametrize("n_equal", [2, 9, 30, 400])
def test_ties_go_to_the_first_row(device: str, n_equal: int) -> None:
    rng = np.random.default_rng(n_equal)
    base = unit(rng, 5)
    reference = np.concatenate([unit(rng, 50), np.repeat(base, n_equal, axis=0)])
    reference = reference[rng.permutation(len(reference))]
    rows, cosines = dense.nearest(base, reference, 5, device=device)
    for at in range(5):
        same = np.flatnonzero((reference == base[at]).all(axis=1))
        n_first = min(5, n_equal)
        assert rows[at][:n_first].tolist() == same[:5].tolist()
        np.testing.assert_allclose(cosines[at][:n_first], 1)


def test_equal_queries_that_tie_are_compared_once(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = []
    products = dense._products

    def counted(table, vector):
        compared.append(vector)
        return products(table, vector)

    monkeypatch.setattr(dense, "_products", counted)
    rng = np.random.default_rng(1)
    queries = np.repeat(unit(rng, 3), 40, axis=0)
    rows, _ = dense.nearest(queries, np.repeat(queries, 2, axis=0), 5)
    assert len(compared) == 3
    assert rows[[0, 40, 119]].tolist() == [[*range(start, start + 5)] for start in (0, 80, 160)]


def test_zero_rows_have_no_cosine(device: str) -> None:
    queries = np.zeros((2, 4), dtype=np.float32)
    queries[1, 0] = 1
    reference = np.eye(4, dtype=np.float32)[:3]
    rows, cosines = dense.nearest(queries, reference, 2, device=device)
    assert rows.tolist() == [[0, 1], [0, 1]]
    assert cosines.tolist() == [[0, 0], [1, 0]]


def test_cosines_stay_in_range(device: str) -> None:
    queries = np.full((1, 3), np.sqrt(1 / 3), dtype=np.float32) * np.float32(1.000001)
    rows, cosines = dense.nearest(queries, np.concatenate([queries, -queries]), 2, device=device)
    assert rows.tolist() == [[0, 1]]
    assert cosines.tolist() == [[1, -1]]


@pytest.mark.parametrize(("n", "m", "k"), [(0, 5, 3), (5, 0, 3), (5, 5, 0)])
def test_nothing_to_search_gives_nothing(device: str, n: int, m: int, k: int) -> None:
    rng = np.random.default_rng(0)
    rows, cosines = dense.nearest(unit(rng, n), unit(rng, m), k, device=device)
    assert rows.shape == cosines.shape == (n, min(k, m))


def test_slices_and_fortran_order_are_fine(device: str) -> None:
    rng = np.random.default_rng(3)
    queries, reference = unit(rng, 20), unit(rng, 60)
    plain = dense.nearest(queries[::2].copy(), reference[::3].copy(), 4, device=device)
    for own, other in (
        (queries[::2], reference[::3]),
        (np.asfortranarray(queries[::2]), np.asfortranarray(reference[::3])),
    ):
        rows, cosines = dense.nearest(own, other, 4, device=device)
        assert rows.tolist() == plain[0].tolist()
        assert cosines.tolist() == plain[1].tolist()


def test_a_query_does_not_depend_on_its_batch(device: str) -> None:
    rng = np.random.default_rng(4)
    queries, reference = unit(rng, 90, 64), unit(rng, 200, 64)
    together = dense.nearest(queries, reference, 10, device=device)
    for at in range(0, 90, 9):
        rows, cosines = dense.nearest(queries[at : at + 1], reference, 10, device=device)
        np.testing.assert_allclose(cosines[0], together[1][at], atol=1.5e-5)
        assert (rows[0] == together[0][at]).mean() > 0.8


@pytest.mark.parametrize("threshold", [-1.0, 0.0, 0.2, 0.6, 1.1])
@pytest.mark.parametrize("cells", [50, 20_000_000])
def test_above_is_brute_force(monkeypatch, threshold: float, cells: int) -> None:
    monkeypatch.setattr(dense, "BLOCK_CELLS", cells)
    rng = np.random.default_rng(1)
    queries, reference = unit(rng, 30, 8), unit(rng, 40, 8)
    query, row = dense.above(queries, reference, threshold)
    table = queries.astype(np.float64) @ reference.astype(np.float64).T
    assert np.abs(table - threshold).min() > 1e-6
    wanted = np.argwhere(table >= threshold)
    assert np.stack([query, row], axis=1).tolist() == wanted.tolist()
    assert query.dtype == row.dtype == np.int64


def test_above_of_no_queries_is_nothing() -> None:
    query, row = dense.above(np.zeros((0, 3), np.float32), np.eye(3, dtype=np.float32), 0.5)
    assert len(query) == len(row) == 0


@pytest.mark.parametrize("chunk", [7, 100_000])
def test_pair_cosines_are_those_of_the_rows(monkeypatch, chunk: int) -> None:
    monkeypatch.setattr(_parallel, "PART", chunk)
    rng = np.random.default_rng(2)
    left, right = unit(rng, 20), unit(rng, 30)
    rows, columns = rng.integers(0, 20, 100), rng.integers(0, 30, 100)
    found = dense.pair_cosines(left, right, rows, columns)
    np.testing.assert_allclose(found, (left @ right.T)[rows, columns], atol=1e-6)
    assert found.dtype == np.float32
