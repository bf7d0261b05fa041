"""Phrases known to name one entity, which are never each other's negatives."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

import numpy as np
from scipy.sparse import csr_matrix

from pearljoin._typing import BoolVector, IntVector
from pearljoin_train.negatives.chunks import pair_chunks

__all__ = ["SameEntity", "bare"]


def bare(text: str) -> str:
    """Return the letters and digits, for texts that differ in nothing else to be equal."""
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text)
    folded = text.casefold()
    return "".join(filter(str.isalnum, folded)) or "".join(folded.split())


class SameEntity:
    """Finds pairs of phrases that are known to name one entity.

    Parameters
    ----------
    phrases
        The phrases that pairs will be made of, by row.
    pairs
        Names of one thing, two by two. Two phrases are the same where they are equal but for
        case, accents, punctuation and spaces, where they are such a pair, or where both make one
        with a third name.
    """

    def __init__(self, phrases: Sequence[str], pairs: Iterable[tuple[str, str]] = ()) -> None:
        of_phrase = [bare(phrase) for phrase in phrases]
        wanted = set(of_phrase)
        number: dict[str, int] = {}
        edges = []
        for name, alias in pairs:
            ends = bare(name), bare(alias)
            if wanted.intersection(ends):
                edges.append([number.setdefault(end, len(number)) for end in ends])
        rows = np.array(
            [number.setdefault(text, len(number)) for text in of_phrase], dtype=np.int64
        )
        ends_of = np.array(edges, dtype=np.int64).reshape(-1, 2)
        loops, shape = np.arange(len(number)), (len(number), len(number))
        left = np.concatenate([ends_of[:, 0], ends_of[:, 1], loops])
        right = np.concatenate([ends_of[:, 1], ends_of[:, 0], loops])
        names = csr_matrix((np.ones(len(left), np.float32), (left, right)), shape=shape)
        self._names_of = csr_matrix(names[rows]) if len(rows) else names

    def __call__(self, query: IntVector, row: IntVector) -> BoolVector:
        """Return bool of shape (n_pairs,): whether two rows are known to name one entity."""
        same = np.empty(len(query), dtype=bool)
        for part in pair_chunks(len(query)):
            shared = self._names_of[query[part]].multiply(self._names_of[row[part]])
            same[part] = np.asarray(shared.sum(axis=1)).reshape(-1) > 0
        return same
