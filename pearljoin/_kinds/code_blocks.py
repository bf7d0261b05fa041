"""Blocks of codes: the same ones in another order, or without zeros before their numbers.

*20-TT-005A* is *TT-20005A*, *20 TT 5A* and *20TT005A*. What stays apart is what two codes of one
list differ in: *3-42* is not *42-3*, *A-12-3* not *A-3-12*, *A1-B2* not *A2-B1*.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np

from pearljoin._kinds.protocol import Texts
from pearljoin._typing import BoolVector

__all__ = ["CodeBlocks", "are_padded_blocks", "blocks_of", "have_same_blocks"]

MOST_BLOCKS = 4
"""Blocks of a code whose order is looked at."""

MOST_RUNS = 6
"""Runs of letters and of digits of a code of which zeros may be left out: a hash has more."""

KEPT = 10_000
"""Codes that stay taken apart."""

SHORTEST = 4
"""Letters and digits of a code whose blocks may stand in another order."""

_SEPARATORS = re.compile(r"[\W_]+")
_DECIMALS = re.compile(r"\d[.,·]\d|[.,]\d")
"""A point before digits, where zeros may be decimals: 1.05 is not 1.5."""

_NUMBERS = re.compile(r"\d+(?:[-./ ]\d+)+")
"""Numbers side by side, as in codes and phone numbers."""

CLEAR = 0.9
"""Share of a column's values that are of blocks, and of its blocks of one width: all but slips."""

SOME = 0.05
"""Share of the blocks with more zeros than phone numbers have, at least."""

NARROWEST = 3
"""Digits of a block of which zeros before a number fill up a part, at least."""

_RUNS = re.compile(r"\d+|[^\W\d_]+")


class CodeBlocks(NamedTuple):
    """What a code is made of; "" for what says nothing of it.

    Attributes
    ----------
    runs
        Its runs of letters and of digits in order, numbers without zeros before them.
    blocks
        What stands between separators, without these zeros: blocks with letters, then numbers.
    orders
        The code with its numbers at any place among its blocks with letters.
    n_blocks
        How many blocks it has.
    """

    runs: str = ""
    blocks: str = ""
    orders: frozenset[str] = frozenset()
    n_blocks: int = 0


@lru_cache(maxsize=KEPT)
def blocks_of(text: str) -> CodeBlocks:
    """Take a code apart; one with a point between digits says nothing.

    Examples
    --------
    >>> blocks_of("20-tt-005A").blocks, sorted(blocks_of("20-tt").orders)
    ('TT-5A|20', ['20TT', 'TT20'])
    """
    if _DECIMALS.search(text):
        return CodeBlocks()
    blocks = [block for block in _SEPARATORS.split(text.upper()) if block]
    runs = [run for block in blocks for run in _RUNS.findall(block)]
    has_letters = not all(map(str.isdecimal, blocks))
    found = CodeBlocks("-".join(map(_bare, runs)) if 1 < len(runs) <= MOST_RUNS else "")
    if not has_letters or len(blocks) > MOST_BLOCKS or sum(map(len, blocks)) < SHORTEST:
        return found
    words = [block for block in blocks if not block.isdecimal()]
    numbers = [block for block in blocks if block.isdecimal()]
    bare = ["".join(map(_bare, _RUNS.findall(block))) for block in words]
    return found._replace(
        blocks=f"{'-'.join(bare)}|{'-'.join(map(_bare, numbers))}",
        orders=frozenset(_interleaved(words, numbers)),
        n_blocks=len(blocks),
    )


def have_same_blocks(
    left: Texts, right: Texts, left_written: Texts, right_written: Texts
) -> BoolVector:
    """Mark pairs of codes that are made of the same blocks, or of which one joins some of them.

    Parameters
    ----------
    left, right
        str of shape (n_pairs,): codes without separators.
    left_written, right_written
        str of shape (n_pairs,): with them.
    """
    pairs = (texts.tolist() for texts in (left, right, left_written, right_written))
    return np.array([_are_alike(*pair) for pair in zip(*pairs, strict=True)], dtype=bool)


def are_padded_blocks(texts: Sequence[str]) -> bool:
    """Tell whether texts are blocks of digits, of which one is filled up with zeros to one width.

    A second block of a phone number may begin with a zero, and with as many in each number.

    Examples
    --------
    >>> are_padded_blocks(["0026-00062", "0003-00417", "0031-00008"])
    True
    >>> are_padded_blocks(["0044 0207 946 4123", "0044 0161 496 0007", "0044 0113 496 5120"])
    False
    """
    rows = [_SEPARATORS.split(text) for text in texts if _NUMBERS.fullmatch(text)]
    if not rows or len(rows) < CLEAR * len(texts):
        return False
    return any(
        _are_filled_up([row[place] for row in rows if len(row) > place], place)
        for place in range(max(map(len, rows)))
    )


def _are_filled_up(blocks: list[str], place: int) -> bool:
    """Tell whether blocks at one place of codes are numbers that zeros fill up to one width."""
    width, many = Counter(map(len, blocks)).most_common(1)[0]
    if width < NARROWEST or many < CLEAR * len(blocks):
        return False
    zeros = Counter(len(block) - len(block.lstrip("0")) for block in blocks)
    if place == 0:  # "00" calls another country, and "000" none
        return any(zeros[some] >= SOME * len(blocks) for some in range(3, width))
    n_long = sum(many for some, many in zeros.items() if some > 1)
    return 2 * zeros[0] < len(blocks) and len(zeros) > 1 and n_long >= SOME * len(blocks)


def _are_alike(left: str, right: str, left_written: str, right_written: str) -> bool:
    ours, theirs = blocks_of(left_written), blocks_of(right_written)
    if (ours.runs and ours.runs == theirs.runs) or (ours.blocks and ours.blocks == theirs.blocks):
        return True
    if ours.n_blocks > theirs.n_blocks:
        return right in ours.orders
    return theirs.n_blocks > ours.n_blocks and left in theirs.orders


def _bare(run: str) -> str:
    return (run.lstrip("0") or "0") if run.isdecimal() else run


def _interleaved(words: list[str], numbers: list[str]) -> list[str]:
    """All orders of two lists in which each keeps its own."""
    n = len(words) + len(numbers)
    found = []
    for places in combinations(range(n), len(words)):
        rest = iter(words), iter(numbers)
        found.append("".join(next(rest[at not in places]) for at in range(n)))
    return found
