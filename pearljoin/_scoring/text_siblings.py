"""What tells siblings in one column of text from names of one thing: the words that differ.

*Oat drink unsweetened* and *soya drink unsweetened* share most of their words, and are two things;
*oat drink unsweetened* and *unsweetened oat drnk* are one. A network that has learned from lists of
names, in which few things have siblings, is too sure of the first pair. One that has also seen
catalogues takes what it says, how the two texts differ, and how many pairs of the table differ in
which way: in a catalogue most names that are alike differ in a word, in a list of addresses of
customers they are misspelt.
"""

from __future__ import annotations

import numpy as np

from pearljoin._features.registry import REGISTRY, TEXT_FEATURES
from pearljoin._scoring.record_features import LARGEST, RecordPairs
from pearljoin._typing import BoolVector, FloatMatrix, FloatVector

__all__ = [
    "ALIKE",
    "TEXT_PAIR_FEATURES",
    "TEXT_TABLE_FEATURES",
    "describe_texts",
    "text_pair_features",
    "trust",
]

ALIKE = -3.0
"""Log odds from which it is asked whether two texts are siblings; others are different anyway."""

MOST_TRUST, FEW_RECORDS = 0.75, 10
"""Weight of this network's log odds at most, and number of records with half of it: a handful of
names say little of how those of a table differ. The rest is that of `RecordNetworks.same_within`,
which has seen more lists of names and fewer siblings."""

LIKELY = -1.0
"""Log odds from which pairs of a table are counted."""

LACKS = 0.3
"""Weight of a word that the other text lacks, of the weightiest one of the text, from which they
differ in it."""

MOST_RECORDS = 1_000
"""Records for which a larger table counts: those of the largest that the network learned from."""

SIDES = "left_", "right_"

TEXT_TABLE_FEATURES = (
    "n_records",
    "equal_a_record",
    "alike_a_record",
    "adding_a_record",
    "differing_a_record",
)
"""What candidate pairs say of a table: logarithms of the number of its records, and of how many
pairs each has that are equal, alike in all words, with words that one of the two lacks, and that
each of the two lacks."""

_ALONE = [name for name in TEXT_FEATURES if not name.startswith(SIDES)]
_OF_SIDES = [name.removeprefix("left_") for name in TEXT_FEATURES if name.startswith("left_")]

TEXT_PAIR_FEATURES = (
    "log_odds",
    "text",
    *_ALONE,
    *(f"{part}_{name}" for part in ("least", "most") for name in _OF_SIDES),
    *TEXT_TABLE_FEATURES,
)
"""Names of the features of two texts of one table: the log odds by `RecordNetworks.same_within`,
those by the network of two texts, features of the two texts in any order, and of the table."""


def describe_texts(
    log_odds: FloatVector,
    whole: FloatMatrix,
    is_equal: BoolVector,
    n_records: int,
    n_sampled: int,
) -> FloatVector:
    """Describe a table of one column of text by its candidate pairs.

    Parameters
    ----------
    log_odds
        float32 of shape (n_pairs,): of pairs of sampled records by `RecordNetworks.same_within`.
    whole
        float32 of shape (n_pairs, n_features): as of `RecordPairs`.
    is_equal
        bool of shape (n_pairs,): whether the texts are equal.
    n_records, n_sampled
        Records of the table, and how many of them are sampled.

    Returns
    -------
    table
        float32 of shape (len(TEXT_TABLE_FEATURES),).
    """
    likely = whole[(log_odds > LIKELY) & ~is_equal]
    one, other = (REGISTRY.columns(likely, f"{side}lacks")[0] > LACKS for side in SIDES)
    counts = [is_equal.sum(), (~one & ~other).sum(), (one ^ other).sum(), (one & other).sum()]
    a_record = np.log((np.array(counts) + 1.0) / max(1, n_sampled))
    size = np.log(max(1, min(n_records, MOST_RECORDS)))
    return np.array([size, *a_record], dtype=np.float32)


def text_pair_features(
    log_odds: FloatVector, pairs: RecordPairs, table: FloatVector
) -> FloatMatrix:
    """Compute `TEXT_PAIR_FEATURES` of pairs of records of one column of text.

    Parameters
    ----------
    log_odds
        float32 of shape (n_pairs,): of these pairs by `RecordNetworks.same_within`.
    pairs
        How they compare.
    table
        As of `describe_texts`.

    Returns
    -------
    features
        float32 of shape (n_pairs, len(TEXT_PAIR_FEATURES)).
    """
    sides = [
        np.stack(REGISTRY.columns(pairs.whole, *(f"{side}{name}" for name in _OF_SIDES)))
        for side in SIDES
    ]
    return np.column_stack(
        [
            np.clip(log_odds, -LARGEST, LARGEST),
            np.clip(pairs.whole_logit, -LARGEST, LARGEST),
            *REGISTRY.columns(pairs.whole, *_ALONE),
            *np.minimum(*sides),
            *np.maximum(*sides),
            np.tile(table, (len(log_odds), 1)),
        ]
    ).astype(np.float32)


def trust(table: FloatVector) -> float:
    """Return the weight, in [0, 1], of the network's log odds in a table as of `describe_texts`."""
    n_records = float(np.exp(table[TEXT_TABLE_FEATURES.index("n_records")]))
    return MOST_TRUST * n_records / (n_records + FEW_RECORDS)
