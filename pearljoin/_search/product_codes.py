"""Product codes of 4 bits on the principal axes of vectors (Jégou et al. 2011; Ge et al. 2013)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from pearljoin._search import dense
from pearljoin._search.rounded_vectors import DenseVectors
from pearljoin._typing import FloatMatrix

__all__ = ["AXES_A_CODE", "as_they_are", "codebooks_of", "on_axes", "principal_axes", "whole"]

AXES_A_CODE = 4
"""Principal axes that one code of 4 bits stands for."""

KEPT = 0.94
"""Share of the squared lengths that the axes keep, about: with the shorter axes left out, a scan
takes three quarters of its time and ranks rows as well, since the codes of the others are finer."""

ROWS_FOR_CODES = 8_192
"""Rows that axes and codes are learned from, about."""

GRID = 2048
"""Parts of 1 that vectors are rounded to. Products of unit vectors are then whole numbers below
2**24, which float32 adds up exactly in any order: what a query finds does not depend on the queries
beside it."""


def whole(vectors: FloatMatrix) -> FloatMatrix:
    """Return unit vectors as whole numbers: multiples of 1 / `GRID`, times `GRID`."""
    # Towards zero, so that no vector becomes longer.
    return np.asarray(np.trunc(vectors * np.float32(GRID)), dtype=np.float32)


def on_axes(vectors: FloatMatrix, axes: FloatMatrix) -> FloatMatrix:
    """Return vectors by their coordinates on axes.

    Parameters
    ----------
    vectors
        float32 of shape (n, dim), unit rows.
    axes
        As `principal_axes` returns them.

    Returns
    -------
    coordinates
        float32 of shape (n, n_axes).
    """
    return np.asarray(whole(vectors) @ axes, dtype=np.float32) / np.float32(GRID * GRID)


def principal_axes(reference: DenseVectors) -> FloatMatrix:
    """Find the axes along which vectors are long, in groups that share the length evenly.

    Each group is for one code. The axes are given to groups from the longest on, each to the group
    whose product of lengths is smallest (Ge, He, Ke and Sun 2013, Optimized Product Quantization,
    section 3.2).

    Parameters
    ----------
    reference
        float32 of shape (n_rows, dim), unit rows.

    Returns
    -------
    axes
        float32 of shape (dim, n_axes), in whole numbers as of `whole`; n_axes is a multiple of
        `AXES_A_CODE`, with columns of zeros where there are not as many.
    """
    sample = _sample(reference)
    lengths, axes = np.linalg.eigh(sample.T.astype(np.float64) @ sample)
    lengths, axes = np.maximum(lengths[::-1], 0), axes[:, ::-1]
    kept = np.cumsum(lengths) / max(float(lengths.sum()), np.finfo(float).tiny)
    n_codes = -(-(1 + int(np.searchsorted(kept, KEPT))) // AXES_A_CODE)
    wanted = np.fromiter(_shared_out(lengths, n_codes), dtype=np.int64)
    padded = np.pad(axes, ((0, 0), (0, AXES_A_CODE)))
    return whole(padded[:, np.minimum(wanted, len(lengths))].astype(np.float32))


def _shared_out(lengths: NDArray[np.float64], n_codes: int) -> Iterator[int]:
    """Yield axes group by group."""
    n_axes = n_codes * AXES_A_CODE
    known = np.append(lengths, np.zeros(AXES_A_CODE))[:n_axes]
    weights = np.log(known + 1e-9 * max(float(known[0]), np.finfo(float).tiny))
    groups: list[list[int]] = [[] for _ in range(n_codes)]
    total = np.zeros(n_codes)
    for axis in range(n_axes):
        group = int(total.argmin())
        groups[group].append(axis)
        # No axis makes a group smaller, and a full group takes no more.
        total[group] += weights[axis] - weights.min() + 1e-9
        if len(groups[group]) == AXES_A_CODE:
            total[group] = np.inf
    for members in groups:
        yield from members


def as_they_are(dim: int, n_codes: int) -> FloatMatrix:
    """Return axes, as of `principal_axes`, on which vectors have the coordinates that they have."""
    return np.eye(dim, n_codes * AXES_A_CODE, dtype=np.float32) * np.float32(GRID)


def codebooks_of(reference: DenseVectors, axes: FloatMatrix) -> NDArray[np.float32]:
    """Learn what the codes stand for: float32 of shape (n_codes, 16, `AXES_A_CODE`)."""
    import faiss

    sample = on_axes(_sample(reference), axes)
    quantizer = faiss.ProductQuantizer(sample.shape[1], sample.shape[1] // AXES_A_CODE, 4)
    # It warns on standard error below 39.
    quantizer.cp.min_points_per_centroid = 1
    with dense.faiss_threads():
        quantizer.train(sample)
    learned = faiss.vector_to_array(quantizer.centroids)
    return np.asarray(learned.reshape(-1, 16, AXES_A_CODE), dtype=np.float32)


def _sample(reference: DenseVectors) -> FloatMatrix:
    return np.asarray(reference[:: max(1, len(reference) // ROWS_FOR_CODES)])
