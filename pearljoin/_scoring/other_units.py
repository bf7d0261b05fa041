"""Units of a building that tell its flats apart.

Flats of one building share street, number, postal code and town, and often a landlord or a price.
In the networks, which have learned from tables in which people and firms have addresses, this
outweighs the unit.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pearljoin._kinds.address import OTHER_UNIT
from pearljoin._records.encoded import EncodedRecords
from pearljoin._records.parsed_values import ParsedValues
from pearljoin._scoring.compared import Compared
from pearljoin._scoring.match_weights import MatchWeights
from pearljoin._typing import FloatVector

__all__ = ["UNITS", "units_shift"]

APART = 3.0
"""By how much two units lower the log odds that two records are one entity."""

TELLING = -0.75
"""Match weight of two units up to which units tell: in some tables they are often mistyped, or the
records are of who lives there."""

SLACK = 1e-3
"""How far the position of a pair is from that of two units by rounding, at most."""

UNITS = (OTHER_UNIT - SLACK, OTHER_UNIT + SLACK)
"""Positions of two units of one building on the scale of addresses."""


def units_shift(
    compared: Sequence[Compared], side: EncodedRecords, weights: MatchWeights
) -> FloatVector:
    """Return what two units of one building take from the log odds of pairs.

    Parameters
    ----------
    compared
        By key column, how the pairs compare.
    side
        Their right side.
    weights
        What the table teaches.

    Returns
    -------
    shift
        float32 of shape (n_pairs,), at most 0.
    """
    shift = np.zeros(len(compared[0].position), dtype=np.float32)
    for values, column, learned in zip(side.values, compared, weights.columns, strict=True):
        is_address = isinstance(values, ParsedValues) and values.kind == "address"
        if is_address and learned.weight[int(OTHER_UNIT)] <= TELLING:
            is_other = (column.position > UNITS[0]) & (column.position < UNITS[1])
            shift[is_other] = -APART
    return shift
