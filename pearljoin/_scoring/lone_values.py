"""Records of one column whose values are read: dates, telephone numbers, e-mail addresses.

What other columns make likely, that one of two dates is a slip of writing the other, nothing makes
likely where a date is all that there is.
"""

from __future__ import annotations

import numpy as np

from pearljoin._records.encoded import EncodedRecords
from pearljoin._records.parsed_values import ParsedValues
from pearljoin._scoring.record_features import RecordPairs
from pearljoin._typing import BoolVector

__all__ = ["differ_alone"]

SAME_FROM = {"date": "same date", "email": "one character off", "phone": "equal nationally"}
"""The lowest comparison level of one value, by kind."""


def differ_alone(pairs: RecordPairs, side: EncodedRecords) -> BoolVector:
    """Mark pairs of records whose only values are not one date, telephone number or address.

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
    values = side.values[0]
    if len(side.values) > 1 or not isinstance(values, ParsedValues) or values.kind not in SAME_FROM:
        return np.zeros(len(pairs), dtype=bool)
    lowest = values.levels.index(SAME_FROM[values.kind])
    return np.asarray(pairs.columns[0].position < lowest, dtype=bool)
