"""Stores of words, each with a row: with vectors, or for tf-idf without.

`WordStore` keeps the words met so far with their vectors; `TfidfVocabulary` has the counted words
alone, one column each, for plain tf-idf.
"""

from __future__ import annotations

import re
import threading
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pearljoin._typing import BoolVector, FloatMatrix, FloatVector, IntVector
from pearljoin._word_vectors.document_frequencies import DocumentFrequencies
from pearljoin._word_vectors.tables import WordTable
from pearljoin._word_vectors.unknown import Impute

__all__ = ["UNKNOWN", "TfidfVocabulary", "WordRows", "WordStore", "checksums"]

UNKNOWN = -1
"""Row of a word that has none."""

FIRST_ROWS = 1024

_digits = re.compile(r"\d+")


@dataclass(frozen=True)
class WordRows:
    """Rows of some words in arrays of vectors, idf and checksums.

    Attributes
    ----------
    ids
        int64 of shape (n_words,): rows of the arrays below; `UNKNOWN` for a word without one.
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


class WordStore:
    """Cache of the words met so far, in front of a word table. Safe to use from several threads.

    Each word is looked up once, however many texts it is in.

    Parameters
    ----------
    table
        Where vectors come from.
    counts
        Document frequencies.
    impute
        Gives words that the table lacks a vector: a list of words to float32 of shape (n_words,
        dim), zeros for none. None leaves such words out.
    capacity
        Words kept. Once there are more, the store starts over before the next call.
    """

    def __init__(
        self,
        table: WordTable,
        counts: DocumentFrequencies,
        *,
        impute: Impute | None = None,
        capacity: int = 200_000,
    ) -> None:
        self.table = table
        self._counts = counts
        self._impute = impute
        self._capacity = capacity
        self._lock = threading.Lock()
        self._clear()

    def rows(self, words: Sequence[str]) -> WordRows:
        """Return the rows of words, looking up those not met before."""
        with self._lock:
            if len(self._known) > self._capacity:
                self._clear()
            known = self._known
            missing = [word for word in dict.fromkeys(words) if word not in known]
            if missing:
                self._add(missing)
            ids = np.fromiter(map(known.__getitem__, words), dtype=np.int64, count=len(words))
            return WordRows(ids, self._matrix, self._idf, self._ties)

    def _clear(self) -> None:
        self._known: dict[str, int] = {}
        self._used = 0
        self._matrix = np.empty((FIRST_ROWS, self.table.dim), dtype=np.float32)
        self._idf = np.empty(FIRST_ROWS, dtype=np.float32)
        self._ties = np.empty(FIRST_ROWS, dtype=np.uint64)

    def _add(self, words: list[str]) -> None:
        vectors, known = self._find(words)
        found = [word for word, is_known in zip(words, known, strict=True) if is_known]
        self._grow(self._used + len(found))
        rows = slice(self._used, self._used + len(found))
        self._matrix[rows] = vectors if len(found) == len(words) else vectors[known]
        self._idf[rows] = self._counts.idf(found)
        self._ties[rows] = checksums(found)
        self._known.update(dict.fromkeys(words, UNKNOWN))
        self._known.update({word: self._used + place for place, word in enumerate(found)})
        self._used += len(found)

    def _find(self, words: list[str]) -> tuple[FloatMatrix, BoolVector]:
        """Look words up as they are, then with numbers as "0", then impute what is left."""
        vectors, known = self.table.lookup(words)
        zeroed = {row: _digits.sub("0", words[row]) for row in np.flatnonzero(~known).tolist()}
        numbers = [row for row, word in zeroed.items() if word != words[row]]
        if numbers:
            vectors[numbers], known[numbers] = self.table.lookup([zeroed[row] for row in numbers])
        unknown = np.flatnonzero(~known)
        if self._impute is not None and len(unknown):
            imputed = self._impute([words[row] for row in unknown])
            vectors[unknown] = imputed
            known[unknown] = imputed.any(axis=1)
        return vectors, known

    def _grow(self, needed: int) -> None:
        # New arrays, never a resize in place: another thread may still read the old ones.
        size = len(self._matrix)
        if needed > size:
            # WordRows never written take no memory, and copying those that were takes time: so far
            # beyond what is needed, but not beyond what the store ever holds.
            size = max(needed, min(16 * size, self._capacity + FIRST_ROWS))
            self._matrix, self._idf, self._ties = (
                _grown(array[: self._used], size) for array in (self._matrix, self._idf, self._ties)
            )


def _grown(array: NDArray[Any], size: int) -> NDArray[Any]:
    grown = np.empty((size, *array.shape[1:]), dtype=array.dtype)
    grown[: len(array)] = array
    return grown


class TfidfVocabulary:
    """The counted words in alphabetical order, one column each: tf-idf needs no word vectors.

    Parameters
    ----------
    counts
        Document frequencies.
    """

    def __init__(self, counts: DocumentFrequencies) -> None:
        self.words = sorted(counts.counts)
        self._index = {word: column for column, word in enumerate(self.words)}
        self._idf = counts.idf(self.words)
        self._ties = checksums(self.words)
        self._matrix = np.zeros((len(self.words), 0), dtype=np.float32)

    def rows(self, words: Sequence[str]) -> WordRows:
        """Return the columns of words; see `WordStore`."""
        ids = np.array([self._index.get(word, UNKNOWN) for word in words], dtype=np.int64)
        return WordRows(ids, self._matrix, self._idf, self._ties)
