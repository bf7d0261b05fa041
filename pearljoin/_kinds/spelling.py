"""Similarity of spellings, for pairs of texts."""

from __future__ import annotations

import numpy as np

from pearljoin._kinds.protocol import Texts, Within
from pearljoin._parallel import processors
from pearljoin._typing import BoolVector, IntVector

__all__ = ["common_beginning", "conflict", "edits", "is_affix", "jaro_winkler", "lengths", "same"]

FEW = 1_000
"""Pairs up to which threads cost more than they save."""

LONGEST = 200
"""Characters of two texts whose edits are counted one by one: their time is a product."""

ALIKE = 0.88
"""Jaro-Winkler similarity of two spellings of a name, as in Splink's comparisons of names."""


def same(left: Texts, right: Texts) -> BoolVector:
    """Mark pairs of equal texts that are not empty: bool of shape (n_pairs,)."""
    return np.asarray((left == right) & (left != ""), dtype=bool)


def conflict(left: Texts, right: Texts) -> BoolVector:
    """Mark pairs of different texts, none of them empty: bool of shape (n_pairs,)."""
    return np.asarray((left != right) & (left != "") & (right != ""), dtype=bool)


def lengths(left: Texts, right: Texts) -> tuple[IntVector, IntVector]:
    """Lengths of the shorter and of the longer text of each pair: int64 of shape (n_pairs,)."""
    both = [np.fromiter(map(len, texts), np.int64, len(texts)) for texts in (left, right)]
    return np.minimum(*both), np.maximum(*both)


def jaro_winkler(left: Texts, right: Texts) -> Within:
    """Jaro-Winkler similarity of pairs of texts: of shape (n_pairs,), in [0, 1]."""
    from rapidfuzz import process
    from rapidfuzz.distance import JaroWinkler

    found = process.cpdist(left, right, scorer=JaroWinkler.similarity, workers=_workers(left))
    return np.asarray(found, dtype=np.float64)


def edits(left: Texts, right: Texts) -> IntVector:
    """Count edits between pairs of texts: letters added, dropped, changed, neighbours exchanged.

    Optimal string alignment: int64 of shape (n_pairs,). What follows the first `LONGEST`
    characters counts whole where it differs.
    """
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    beginnings = [[text[:LONGEST] for text in texts] for texts in (left, right)]
    counted = process.cpdist(*beginnings, scorer=OSA.distance, workers=_workers(left))
    found = np.asarray(counted, dtype=np.int64)
    _, longer = lengths(left, right)
    for at in np.flatnonzero(longer > LONGEST):
        if left[at][LONGEST:] != right[at][LONGEST:]:
            found[at] += longer[at] - LONGEST
    return found


def common_beginning(left: Texts, right: Texts) -> IntVector:
    """Count the letters of the common beginning of pairs of texts: int64 of shape (n_pairs,)."""
    from rapidfuzz import process
    from rapidfuzz.distance import Prefix

    found = process.cpdist(left, right, scorer=Prefix.similarity, workers=_workers(left))
    return np.asarray(found, dtype=np.int64)


def is_affix(left: Texts, right: Texts, shortest: int, *, beginnings: bool = True) -> BoolVector:
    """Mark pairs of which one text ends with the other, or begins with it.

    Parameters
    ----------
    left, right
        str of shape (n_pairs,).
    shortest
        Letters that the other has at least.
    beginnings
        Whether beginnings count too.
    """
    marked = []
    for one, other in zip(left.tolist(), right.tolist(), strict=True):
        short, long = (one, other) if len(one) <= len(other) else (other, one)
        marked.append(
            len(short) >= shortest
            and (long.endswith(short) or (beginnings and long.startswith(short)))
        )
    return np.array(marked, dtype=bool)


def _workers(texts: Texts) -> int:
    return processors() if len(texts) >= FEW else 1
