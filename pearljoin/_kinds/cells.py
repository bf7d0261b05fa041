"""Cells of any type as text."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any
from zlib import crc32

import numpy as np

from pearljoin._kinds.protocol import Values

__all__ = ["cell_text", "cell_texts", "sample_texts", "text_hash"]


def cell_texts(values: Values) -> list[str | None]:
    """Turn cells into text; null and blank ones into None.

    Examples
    --------
    >>> cell_texts(["a ", 5.0, "5.0", None, float("nan"), " "])
    ['a', '5', '5', None, None, None]
    """
    if isinstance(values, np.ndarray) and values.dtype.kind == "M":
        nulls = np.isnat(values)
        texts = np.datetime_as_string(values).tolist()
        return [None if null else text for null, text in zip(nulls, texts, strict=True)]
    listed = values.tolist() if isinstance(values, np.ndarray) else values
    return [cell_text(value) for value in listed]


def cell_text(value: Any) -> str | None:
    """Turn one cell into text: whole numbers without a decimal point, dates as ISO."""
    if isinstance(value, str):
        text = value.strip()
        # A column of whole numbers and nulls was one of floats before it was text.
        return text[:-2] if text[-2:] == ".0" and text[:-2].isdecimal() else text or None
    if value is None or value != value:
        return None
    if isinstance(value, float | np.floating):
        return str(int(value)) if float(value).is_integer() else repr(float(value))
    if isinstance(value, np.datetime64):
        return str(np.datetime_as_string(value))
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    return str(value)


def text_hash(text: str) -> int:
    """Hash a text, to draw samples in which the order of rows plays no part."""
    return crc32(text.encode("utf-8", "replace"))


def sample_texts(texts: Sequence[str], most: int) -> list[str]:
    """Choose at most so many distinct texts, by their hashes; all where there are no more."""
    if len(texts) <= most:
        return list(texts)
    hashes = np.fromiter(map(text_hash, texts), np.int64, len(texts))
    lowest = hashes < np.partition(hashes, most)[most]
    return [texts[at] for at in np.flatnonzero(lowest).tolist()]
