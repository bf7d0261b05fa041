"""Nearest neighbours on a GPU, through torch: exact, a block of queries at a time."""

from __future__ import annotations

import sys

import numpy as np

from pearljoin._optional import require
from pearljoin._typing import FloatMatrix, IntVector

__all__ = ["gpu_by_torch", "search", "torch_in_use"]

BLOCK_CELLS = 500_000_000
"""Products held at once: 2 GB as float32."""


def search(
    queries: FloatMatrix, reference: FloatMatrix, k: int, device: str
) -> tuple[FloatMatrix, IntVector]:
    """Find each query's `k` greatest inner products.

    Parameters
    ----------
    queries, reference
        float32 of shape (n_queries, dim) and (n_rows, dim).
    k
        At most n_rows.
    device
        A torch device name.

    Returns
    -------
    products, rows
        float32 and int64 of shape (n_queries, k), best first.

    Raises
    ------
    MissingExtraError
        If torch is not installed.
    """
    torch = require("torch", extra="gpu", purpose=f"Searching on device={device!r}")
    held = torch.from_numpy(np.ascontiguousarray(reference)).to(device)
    block = max(1, BLOCK_CELLS // len(reference))
    products = np.empty((len(queries), k), dtype=np.float32)
    rows = np.empty((len(queries), k), dtype=np.int64)
    precision = torch.get_float32_matmul_precision()
    # A training may have left products of fewer digits on, by which other neighbours are nearest.
    torch.set_float32_matmul_precision("highest")
    try:
        for start in range(0, len(queries), block):
            part = torch.from_numpy(np.ascontiguousarray(queries[start : start + block]))
            best = torch.topk(part.to(device) @ held.T, k, dim=1)
            products[start : start + block] = best.values.cpu().numpy()
            rows[start : start + block] = best.indices.cpu().numpy()
    finally:
        torch.set_float32_matmul_precision(precision)
    return products, rows


def torch_in_use() -> bool:
    """Whether this process has imported torch."""
    return sys.modules.get("torch") is not None


def gpu_by_torch() -> bool:
    """Whether torch sees a GPU.

    Raises
    ------
    MissingExtraError
        If torch is not installed.
    """
    torch = require("torch", extra="gpu", purpose="Searching on device='cuda'")
    return bool(torch.cuda.is_available())
