"""Which tokens of one vocabulary are similar to which of another, listed once.

Nearly all tokens of two long texts have nothing in common, so a list of those that do is short.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pearljoin._ragged import places_of
from pearljoin._text.token_similarity import (
    EDIT_PENALTY,
    LONGEST_PREFIX,
    TokenShapes,
    TokenSimilarity,
    bits_set,
)
from pearljoin._typing import IntVector, Pairs

__all__ = ["similar_tokens"]

CELLS_AT_ONCE = 250_000
"""Pairs of tokens whose letters are compared at a time: what is computed of them stays near the
processor."""


def similar_tokens(
    shapes: TokenShapes, left: IntVector, right: IntVector, most: int
) -> tuple[IntVector, IntVector, TokenSimilarity] | None:
    """List the pairs of a left and a right token that are similar in any way.

    Parameters
    ----------
    shapes
        The tokens of both sides.
    left, right
        int64 of shape (n_left,) and (n_right,), ascending: numbers of tokens.
    most
        Pairs that are compared at most.

    Returns
    -------
    first, second
        int64 of shape (n_similar,), ascending by the left and then the right token.
    similarity
        Theirs, as `TokenShapes.compare` computes it. None in place of all three where more than
        `most` pairs would have to be compared.
    """
    size = len(shapes.words)
    is_left, is_right = np.zeros((2, size), dtype=bool)
    is_left[left] = is_right[right] = True
    longer, prefix = _prefixes(shapes, places_of(is_left | is_right))
    others, _ = shapes.equivalents
    same = places_of(is_left & is_right)
    found = [same * size + same, longer * size + prefix, prefix * size + longer, others]
    n_found = sum(map(len, found))
    for first, second in _nearly_spelled(shapes, left, right):
        found.append(first * size + second)
        n_found += len(first)
        if n_found > most:
            return None
    first, second = np.divmod(np.unique(np.concatenate(found)), size)
    kept = is_left[first] & is_right[second]
    first, second = first[kept], second[kept]
    similarity = shapes.compare(first, second)
    kept = (similarity.spelled > 0) | similarity.first_begins | similarity.second_begins
    return first[kept], second[kept], similarity.take(kept)


def _prefixes(shapes: TokenShapes, tokens: IntVector) -> Pairs:
    """Tokens, each with every token that it begins with."""
    longer, prefix, find = [], [], shapes.place.get
    for number, word in zip(tokens.tolist(), shapes.words[tokens].tolist(), strict=True):
        for length in range(1, min(len(word) - 1, LONGEST_PREFIX) + 1):
            head = find(word[:length])
            if head is not None:
                longer.append(number)
                prefix.append(head)
    return np.array(longer, dtype=np.int64), np.array(prefix, dtype=np.int64)


def _nearly_spelled(shapes: TokenShapes, left: IntVector, right: IntVector) -> Iterator[Pairs]:
    """Pairs of a left and a right word that few edits may lie between.

    By their lengths and their sets of letters: see `TokenShapes.compare`.
    """
    left, right = left[shapes.is_spelled[left]], right[shapes.is_spelled[right]]
    left = left[np.argsort(shapes.length[left], kind="stable")]
    right = right[np.argsort(shapes.length[right], kind="stable")]
    left_lengths, right_lengths = shapes.length[left], shapes.length[right]
    for length in np.unique(left_lengths).tolist():
        most = ((np.maximum(right_lengths, length) - 1) // EDIT_PENALTY).astype(np.int64)
        near = places_of((most > 0) & (np.abs(right_lengths - length) <= most))
        if not len(near):
            continue
        # Right words are in order of length, so what is near is a run of them.
        part, most_letters = slice(near[0], near[-1] + 1), 2 * most[near[0] : near[-1] + 1]
        others, bound = right[part], np.minimum(most_letters, 64).astype(np.uint8)
        letters = shapes.letters[others]
        start, end = np.searchsorted(left_lengths, [length, length + 1])
        rows = max(1, CELLS_AT_ONCE // len(others))
        for at in range(int(start), int(end), rows):
            words = left[at : min(at + rows, int(end))]
            differ = np.bitwise_xor(shapes.letters[words][:, None], letters)
            row, column = np.nonzero(bits_set(differ) <= bound)
            yield words[row], others[column]
