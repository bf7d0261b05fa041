"""Sparse vectors give what dense vectors of the same numbers give."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix, issparse

from pearljoin._search import dense, vectors
from pearljoin._search.rounded_vectors import RoundedVectors


def sparse_unit(rng: np.random.Generator, n: int, dim: int, *, negative: bool) -> csr_matrix:
    """Few numbers a row from a small set, so that many cosines are equal and many zero."""
    matrix = rng.choice([0.0, 1.0, 2.0], size=(n, dim), p=[0.85, 0.1, 0.05])
    if negative:
        matrix *= rng.choice([-1.0, 1.0], size=(n, dim))
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    return csr_matrix((matrix / np.where(lengths > 0, lengths, 1)).astype(np.float32))


def brute(queries: csr_matrix, reference: csr_matrix, k: int) -> tuple[np.ndarray, np.ndarray]:
    cosines = dense.rounded((queries @ reference.T).toarray())
    rows = np.argsort(-cosines, axis=1, kind="stable")[:, :k]
    return rows, np.take_along_axis(cosines, rows, 1)


@pytest.mark.parametrize("negative", [False, True])
@pytest.mark.parametrize("cells", [100, 20_000_000])
@pytest.mark.parametrize("k", [1, 5, 20, 500])
@pytest.mark.parametrize(("n", "m", "dim"), [(1, 1, 5), (40, 7, 30), (60, 300, 12), (90, 400, 200)])
def test_nearest_is_brute_force(monkeypatch, n, m, dim, k, cells, negative: bool) -> None:
    monkeypatch.setattr(vectors, "BLOCK_CELLS", cells)
    rng = np.random.default_rng(n * m + k)
    queries = sparse_unit(rng, n, dim, negative=negative)
    reference = sparse_unit(rng, m, dim, negative=negative)
    rows, cosines = vectors.nearest(queries, reference, k)
    wanted_rows, wanted = brute(queries, reference, k)
    assert (rows.dtype, cosines.dtype) == (np.int64, np.float32)
    np.testing.assert_allclose(cosines, wanted, atol=1.1e-5)
    # A cosine at the edge of a rounding step may fall on either side.
    assert (rows == wanted_rows).mean() > 0.99


def test_nearest_gives_what_the_dense_search_gives() -> None:
    rng = np.random.default_rng(5)
    queries, reference = (sparse_unit(rng, n, 40, negative=False) for n in (80, 250))
    rows, cosines = vectors.nearest(queries, reference, 20)
    dense_rows, dense_cosines = vectors.nearest(queries.toarray(), reference.toarray(), 20)
    np.testing.assert_allclose(cosines, dense_cosines, atol=1.1e-5)
    assert (rows == dense_rows).mean() > 0.99


def test_rows_of_zeros_come_behind_positive_and_before_negative_ones() -> None:
    reference = np.zeros((400, 3), dtype=np.float32)
    reference[:, 0] = -1
    reference[350, 0] = 1
    reference[300:304, 0] = 0
    rows, cosines = vectors.nearest(
        csr_matrix(np.eye(3, dtype=np.float32)[:1]), csr_matrix(reference), 8
    )
    assert rows.tolist() == [[350, 300, 301, 302, 303, 0, 1, 2]]
    assert cosines.tolist() == [[1, 0, 0, 0, 0, -1, -1, -1]]


@pytest.mark.parametrize(("n", "m", "k"), [(0, 5, 3), (5, 0, 3), (5, 5, 0)])
def test_nothing_to_search_gives_nothing(n: int, m: int, k: int) -> None:
    one, other = csr_matrix((n, 4), dtype=np.float32), csr_matrix((m, 4), dtype=np.float32)
    rows, cosines = vectors.nearest(one, other, k)
    assert rows.shape == cosines.shape == (n, min(k, m))
    if n == 0 or m == 0:
        assert len(vectors.above(one, other, 0.5)[0]) == 0
        # Where a table has no texts, its vectors are an empty array.
        assert len(vectors.above(np.zeros((0, 4), np.float32), other, 0.5)[0]) == 0


@pytest.mark.parametrize("threshold", [-0.5, 0.0, 0.3, 0.9])
@pytest.mark.parametrize("negative", [False, True])
def test_above_is_brute_force(threshold: float, negative: bool) -> None:
    rng = np.random.default_rng(1)
    queries, reference = (sparse_unit(rng, n, 25, negative=negative) for n in (30, 70))
    found = vectors.above(queries, reference, threshold)
    wanted = np.argwhere((queries @ reference.T).toarray() >= np.float32(threshold))
    assert np.stack(found, axis=1).tolist() == wanted.tolist()


def test_every_step_gives_what_dense_vectors_give() -> None:
    rng = np.random.default_rng(2)
    left, right = (sparse_unit(rng, n, 25, negative=True) for n in (30, 20))
    left_dense, right_dense = left.toarray(), right.toarray()
    rows, columns = rng.integers(0, 30, 100), rng.integers(0, 20, 100)
    for found, wanted in [
        (vectors.pair_cosines(left, right, rows, columns),
         vectors.pair_cosines(left_dense, right_dense, rows, columns)),
        (vectors.products(left, right), vectors.products(left_dense, right_dense)),
        (vectors.mean_row(left), vectors.mean_row(left_dense)),
        (vectors.squared_lengths(left), vectors.squared_lengths(left_dense)),
    ]:  # fmt: skip
        assert found.dtype == wanted.dtype
        np.testing.assert_allclose(found, wanted, atol=1e-6)
    both = vectors.stack_columns([left, left])
    assert issparse(both)
    np.testing.assert_array_equal(both.toarray(), vectors.stack_columns([left_dense, left_dense]))


def test_rows_are_merged_into_their_places() -> None:
    one, other = np.eye(4, dtype=np.float32)[:2], 2 * np.eye(4, dtype=np.float32)[:1]
    places = [np.array([2, 0]), np.array([1])]
    wanted = [[0, 1, 0, 0], [2, 0, 0, 0], [1, 0, 0, 0]]
    merged = vectors.merge_rows(3, 4, list(zip(places, [one, other], strict=True)))
    assert merged.tolist() == wanted
    parts = list(zip(places, map(csr_matrix, (one, other)), strict=True))
    merged = vectors.merge_rows(3, 4, parts)
    assert issparse(merged)
    assert merged.toarray().tolist() == wanted
    assert vectors.merge_rows(0, 4, []).shape == (0, 4)


def test_what_is_taken_apart_is_put_together() -> None:
    sparse = sparse_unit(np.random.default_rng(3), 9, 11, negative=True)
    for matrix in (sparse, sparse.toarray()):
        arrays = vectors.to_arrays(matrix, "vectors_0")
        again = vectors.from_arrays(arrays, "vectors_0")
        assert type(again) is type(matrix)
        assert vectors.nearly_equal(again, matrix, atol=0)
    arrays = vectors.to_arrays(sparse, "vectors_0")
    with pytest.raises(ValueError, match="indices must be < 11"):
        vectors.from_arrays(
            {**arrays, "vectors_0_indices": arrays["vectors_0_indices"] + 9}, "vectors_0"
        )
    with pytest.raises(KeyError, match="vectors_1_data"):
        vectors.from_arrays(arrays, "vectors_1")


def test_nearly_equal_looks_at_shape_and_numbers() -> None:
    eye = np.eye(3, dtype=np.float32)
    for one in (eye, csr_matrix(eye)):
        assert vectors.nearly_equal(one, eye + 1e-4, atol=1e-3)
        assert not vectors.nearly_equal(one, eye + 1e-2, atol=1e-3)
        assert not vectors.nearly_equal(one, eye[:2], atol=1e-3)


def test_rounded_rows_are_merged_as_they_are() -> None:
    rng = np.random.default_rng(3)
    one, other = (RoundedVectors(rng.integers(-9, 9, (n, 3)).astype(np.int16)) for n in (2, 1))
    merged = vectors.merge_rows(3, 3, [(np.array([2, 0]), one), (np.array([1]), other)])
    assert isinstance(merged, RoundedVectors)
    assert merged.steps.tolist() == [
        one.steps[1].tolist(),
        *other.steps.tolist(),
        one.steps[0].tolist(),
    ]
