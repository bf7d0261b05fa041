"""What is known of words: the row each has in arrays of vectors, idf and checksums."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pearljoin._typing import FloatMatrix, FloatVector, IntVector

__all__ = ["UNKNOWN", "Rows", "checksums"]

UNKNOWN = -1


@dataclass(frozen=True)
class Rows:
    """What is known of some words.

    Attributes
    ----------
    ids
        int64 of shape (n_words,): rows of the arrays below; -1 for a word without one.
    matrix
        float32 of shape (n_rows, dim).
    idf
        float32 of shape (n_rows,).
    ties
        uint64 of shape (n_rows,): the word's checksum, which orders words of equal idf.
    """

    ids: IntVector
    matrix: FloatMatrix
    idf: FloatVector
    ties: NDArray[np.uint64]


def checksums(words: Sequence[str]) -> NDArray[np.uint64]:
    """Return a number for each word that depends on nothing else: uint64 of shape (n_words,)."""
    encoded = [word.encode("utf-8", "surrogatepass") for word in words]
    # Of two kinds: real words are known that share one of them.
    sums = [zlib.crc32(word) << 32 | zlib.adler32(word) for word in encoded]
    return np.array(sums, dtype=np.uint64)
