"""CachedEncoder: an encoder that finds vectors on disk, and leaves new ones there."""

from __future__ import annotations

import os
from collections.abc import Sequence

import numpy as np

from pearljoin._atomic import as_path
from pearljoin._encoders.folder_encoder import FolderEncoder
from pearljoin._encoders.protocol import CoverageEncoder, Encoder
from pearljoin._encoders.vector_store import VectorStore
from pearljoin._errors import InputError
from pearljoin._typing import BoolVector, FloatMatrix

__all__ = ["MAX_BYTES", "CachedEncoder", "cached"]

MAX_BYTES = 4 * 2**30
"""Size of the vectors of one model on disk, at most: some two million names."""

ENCODED_AT_ONCE = 32_768
"""Phrases after which the vectors are kept: a run that is cut off loses no more."""


class CachedEncoder:
    """Encodes what is not on disk yet.

    Parameters
    ----------
    encoder
        The encoder; its ``digest`` tells its vectors from those of another model.
    folder
        Where the vectors are kept, a file for each model. Processes may share it.
    max_bytes
        Size of that file at most; the oldest vectors are dropped.
    """

    def __init__(
        self, encoder: FolderEncoder, folder: str | os.PathLike[str], *, max_bytes: int = MAX_BYTES
    ) -> None:
        if not isinstance(encoder, Encoder):
            raise InputError(f"An encoder is wanted. Got {encoder!r}.")
        self._encoder: Encoder = encoder
        self.digest = encoder.digest
        self.name = encoder.name
        self.folder = encoder.folder
        self.scorer = encoder.scorer
        self.fallback_threshold = encoder.fallback_threshold
        place = as_path(folder, "cache of vectors")
        path = place.expanduser() / f"{self.name}-{self.digest[:16]}.sqlite"
        self._store = VectorStore(path, dim=encoder.dim, max_bytes=max_bytes)

    @property
    def dim(self) -> int:
        """Number of columns that `encode` returns."""
        return self._encoder.dim

    def encode(self, phrases: Sequence[str]) -> FloatMatrix:
        """Encode phrases; those on disk are read, the others left there.

        Parameters
        ----------
        phrases
            Any strings.

        Returns
        -------
        vectors
            float32 of shape (n_phrases, dim): what the encoder gives, bit by bit.
        """
        vectors = np.empty((len(phrases), self.dim), dtype=np.float32)
        for start in range(0, len(phrases), ENCODED_AT_ONCE):
            part = phrases[start : start + ENCODED_AT_ONCE]
            vectors[start : start + len(part)] = self._encode(part)
        return vectors

    def _encode(self, phrases: Sequence[str]) -> FloatMatrix:
        rows, known = self._store.get(phrases)
        if len(rows) == len(phrases):
            return known
        vectors = np.empty((len(phrases), self.dim), dtype=np.float32)
        vectors[rows] = known
        is_new = np.ones(len(phrases), dtype=bool)
        is_new[rows] = False
        new = np.flatnonzero(is_new)
        texts = [phrases[row] for row in new.tolist()]
        vectors[new] = self._encoder.encode(texts)
        self._store.put(texts, vectors[new])
        return vectors

    def covers(self, phrases: Sequence[str]) -> BoolVector:
        """Return where the vector represents the whole text: bool of shape (n_phrases,)."""
        if isinstance(self._encoder, CoverageEncoder):
            return self._encoder.covers(phrases)
        return np.ones(len(phrases), dtype=np.bool_)

    def __repr__(self) -> str:
        return f"CachedEncoder({self._encoder!r})"


def cached(encoder: Encoder, folder: str | os.PathLike[str]) -> CachedEncoder:
    """Keep an encoder's vectors in a folder.

    Raises
    ------
    InputError
        If nothing tells the encoder's vectors from another's: it is not a model folder's.
    """
    if not isinstance(encoder, FolderEncoder):
        raise InputError(
            "cache= keeps the vectors of bundled models and model folders on the CPU, which have "
            f"a checksum. Got {type(encoder).__name__}. Hint: leave cache= out."
        )
    return CachedEncoder(encoder, folder)
