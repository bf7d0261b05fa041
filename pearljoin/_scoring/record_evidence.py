"""Evidence of the key columns of candidate pairs, and of whole records."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pearljoin._features.compute import ComparedColumn
from pearljoin._features.profiled_texts import RecordTexts
from pearljoin._features.registry import REGISTRY
from pearljoin._records.encoded import EncodedRecords
from pearljoin._records.parsed_values import ParsedValues
from pearljoin._records.similarity import NumberValues, TextValues
from pearljoin._scoring.column_pairs import ColumnPairs
from pearljoin._scoring.compared import Compared
from pearljoin._scoring.distinctions import are_numbered_apart
from pearljoin._scoring.other_people import NamedPairs
from pearljoin._scoring.record_features import RecordPairs
from pearljoin._scoring.record_networks import RecordNetworks
from pearljoin._typing import BoolVector, FloatMatrix, FloatVector, IntVector

__all__ = ["ColumnPairs", "column_positions", "compare_records", "n_knots_of"]

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
    records = ColumnPairs(left.whole, right.whole, 0, left_at, right_at)
    whole = compare_texts(records, networks, texts.whole)
    n_fields = len(left.values)
    logits = np.full((len(left_at), n_fields), np.nan, dtype=np.float32)
    columns = []
    for at in range(n_fields):
        pairs = ColumnPairs(left, right, at, left_at, right_at)
        is_whole = left.values[at] is left.whole.values[0]
        known = whole if is_whole else None
        position, logits[:, at] = column_positions(pairs, networks, texts, known)
        columns.append(Compared(position, term_frequency(pairs, counted), are_new(pairs)))
    features = np.zeros((len(left_at), len(REGISTRY)), dtype=np.float32)
    whole_logit = np.zeros(len(left_at), dtype=np.float32)
    features[records.known], whole_logit[records.known] = whole.features, whole.logit
    named = NamedPairs(left, right, left_at, right_at)
    return RecordPairs(left_at, tuple(columns), logits, whole_logit, features, named)


class TextPairs(NamedTuple):
    """Features and log odds of one column's pairs of texts, without nulls."""

    features: FloatMatrix
    logit: FloatVector


def compare_texts(pairs: ColumnPairs, networks: RecordNetworks, texts: RecordTexts) -> TextPairs:
    """Compare the texts of pairs of records, each pair of texts once."""
    left_codes, right_codes = pairs.known_codes
    # By values: a record may be left out (its group is null) whose value is not.
    size = max(1, len(pairs.right.values[pairs.at]))
    distinct, which = np.unique(left_codes * size + right_codes, return_inverse=True)
    features = np.zeros((0, len(REGISTRY)), dtype=np.float32)
    if len(distinct):
        column = ComparedColumn(pairs.left, pairs.right, networks.middle, pairs.at)
        features = column.compute_alone(np.divmod(distinct, size), texts.column(pairs.at))
    logit, which = networks.text_logit(features), which.reshape(-1)
    return TextPairs(features[which], logit[which])


def column_positions(
    pairs: ColumnPairs,
    networks: RecordNetworks,
    texts: RecordTexts,
    compared: TextPairs | None = None,
) -> tuple[FloatVector, FloatVector]:
    """Place pairs on the scale of one key column.

    Parameters
    ----------
    pairs
        The pairs, and the column.
    networks, texts
        What texts are compared by, and the texts of these pairs and of others.
    compared
        How the texts of the column compare, where that is known already.

    Returns
    -------
    position
        float32 of shape (n_pairs,), as of `Compared`.
    logit
        float32 of shape (n_pairs,): for text the log odds that two values name the same thing, else
        NaN.
    """
    position = np.full(len(pairs), np.nan, dtype=np.float32)
    logit = np.full(len(pairs), np.nan, dtype=np.float32)
    known, at = pairs.known, pairs.at
    if not len(known):
        return position, logit
    codes, reference = pairs.known_codes, pairs.right.values[at]
    top = n_knots_of(pairs.right, at, networks) - 1
    if isinstance(pairs.left.values[at], TextValues):
        compared = compare_texts(pairs, networks, texts) if compared is None else compared
        told = compared.logit
        if len(pairs.left.values) > 1:
            # "250 g" and "500 g" differ wholly; of one column alone, pairs are told apart later.
            is_apart = are_numbered_apart(compared.features)
            told = np.where(is_apart, np.minimum(told, networks.knots[0]), told)
        logit[known] = told
        placed = networks.place(told)
    else:
        left = pairs.left.values[at]
        if isinstance(left, ParsedValues) and isinstance(reference, ParsedValues):
            placed = top * left.similarity(reference, *codes)
        else:
            placed = top * pairs.left.similarity(pairs.right, at, *codes)
    left_numbers = pairs.left.values[at].numbers_among(reference)
    equal = left_numbers[codes[0]] == reference.numbers[codes[1]]
    position[known] = np.where(equal, top, np.minimum(placed, top - 1e-3))
    return position, logit


def are_new(pairs: ColumnPairs) -> BoolVector:
    """Mark pairs whose left value no right record has: bool of shape (n_pairs,)."""
    left, right = pairs.left.values[pairs.at], pairs.right.values[pairs.at]
    numbers = left.numbers_among(right)[pairs.codes[0]]
    return np.asarray(numbers >= len(right.number_of), dtype=bool)


def term_frequency(pairs: ColumnPairs, counted: EncodedRecords) -> FloatVector:
    """Log of the usual frequency over that of the more frequent value of each pair.

    A value's frequency is its share of the `counted` records. The usual frequency is the
    probability that two of them have the same value. 0 for numbers.
    """
    left, right = pairs.left.values[pairs.at], pairs.right.values[pairs.at]
    if isinstance(right, NumberValues):
        return np.zeros(len(pairs), dtype=np.float32)
    (left_codes, right_codes), shares = pairs.codes, counted.value_shares[pairs.at]
    commoner = np.log(np.maximum(shares.of(left, left_codes), shares.of(right, right_codes)))
    return np.asarray(np.log(shares.usual or 1.0) - commoner, dtype=np.float32)
