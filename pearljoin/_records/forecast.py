"""Forecast of the time of a long encoding, from a measured sample."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

from pearljoin._encoders import CoverageEncoder, Encoder, load_encoder
from pearljoin._progress import LOG
from pearljoin._search.rounded_vectors import KeptVectors
from pearljoin._search.vectors import joined_rows, round_dense
from pearljoin._typing import BoolVector, Vectors

__all__ = ["encode_announced", "seconds_text"]

MANY = 20_000
"""Fewest texts of an encoding whose time is forecast."""

SAMPLED = 256
"""Texts that the time is measured on."""

LONG = 10.0
"""Shortest forecast, in seconds, that is logged."""

SLOW, FAST = "pearl-mini", "pearl-nano"

ROUNDED_AT_ONCE = 65_536
"""Texts that are encoded before their vectors are rounded: bounds the memory."""


def encode_announced(
    encoder: Encoder, texts: Sequence[str], *, rounds: bool = False
) -> tuple[KeptVectors, BoolVector]:
    """Encode texts; first log a forecast of a long encoding's time.

    Parameters
    ----------
    encoder
        Encodes them.
    texts
        Distinct texts.
    rounds
        Whether dense vectors are rounded.

    Returns
    -------
    vectors
        float32 of shape (n_texts, dim), as the encoder gives them, or rounded.
    covered
        bool of shape (n_texts,): whether a vector represents the whole text; True where the encoder
        cannot tell.
    """
    if len(texts) >= MANY:
        _announce(encoder, texts)
    if not rounds or not len(texts):
        return _encoded(encoder, texts)
    found = []
    for start in range(0, len(texts), ROUNDED_AT_ONCE):
        vectors, covered = _encoded(encoder, texts[start : start + ROUNDED_AT_ONCE])
        found.append((round_dense(vectors), covered))
    parts, known = zip(*found, strict=True)
    return joined_rows(parts), np.concatenate(known)


def _encoded(encoder: Encoder, texts: Sequence[str]) -> tuple[Vectors, BoolVector]:
    """Vectors as the encoder gives them, and which represent their whole text."""
    both = getattr(encoder, "encode_and_cover", None)
    if both is not None:
        vectors, covered = both(texts)
        return vectors, covered
    vectors = encoder.encode(texts)
    if isinstance(encoder, CoverageEncoder):
        return vectors, encoder.covers(texts)
    return vectors, np.ones(len(texts), dtype=np.bool_)


def _announce(encoder: Encoder, texts: Sequence[str]) -> None:
    expected = _expected_seconds(encoder, texts)
    if expected < LONG:
        return
    faster = ""
    if getattr(encoder, "name", None) == SLOW:
        seconds = _expected_seconds(load_encoder(FAST), texts)
        faster = f"; encoder={FAST!r} {seconds_text(seconds)}"
    LOG.info("%s distinct phrases, %s%s", f"{len(texts):,}", seconds_text(expected), faster)


def _expected_seconds(encoder: Encoder, texts: Sequence[str]) -> float:
    sample = [texts[at] for at in range(0, len(texts), max(1, len(texts) // SAMPLED))]
    # The first call of an encoder also loads it.
    encoder.encode(sample[:1])
    start = time.perf_counter()
    encoder.encode(sample)
    return (time.perf_counter() - start) / len(sample) * len(texts)


def seconds_text(seconds: float) -> str:
    """Write a time in few words.

    Examples
    --------
    >>> seconds_text(8.2), seconds_text(64), seconds_text(300), seconds_text(9_000)
    ('about 8 s', 'about 64 s', 'about 5 minutes', 'about 2.5 hours')
    """
    if seconds < 100:
        return f"about {max(1, round(seconds))} s"
    if seconds < 100 * 60:
        return f"about {round(seconds / 60)} minutes"
    return f"about {seconds / 3600:.1f} hours"
