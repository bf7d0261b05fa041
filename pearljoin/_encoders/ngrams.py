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

import io
import re
import unicodedata
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any
from zlib import crc32

import numpy as np

from pearljoin._encoders.unit_vectors import unit_rows
from pearljoin._errors import ModelError
from pearljoin._typing import FloatMatrix, FloatVector, IntVector

__all__ = ["NgramPart", "WordGrams", "word_grams"]

LENGTHS = (2, 3, 4)
_LONGEST_TEXT = 4096
_LONGEST_WORD = 64
_CHARACTERS_AT_ONCE = 2**17
"""Bounds the memory that the vectors of distinct words take."""
_LARGEST_GATE, _LARGEST_SHARE = 50.0, 10.0
_ASCII_WORD = re.compile(r"[a-z0-9]+")


@dataclass(frozen=True)
class WordGrams:
    """Words of phrases, and n-grams of the distinct words.

    Attributes
    ----------
    grams (n_grams,) int64
        Buckets of all words' n-grams, end to end.
    gram_starts (n_words + 1,) int64
        Where each word begins in `grams`, and the end.
    words (n_uses,) int64
        All phrases' words, as numbers of distinct words, end to end.
    word_starts (n_phrases + 1,) int64
        Where each phrase begins in `words`, and the end.
    """

    grams: IntVector
    gram_starts: IntVector
    words: IntVector
    word_starts: IntVector


def word_grams(phrases: Sequence[str], buckets: int) -> WordGrams:
    """Split phrases into words, and words into hashed n-grams.

    Texts are put into lower case; accents and punctuation are gone. The n-grams are those of 2 to 4
    characters of the word between ``<`` and ``>``, and the whole of it; crc32 of their UTF-8 gives
    the bucket. Texts are cut at 4,096 characters, words at 64.

    Parameters
    ----------
    phrases
        Any strings.
    buckets
        Number of buckets, at least 1.

    Examples
    --------
    >>> found = word_grams(["a b", "b"], 1_000)
    >>> found.words.tolist(), found.word_starts.tolist(), found.gram_starts.tolist()
    ([0, 1, 1], [0, 2, 3], [0, 4, 8])
    """
    numbers: dict[str, int] = {}
    words: list[int] = []
    word_starts = np.zeros(len(phrases) + 1, dtype=np.int64)
    for row, phrase in enumerate(phrases, start=1):
        words += [numbers.setdefault(word, len(numbers)) for word in _words(phrase)]
        word_starts[row] = len(words)
    grams: list[int] = []
    gram_starts = np.zeros(len(numbers) + 1, dtype=np.int64)
    for row, word in enumerate(numbers, start=1):
        grams += [crc32(gram) % buckets for gram in _grams(word)]
        gram_starts[row] = len(grams)
    return WordGrams(
        np.array(grams, dtype=np.int64), gram_starts, np.array(words, dtype=np.int64), word_starts
    )


def _words(phrase: str) -> list[str]:
    text = _cut(phrase)
    if text.isascii():
        return _ASCII_WORD.findall(text.lower()) or text.split()
    # Compatibility characters such as the trade mark hold capitals, so case is folded after.
    parts = unicodedata.normalize("NFKD", text).lower()
    letters = [letter for letter in parts if not unicodedata.combining(letter)]
    return "".join(letter if _is_letter(letter) else " " for letter in letters).split() or (
        "".join(letters).split()
    )


def _cut(phrase: str) -> str:
    """Cut a long text; blanks do not count."""
    if len(phrase) > _LONGEST_TEXT:
        phrase = " ".join(phrase.split())
    return phrase[:_LONGEST_TEXT]


def _is_letter(letter: str) -> bool:
    """Whether a character is part of a word: letters, digits, vowel signs of Indian scripts."""
    return letter.isalnum() or unicodedata.category(letter) in ("Mc", "Mn")


