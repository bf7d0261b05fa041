"""Vectors of a source's phrases by the base model, encoded when a batch first asks for them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

import numpy as np

from pearljoin import Encoder
from pearljoin._atomic import atomic_file
from pearljoin._progress import progress

__all__ = ["LazyVectors", "VectorRows", "digest"]

BLOCK = 2_048
"""Phrases encoded between two movements of the progress bar."""


class VectorRows(Protocol):
    """Rows of vectors, as an array has them."""

    def __len__(self) -> int:
        """Return the number of rows."""
        ...

    def __getitem__(self, rows: np.ndarray, /) -> np.ndarray:
        """Return float32 of shape (n_rows, dim)."""
        ...


class LazyVectors:
    """A source's vectors, each encoded at most once and only when it is asked for.

    Parameters
    ----------
    source
        Its name, for the progress bar.
    phrases
        What is encoded.
    base
        Returns the encoder; called when the first vector is missing.
    kept
        A folder that keeps the vectors of whole sources between runs, in half precision.

    Examples
    --------
    >>> class Length:
    ...     dim = 1
    ...
    ...     def encode(self, phrases):
    ...         print("encodes", phrases)
    ...         return np.array([[len(text)] for text in phrases], dtype=np.float32)
    >>> vectors = LazyVectors("names", ["a", "bb", "ccc"], Length)
    >>> vectors[np.array([2, 0])].tolist()
    encodes ['a', 'ccc']
    [[3.0], [1.0]]
    >>> vectors[np.array([1, 2])].tolist()
    encodes ['bb']
    [[2.0], [3.0]]
    """

    def __init__(
        self,
        source: str,
        phrases: Sequence[str],
        base: Callable[[], Encoder],
        kept: Path | None = None,
    ) -> None:
        self._source = source
        self._phrases = phrases
        self._base = base
        self._path = None
        if kept is not None:
            self._path = kept / f"{source}-{digest(chr(10).join(phrases))}.npy"
        self._vectors: np.ndarray | None = None
        self._known = np.zeros(len(phrases), dtype=bool)
        if self._path is not None and self._path.exists():
            self._vectors = np.asarray(np.load(self._path), dtype=np.float32)
            self._known[:] = True

    def __len__(self) -> int:
        """Return the number of phrases."""
        return len(self._phrases)

    @property
    def n_known(self) -> int:
        """Number of phrases whose vectors are there already."""
        return int(self._known.sum())

    def __getitem__(self, rows: np.ndarray, /) -> np.ndarray:
        """Return some rows' vectors, float32 of shape (n_rows, dim), encoding what is missing."""
        wanted = np.zeros(len(self._phrases), dtype=bool)
        wanted[rows] = True
        missing = np.flatnonzero(wanted & ~self._known)
        if len(missing):
            self._encode(missing)
        assert self._vectors is not None
        return np.asarray(self._vectors[rows])

    def _encode(self, missing: np.ndarray) -> None:
        base = self._base()
        if self._vectors is None:
            self._vectors = np.zeros((len(self._phrases), base.dim), dtype=np.float32)
        starts = range(0, len(missing), BLOCK)
        label = f"encoding {self._source}"
        for start in progress(starts, total=len(starts), label=label, unit="block", verbose=None):
            rows = missing[start : start + BLOCK]
            self._vectors[rows] = base.encode([self._phrases[row] for row in rows])
        if self._path is not None:
            # What is read back in half precision is so from the first.
            self._vectors[missing] = self._vectors[missing].astype(np.float16)
        self._known[missing] = True
        if self._path is not None and self._known.all():
            with atomic_file(self._path, parents=True) as temporary, temporary.open("wb") as file:
                np.save(file, self._vectors.astype(np.float16))


def digest(text: str) -> str:
    """Return 16 hexadecimal digits that stand for a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]
