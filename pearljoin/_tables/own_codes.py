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
from typing import Any, TypeAlias

from pearljoin._kinds.cells import sample_texts
from pearljoin._kinds.code import unpadded
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
"""Share of the right rows that have a word from which on it says nothing of who is meant."""

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
    return [frozenset(_WORD.findall(" ".join(map(str, row)).casefold())) for row in rows]


def _are_own(codes: tuple[ColumnFacts, ColumnFacts], names: tuple[Names, Names]) -> bool:
    """Tell whether rows of one code differ by their names, which agree with those of others."""
    left, right = (_rows_of_codes(side) for side in codes)
    shared = sample_texts(sorted(left.keys() & right.keys()), SAMPLE)
    if len(shared) < FEWEST:
        return False
    rows_of_word: dict[str, list[int]] = defaultdict(list)
    for row, words in enumerate(names[1]):
        for word in words:
            rows_of_word[word].append(row)
    n_rows = len(names[1])
    most = max(FEWEST, COMMON * n_rows)
    weight = {
        word: log(1 + n_rows / len(rows))
        for word, rows in rows_of_word.items()
        if len(rows) <= most
    }
    elsewhere = together = 0
    for code in shared:
        words = names[0][left[code]] & weight.keys()
        total = sum(weight[word] for word in words) or 1.0
        found: dict[int, float] = defaultdict(float)
        for word in words:
            for row in rows_of_word[word]:
                found[row] += weight[word] / total
        own = found[right[code]]
        together += own >= AGREE
        elsewhere += own < DIFFER and max(found.values()) >= AGREE
    return elsewhere >= ELSEWHERE * len(shared) and together <= TOGETHER * len(shared)


def _rows_of_codes(column: ColumnFacts) -> dict[str, int]:
    """The first row of each code."""
    cells: list[Any] = column.column.to_list()
    found: dict[str, int] = {}
    for row, cell in enumerate(cells):
        if cell is not None and cell == cell:
            found.setdefault(unpadded(str(cell)), row)
    return found
