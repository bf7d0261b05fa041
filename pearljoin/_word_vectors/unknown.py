"""What the `unknown` option makes of words that a table of word vectors lacks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from pearljoin._errors import InputError
from pearljoin._typing import FloatMatrix
from pearljoin._word_vectors.characters import CharacterEncoder
from pearljoin._word_vectors.tables import SubwordTable, WordTable

__all__ = ["Impute", "imputer"]

Impute: TypeAlias = Callable[[Sequence[str]], FloatMatrix]

SAMPLE = 10_000
"""Words of the table, the first ones, whose median length is the usual one."""


def imputer(unknown: Any, table: WordTable) -> Impute | None:
    """Turn the `unknown` option of `WeightedWordEncoder` into a function of words.

    Parameters
    ----------
    unknown
        ``"skip"``, ``"characters"``, or an object with ``encode_words`` or ``encode``.
    table
        The table whose words are complemented.

    Returns
    -------
    impute
        From words to float32 of shape (n_words, dim), zeros where a word cannot be made up; None
        to leave all unknown words out.

    Raises
    ------
    InputError
        If it is none of these.
    """
    if isinstance(unknown, str) and unknown == "skip":
        return None
    if isinstance(unknown, str) and unknown == "characters":
        if isinstance(table, SubwordTable):
            return table.compose
        return CharacterEncoder(table).encode
    for name in ("encode_words", "encode"):
        encode = getattr(unknown, name, None)
        if callable(encode) and not isinstance(unknown, str | bytes | type):
            return _OfUsualLength(encode, table)
    raise InputError(
        f"unknown must be 'skip', 'characters' or an encoder of words. Got {unknown!r}. "
        "Hint: 'skip' leaves out words that have no vector."
    )


class _OfUsualLength:
    """Gives a user's vectors the usual length of the table's, so that they count as much."""

    def __init__(self, encode: Callable[[list[str]], Any], table: WordTable) -> None:
        self._encode = encode
        self._dim = table.dim
        lengths = np.linalg.norm(table.sample(SAMPLE)[1], axis=1)
        self._length = np.float32(np.median(lengths)) if len(lengths) else np.float32(1.0)

    def __call__(self, words: Sequence[str]) -> FloatMatrix:
        found = np.array(self._encode(list(words)), dtype=np.float32)
        if found.shape != (len(words), self._dim):
            raise InputError(
                f"The encoder for unknown words must give vectors of the word table's "
                f"{self._dim} numbers. Got an array of shape {found.shape} for {len(words)} "
                "words. Hint: train it to imitate this table, or use unknown='characters'."
            )
        if not np.isfinite(found).all():
            raise InputError(
                "The encoder for unknown words must give finite vectors. Got NaN or infinity for "
                f"{words[int(np.argmin(np.isfinite(found).all(axis=1)))]!r}. Hint: give zeros for "
                "a word that is to be left out."
            )
        lengths = np.linalg.norm(found, axis=1, keepdims=True)
        found *= self._length / np.where(lengths > 0, lengths, np.float32(1.0))
        return found
