"""What the key columns of candidate pairs say, column by column, and the whole records."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pearljoin._features.compute import compute_features
from pearljoin._features.profiled_texts import RecordTexts
from pearljoin._features.registry import REGISTRY
from pearljoin._records.encoded import EncodedRecords, n_values
from pearljoin._records.missing_keys import NULL
from pearljoin._records.similarity import NumberValues, TextValues
from pearljoin._scoring.match_weights import Compared
from pearljoin._scoring.record_features import RecordPairs
from pearljoin._scoring.record_networks import RecordNetworks
from pearljoin._typing import FloatMatrix, FloatVector, IntVector

__all__ = ["column_positions", "compare_records", "n_knots_of"]

NUMBER_KNOTS = 6
"""Knots of a scale of numbers: from 0 for no closeness to 5 for equality."""


def n_knots_of(side: EncodedRecords, at: int, networks: RecordNetworks) -> int:
    """Return how many knots the scale of a key column has."""
    values = side.values[at]
    if isinstance(values, TextValues):
        return networks.n_knots
    return NUMBER_KNOTS if isinstance(values, NumberValues) else values.n_levels


def compare_records(
    left: EncodedRecords,
    right: EncodedRecords,
    left_at: IntVector,
    right_at: IntVector,
    networks: RecordNetworks,
    counted: EncodedRecords | None = None,
    texts: RecordTexts | None = None,
) -> RecordPairs:
    """Compare pairs of records in every key column, and as whole records.

    Parameters
    ----------
    left, right
        The two sides, with their whole records.
    left_at, right_at
        int64 of shape (n_pairs,), `left_at` ascending: the candidate pairs.
    networks
        What texts are compared by.
    counted
        The records among which values are counted. Default: the right ones.
    texts
        The texts of these pairs and of others. Default: of these.

    Returns
    -------
    pairs
        How they compare.
    """
    counted = right if counted is None else counted
    assert left.whole is not None
    assert right.whole is not None
    texts = RecordTexts(left, right, left_at, right_at) if texts is None else texts
    sides = left.whole, right.whole
    whole = _TextPairs.of(*sides, 0, left_at, right_at, networks, texts.whole)
    n_fields = len(left.values)
    logits = np.full((len(left_at), n_fields), np.nan, dtype=np.float32)
    columns = []
    for at in range(n_fields):
        is_whole = left.values[at] is left.whole.values[0]
        compared = whole if is_whole else None
        if not is_whole and isinstance(left.values[at], TextValues):
            compared = _TextPairs.of(left, right, at, left_at, right_at, networks, texts)
        position, logits[:, at] = column_positions(
            left, right, at, left_at, right_at, networks, compared
        )
        frequency = term_frequency(left, right, at, left_at, right_at, counted)
        columns.append(Compared(position, frequency))
    features = np.zeros((len(left_at), len(REGISTRY)), dtype=np.float32)
    whole_logit = np.zeros(len(left_at), dtype=np.float32)
    features[whole.known], whole_logit[whole.known] = whole.features, whole.logit
    return RecordPairs(left_at, tuple(columns), logits, whole_logit, features)


class _TextPairs(NamedTuple):
    """Pairs of texts of one column: those where neither is null, their features and log odds."""

    known: IntVector
    features: FloatMatrix
    logit: FloatVector

    @classmethod
    def of(
        cls,
        left: EncodedRecords,
        right: EncodedRecords,
        at: int,
        left_at: IntVector,
        right_at: IntVector,
        networks: RecordNetworks,
        texts: RecordTexts,
    ) -> _TextPairs:
        """Compare the texts of pairs of records, each pair of texts once."""
        known, left_codes, right_codes = _known_codes(left, right, at, left_at, right_at)
        # By values: a record may be left out (its group is null) whose value is not.
        size = max(1, n_values(right.values[at]))
        pairs, which = np.unique(left_codes * size + right_codes, return_inverse=True)
        features = np.zeros((0, len(REGISTRY)), dtype=np.float32)
        if len(pairs):
            values = left.of_values(at), right.of_values(at)
            ends, known_texts = np.divmod(pairs, size), texts.column(at)
            found = compute_features(*values, *ends, networks.middle, texts=known_texts)
            features = found.features
        logit, which = networks.text_logit(features), which.reshape(-1)
        return cls(known, features[which], logit[which])


def column_positions(
    left: EncodedRecords,
    right: EncodedRecords,
    at: int,
    left_at: IntVector,
    right_at: IntVector,
    networks: RecordNetworks,
    texts: _TextPairs | None = None,
) -> tuple[FloatVector, FloatVector]:
    """Place pairs on the scale of one key column.

    `texts` is how its texts compare, where that is known already.

    Returns
    -------
    position
        float32 of shape (n_pairs,), as of `Compared`.
    logit
        float32 of shape (n_pairs,): for text the log odds that two values name the same thing, else
        NaN.
    """
    known, left_codes, right_codes = _known_codes(left, right, at, left_at, right_at)
    position = np.full(len(left_at), np.nan, dtype=np.float32)
    logit = np.full(len(left_at), np.nan, dtype=np.float32)
    if not len(known):
        return position, logit
    top = n_knots_of(right, at, networks) - 1
    if isinstance(left.values[at], TextValues):
        if texts is None:
            listed = RecordTexts(left, right, left_at, right_at)
            texts = _TextPairs.of(left, right, at, left_at, right_at, networks, listed)
        logit[known] = texts.logit
        placed = networks.place(texts.logit)
    else:
        placed = top * left.similarity(right, at, left_codes, right_codes)
    reference = right.values[at]
    left_numbers = left.values[at].numbers_among(reference)
    equal = left_numbers[left_codes] == reference.numbers[right_codes]
    position[known] = np.where(equal, top, np.minimum(placed, top - 1e-3))
    return position, logit


def _known_codes(
    left: EncodedRecords,
    right: EncodedRecords,
    at: int,
    left_at: IntVector,
    right_at: IntVector,
) -> tuple[IntVector, IntVector, IntVector]:
    """Places of the pairs of which neither value is null, and both values of these as codes."""
    left_codes, right_codes = left.codes[at][left_at], right.codes[at][right_at]
    known = np.flatnonzero((left_codes != NULL) & (right_codes != NULL))
    return known, left_codes[known], right_codes[known]


def term_frequency(
    left: EncodedRecords,
    right: EncodedRecords,
    at: int,
    left_at: IntVector,
    right_at: IntVector,
    counted: EncodedRecords,
) -> FloatVector:
    """Log of the usual frequency over that of the more frequent value of each pair.

    A value's frequency is its share of the `counted` records. The usual frequency is the
    probability that two of them have the same value. 0 for numbers.
    """
    if isinstance(right.values[at], NumberValues):
        return np.zeros(len(left_at), dtype=np.float32)
    shares = counted.value_shares[at]
    left_share = shares.of(left.values[at], left.codes[at][left_at])
    right_share = shares.of(right.values[at], right.codes[at][right_at])
    commoner = np.log(np.maximum(left_share, right_share))
    return np.asarray(np.log(shares.usual or 1.0) - commoner, dtype=np.float32)
