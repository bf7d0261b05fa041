"""Words that are spelt alike and mean something else: the character encoder's hard negatives."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from pearljoin._typing import FloatMatrix

__all__ = ["lookalikes"]

CROWD = 200
"""Words that share a spelling with a letter left out; of more, the first ones are compared."""


def lookalikes(
    words: Sequence[str], targets: FloatMatrix, *, most: int = 12, cosine: float = 0.7
) -> list[NDArray[np.int64]]:
    """Find each word's near ones: those that it becomes by dropping a letter of either or both.

    So words an insertion, a deletion, a replacement or a swap of neighbours apart are found, and
    others that share a spelling with one letter left out; no pair of words is compared that does
    not share one.

    Parameters
    ----------
    words
        Distinct words.
    targets
        float32 of shape (n_words, dim), unit rows: their vectors.
    most
        Near words kept, the nearest by edit distance.
    cosine
        Words whose vectors are as close as this mean much the same, and are left out.

    Returns
    -------
    near
        For each word int64 of shape (up to `most`,): rows of other words.

    Examples
    --------
    >>> import numpy as np
    >>> [rows.tolist() for rows in lookalikes(["form", "from", "forms", "sea"], np.eye(4))]
    [[2, 1], [0], [0], []]
    """
    sharing: dict[str, list[int]] = defaultdict(list)
    for row, word in enumerate(words):
        for spelling in _spellings(word):
            sharing[spelling].append(row)
    near: list[NDArray[np.int64]] = []
    for row, word in enumerate(words):
        others = {other for spelling in _spellings(word) for other in sharing[spelling][:CROWD]}
        others.discard(row)
        ranked = sorted(others, key=lambda other: (Levenshtein.distance(word, words[other]), other))
        rows = np.array(ranked, dtype=np.int64)
        near.append(rows[targets[rows] @ targets[row] < cosine][:most])
    return near


def _spellings(word: str) -> set[str]:
    return {word} | {word[:at] + word[at + 1 :] for at in range(len(word))}
