"""The search of graphics cards, run by torch on the processor, against brute force."""

import numpy as np
import pytest

pytest.importorskip("torch")

from pearljoin._errors import MissingExtraError
from pearljoin._search import dense_torch


@pytest.mark.parametrize("cells", [100, 500_000_000])
@pytest.mark.parametrize("k", [1, 6, 25])
def test_search_is_brute_force_in_blocks_of_any_size(monkeypatch, cells: int, k: int) -> None:
    monkeypatch.setattr(dense_torch, "BLOCK_CELLS", cells)
    rng = np.random.default_rng(k)
    queries = rng.normal(size=(33, 8)).astype(np.float32)
    reference = rng.normal(size=(25, 8)).astype(np.float32)
    products, rows = dense_torch.search(queries, reference, k, "cpu")
    table = queries.astype(np.float64) @ reference.astype(np.float64).T
    wanted = np.argsort(-table, axis=1)[:, :k]
    assert rows.tolist() == wanted.tolist()
    np.testing.assert_allclose(products, np.take_along_axis(table, wanted, 1), rtol=1e-5, atol=1e-6)
    assert (products.dtype, rows.dtype) == (np.float32, np.int64)


def test_a_block_holds_a_query_at_least(monkeypatch) -> None:
    monkeypatch.setattr(dense_torch, "BLOCK_CELLS", 1)
    eye = np.eye(5, dtype=np.float32)
    products, rows = dense_torch.search(eye, eye, 1, "cpu")
    assert rows.ravel().tolist() == [0, 1, 2, 3, 4]
    assert products.ravel().tolist() == [1] * 5


def test_without_torch_the_extra_is_named(monkeypatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "torch", None)
    eye = np.eye(2, dtype=np.float32)
    with pytest.raises(
        MissingExtraError, match=r"device='cuda' needs the package 'torch'.*\[gpu\]"
    ):
        dense_torch.search(eye, eye, 1, "cuda")
