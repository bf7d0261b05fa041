"""Arrays of a saved matcher, each checked when it is taken: a stranger may have written them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray
from scipy.sparse import csr_matrix

from pearljoin._search.vectors import from_arrays, is_sparse

__all__ = [
    "Arrays",
    "real_number",
    "take_flags",
    "take_reals",
    "take_sparse",
    "take_whole",
    "whole_number",
]

Arrays = Mapping[str, NDArray[Any]]

ROWS_AT_ONCE = 65_536
"""Rows whose numbers are checked at a time: large arrays are mapped, and not held."""

ENTRIES_AT_ONCE = 16_777_216
"""Entries of a sparse matrix that are checked at a time, likewise."""

LARGEST = 2**62
"""Whole numbers that are read, at most."""

LARGEST_REAL = 1e300
"""Numbers without a bound of their own, at most."""

FINITE = float(np.finfo(np.float32).max)


def take_reals(
    arrays: Arrays,
    name: str,
    shape: tuple[int | None, ...],
    *,
    least: float = -FINITE,
    most: float = FINITE,
    dtype: DTypeLike = np.float32,
) -> NDArray[Any]:
    """Take an array of numbers within bounds, finite ones by default.

    Parameters
    ----------
    arrays
        The arrays by name.
    name
        Which to take.
    shape
        Its shape; None for a length that may be any.
    least, most
        Bounds of its numbers.
    dtype
        The type that it has, or is turned into.

    Raises
    ------
    KeyError
        If there is none of that name.
    ValueError
        If it has another shape, or holds what is not a number, or is out of bounds.
    """
    found = _take(arrays, name, shape, "f")
    for start in range(0, len(found), ROWS_AT_ONCE):
        part = found[start : start + ROWS_AT_ONCE]
        # A comparison with NaN is False.
        if not ((part >= least) & (part <= most)).all():
            raise ValueError(f"{name!r} holds a number that is not within [{least}, {most}]")
    return found.astype(dtype, copy=False)


def take_whole(
    arrays: Arrays, name: str, shape: tuple[int | None, ...], *, least: int = 0, most: int = LARGEST
) -> NDArray[np.int64]:
    """Take an array of whole numbers from `least` to `most`; as of `take_reals`."""
    found = _take(arrays, name, shape, "iu")
    if found.size and not (int(found.min()) >= least and int(found.max()) <= most):
        raise ValueError(f"{name!r} holds a number that is not within [{least}, {most}]")
    return found.astype(np.int64, copy=False)


def take_flags(arrays: Arrays, name: str, shape: tuple[int | None, ...]) -> NDArray[np.bool_]:
    """Take an array of booleans; as of `take_reals`."""
    return _take(arrays, name, shape, "b")


def take_sparse(
    arrays: Arrays, name: str, shape: tuple[int, int | None], *, least: float = -FINITE
) -> csr_matrix:
    """Take a sparse matrix of finite numbers from `least` on; as of `take_reals`.

    Its columns ascend within each row. `shape` is that of the matrix; None for columns that may be
    any.
    """
    found = from_arrays(arrays, name)
    fits = found.shape[0] == shape[0] and shape[1] in (None, found.shape[1])
    if not fits or not is_sparse(found) or found.data.dtype not in (np.uint8, np.float32):
        raise ValueError(f"{name!r} is no sparse matrix of shape {shape}")
    if not found.has_canonical_format:
        raise ValueError(f"{name!r} has columns that are not in order")
    for start in range(0, found.nnz, ENTRIES_AT_ONCE):
        part = found.data[start : start + ENTRIES_AT_ONCE]
        if not ((part >= least) & (part <= FINITE)).all():
            raise ValueError(f"{name!r} holds a number that is not within [{least}, {FINITE}]")
    return found


def whole_number(value: object, what: str, *, most: int = LARGEST) -> int:
    """Return a value that is a whole number from 0 to a bound; raises ValueError if it is none."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        raise ValueError(f"{what} is {value!r}")
    return value


def real_number(value: object, what: str, *, least: float, most: float = LARGEST_REAL) -> float:
    """Return a value that is a number within bounds; raises ValueError if it is none."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
        raise ValueError(f"{what} is {value!r}")
    return float(value)


def _take(arrays: Arrays, name: str, shape: tuple[int | None, ...], kinds: str) -> NDArray[Any]:
    found = arrays[name]
    fits = len(found.shape) == len(shape) and all(
        wanted in (None, length) for length, wanted in zip(found.shape, shape, strict=True)
    )
    if not fits or found.dtype.kind not in kinds:
        raise ValueError(f"{name!r} is of shape {found.shape} and type {found.dtype}")
    return found
