"""Tables of word vectors: one protocol, and the ways to get one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike

from pearljoin._errors import InputError
from pearljoin._typing import BoolVector, FloatMatrix

__all__ = [
    "ArrayTable",
    "SubwordTable",
    "VectorSource",
    "WordTable",
    "load_word_table",
]

VectorSource: TypeAlias = str | Path | Mapping[str, ArrayLike] | Any
"""What `load_word_table` reads."""


@runtime_checkable
class WordTable(Protocol):
    """Vectors of single words."""

    @property
    def dim(self) -> int:
        """Numbers in a word's vector."""
        ...

    def lookup(self, words: Sequence[str]) -> tuple[FloatMatrix, BoolVector]:
        """Return the words' vectors.

        Returns
        -------
        vectors
            float32 of shape (n_words, dim); zeros for words that are not in the table.
        known
            bool of shape (n_words,): which words are.
        """
        ...

    def sample(self, limit: int) -> tuple[list[str], FloatMatrix]:
        """Return up to `limit` of the table's words, the first ones, and their vectors."""
        ...


@runtime_checkable
class SubwordTable(WordTable, Protocol):
    """A table that can also make up a vector for a word that it does not hold."""

    def compose(self, words: Sequence[str]) -> FloatMatrix:
        """Return vectors made of the words' parts.

        Returns
        -------
        vectors
            float32 of shape (n_words, dim); zeros where the table has no part of the word.
        """
        ...


class ArrayTable:
    """Word vectors in one array.

    Parameters
    ----------
    index
        Row of each word.
    matrix
        float32 of shape (n_words, dim), finite.
    """

    def __init__(self, index: Mapping[str, int], matrix: FloatMatrix) -> None:
        self.index = index
        self.matrix = matrix

    @property
    def dim(self) -> int:
        """Numbers in a word's vector."""
        return int(self.matrix.shape[1])

    def lookup(self, words: Sequence[str]) -> tuple[FloatMatrix, BoolVector]:
        """Return the words' vectors; see `WordTable`."""
        rows = np.array([self.index.get(word, -1) for word in words], dtype=np.int64)
        known = rows >= 0
        vectors = np.zeros((len(words), self.dim), dtype=np.float32)
        vectors[known] = self.matrix[rows[known]]
        return vectors, known

    def sample(self, limit: int) -> tuple[list[str], FloatMatrix]:
        """Return the table's first words and their vectors."""
        words = list(self.index)[:limit]
        return words, self.lookup(words)[0]


class GensimSubwords(ArrayTable):
    """Gensim's FastText vectors: an array, and n-grams for the words outside it."""

    def __init__(self, vectors: Any) -> None:
        super().__init__(vectors.key_to_index, vectors.vectors)
        self._vectors = vectors

    def compose(self, words: Sequence[str]) -> FloatMatrix:
        """Return vectors from the words' character n-grams; see `SubwordTable`."""
        found = np.zeros((len(words), self.dim), dtype=np.float32)
        for row, word in enumerate(words):
            try:
                found[row] = self._vectors.get_vector(word)
            except KeyError:  # too short to have an n-gram
                continue
        return found


def load_word_table(source: VectorSource) -> WordTable:
    """Read word vectors from whatever holds them.

    Parameters
    ----------
    source
        The path of a file: word2vec and FastText (text and binary), GloVe. A mapping from word
        to vector. A gensim ``KeyedVectors``, or a gensim model that has one. An object that is a
        `WordTable` already.

    Raises
    ------
    InputError
        If it is none of these, or holds no vectors, or vectors of different lengths, or numbers
        that are not finite.
    """
    if isinstance(source, str | Path):
        return _from_path(source)
    source = getattr(source, "wv", source)
    if hasattr(source, "key_to_index") and hasattr(source, "vectors"):
        _check(source.vectors, "the gensim vectors")
        subwords = hasattr(source, "vectors_ngrams")
        return (
            GensimSubwords(source) if subwords else ArrayTable(source.key_to_index, source.vectors)
        )
    if isinstance(source, Mapping):
        return _from_mapping(source)
    if isinstance(source, WordTable):
        return source
    raise InputError(
        f"Word vectors cannot be read from this. Got {type(source).__name__}. Hint: pass the path "
        "of a word2vec, FastText or GloVe file, a gensim KeyedVectors, or a dict of arrays."
    )


def _from_path(source: str | Path) -> WordTable:
    # Here, for the readers of files make tables of this module's kinds.
    from pearljoin._word_vectors._files import read_word_vectors

    path = Path(source).expanduser()
    if not path.is_file():
        raise InputError(
            f"There are no word vectors of this name. Got {str(source)!r}. Hint: give the path of "
            "a file, or leave `vectors` at 'default'."
        )
    return read_word_vectors(path)


def _from_mapping(source: Mapping[str, ArrayLike]) -> ArrayTable:
    odd = next((word for word in source if not isinstance(word, str)), None)
    if odd is not None:  # it would match no word of any text, and nobody would be told
        raise InputError(
            f"The words of a mapping of word vectors are strings. Got {odd!r}. "
            "Hint: write the keys as the words stand in the texts, say '1984' for 1984."
        )
    try:
        with np.errstate(over="ignore"):  # to infinity, which is refused below
            rows = [np.asarray(vector, dtype=np.float32) for vector in source.values()]
    except (TypeError, ValueError) as error:
        raise InputError(
            f"A mapping of word vectors holds rows of numbers. Got one that does not ({error}). "
            "Hint: pass {word: array of dim numbers, ...}."
        ) from error
    lengths = {row.shape for row in rows}
    if len(lengths) != 1 or len(shape := next(iter(lengths))) != 1 or not shape[0]:
        raise InputError(
            "A mapping of word vectors needs at least one word, and vectors of one length. Got "
            f"shapes {sorted(lengths)[:3]}. Hint: pass {{word: array of dim numbers, ...}}."
        )
    matrix = np.stack(rows)
    _check(matrix, "the mapping")
    return ArrayTable({word: row for row, word in enumerate(source)}, matrix)


def _check(matrix: FloatMatrix, what: str) -> None:
    # The sum of all numbers is finite exactly when each is (or they are absurdly large).
    if not len(matrix) or not np.isfinite(matrix.sum(dtype=np.float64)):
        raise InputError(
            f"Word vectors must be finite and at least one. Got {len(matrix)} in {what}. "
            "Hint: drop the words whose vectors hold NaN or infinity."
        )
