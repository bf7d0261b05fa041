"""Where two texts differ, for marking: word by word, and within words that are nearly the same."""

from __future__ import annotations

import re

from rapidfuzz.distance import Indel, Levenshtein

__all__ = ["different_spans"]

TOKEN = re.compile(r"\w+|\W")

ALIKE = 0.6
"""Similarity from which two words are compared letter by letter."""


def different_spans(left: str, right: str) -> tuple[list[int], list[int]]:
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
    >>> different_spans("Acme Corp", "ACME Corporation")
    ([], [9, 16])
    """
    ours, theirs = TOKEN.findall(left), TOKEN.findall(right)
    spans: tuple[list[int], list[int]] = ([], [])
    starts = _starts(ours), _starts(theirs)
    folded = [word.lower() for word in ours], [word.lower() for word in theirs]
    for step in Levenshtein.opcodes(*folded):
        if step.tag == "equal":
            continue
        whole = (
            (starts[0][step.src_start], starts[0][step.src_end]),
            (starts[1][step.dest_start], starts[1][step.dest_end]),
        )
        texts = left[slice(*whole[0])], right[slice(*whole[1])]
        if step.tag == "replace" and _are_alike(*texts):
            _add_letters(spans, texts, (whole[0][0], whole[1][0]))
        else:
            for kept, span in zip(spans, whole, strict=True):
                _add(kept, *span)
    return _without_spaces(left, spans[0]), _without_spaces(right, spans[1])


def _starts(tokens: list[str]) -> list[int]:
    """Position of each token in the text, and the end of the text."""
    starts = [0]
    for token in tokens:
        starts.append(starts[-1] + len(token))
    return starts


def _are_alike(left: str, right: str) -> bool:
    # Lower case may change the length of a text, and with it the positions.
    folded = left.lower(), right.lower()
    same_length = len(folded[0]) == len(left) and len(folded[1]) == len(right)
    return same_length and Indel.normalized_similarity(*folded) >= ALIKE


def _add_letters(
    spans: tuple[list[int], list[int]], texts: tuple[str, str], starts: tuple[int, int]
) -> None:
    for step in Indel.opcodes(texts[0].lower(), texts[1].lower()):
        if step.tag != "equal":
            _add(spans[0], starts[0] + step.src_start, starts[0] + step.src_end)
            _add(spans[1], starts[1] + step.dest_start, starts[1] + step.dest_end)


def _without_spaces(text: str, spans: list[int]) -> list[int]:
    """Take the spaces at the ends of each span from it."""
    trimmed: list[int] = []
    for start, end in zip(spans[::2], spans[1::2], strict=True):
        part = text[start:end]
        start += len(part) - len(part.lstrip())
        _add(trimmed, start, max(start, end - len(part) + len(part.rstrip())))
    return trimmed


def _add(spans: list[int], start: int, end: int) -> None:
    """Append a span, joined with the one before where they touch."""
    if start == end:
        return
    if spans and spans[-1] == start:
        spans[-1] = end
    else:
        spans += [start, end]
