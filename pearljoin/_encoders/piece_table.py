"""Vectors of word pieces: what a static encoder has in place of a transformer.

A phrase's vector is the sum of its word pieces' vectors, scaled to length 1. The length of a word
piece's vector is its learned weight: "university" is short, "Uppsala" is long.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pearljoin._encoders.bags import sums_of_rows
from pearljoin._encoders.npz_arrays import Arrays, pack_arrays, quantise_rows, unpack_arrays
from pearljoin._encoders.unit_vectors import unit_rows
from pearljoin._errors import ModelError
from pearljoin._typing import FloatMatrix, IntVector

__all__ = ["PieceTable"]

_LARGEST_SCALE = 1e3


@dataclass(frozen=True)
class PieceTable:
    """A trained vector for each word piece.

    Attributes
    ----------
    table (n_tokens, dim) float32
        Vectors of the word pieces; zeros for those that say nothing.
    """

    table: FloatMatrix

    @property
    def dim(self) -> int:
        """Number of columns of its vectors."""
        return int(self.table.shape[1])

    def encode(self, tokens: IntVector, starts: IntVector) -> FloatMatrix:
        """Return phrases' unit vectors, zeros for a phrase without a word piece.

        Parameters
        ----------
        tokens
            int64 of shape (n_tokens,): the phrases' word pieces, end to end.
        starts
            int64 of shape (n_phrases + 1,): where each phrase begins in `tokens`, and the end.

        Returns
        -------
        vectors
            float32 of shape (n_phrases, dim).
        """
        return unit_rows(sums_of_rows(self.table, tokens, starts))

    def to_bytes(self) -> bytes:
        """Return the table in 8 bits, a scale for every row: what ``tokens.npz`` holds.

        Raises
        ------
        ModelError
            If `from_bytes` would refuse it: numbers that are not finite, or too large.
        """
        arrays = quantise_rows(self.table)
        try:
            _check(arrays)
        except ValueError as error:
            raise ModelError(
                f"The word pieces cannot be kept. Got: {error}. Hint: train at a lower learning "
                "rate."
            ) from error
        return pack_arrays(arrays)

    @classmethod
    def from_bytes(cls, content: bytes, where: str) -> PieceTable:
        """Read what `to_bytes` wrote.

        Parameters
        ----------
        content
            Bytes from any source: no code in them is run.
        where
            Name of the file for errors.

        Raises
        ------
        ModelError
            If they are not such a file.
        """
        try:
            arrays = unpack_arrays(content, ("codes", "scales"))
            _check(arrays)
        except Exception as error:  # zipfile's, zlib's and numpy's errors share no base
            raise ModelError(
                f"{where} is no table of word pieces. Got: {error}. Hint: export the folder again."
            ) from error
        return cls(arrays["codes"] * arrays["scales"][:, None])


def _check(arrays: Arrays) -> None:
    codes, scales = arrays["codes"], arrays["scales"]
    if codes.ndim != 2 or not codes.size or codes.dtype != np.int8:
        raise ValueError(f"codes of {codes.dtype}, shape {codes.shape}")
    if scales.shape != (len(codes),) or scales.dtype != np.float32:
        raise ValueError(f"scales of {scales.dtype}, shape {scales.shape}")
    if not np.isfinite(scales).all() or np.abs(scales).max() > _LARGEST_SCALE:
        raise ValueError("scales out of range")
