"""Training of the network that corrects the log odds of texts of one table.

It takes what the network of two records says of made tables that that one has not seen, and of
their decoys.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pearljoin.scoring import count_by_interval, describe_intervals
from pearljoin_train.record_scorer.evidence import compare_made
from pearljoin_train.records.made import MadeDuplicates
from pearljoin_train.scorer.train_networks import ScorerConfig, fit_network

__all__ = ["CORRECTION_CONFIG", "Intervals", "describe_table", "train_text_correction"]

CORRECTION_CONFIG = ScorerConfig(
    hidden=(16,), epochs=60, members=4, rows=500, weight_decay=0.01, ranking=0.0
)
"""Settings of the training."""

A_TABLE = 100
"""Rows that stand for a table, in the shares in which its pairs are spread over the intervals."""

FEWEST_EQUAL, LEAST_SAME = 5, 0.8
"""Pairs of equal texts, and share of these that is one thing, from which their table counts: a
column in which equal texts are mostly different things does not say what a thing is."""


@dataclass(frozen=True)
class Intervals:
    """Intervals of log odds of a table's pairs; see `fit_network`, which takes each for a pair.

    Attributes
    ----------
    features
        float32 of shape (n_rows, n_features): each interval as often as its share of pairs asks.
    is_match
        float32 of shape (n_rows,): share of its pairs that match.
    """

    source: str
    features: NDArray[np.float32]
    is_match: NDArray[np.float32]

    @property
    def left_rows(self) -> NDArray[np.int64]:
        """Each row by itself: int64 of shape (n_rows,)."""
        return np.arange(len(self.is_match))


def describe_table(made: MadeDuplicates, encoder: Any) -> Intervals | None:
    """Describe the intervals of log odds of a made table of one column of text.

    Parameters
    ----------
    made
        The table.
    encoder
        An encoder with record networks.

    Returns
    -------
    intervals
        None where the column is no text, has too few records for decoys, or does not tell things
        apart.
    """
    found, things = compare_made(made, encoder)
    if not found.scorer.is_text or not found.learner.has_correction:
        return None
    first, second = found.of_sample(*found.pairs)
    texts, log_odds, is_equal = found.learner.score_texts(first, second)
    is_match = things[first] == things[second]
    n_equal, n_same = int(is_equal.sum()), int(is_match[is_equal].sum())
    if n_equal >= FEWEST_EQUAL and n_same < LEAST_SAME * n_equal:
        return None
    n = count_by_interval(log_odds[~is_equal])
    right = count_by_interval(log_odds[~is_equal & is_match])
    n_rows = np.ceil(A_TABLE * n / max(n.sum(), 1)).astype(np.int64)
    return Intervals(
        made.domain,
        np.repeat(describe_intervals(texts), n_rows, axis=0),
        np.repeat((right / np.maximum(n, 1)).astype(np.float32), n_rows),
    )


def train_text_correction(
    tables: Iterable[Intervals], config: ScorerConfig = CORRECTION_CONFIG
) -> dict[str, Any]:
    """Train the network on the intervals of tables.

    Returns
    -------
    network
        As pearljoin reads it.
    """
    known = [table for table in tables if len(table.is_match)]
    inputs = [table.features for table in known]
    return fit_network(known, inputs, config.hidden, config.epochs, config)[0]
