"""Where two texts differ, for marking: word by word, and within words that are nearly the same."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import Indel

from pearljoin._report.content import LONGEST_TEXT

__all__ = ["different_spans", "different_spans_of_cells"]

TOKEN = re.compile(r"\w+|[^\w\s]")

ALIKE = 0.75
"""Similarity from which words that stand for each other are compared letter by letter."""

Spans = tuple[list[int], list[int]]


def different_spans(left: str, right: str) -> Spans:
    """Find what each text has and the other has not, case apart.

    Parameters
    ----------
    left, right
        The texts.

    Returns
    -------
    left_spans, right_spans
        Ascending character positions: start, end, start, end, ...

    Examples
    --------
    >>> different_spans("Acme Corp", "The ACME Corporation")
    ([5, 9], [0, 3, 9, 20])
    """
    texts = left, right
    words = [list(TOKEN.finditer(text)) for text in texts]
    spans: Spans = ([], [])
    for ours, theirs in _unequal([[word[0].lower() for word in some] for some in words]):
        parts = (_extent(words[0][ours]), _extent(words[1][theirs]))
        if all(parts) and _are_alike(left[slice(*parts[0])], right[slice(*parts[1])]):
            _add_letters(spans, texts, (parts[0], parts[1]))
        else:
            for kept, part in zip(spans, parts, strict=True):
                if part:
                    _add(kept, *part)
    return spans


def different_spans_of_cells(left: Sequence[str], right: Sequence[str]) -> Spans:
    """Find what each cell has and the other side's has not, in the cells joined by " | ".

    Parameters
    ----------
    left, right
        The cells of both sides, column by column; of each the first `LONGEST_TEXT` characters of
        the joined text count.

    Returns
    -------
    left_spans, right_spans
        As of `different_spans`.

    Examples
    --------
    >>> different_spans_of_cells(("Anna", "Oslo"), ("Oslo", "Oslo"))
    ([0, 4], [0, 4])
    """
    spans: Spans = ([], [])
    starts = [0, 0]
    for cells in zip(left, right, strict=True):
        if max(starts) >= LONGEST_TEXT:
            break
        # Texts that are cut are not compared to their end, which might take long.
        found = different_spans(*(cell[:LONGEST_TEXT] for cell in cells))
        for side, own in enumerate(found):
            # The last character of a text that is cut is an ellipsis.
            spans[side].extend(min(starts[side] + at, LONGEST_TEXT) for at in own)
            starts[side] += len(cells[side]) + len(" | ")
    return spans


def _unequal(words: list[list[str]]) -> Iterator[tuple[slice, slice]]:
    """Yield what both have between the words that are aligned, and aligned words that differ."""
    left, right = words
    ends = (0, 0)
    for ours, theirs in [*_aligned(left, right), (len(left), len(right))]:
        if (ours, theirs) != ends:
            yield slice(ends[0], ours), slice(ends[1], theirs)
        ends = (ours + 1, theirs + 1)
        if ours < len(left) and left[ours] != right[theirs]:
            yield slice(ours, ends[0]), slice(theirs, ends[1])


def _aligned(left: list[str], right: list[str]) -> list[tuple[int, int]]:
    """Align words that are alike, in order, so that they share as many letters as can be.

    With letters, not words: "S. Bank" and "A Bank S.A." have the bank in common.
    """
    if not (left and right):
        return []
    similarity = process.cdist(
        left, right, scorer=Indel.normalized_similarity, score_cutoff=ALIKE, dtype=np.float64
    )
    shared = similarity * np.add.outer([len(word) for word in left], [len(word) for word in right])
    # The most letters of the first words of both: a row for each left word, and one before them.
    most = np.zeros((len(left) + 1, len(right) + 1))
    for at in range(len(left)):
        best = np.maximum(most[at, 1:], most[at, :-1] + shared[at])
        most[at + 1, 1:] = np.maximum.accumulate(best)
    aligned = []
    ours, theirs = len(left), len(right)
    while most[ours, theirs]:
        if most[ours, theirs] == most[ours - 1, theirs]:
            ours -= 1
        elif most[ours, theirs] == most[ours, theirs - 1]:
            theirs -= 1
        else:
            ours, theirs = ours - 1, theirs - 1
            aligned.append((ours, theirs))
    return aligned[::-1]


def _extent(words: list[re.Match[str]]) -> tuple[int, int] | tuple[()]:
    """Start of the first and end of the last word; empty without words."""
    return (words[0].start(), words[-1].end()) if words else ()


def _are_alike(left: str, right: str) -> bool:
    # Lower case may change the length of a text, and with it the positions.
    folded = left.lower(), right.lower()
    same_length = len(folded[0]) == len(left) and len(folded[1]) == len(right)
    return same_length and Indel.normalized_similarity(*folded) >= ALIKE


def _add_letters(
    spans: Spans, texts: tuple[str, str], parts: tuple[tuple[int, ...], tuple[int, ...]]
) -> None:
    left, right = (text[slice(*part)].lower() for text, part in zip(texts, parts, strict=True))
    for step in Indel.opcodes(left, right):
        if step.tag != "equal":
            _add(spans[0], parts[0][0] + step.src_start, parts[0][0] + step.src_end)
            _add(spans[1], parts[1][0] + step.dest_start, parts[1][0] + step.dest_end)


def _add(spans: list[int], start: int, end: int) -> None:
    """Append a span, joined with the one before where they touch."""
    if start == end:
        return
    if spans and spans[-1] == start:
        spans[-1] = end
    else:
        spans += [start, end]
