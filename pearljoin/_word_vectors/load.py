"""From a path, a mapping or a gensim object to a table of word vectors."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from pearljoin._errors import InputError
from pearljoin._typing import FloatMatrix
from pearljoin._word_vectors.files import read_word_vectors
from pearljoin._word_vectors.tables import ArrayTable, GensimSubwords, WordTable

__all__ = ["load_word_table"]

VectorSource: TypeAlias = str | Path | Mapping[str, ArrayLike] | Any
"""What `load_word_table` reads."""


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
