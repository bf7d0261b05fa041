"""Making unit vectors of what an encoder gives, and refusing what is no matrix of vectors."""

from __future__ import annotations

from typing import Any

import numpy as np

from pearljoin._errors import InputError
from pearljoin._typing import FloatMatrix

MAX_DENSE_DIM = 8192
"""The most columns that a sparse matrix is made dense with."""


def unit_rows(vectors: FloatMatrix) -> FloatMatrix:
    """Scale rows to unit length; rows of zeros stay so.

    Parameters
    ----------
    vectors
        float32 of shape (n, dim), finite.

    Returns
    -------
    unit
        float32 of shape (n, dim).
    """
    # By the largest entry first: the square of a float32 can overflow.
    largest = np.abs(vectors).max(axis=1, keepdims=True, initial=0.0)
    scaled = vectors / np.where(largest > 0, largest, 1)
    norms = np.linalg.norm(scaled, axis=1, keepdims=True)
    unit: FloatMatrix = (scaled / np.where(norms > 0, norms, 1)).astype(np.float32, copy=False)
    return unit


def checked_vectors(output: Any, *, n_phrases: int, dim: int | None, source: str) -> FloatMatrix:
    """Turn an encoder's output into unit vectors, or say what is wrong with it.

    Parameters
    ----------
    output
        An array, a sparse matrix, a torch tensor, or a list of vectors.
    n_phrases
        Rows it must have.
    dim
        Columns it must have; None: any number.
    source
        What gave it, for the error.

    Returns
    -------
    vectors
        float32 of shape (n_phrases, dim), rows of unit length or all zero.

    Raises
    ------
    InputError
        If it is not a finite numeric matrix of that shape, or sparse with more than 8192 columns.

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
    if not np.isfinite(matrix).all():
        raise InputError(
            f"{source} gave vectors that are not finite numbers. Got NaN or infinity in row "
            f"{int(np.flatnonzero(~np.isfinite(matrix).all(axis=1))[0])}. "
            "Hint: give a phrase without a vector a row of zeros."
        )
    return unit_rows(matrix)


def _as_matrix(output: Any, source: str) -> FloatMatrix:
    if hasattr(output, "toarray"):
        if output.ndim == 2 and output.shape[1] > MAX_DENSE_DIM:
            raise InputError(
                f"{source} gives sparse vectors with too many columns to make dense. Got "
                f"{output.shape[1]:,}, at most {MAX_DENSE_DIM:,}. Hint: put "
                "sklearn.decomposition.TruncatedSVD(256) behind it in a Pipeline."
            )
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
    matrix: FloatMatrix = wide.astype(np.float32)
    return matrix
