"""Split of names between encoder and scorer, decided by the name alone.

A scorer trained on pairs that its encoder has seen would take the encoder for better than it is,
so the two never share a name, and the development split is made of the scorer's names.
"""

from __future__ import annotations

from typing import Literal
from zlib import crc32

__all__ = ["ENCODER_SHARE", "Part", "fold", "part_of"]

Part = Literal["encoder", "scorer"]
ENCODER_SHARE = 0.75


def fold(text: str) -> str:
    """Write a text in lower case with single spaces: what makes two names the same here.

    Examples
    --------
    >>> fold("  The New  York Times")
    'the new york times'
    """
    return " ".join(text.casefold().split())


def part_of(name: str) -> Part:
    """Return which part a name belongs to: "encoder" or "scorer".

    Examples
    --------
    >>> part_of("The New York Times") == part_of("the new york  times")
    True
    """
    return "encoder" if crc32(fold(name).encode()) % 1000 < 1000 * ENCODER_SHARE else "scorer"
