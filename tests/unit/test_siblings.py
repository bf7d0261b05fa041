"""Nearest siblings of candidates, against a plain loop."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from pearljoin._features import siblings
from pearljoin._features.siblings import MOST_SIBLINGS, USUAL_SIBLING, nearest_siblings


def unit(rng: np.random.Generator, n: int, dim: int = 16) -> np.ndarray:
    vectors = rng.normal(size=(n, dim)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def by_looking(vectors, right_at, names, left, cosine) -> list[float]:
    """The highest cosine with one of the row's nearest candidates of another name."""
    found = []
    for pair, row in enumerate(left):
        rivals = np.flatnonzero(left == row)
        nearest = rivals[np.argsort(-np.round(cosine[rivals], 5), kind="stable")][:MOST_SIBLINGS]
        products = [
            float(vectors[right_at[pair]] @ vectors[right_at[other]])
            for other in nearest
            if names[right_at[other]] != names[right_at[pair]]
        ]
        found.append(max(products, default=USUAL_SIBLING))
    return found


@pytest.mark.parametrize("cells", [1, 5_000, 20_000_000])
@pytest.mark.parametrize("seed", range(4))
def test_it_is_as_by_looking_one_by_one(monkeypatch, cells: int, seed: int) -> None:
    monkeypatch.setattr(siblings, "MOST_CELLS", cells)
    rng = np.random.default_rng(seed)
    vectors, names = unit(rng, 30), rng.integers(0, 20, 30)
    left = np.repeat(np.arange(40), rng.integers(0, 25, 40))
    right_at = rng.integers(0, 30, len(left))
    cosine = rng.random(len(left)).astype(np.float32)
    found = nearest_siblings(vectors, right_at, names[right_at], left, cosine)
    assert found.dtype == np.float32
    wanted = by_looking(vectors, right_at, names, left, cosine)
    assert found == pytest.approx(np.array(wanted), abs=1e-5)


def test_a_row_has_the_siblings_that_it_has_by_itself() -> None:
    rng = np.random.default_rng(0)
    vectors, names = unit(rng, 50), np.arange(50)
    left = np.repeat(np.arange(9), [1, 2, 12, 40, 3, 40, 9, 8, 30])
    right_at = rng.integers(0, 50, len(left))
    # Many candidates are as near as each other, such as those without a vector.
    cosine = np.where(rng.random(len(left)) < 0.7, 0, rng.random(len(left))).astype(np.float32)
    every = nearest_siblings(vectors, right_at, names[right_at], left, cosine)
    assert every == pytest.approx(np.array(by_looking(vectors, right_at, names, left, cosine)))
    for row in range(9):
        at = np.flatnonzero(left == row)
        noise = rng.uniform(-1e-7, 1e-7, len(at)).astype(np.float32)
        alone = nearest_siblings(
            vectors, right_at[at], names[right_at[at]], left[at], cosine[at] + noise
        )
        assert alone == pytest.approx(every[at], abs=1e-6)


def test_without_another_name_there_is_no_sibling() -> None:
    vectors, left = unit(np.random.default_rng(0), 3), np.array([0, 0, 4])
    found = nearest_siblings(
        vectors, np.array([0, 1, 2]), np.array([7, 7, 8]), left, np.ones(3, np.float32)
    )
    assert found == pytest.approx([USUAL_SIBLING] * 3)


def test_sparse_vectors_and_no_pairs_have_none() -> None:
    vectors, nothing = unit(np.random.default_rng(0), 3), np.zeros(0, dtype=np.int64)
    none = nearest_siblings(vectors, nothing, nothing, nothing, nothing.astype(np.float32))
    assert none.shape == (0,)
    two = np.array([0, 1])
    sparse = csr_matrix(vectors)
    found = nearest_siblings(sparse, two, two, np.zeros(2, np.int64), np.ones(2))
    assert found == pytest.approx([USUAL_SIBLING] * 2)


@pytest.mark.parametrize("n_processors", [1, 2, 16])
def test_last_bits_hang_neither_on_other_rows_nor_on_processors(monkeypatch, n_processors) -> None:
    rng = np.random.default_rng(5)
    vectors, names = unit(rng, 300, dim=256), np.arange(300)
    left = np.repeat(np.arange(200), rng.integers(1, 30, 200))
    right_at = rng.integers(0, 300, len(left))
    cosine = rng.random(len(left)).astype(np.float32)
    every = nearest_siblings(vectors, right_at, names[right_at], left, cosine)
    monkeypatch.setattr(siblings, "processors", lambda: n_processors)
    monkeypatch.setattr(siblings, "MOST_CELLS", 100_000)
    for some in np.array_split(np.arange(200), 7):
        at = np.flatnonzero(np.isin(left, some))
        found = nearest_siblings(vectors, right_at[at], names[right_at[at]], left[at], cosine[at])
        np.testing.assert_array_equal(found, every[at])
