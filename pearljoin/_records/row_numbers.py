"""Row numbers: key columns that count the rows of a table."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from pearljoin._records.equality import Values
from pearljoin._records.missing_keys import NULL
from pearljoin._records.parsed_values import ParsedValues
from pearljoin._records.similarity import TextValues
from pearljoin._typing import IntVector

__all__ = ["count_rows"]

FEWEST_ROWS = 20
"""Rows from which on numbers that are all different may count them."""

MOST = 0.9
"""Smallest share of their range that row numbers fill; also the smallest share of the records that
the other columns distinguish. Where these do not, as in a list of one prize by year, the number
identifies the record and is compared as any other value."""

COUNTING_KINDS = ("number", "code", "category")
"""Kinds of columns that may be row numbers. Years and postcodes in sequence are not."""

_WHOLE = re.compile(r"\d{1,15}(?:\.0)?")


def count_rows(values: Sequence[Values], codes: Sequence[IntVector]) -> list[bool]:
    """Tell which key columns of a reference count its rows.

    Parameters
    ----------
    values
        The distinct values of each column.
    codes
        By column, int64 of shape (n_records,): which of them each record has, or `NULL`.

    Returns
    -------
    counts
        One for each column. None of them does where the other columns leave rows alike.

    Examples
    --------
    >>> import numpy as np
    >>> from pearljoin._records.similarity import ExactValues
    >>> rows, names = ExactValues(list(range(30))), ExactValues([f"name {n}" for n in range(30)])
    >>> count_rows([rows, names], [np.arange(30), np.arange(30)])
    [True, False]
    >>> count_rows([rows, names], [np.arange(30), np.zeros(30, dtype=np.int64)])
    [False, False]
    """
    counts = [_are_in_sequence(*column) for column in zip(values, codes, strict=True)]
    rest = [column for column, counting in zip(codes, counts, strict=True) if not counting]
    if not any(counts):
        return counts
    n_apart = len(np.unique(np.stack(rest), axis=1).T) if rest else 0
    return counts if n_apart >= MOST * len(codes[0]) else [False] * len(counts)


def _are_in_sequence(values: Values, codes: IntVector) -> bool:
    """Tell whether values are whole numbers without repetition, and most of a range."""
    if isinstance(values, TextValues):
        return False
    if isinstance(values, ParsedValues) and values.kind not in COUNTING_KINDS:
        return False
    if not len(codes) == len(values) >= FEWEST_ROWS or (codes == NULL).any():
        return False
    texts = [str(value) for value in values.listed]
    if not all(map(_WHOLE.fullmatch, texts)):
        return False
    return bool(np.ptp([float(text) for text in texts]) < len(texts) / MOST)
