"""FastText's binary model files: vectors of words, and of n-grams for all other words."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO

import numpy as np

from pearljoin._errors import InputError
from pearljoin._typing import BoolVector, FloatMatrix

__all__ = ["MAGIC", "FastTextTable", "NgramRules", "read_fasttext"]

MAGIC = struct.pack("<i", 793712314)
VERSIONS = (11, 12)
WORD_ENTRY = 0
FNV_START, FNV_PRIME, MASK = 2166136261, 16777619, 0xFFFFFFFF


@dataclass(frozen=True)
class NgramRules:
    """Which character n-grams a model uses, and the rows of their vectors.

    Attributes
    ----------
    shortest, longest
        Characters of an n-gram; ``longest`` 0 means none are used.
    buckets
        Number of rows that n-grams are hashed into.
    """

    shortest: int
    longest: int
    buckets: int

    def rows(self, word: str) -> list[int]:
        """Return the hashed n-grams of a word in angle brackets, each in [0, buckets)."""
        if not self.longest or not self.buckets:
            return []
        return [_hash(ngram) % self.buckets for ngram in self._ngrams(f"<{word}>")]

    def _ngrams(self, word: str) -> Iterator[str]:
        for start in range(len(word)):
            for end in range(start + self.shortest, min(start + self.longest, len(word)) + 1):
                if end - start > 1 or 0 < start < len(word) - 1:
                    yield word[start:end]


def _hash(ngram: str) -> int:
    """FNV-1a over the UTF-8 bytes, each sign-extended as in FastText's code."""
    value = FNV_START
    for byte in ngram.encode("utf-8", errors="surrogatepass"):
        value = ((value ^ (byte if byte < 128 else byte | 0xFFFFFF00)) * FNV_PRIME) & MASK
    return value


class FastTextTable:
    """The input matrix of a FastText model.

    Parameters
    ----------
    index
        Row of each word.
    matrix
        float32 of shape (n_words + buckets, dim).
    rules
        The n-grams of the model.
    """

    def __init__(self, index: dict[str, int], matrix: FloatMatrix, rules: NgramRules) -> None:
        self.index = index
        self.matrix = matrix
        self.rules = rules

    @property
    def dim(self) -> int:
        """Numbers in a word's vector."""
        return int(self.matrix.shape[1])

    def lookup(self, words: Sequence[str]) -> tuple[FloatMatrix, BoolVector]:
        """Return the mean of each listed word's row and its n-grams' rows; see `WordTable`."""
        known = np.array([word in self.index for word in words], dtype=np.bool_)
        vectors = np.zeros((len(words), self.dim), dtype=np.float32)
        for row in np.flatnonzero(known).tolist():
            parts = [self.index[words[row]], *self._ngram_rows(words[row])]
            vectors[row] = self.matrix[parts].mean(axis=0)
        return vectors, known

    def compose(self, words: Sequence[str]) -> FloatMatrix:
        """Return the mean of the words' n-grams; see `SubwordTable`."""
        vectors = np.zeros((len(words), self.dim), dtype=np.float32)
        for row, word in enumerate(words):
            parts = self._ngram_rows(word)
            if parts:
                vectors[row] = self.matrix[parts].mean(axis=0)
        return vectors

    def sample(self, limit: int) -> tuple[list[str], FloatMatrix]:
        """Return the table's first words and their vectors."""
        words = list(self.index)[:limit]
        return words, self.lookup(words)[0]

    def _ngram_rows(self, word: str) -> list[int]:
        return [len(self.index) + row for row in self.rules.rows(word)]


def read_fasttext(file: BinaryIO) -> FastTextTable:
    """Read an unquantised FastText model, positioned at its start.

    Raises
    ------
    InputError
        If it is quantised, cut short, or of an unknown version.
    """
    version = _unpack(file, "<ii")[1]
    if version not in VERSIONS:
        raise InputError(f"FastText version {version} is not one of {VERSIONS}")
    settings = _unpack(file, "<12id")
    n_entries, n_words, n_labels, _, n_pruned = _unpack(file, "<3i2q")
    if n_labels or n_pruned > 0:
        raise InputError("it is a supervised or pruned FastText model")
    words = [_read_entry(file) for _ in range(n_entries)]
    if _unpack(file, "<?")[0]:
        raise InputError("it is a quantised FastText model")
    matrix = _read_matrix(file)
    buckets, shortest, longest = settings[8:11]
    index = {word: row for row, word in enumerate(words)}
    used = len(matrix) - n_words
    if len(index) != n_words or used not in (0, buckets):
        raise InputError(f"its dictionary has {len(index)} words and its matrix {len(matrix)} rows")
    return FastTextTable(index, matrix, NgramRules(shortest, longest, used))


def _unpack(file: BinaryIO, layout: str) -> tuple[int, ...]:
    data = file.read(struct.calcsize(layout))
    if len(data) < struct.calcsize(layout):
        raise InputError("it is cut short")
    return struct.unpack(layout, data)


def _read_entry(file: BinaryIO) -> str:
    word = bytearray()
    while (byte := file.read(1)) != b"\0":
        if not byte:
            raise InputError("it is cut short")
        word += byte
    kind = _unpack(file, "<qb")[1]
    if kind != WORD_ENTRY:
        raise InputError("it is a supervised FastText model")
    return word.decode("utf-8", errors="replace")


def _read_matrix(file: BinaryIO) -> FloatMatrix:
    rows, dim = _unpack(file, "<2q")
    if rows < 1 or dim < 1:
        raise InputError(f"its matrix has shape ({rows}, {dim})")
    data = file.read(4 * rows * dim)
    if len(data) < 4 * rows * dim:
        raise InputError("it is cut short")
    matrix = np.frombuffer(data, dtype="<f4").reshape(rows, dim).astype(np.float32)
    if not np.isfinite(matrix).all():
        raise InputError("it holds numbers that are not finite")
    return matrix
