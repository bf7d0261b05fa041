"""Degrees of latitude and longitude as they are written: 48.8566, 48°51'24"N, W 2.35°."""

from __future__ import annotations

import re

__all__ = ["read_degrees"]

_PART = r"(\d{1,3}(?:[.,]\d+)?)"
_DEGREES = re.compile(
    rf"([NSEWO]?)\s*([+\-−]?)\s*{_PART}\s*[°º]?\s*"
    rf"(?:(?<=[°º])\s*{_PART}\s*['’′´]\s*(?:{_PART}\s*(?:[\"”″]|''|’’|′′))?)?\s*([NSEWO]?)",
    re.IGNORECASE,
)
_SIXTY = 60
LONGEST = 40
"""Characters of degrees, at most."""

_NEGATIVE = frozenset("swoSWO")
"""South and west, also in French, Italian and Spanish."""


def read_degrees(text: str) -> float | None:
    """Read degrees, with minutes and seconds and the side of the Earth or without; else None.

    Examples
    --------
    >>> read_degrees("-0.5"), read_degrees("0° 30' S"), read_degrees("W 2.5°"), read_degrees("5 m")
    (-0.5, -0.5, -2.5, None)
    """
    try:
        return float(text)
    except ValueError:
        pass
    found = _DEGREES.fullmatch(text.strip()) if len(text) <= LONGEST else None
    if found is None:
        return None
    before, sign, *digits, behind = found.groups()
    degrees, minutes, seconds = (float(each.replace(",", ".")) if each else 0.0 for each in digits)
    if (before and behind) or max(minutes, seconds) >= _SIXTY:
        return None
    size = degrees + minutes / _SIXTY + seconds / _SIXTY**2
    return -size if (before or behind) in _NEGATIVE or sign in ("-", "−") else size
