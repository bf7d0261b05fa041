"""Words of phrases, and the hashed character n-grams of words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from pearljoin._typing import IntVector

__all__ = ["LENGTHS", "LONGEST_TEXT", "WordGrams", "word_grams"]

LENGTHS = (2, 3, 4)
LONGEST_TEXT = 4096
_LONGEST_WORD = 64
_ASCII_WORD = re.compile(r"[a-z0-9]+")
_POLYNOMIAL = 0xEDB88320
"""Of the checksum that zlib.crc32 computes."""


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


def word_grams(phrases: Sequence[str], buckets: int, *, symbols: bool = True) -> WordGrams:
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
    symbols
        Whether a phrase without a letter or digit has the words that stand between its blanks;
        else it has none.

    Examples
    --------
    >>> found = word_grams(["a b", "b"], 1_000)
    >>> found.words.tolist(), found.word_starts.tolist(), found.gram_starts.tolist()
    ([0, 1, 1], [0, 2, 3], [0, 4, 8])
    """
    listed = [_words(phrase, symbols) for phrase in phrases]
    distinct = list(dict.fromkeys(word for words in listed for word in words))
    number = dict(zip(distinct, range(len(distinct)), strict=True))
    uses = [number[word] for words in listed for word in words]
    grams, gram_starts = _all_grams([f"<{word[:_LONGEST_WORD]}>" for word in distinct])
    return WordGrams(
        (grams % buckets).astype(np.int64),
        gram_starts,
        np.array(uses, dtype=np.int64),
        np.fromiter(accumulate(map(len, listed), initial=0), np.int64, len(listed) + 1),
    )


def _words(phrase: str, symbols: bool) -> list[str]:
    if phrase.isascii():
        if phrase.isalnum() and len(phrase) <= LONGEST_TEXT:
            return [phrase.lower()]
        text = _cut(phrase)
        return _ASCII_WORD.findall(text.lower()) or (text.split() if symbols else [])
    text = _cut(phrase)
    # Compatibility characters such as the trade mark hold capitals, so case is folded after.
    parts = unicodedata.normalize("NFKD", text).lower()
    letters = [letter for letter in parts if not unicodedata.combining(letter)]
    return "".join(letter if _is_letter(letter) else " " for letter in letters).split() or (
        "".join(letters).split() if symbols else []
    )


def _cut(phrase: str) -> str:
    """Cut a long text; blanks do not count."""
    if len(phrase) > LONGEST_TEXT:
        phrase = " ".join(phrase.split())
    return phrase[:LONGEST_TEXT]


def _is_letter(letter: str) -> bool:
    """Whether a character is part of a word: letters, digits, vowel signs of Indian scripts."""
    return letter.isalnum() or unicodedata.category(letter) in ("Mc", "Mn")


def _all_grams(marked: list[str]) -> tuple[NDArray[np.uint32], IntVector]:
    """Hash the n-grams of words between marks: each whole, then from the shortest to the longest.

    Returns the hashes, end to end, and int64 of shape (n_words + 1,): where each word begins.
    """
    sizes = np.fromiter(map(len, marked), np.int64, len(marked))
    counts = 1 + sum(np.maximum(sizes - (length - 1), 0) for length in LENGTHS)
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    hashes = np.empty(starts[-1], dtype=np.uint32)
    encoded = [word.encode("utf-8", "surrogatepass") for word in marked]
    hashes[starts[:-1]] = np.fromiter(map(crc32, encoded), np.uint32, len(encoded))
    bytes_of = np.fromiter(map(len, encoded), np.int64, len(encoded))
    is_ascii = bytes_of == sizes
    for word in np.flatnonzero(~is_ascii).tolist():
        hashes[starts[word] + 1 : starts[word + 1]] = _grams_of(marked[word])
    # Of characters of one byte, all words' n-grams of one length are hashed at once.
    rows = np.flatnonzero(is_ascii)
    if len(rows):
        joined = np.frombuffer(b"".join(encoded[row] for row in rows.tolist()), dtype=np.uint8)
        _hash_ascii(joined, sizes[rows], starts[rows] + 1, hashes)
    return hashes, starts


def _grams_of(marked: str) -> list[int]:
    """Hash the n-grams of one word, the whole of it left out."""
    return [
        crc32(marked[start : start + length].encode("utf-8", "surrogatepass"))
        for length in LENGTHS
        for start in range(len(marked) - length + 1)
    ]


def _hash_ascii(
    letters: NDArray[np.uint8], sizes: IntVector, places: IntVector, hashes: NDArray[np.uint32]
) -> None:
    """Hash the n-grams of words of ASCII.

    Parameters
    ----------
    letters
        The words' characters, end to end.
    sizes
        int64 of shape (n_words,): characters of each word.
    places
        int64 of shape (n_words,): where each word's first n-gram goes in `hashes`.
    hashes
        Filled in place.
    """
    ends = np.cumsum(sizes)
    first = np.repeat(ends - sizes, sizes)
    at = np.arange(len(letters))
    left = np.repeat(ends, sizes) - at
    where = np.repeat(places, sizes) + at - first
    table = _crc_table()
    checksum = np.full(len(letters), 0xFFFFFFFF, dtype=np.uint32)
    for length in range(1, max(LENGTHS) + 1):
        # Each step adds the next character; n-grams that would leave their word are dropped.
        kept = left >= length
        checksum, at, left, where = checksum[kept], at[kept], left[kept], where[kept]
        checksum = table[(checksum ^ letters[at + (length - 1)]) & 0xFF] ^ (checksum >> 8)
        if length in LENGTHS:
            hashes[where] = ~checksum
            shift = np.maximum(sizes - (length - 1), 0)
            where = where + np.repeat(shift, shift)


def _crc_table() -> NDArray[np.uint32]:
    """Return the checksum of each byte: uint32 of shape (256,)."""
    table = np.arange(256, dtype=np.uint32)
    for _ in range(8):
        table = (table >> np.uint32(1)) ^ np.where(table & 1, _POLYNOMIAL, 0).astype(np.uint32)
    return table
