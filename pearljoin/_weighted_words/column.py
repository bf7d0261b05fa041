"""A column of texts: read from whatever holds it, and cut into chunks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from pearljoin._errors import InputError

__all__ = ["chunks_of", "texts_of"]

CHUNK_TEXTS = 16_384
CHUNK_CHARACTERS = 1_000_000
"""A chunk's words, some 170,000, bound the memory of what is made of them on the way."""


def texts_of(X: Any) -> list[str]:
    """Read a column of texts, whatever holds it; nulls become empty texts.

    Parameters
    ----------
    X
        A sequence, an array of one column, a Series, or a frame of one column.

    Raises
    ------
    InputError
        If it is a single string, has several columns, or holds what is no text.
    """
    if isinstance(X, str | bytes):
        raise InputError(
            f"Texts must be a column, not a single string. Got {X!r:.80}. Hint: pass a list."
        )
    values = nw.from_native(X, pass_through=True, allow_series=True)
    if isinstance(values, nw.LazyFrame):
        values = values.collect()
    if isinstance(values, nw.DataFrame):
        if values.shape[1] != 1:
            raise InputError(
                f"One column of texts is encoded at a time. Got columns {values.columns}. "
                "Hint: pass one of them, or use a ColumnTransformer."
            )
        values = values[values.columns[0]]
    if isinstance(values, nw.Series):
        values = values.to_list()
    elif isinstance(values, np.ndarray):
        if values.ndim > 2 or (values.ndim == 2 and values.shape[1] != 1):
            raise InputError(
                f"One column of texts is encoded at a time. Got an array of shape {values.shape}. "
                "Hint: pass one of its columns."
            )
        values = values.ravel().tolist()
    if not isinstance(values, Iterable):
        raise InputError(
            f"Texts must be a column. Got {type(X).__name__}. Hint: pass a list of strings."
        )
    return [value if isinstance(value, str) else _text(value) for value in values]


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bytes | Mapping | Sequence | np.ndarray):
        raise InputError(
            f"Each text must be a string. Got {value!r:.80}. Hint: decode bytes, and pass a list "
            "of strings rather than of lists."
        )
    # NaN, NaT and pandas.NA are the values that do not equal themselves; asked, the last one
    # raises.
    try:
        return "" if bool(value != value) else str(value)
    except TypeError:
        return ""


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
