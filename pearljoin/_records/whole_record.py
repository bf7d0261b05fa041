"""Whole records as one text: all that a record's key columns hold, whichever column holds it.

A maker may stand in a column of its own on one side and in the title on the other, and given and
family names may be swapped. So two records are also compared as two names are: each as one text.
Row numbers are left out, since the same record has another number in each table.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pearljoin._kinds.protocol import Kind
from pearljoin._records.column_statistics import ColumnStatistics
from pearljoin._records.encoded import EncodedRecords
from pearljoin._records.equality import Values
from pearljoin._records.missing_keys import NULL
from pearljoin._records.parsed_values import ParsedValues
from pearljoin._records.records import factorize
from pearljoin._records.similarity import TextValues
from pearljoin._search.weighing import weighed
from pearljoin._typing import FloatMatrix, FloatVector, IntVector

__all__ = ["column_shares", "whole_records"]

IN_ONE_FORM: frozenset[Kind] = frozenset(["number", "date"])
"""Kinds whose values are written in many ways that mean the same, as *12,50* and *12.5* do."""

_PLAIN = re.compile(r"-?\d+(?:[.-]\d+)*")
"""A number without a unit, or a date without a time of day. Of others the form is a key, no text:
*16 in* is *0.4064 length in m*."""

LONG_CODE = 10
"""Letters and digits of a code from which on its separators are left out: of *CS 101* the parts are
words of the record, as *CS* may be, but not of the address *b0-2b-3d-c6-66-f4*."""

LONGEST = 2_000
"""Characters of a column that count."""


def column_shares(reference: EncodedRecords) -> FloatVector:
    """Weights of the vectors of the key columns in the vector of the whole record.

    A column with more distinct values has a greater weight. Counted when the statistics of the
    columns are learned: rows that are added later change no vector.

    Returns
    -------
    shares
        float32 of shape (n_fields,); 0 for a column that has no vectors.
    """
    found = [
        0.0 if column.terms is None else np.log2(1 + column.terms.n_texts)
        for column in reference.statistics
    ]
    return np.array(found, dtype=np.float32)


def whole_records(
    side: EncodedRecords,
    shares: FloatVector,
    dim: int,
    statistics: ColumnStatistics | None = None,
) -> EncodedRecords:
    """Return the same records with one key column, which holds all values as one text.

    Where the only key column is text, it is the whole record.

    Parameters
    ----------
    side
        The records.
    shares
        As of `column_shares` for the reference.
    dim
        Columns of the vectors, which are zero where no key column is text.
    statistics
        Of the whole records of the reference. Default: `side` is the reference.
    """
    weight = np.ones(1, dtype=np.float64)
    if len(side.values) == 1 and isinstance(side.values[0], TextValues):
        return EncodedRecords(
            side.values, side.statistics, side.spelling, side.codes, side.groups, weight
        )
    texts = [" ".join(parts) for parts in zip(*map(_cells, _listed(side), side.codes), strict=True)]
    distinct, codes = factorize([" ".join(text.split()) or None for text in texts])
    known = np.flatnonzero(codes != NULL)
    first = np.zeros(len(distinct), dtype=np.int64)
    first[codes[known][::-1]] = known[::-1]
    vectors = _mean_vectors(side, shares, dim, first)
    covered: NDArray[np.bool_] = np.ones(len(distinct), dtype=bool)
    values = TextValues([str(text) for text in distinct], vectors, covered)
    statistics = ColumnStatistics.of(values) if statistics is None else statistics
    assert statistics.terms is not None
    spelling = weighed(values.counts, statistics.terms)
    return EncodedRecords((values,), (statistics,), (spelling,), (codes,), side.groups, weight)


def _listed(side: EncodedRecords) -> list[list[str]]:
    """The distinct values of each key column as text; nothing for row numbers."""
    listed = []
    for values, column in zip(side.values, side.statistics, strict=True):
        texts = [str(value)[:LONGEST] for value in _written(values)]
        listed.append([""] * len(texts) if column.is_row_number else texts)
    return listed


def _written(values: Values) -> Sequence[object]:
    """Values as they are written, or as what was read of them is written once for all."""
    if isinstance(values, ParsedValues) and values.kind == "code":
        pairs = zip(values.listed, values.texts, strict=True)
        return [form if len(str(form or "")) >= LONG_CODE else text for form, text in pairs]
    if isinstance(values, ParsedValues) and values.kind in IN_ONE_FORM:
        pairs = zip(values.listed, values.texts, strict=True)
        return [str(form) if _PLAIN.fullmatch(str(form)) else text for form, text in pairs]
    if isinstance(values, (TextValues, ParsedValues)):
        return values.texts
    return values.listed


def _cells(values: list[str], codes: IntVector) -> list[str]:
    return ["" if code == NULL else values[code] for code in codes.tolist()]


def _mean_vectors(
    side: EncodedRecords, shares: FloatVector, dim: int, records: IntVector
) -> FloatMatrix:
    """Unit vectors of records: the weighted mean of the vectors of their columns."""
    total = np.zeros((len(records), dim), dtype=np.float32)
    for at, share in enumerate(shares.tolist()):
        values = side.values[at]
        if not share or not isinstance(values, TextValues):
            continue
        dense = np.asarray(values.vectors, dtype=np.float32)
        if not len(dense):
            continue
        codes = side.codes[at][records]
        part = np.asarray(np.float32(share) * dense[np.maximum(codes, 0)], dtype=np.float32)
        part[codes == NULL] = 0
        total += part
    lengths = np.linalg.norm(total, axis=1, keepdims=True)
    return np.asarray(total / np.maximum(lengths, 1e-9), dtype=np.float32)
