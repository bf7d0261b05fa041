"""Partial ratio of pairs of texts; of many long ones at a tenth of what rapidfuzz takes for them.

Long texts are cut to one length. Of two texts of one length the partial ratio is the highest ratio
of either with a beginning or an end of the other. rapidfuzz compares each anew; the longest
common subsequences of a text with all beginnings of another come out of one run of the bit-parallel
algorithm (Hyyrö 2004, "Bit-parallel LCS-length computation revisited"), which is run here for many
pairs at once.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pearljoin._features.string_similarity import fuzz_similarity
from pearljoin._ragged import places_of
from pearljoin._text.token_similarity import bits_set
from pearljoin._text.tokens import LONGEST
from pearljoin._typing import BoolVector, FloatVector, IntVector

__all__ = ["partial_similarity"]

MANY_LONG = 50
"""Pairs of texts of one length from which all are compared at once: fewer take longer so."""

MOST_LETTERS = 128
"""Different letters of a table of texts, up to which it holds the places of each."""

PAIRS_IN_TABLE, PAIRS_AT_ONCE = 4_096, 1_024
"""Pairs whose texts are in one table, which takes some kilobytes a text, and pairs of it that are
computed at a time: what is computed of them stays near the processor."""

BITS, ONES = 63, np.uint64((1 << 63) - 1)
"""Places in a number of 64 bits, whose last bit is what is carried over."""

Texts = NDArray[np.object_]
Bits = NDArray[np.uint64]
Letters = NDArray[np.intp]


def partial_similarity(
    left: Texts, right: Texts, left_at: IntVector, right_at: IntVector
) -> FloatVector:
    """Compute the partial ratio of pairs of texts: float32 of shape (n_pairs,), in [0, 1].

    The highest edit ratio of the shorter text with a part of the longer one.

    Parameters
    ----------
    left, right
        Texts of both sides, cut to `LONGEST` characters.
    left_at, right_at
        int64 of shape (n_pairs,): the texts of each pair.
    """
    found = np.zeros(len(left_at), dtype=np.float32)
    are_long = _are_cut(left)[left_at] & _are_cut(right)[right_at]
    at = places_of(are_long)
    if len(at) < MANY_LONG:
        at = at[:0]
    for start in range(0, len(at), PAIRS_IN_TABLE):
        part = at[start : start + PAIRS_IN_TABLE]
        ratios = _of_one_length(left, right, left_at[part], right_at[part])
        if ratios is None:
            are_long[part] = False
        else:
            found[part] = ratios
    at = places_of(~are_long) if len(at) else np.arange(len(left_at))
    found[at] = fuzz_similarity("partial_ratio", left[left_at[at]], right[right_at[at]])
    return found


def _are_cut(texts: Texts) -> BoolVector:
    return np.asarray(np.fromiter(map(len, texts), np.int64, len(texts)) == LONGEST, dtype=bool)


def _of_one_length(
    left: Texts, right: Texts, left_at: IntVector, right_at: IntVector
) -> FloatVector | None:
    """As `partial_similarity`, of texts of one length.

    None where they have more than `MOST_LETTERS` different letters.
    """
    lefts, left_place = np.unique(left_at, return_inverse=True)
    rights, right_place = np.unique(right_at, return_inverse=True)
    left_place, right_place = left_place.reshape(-1), right_place.reshape(-1) + len(lefts)
    texts = [*left[lefts], *right[rights]]
    points = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    alphabet, letters = np.unique(points, return_inverse=True)
    if len(alphabet) > MOST_LETTERS:
        return None
    forwards: Letters = letters.reshape(len(texts), -1)
    best = np.zeros(len(left_at), dtype=np.float64)
    for rows in (forwards, forwards[:, ::-1]):
        places = _places(rows, len(alphabet))
        for start in range(0, len(left_at), PAIRS_AT_ONCE):
            part = slice(start, start + PAIRS_AT_ONCE)
            pairs = left_place[part], right_place[part]
            found = _best_beginning(places, rows, len(alphabet), *pairs)
            best[part] = np.maximum(best[part], found)
    return np.asarray((best * 100).astype(np.float32) / np.float32(100), dtype=np.float32)


def _places(rows: Letters, n_letters: int) -> Bits:
    """Where each text has each letter: bits of shape (n_words, n_texts * n_letters)."""
    n_texts, length = rows.shape
    found = np.zeros((-(-length // BITS), n_texts, n_letters), dtype=np.uint64)
    texts = np.arange(n_texts)
    for at in range(length):
        found[at // BITS, texts, rows[:, at]] |= np.uint64(1 << (at % BITS))
    return found.reshape(len(found), -1)


def _best_beginning(
    places: Bits, rows: Letters, n_letters: int, left: IntVector, right: IntVector
) -> NDArray[np.float64]:
    """The highest ratio of each text with a beginning of the other, in [0, 1]."""
    n_pairs, length = len(left), rows.shape[1]
    # A zero at a place stands for one more letter in common up to there.
    state = np.full((len(places), n_pairs), ONES, dtype=np.uint64)
    total, common, ones = np.empty_like(state), np.empty_like(state), []
    first, theirs = left * n_letters, np.ascontiguousarray(rows[right].T)
    for at in range(length):
        np.take(places, first + theirs[at], axis=1, out=common, mode="clip")
        common &= state
        np.add(state, common, out=total)
        for word in range(1, len(places)):
            total[word] += total[word - 1] >> BITS
        total &= ONES
        state ^= common
        state |= total
        ones.append(bits_set(state).sum(axis=0, dtype=np.uint16))
    n_common = BITS * len(places) - np.stack(ones).astype(np.int64)
    # The zeros up to each place are what a beginning of the left text has in common with the right.
    bits = np.unpackbits(state.astype("<u8")[:, :, None].view(np.uint8), axis=2, bitorder="little")
    by_place = bits[:, :, :BITS].transpose(0, 2, 1).reshape(-1, n_pairs)[:length]
    n_common = np.maximum(n_common, (1 - by_place).cumsum(axis=0, dtype=np.int64))
    both = length + np.arange(1, length + 1)[:, None]
    ratio = 1 - (both - 2 * n_common) / both  # as rapidfuzz rounds it
    return np.asarray(ratio.max(axis=0), dtype=np.float64)
