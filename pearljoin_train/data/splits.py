"""Splits decided by a name alone: of names between encoder and scorer, and of held-out sources.

A scorer trained on pairs that its encoder has seen would take the encoder for better than it is,
so the two never share a name, and the development split is made of the scorer's names.
"""

from __future__ import annotations

from typing import Literal
from zlib import crc32

__all__ = ["ENCODER_SHARE", "HELD_OUT_SHARE", "Part", "fold", "is_held_out", "part_of"]

Part = Literal["encoder", "scorer"]
ENCODER_SHARE = 0.75
HELD_OUT_SHARE = 0.2


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


def is_held_out(source: str) -> bool:
    """Return whether a source is held out for validation, which its name alone decides.

    Examples
    --------
    >>> is_held_out("geonames_cities15000"), is_held_out("ror_organizations")
    (True, False)
    """
    return crc32(source.encode()) % 100 < 100 * HELD_OUT_SHARE
