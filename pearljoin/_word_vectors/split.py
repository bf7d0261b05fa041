"""Split texts into words: a whole column at once, each distinct word listed once."""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pearljoin._typing import IntVector

__all__ = ["SplitTexts", "chunks_of", "split_words"]

BREAK = "\n"
"""Separates two texts. Not a letter, so no text's lower case depends on its neighbour."""

CHUNK_TEXTS = 16_384
CHUNK_CHARACTERS = 1_000_000
"""Bounds the memory of what is made of a chunk's words, some 170,000."""

_find_words_and_breaks = re.compile(rf"[^\W_]+|{BREAK}").findall


@dataclass(frozen=True)
class SplitTexts:
    """The words of many texts.

    Attributes
    ----------
    distinct
        Each word once, in order of appearance.
    codes
        int64 of shape (n_words,): all texts' words end to end, as positions in `distinct`.
    lengths
        int64 of shape (n_texts,): number of words of each text.
    """

    distinct: list[str]
    codes: IntVector
    lengths: IntVector

    @property
    def texts(self) -> IntVector:
        """Position of the text of each word: int64 of shape (n_words,)."""
        return np.repeat(np.arange(len(self.lengths)), self.lengths)


def split_words(texts: Sequence[str], *, lowercase: bool = True) -> SplitTexts:
    """Split texts into words: runs of letters and digits, punctuation dropped.

    Examples
    --------
    >>> found = split_words(["O'Neill & Sons (1999)", "?", "Sons of sons"])
    >>> found.distinct
    ['o', 'neill', 'sons', '1999', 'of']
    >>> found.codes.tolist(), found.lengths.tolist()
    ([0, 1, 2, 3, 2, 4, 2], [4, 0, 3])
    """
    joined = BREAK.join(texts)
    if joined.count(BREAK) >= max(len(texts), 1):
        joined = BREAK.join(text.replace(BREAK, " ") for text in texts)
    found = _find_words_and_breaks(joined.lower() if lowercase else joined)
    # Numbers in order of appearance: the break is 0, the words are 1, 2, ...
    numbers: defaultdict[str, int] = defaultdict(itertools.count().__next__)
    numbers[BREAK]
    marks = np.fromiter(map(numbers.__getitem__, found), dtype=np.int64, count=len(found))
    bounds = np.concatenate([[-1], np.flatnonzero(marks == 0), [len(marks)]])
    lengths = (np.diff(bounds) - 1)[: len(texts)]
    return SplitTexts(list(numbers)[1:], marks[marks > 0] - 1, lengths)


def chunks_of(texts: list[str]) -> list[slice]:
    """Cut a column into chunks of at most 16,384 texts and, but for a longer text, 10⁶ characters.

    Returns
    -------
    chunks
        Slices that follow each other; a single empty one if there are no texts.

    Examples
    --------
    >>> chunks_of(["a" * 600_000, "b" * 600_000, "c"])
    [slice(0, 1, None), slice(1, 3, None)]
    """
    ends = np.cumsum([len(text) for text in texts])
    chunks, start, done = [], 0, 0
    while start < len(texts):
        fitting = int(np.searchsorted(ends, done + CHUNK_CHARACTERS, side="right"))
        stop = min(max(fitting, start + 1), start + CHUNK_TEXTS)
        chunks.append(slice(start, stop))
        start, done = stop, int(ends[stop - 1])
    return chunks or [slice(0, 0)]