def _grams(word: str) -> list[bytes]:
    marked = f"<{word[:_LONGEST_WORD]}>"
    grams = [marked] + [
        marked[start : start + length]
        for length in LENGTHS
        for start in range(len(marked) - length + 1)
    ]
    return [gram.encode("utf-8", "surrogatepass") for gram in grams]


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
        vectors = np.empty((len(phrases), self.dim), dtype=np.float32)
        sizes = np.cumsum([min(len(phrase), _LONGEST_TEXT) for phrase in phrases])
        stops = np.flatnonzero(np.diff(sizes // _CHARACTERS_AT_ONCE)) + 1
        for start, stop in pairwise([0, *stops.tolist(), len(phrases)]):
            vectors[start:stop] = self._encode(phrases[start:stop])
        return vectors

    def _encode(self, phrases: Sequence[str]) -> FloatMatrix:
        found = word_grams(phrases, len(self.table))
        # Sparse products add row by row, in order: a phrase's vector is the same in any company.
        grams = _ones(found.grams, found.gram_starts, len(self.table))
        counts = np.diff(found.gram_starts).astype(np.float32)
        weights = np.exp((grams @ self.gates) / np.maximum(counts, 1))
        words = unit_rows(grams @ self.table) * weights[:, None]
        sums = _ones(found.words, found.word_starts, len(words)) @ words
        squares = np.einsum("ij,ij->i", sums, sums)
        shortened: FloatMatrix = sums / np.sqrt(1 + squares)[:, None]
        return shortened

    def extend(self, vectors: FloatMatrix, phrases: Sequence[str]) -> None:
        """Fill the last columns of vectors whose first ones hold the transformer's unit rows."""
        vectors[:, -self.dim :] = np.float32(self.share) * self.encode(phrases)
        vectors[:] = unit_rows(vectors)

    def to_bytes(self) -> bytes:
        """Return the part in 8 bits, a scale for every n-gram: what ``ngrams.npz`` holds.

        Raises
        ------
        ModelError
            If `from_bytes` would refuse it: numbers not finite, a gate or the share out of range.
        """
        scales = (np.abs(self.table).max(axis=1) / 127).astype(np.float32)
        codes = np.rint(self.table / np.where(scales > 0, scales, 1)[:, None])
        arrays = {
            "codes": np.nan_to_num(codes).astype(np.int8),
            "scales": scales,
            "gates": self.gates.astype(np.float32),
            "share": np.array(self.share, dtype=np.float32),
        }
        try:
            _check(arrays)
        except ValueError as error:
            raise ModelError(
                f"The n-grams cannot be kept. Got: {error}. Hint: train at a lower learning rate."
            ) from error
        content = io.BytesIO()
        np.savez(content, **arrays)
        return content.getvalue()

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
            arrays = _read_arrays(content)
            _check(arrays)
        except Exception as error:  # zipfile's, zlib's and numpy's errors share no base
            raise ModelError(
                f"{where} is no n-gram part. Got: {error}. Hint: export the folder again."
            ) from error
        table = arrays["codes"] * arrays["scales"][:, None]
        return cls(table, arrays["gates"], float(arrays["share"]))


def _ones(columns: IntVector, starts: IntVector, n_columns: int) -> Any:
    """Make a sparse matrix of counts: how often each row lists each column."""
    from scipy.sparse import csr_array

    ones = np.ones(len(columns), dtype=np.float32)
    return csr_array((ones, columns, starts), shape=(len(starts) - 1, n_columns))


def _read_arrays(content: bytes) -> dict[str, np.ndarray[Any, Any]]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        unpacked = sum(entry.file_size for entry in archive.infolist())
        if unpacked > len(content):
            raise ValueError(f"{unpacked:,} bytes packed into {len(content):,}")
    with np.load(io.BytesIO(content), allow_pickle=False) as file:
        return {name: file[name] for name in ("codes", "scales", "gates", "share")}


def _check(arrays: Mapping[str, np.ndarray[Any, Any]]) -> None:
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
