"""The character encoder of a model folder: hashed n-grams of words, beside the transformer.

A transformer reads a rare name as word pieces of little meaning, and one typing error changes them
all. So a phrase's vector is concatenated with one made of its characters (PEARL, section 3.2), in
place of the paper's network a bag of n-grams in hashed buckets (Bojanowski et al. 2017):

    word   = unit(sum of the vectors of its n-grams) * exp(mean of the n-grams' gates)
    phrase = sum of its words / sqrt(1 + squared length of that sum)

A gate weights an n-gram as idf weights a word, but is learned: "university" weighs less than
"Uppsala". Where all words of a phrase weigh little, its n-gram columns are short, and the
transformer's columns decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from pearljoin._encoders.bags import counts_matrix
from pearljoin._encoders.npz_arrays import Arrays, pack_arrays, quantise_rows, unpack_arrays
from pearljoin._encoders.unit_vectors import unit_rows
from pearljoin._encoders.word_grams import LONGEST_TEXT, word_grams
from pearljoin._errors import ModelError
from pearljoin._typing import FloatMatrix, FloatVector

__all__ = ["NgramPart", "shortened"]

_CHARACTERS_AT_ONCE = 2**19
"""Bounds the memory that the vectors of distinct words take."""
_LARGEST_GATE, _LARGEST_SHARE = 50.0, 10.0


@dataclass(frozen=True)
class NgramPart:
    """A trained bag of n-grams.

    Attributes
    ----------
    table (n_buckets, dim) float32
        Vectors of the n-grams.
    gates (n_buckets,) float32
        Logarithms of their weights.
    share
        Greatest length of this part of a phrase's vector, where the transformer's has length 1.
    """

    table: FloatMatrix
    gates: FloatVector
    share: float

    @property
    def dim(self) -> int:
        """Number of columns that it adds."""
        return int(self.table.shape[1])

    def encode(self, phrases: Sequence[str]) -> FloatMatrix:
        """Return float32 of shape (n_phrases, dim): rows shorter than 1, zeros without a word."""
        return shortened(self._sums(phrases, symbols=True))

    def sums(self, words: Sequence[str]) -> FloatMatrix:
        """Return what words without blanks bring to the sum of their phrase.

        float32 of shape (n_words, dim), zeros for a word without a letter or digit: `shortened`
        sums of them are the vectors of phrases that have one.
        """
        return self._sums(words, symbols=False)

    def _sums(self, phrases: Sequence[str], *, symbols: bool) -> FloatMatrix:
        sums = np.empty((len(phrases), self.dim), dtype=np.float32)
        sizes = np.cumsum([min(len(phrase), LONGEST_TEXT) for phrase in phrases])
        stops = np.flatnonzero(np.diff(sizes // _CHARACTERS_AT_ONCE)) + 1
        for start, stop in pairwise([0, *stops.tolist(), len(phrases)]):
            found = word_grams(phrases[start:stop], len(self.table), symbols=symbols)
            # Sparse products add row by row, in order: a phrase's is the same in any company.
            grams = counts_matrix(found.grams, found.gram_starts, len(self.table))
            counts = np.diff(found.gram_starts).astype(np.float32)
            weights = np.exp((grams @ self.gates) / np.maximum(counts, 1))
            words = unit_rows(grams @ self.table) * weights[:, None]
            sums[start:stop] = counts_matrix(found.words, found.word_starts, len(words)) @ words
        return sums

    def extend(self, vectors: FloatMatrix, phrases: Sequence[str]) -> None:
        """Fill the last columns of vectors whose first ones hold the transformer's unit rows."""
        self.append(vectors, self.encode(phrases))

    def append(self, vectors: FloatMatrix, encoded: FloatMatrix) -> None:
        """Do the same with what `encode` returns."""
        np.multiply(encoded, np.float32(self.share), out=vectors[:, -self.dim :])
        unit_rows(vectors, out=vectors)

    def to_bytes(self) -> bytes:
        """Return the part in 8 bits, a scale for every n-gram: what ``ngrams.npz`` holds.

        Raises
        ------
        ModelError
            If `from_bytes` would refuse it: numbers not finite, a gate or the share out of range.
        """
        arrays = quantise_rows(self.table) | {
            "gates": self.gates.astype(np.float32),
            "share": np.array(self.share, dtype=np.float32),
        }
        try:
            _check(arrays)
        except ValueError as error:
            raise ModelError(
                f"The n-grams cannot be kept. Got: {error}. Hint: train at a lower learning rate."
            ) from error
        return pack_arrays(arrays)

    @classmethod
    def from_bytes(cls, content: bytes, where: str) -> NgramPart:
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
            arrays = unpack_arrays(content, ("codes", "scales", "gates", "share"))
            _check(arrays)
        except Exception as error:  # zipfile's, zlib's and numpy's errors share no base
            raise ModelError(
                f"{where} is no n-gram part. Got: {error}. Hint: export the folder again."
            ) from error
        table = arrays["codes"] * arrays["scales"][:, None]
        return cls(table, arrays["gates"], float(arrays["share"]))


def shortened(sums: FloatMatrix) -> FloatMatrix:
    """Shorten sums of words to less than 1: float32, the shape of `sums`."""
    squares = np.einsum("ij,ij->i", sums, sums)
    found: FloatMatrix = sums / np.sqrt(1 + squares)[:, None]
    return found


def _check(arrays: Arrays) -> None:
    codes, share = arrays["codes"], arrays["share"]
    if codes.ndim != 2 or not codes.size or codes.dtype != np.int8:
        raise ValueError(f"codes of {codes.dtype}, shape {codes.shape}")
    for name in ("scales", "gates"):
        array = arrays[name]
        if array.shape != (len(codes),) or array.dtype != np.float32:
            raise ValueError(f"{name} of {array.dtype}, shape {array.shape}")
        # Weights are exponentials of the gates.
        if not np.isfinite(array).all() or np.abs(array).max() > _LARGEST_GATE:
            raise ValueError(f"{name} out of range")
    if share.shape != () or share.dtype != np.float32 or not 0 < share <= _LARGEST_SHARE:
        raise ValueError(f"a share of {share}")
