"""Segmentation of a run of novels into books.

Characters keep their names through a book and leave with it. A cut is made at every gap between
chapters where the names before and after hardly overlap; cuts inside a book (a change of scene)
are taken back where pieces a little further on share their names again.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["split_books"]

NAME = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]{2,}")
GAP = "\n\n\n"

WINDOW = 5_000
"""Words looked at on either side of a gap."""
CUT_BELOW = 0.2
"""Cosine of the name counts on the two sides of a gap below which it is a first cut."""
JOIN_FROM = 0.2
"""Cosine of two pieces' tf-idf weighted names from which they belong to one book."""
JOIN_AHEAD = 6
"""How many pieces further on are compared."""


def split_books(text: str) -> list[str]:
    """Split a run of novels into books.

    Parameters
    ----------
    text
        Books one after another, at least two empty lines between them (and between chapters).

    Returns
    -------
    books
        In order.

    Notes
    -----
    On the 100 novels of the data folder this finds 101 books: a collection of stories comes out
    as several, and some neighbours as one. Two books taken for one cost a few possible unrelated
    pairs; a book cut in two adds a few unrelated pairs that share a style.

    Examples
    --------
    >>> one = "so Emma met Knightley and saw Harriet. " * 900
    >>> other = "then Ahab called Starbuck and woke Ishmael. " * 900
    >>> [book.split()[1] for book in split_books(f"{one}{GAP}{one}{GAP}{other}{GAP}{other}")]
    ['Emma', 'Ahab']
    """
    pieces = _first_pieces(re.split(r"\n{3,}", text))
    joined = _shared_names(pieces)
    books: list[list[str]] = []
    for number, piece in enumerate(pieces):
        if number and joined[number - 1]:
            books[-1].append(piece)
        else:
            books.append([piece])
    return [GAP.join(book) for book in books]


def _first_pieces(sections: Sequence[str]) -> list[str]:
    """Cut at each gap of low cosine that is the lowest within half a window."""
    starts = np.concatenate([[0], np.cumsum([len(section.split()) for section in sections])])
    cosines = _gap_cosines(sections, starts)
    cuts = []
    for gap in np.flatnonzero(cosines < CUT_BELOW) + 1:
        near = np.flatnonzero(np.abs(starts[1:-1] - starts[gap]) <= WINDOW // 2)
        if int(near[np.argmin(cosines[near])]) + 1 == gap:
            cuts.append(int(gap))
    bounds = [0, *cuts, len(sections)]
    return [GAP.join(sections[a:b]) for a, b in itertools.pairwise(bounds)]


def _gap_cosines(sections: Sequence[str], starts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return, for every gap between two sections, the cosine of the name counts around it."""
    counts = [_names(section) for section in sections]
    cosines = np.ones(max(len(sections) - 1, 0))
    for gap in range(1, len(sections)):
        first = min(int(np.searchsorted(starts, starts[gap] - WINDOW)), gap - 1)
        last = int(np.searchsorted(starts, starts[gap] + WINDOW))
        cosines[gap - 1] = _cosine(_summed(counts[first:gap]), _summed(counts[gap:last]))
    return cosines


def _shared_names(pieces: Sequence[str]) -> NDArray[np.bool_]:
    """Return for every cut whether the pieces around it are one book."""
    counts = [_names(piece) for piece in pieces]
    spread = Counter(name for count in counts for name in count)
    weighted = [
        {
            name: (1 + math.log(n)) * math.log(len(pieces) / spread[name])
            for name, n in count.items()
            if n > 1
        }
        for count in counts
    ]
    joined = np.zeros(max(len(pieces) - 1, 0), dtype=np.bool_)
    for here in range(len(pieces)):
        for there in range(here + 1, min(len(pieces), here + 1 + JOIN_AHEAD)):
            if _cosine(weighted[here], weighted[there]) >= JOIN_FROM:
                joined[here:there] = True
    return joined


def _names(text: str) -> Counter[str]:
    return Counter(NAME.findall(text.replace("\n", " ")))


def _summed(counts: Iterable[Counter[str]]) -> Counter[str]:
    total: Counter[str] = Counter()
    for count in counts:
        total.update(count)
    return total


def _cosine(left: dict[str, float] | Counter[str], right: dict[str, float] | Counter[str]) -> float:
    """Return the cosine of two sparse vectors; 1.0 where either is empty: no reason to cut."""
    squares = sum(v * v for v in left.values()) * sum(v * v for v in right.values())
    if not squares:
        return 1.0
    return float(sum(v * right.get(name, 0) for name, v in left.items()) / math.sqrt(squares))
