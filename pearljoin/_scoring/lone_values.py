"""Records that one value names: dates, telephone numbers, e-mail addresses, units of a building.

What other columns make likely, that one of two dates is a slip of writing the other, nothing makes
likely where a date is all that there is.
"""

from __future__ import annotations

import numpy as np

from pearljoin._kinds.address import AddressComparer
from pearljoin._records.encoded import EncodedRecords
from pearljoin._records.parsed_values import ParsedValues
from pearljoin._records.similarity import ExactValues
from pearljoin._scoring.record_features import RecordPairs
from pearljoin._typing import BoolVector

__all__ = ["differ_alone"]

SAME_FROM = {"date": "same day", "email": "one character off", "phone": "equal nationally"}
"""The lowest comparison level of one value, by kind."""

OTHER_UNIT = AddressComparer.levels.index("same building")
"""Comparison level of two units of one building."""

NAMELESS = frozenset({"address", "postcode", "category", "number", "date", "coordinate"})
"""Kinds of columns of which none but the address names a record: a price, say, many flats have."""


def differ_alone(pairs: RecordPairs, side: EncodedRecords) -> BoolVector:
    """Mark pairs of records whose only values are not one date, telephone number or address.

    So are two units of one building where records are known by their address alone.

    Parameters
    ----------
    pairs
        How the pairs compare.
    side
        Their right side.

    Returns
    -------
    differ
        bool of shape (n_pairs,); all False where there are other columns, or another kind.
    """
    values, differ = side.values, np.zeros(len(pairs), dtype=bool)
    if len(values) == 1 and isinstance(values[0], ParsedValues) and values[0].kind in SAME_FROM:
        lowest = values[0].levels.index(SAME_FROM[values[0].kind])
        return np.asarray(pairs.columns[0].position < lowest, dtype=bool)
    kinds = [
        each.kind if isinstance(each, ParsedValues | ExactValues) else "text" for each in values
    ]
    if NAMELESS.issuperset(kinds):
        for kind, compared in zip(kinds, pairs.columns, strict=True):
            if kind == "address":
                differ |= np.floor(compared.position) == OTHER_UNIT
    return differ
