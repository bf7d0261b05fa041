"""Words of short texts as a table of hashes, for comparing the words of many pairs at once."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from pearljoin._typing import BoolVector, IntVector

__all__ = ["Words", "hash_words", "one_within_other", "word_bits"]

Words = NDArray[np.uint64]
"""uint64 of shape (n_texts, n_places): hashes of the words of each text; 0 where there is none."""


def hash_words(texts: Sequence[Sequence[str]], most: int) -> Words:
    """Hash the first `most` words of each text, the same in every process; "" is 0."""
    table = np.zeros((len(texts), most), dtype=np.uint64)
    hashes: dict[str, int] = {"": 0}
    for row, words in enumerate(texts):
        for word in words[:most]:
            if word not in hashes:
                digest = blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest()
                hashes[word] = int.from_bytes(digest, "little") | 1
        table[row, : min(most, len(words))] = [hashes[word] for word in words[:most]]
    return table


def word_bits(words: Words) -> NDArray[np.uint64]:
    """Set a bit for each word: uint64 of shape (n_texts,). Texts without one in common share none.

    Texts that share a bit may share a word.
    """
    bits = np.left_shift(np.uint64(1), words >> np.uint64(58))
    bits[words == 0] = 0
    found: NDArray[np.uint64] = np.bitwise_or.reduce(bits, axis=1)
    return found


def one_within_other(
    left: Words, right: Words, left_at: IntVector, right_at: IntVector
) -> BoolVector:
    """Mark pairs of texts of which one has all words of the other, which has some."""
    found = np.zeros(len(left_at), dtype=bool)
    at = np.flatnonzero(word_bits(left)[left_at] & word_bits(right)[right_at])
    one, other = left[left_at[at]], right[right_at[at]]
    same = (one[:, :, None] == other[:, None, :]) & (one > 0)[:, :, None]
    first = (same.any(axis=2) | (one == 0)).all(axis=1)
    second = (same.any(axis=1) | (other == 0)).all(axis=1)
    found[at] = (first | second) & same.any(axis=(1, 2))
    return found
