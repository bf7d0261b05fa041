"""Codes that each of two tables gives to other things: one firm's C001 is not that of another.

Where the rows of one code differ in their names, and these agree with those of other rows, the
codes are each table's own. Where names agree with no row, they may be written in another language,
and codes alone say who is meant.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Sequence
from math import log
from typing import TypeAlias

from pearljoin._kinds.cells import sample_texts
from pearljoin._kinds.code import unpadded
from pearljoin._tables.cells import as_text, is_null
from pearljoin._tables.column_facts import ColumnFacts, Facts

__all__ = ["own_codes"]

FEWEST, SAMPLE = 10, 200
"""Rows of one code that are looked at, at least and at most."""

MOST_ROWS = 50_000
"""Rows of a table, at most: the names of all are read."""

AGREE, DIFFER = 0.5, 0.25
"""Share of what the words of a name weigh, in [0, 1], that another one has which agrees with it,
from the first on, and of one that differs, below the second."""

ELSEWHERE, TOGETHER = 0.5, 0.2
"""Share of the rows of one code whose names agree with other rows alone, at least, and with each
other, at most, where the codes are each table's own."""

COMMON = 0.05
"""Share of the right rows that have a word, in [0, 1], from which on it brings no others."""

_WORD = re.compile(r"[^\W_]{2,}")

Names: TypeAlias = "list[frozenset[str]]"
"""The words of the names of each row."""


def own_codes(
    facts: tuple[Facts, Facts], keys: tuple[Sequence[Hashable], Sequence[Hashable]]
) -> list[int]:
    """Find the codes among guessed key columns that each table gives to other things.

    Parameters
    ----------
    facts
        The columns of the left and of the right table.
    keys
        The key columns of both, in pairs.

    Returns
    -------
    places
        Of these pairs; none without names beside them.
    """
    pairs = [(facts[0].get(left), facts[1].get(right)) for left, right in zip(*keys, strict=True)]
    known = {at: (one, other) for at, (one, other) in enumerate(pairs) if one and other}
    codes = [at for at, pair in known.items() if all(side.are_codes for side in pair)]
    names = [pair for pair in known.values() if all(map(_are_names, pair))]
    if not codes or not names or max(side.n_rows for side in names[0]) > MOST_ROWS:
        return []
    left, right = (_words([pair[side] for pair in names]) for side in (0, 1))
    return [at for at in codes if _are_own(known[at], (left, right))]


def _are_names(column: ColumnFacts) -> bool:
    """Whether values are mostly distinct texts: rows of one category agree by chance."""
    return column.is_text and column.role == "names"


def _words(columns: Sequence[ColumnFacts]) -> Names:
    rows = zip(*(column.column.to_list() for column in columns), strict=True)
    texts = (" ".join(as_text(cell) for cell in row if not is_null(cell)) for row in rows)
    return [frozenset(_WORD.findall(text.casefold())) for text in texts]


def _are_own(codes: tuple[ColumnFacts, ColumnFacts], names: tuple[Names, Names]) -> bool:
    """Tell whether rows of one code differ by their names, which agree with those of others."""
    left, right = (_rows_of_codes(*side) for side in zip(codes, names, strict=True))
    shared = sample_texts(sorted(left.keys() & right.keys()), SAMPLE)
    if len(shared) < FEWEST:
        return False
    weights = _Weights(names[1])
    found = [weights.compare(names[0][left[code][0]], right[code]) for code in shared]
    elsewhere = sum(own < DIFFER and other >= AGREE for own, other in found)
    together = sum(own >= AGREE for own, _ in found)
    return elsewhere >= ELSEWHERE * len(shared) and together <= TOGETHER * len(shared)


class _Weights:
    """What words of the right names weigh; the rarer, the more."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._rows: dict[str, list[int]] = defaultdict(list)
        for row, words in enumerate(names):
            for word in words:
                self._rows[word].append(row)
        self._most = max(FEWEST, COMMON * len(names))

    def compare(self, words: frozenset[str], own: Sequence[int]) -> tuple[float, float]:
        """Share of what a name weighs that the rows of its code have at most, and any other one."""
        weight = {word: self._weight(word) for word in words}
        total = sum(weight.values())
        together = max(sum(weight[word] for word in words & self._names[row]) for row in own)
        others: dict[int, float] = defaultdict(float)
        for word in words:
            rows = self._rows.get(word, [])
            for row in rows if len(rows) <= self._most else ():
                others[row] += weight[word]
        for row in own:
            others.pop(row, None)
        return together / total, max(others.values(), default=0.0) / total

    def _weight(self, word: str) -> float:
        return log(1 + len(self._names) / max(1, len(self._rows.get(word, ()))))


def _rows_of_codes(column: ColumnFacts, names: Names) -> dict[str, list[int]]:
    """The rows of each code that have names."""
    found: dict[str, list[int]] = defaultdict(list)
    for row, cell in enumerate(column.column.to_list()):
        if names[row] and not is_null(cell):
            found[unpadded(as_text(cell))].append(row)
    return found
