"""Check what an encoder gives, and scale it to unit vectors."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csr_matrix

from pearljoin._errors import InputError
from pearljoin._ragged import row_of_each
from pearljoin._typing import FloatMatrix, Vectors

__all__ = ["MAX_DENSE_DIM", "checked_vectors", "unit_rows"]

MAX_DENSE_DIM = 8192
"""Columns up to which a sparse matrix is made dense."""

SMALLEST_SQUARE, LARGEST_SQUARE = 1e-20, 1e30
"""Squared lengths that a float32 holds with all its digits."""


def unit_rows(vectors: FloatMatrix, out: FloatMatrix | None = None) -> FloatMatrix:
    """Scale rows to unit length; rows of zeros stay so.

    Parameters
    ----------
    vectors
        float32 of shape (n, dim), finite.
    out
        Where the rows go, which may be `vectors` itself; None: into a new array.

    Returns
    -------
    unit
        float32 of shape (n, dim).
    """
    squares = np.einsum("ij,ij->i", vectors, vectors)
    plain = (squares > SMALLEST_SQUARE) & (squares < LARGEST_SQUARE)
    others = np.flatnonzero(~plain)
    extreme = _unit_rows_of_any_size(vectors[others])
    scale = 1 / np.sqrt(np.where(plain, squares, 1))
    unit: FloatMatrix = np.multiply(vectors, scale[:, None], out=out)
    unit[others] = extreme
    return unit


def _unit_rows_of_any_size(vectors: FloatMatrix) -> FloatMatrix:
    """Scale rows whose squares a float32 does not hold: by the largest entry first."""
    largest = np.abs(vectors).max(axis=1, keepdims=True, initial=0.0)
    scaled = vectors / np.where(largest > 0, largest, 1)
    norms = np.linalg.norm(scaled, axis=1, keepdims=True)
    unit: FloatMatrix = (scaled / np.where(norms > 0, norms, 1)).astype(np.float32, copy=False)
    return unit


def checked_vectors(output: Any, *, n_phrases: int, dim: int | None, source: str) -> Vectors:
    """Turn an encoder's output into unit vectors.

    Parameters
    ----------
    output
        An array, a sparse matrix, a torch tensor, or a list of vectors.
    n_phrases
        Rows it must have.
    dim
        Columns it must have; None: any number.
    source
        Name of the encoder for errors.

    Returns
    -------
    vectors
        float32 of shape (n_phrases, dim), rows of unit length or all zero. An array; of a sparse
        matrix with more than 8,192 columns a scipy CSR matrix.

    Raises
    ------
    InputError
        If it is not a finite numeric matrix of that shape.

    Examples
    --------
    >>> checked_vectors([[3, 4]], n_phrases=1, dim=None, source="it").tolist()
    [[0.6000000238418579, 0.800000011920929]]
    """
    matrix = _as_matrix(output, source)
    if matrix.ndim != 2 or matrix.shape[0] != n_phrases or matrix.shape[1] == 0:
        raise InputError(
            f"{source} must give one vector per phrase, a matrix of {n_phrases} rows. Got shape "
            f"{matrix.shape}. Hint: return an array of shape (n_phrases, dim)."
        )
    if dim is not None and matrix.shape[1] != dim:
        raise InputError(
            f"{source} must always give vectors of {dim} columns. Got {matrix.shape[1]}. "
            "Hint: fit a vectoriser once, on all the texts, before using it."
        )
    row = _first_row_not_finite(matrix)
    if row is not None:
        raise InputError(
            f"{source} gave vectors that are not finite numbers. Got NaN or infinity in row "
            f"{row}. Hint: give a phrase without a vector a row of zeros."
        )
    return _sparse_unit_rows(matrix) if _is_sparse(matrix) else unit_rows(matrix)


def _as_matrix(output: Any, source: str) -> Any:
    """Return float32 rows whose largest number is 1, or a wide sparse matrix as float64."""
    if _is_sparse(output):
        if output.ndim == 2 and output.shape[1] > MAX_DENSE_DIM:
            return output.tocsr().astype(np.float64)
        output = output.toarray()
    elif hasattr(output, "detach"):
        output = output.detach().cpu().float().numpy()
    try:
        # Through float64: a float64 beyond float32's range must not become infinite.
        wide = np.asarray(output, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(
            f"{source} must give numbers. Got {type(output).__name__} ({error}). "
            "Hint: return an array of shape (n_phrases, dim)."
        ) from error
    if wide.ndim == 2 and wide.size:
        largest = np.abs(wide).max(axis=1, keepdims=True)
        with np.errstate(invalid="ignore"):
            wide = wide / np.where(largest > 0, largest, 1)
    return wide.astype(np.float32)


def _first_row_not_finite(matrix: Any) -> int | None:
    if _is_sparse(matrix):
        odd = np.flatnonzero(~np.isfinite(matrix.data))
        return int(row_of_each(matrix.indptr)[odd[0]]) if len(odd) else None
    odd = np.flatnonzero(~np.isfinite(matrix).all(axis=1))
    return int(odd[0]) if len(odd) else None


def _is_sparse(matrix: Any) -> bool:
    return hasattr(matrix, "toarray")


def _sparse_unit_rows(matrix: Any) -> csr_matrix:
    """Scale the rows of a sparse matrix of float64 to unit length; rows of zeros stay so."""
    unit = csr_matrix(matrix, copy=True)
    unit.sum_duplicates()
    rows = row_of_each(unit.indptr)
    largest = np.zeros(unit.shape[0])
    np.maximum.at(largest, rows, np.abs(unit.data))
    unit.data = unit.data / np.where(largest > 0, largest, 1)[rows]
    norms = np.sqrt(np.bincount(rows, weights=unit.data**2, minlength=unit.shape[0]))
    unit.data = unit.data / np.where(norms > 0, norms, 1)[rows]
    unit.eliminate_zeros()
    return csr_matrix(unit, dtype=np.float32)
