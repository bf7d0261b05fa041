"""Training of the network that says whether two texts of one table are names of one thing.

It takes one column, and learns from made tables of names, many of which are catalogues of siblings.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from pearljoin.scoring import ALIKE, record_features, text_pair_features
from pearljoin_train.record_scorer.evidence import compare_made
from pearljoin_train.record_scorer.train_networks import View, some_rows
from pearljoin_train.record_scorer.train_same_records import SAME_CONFIG
from pearljoin_train.records.made import MadeDuplicates
from pearljoin_train.scorer.train_networks import ScorerConfig, fit_network

__all__ = ["TEXTS_CONFIG", "compare_texts_of", "train_same_texts"]

TEXTS_CONFIG = replace(SAME_CONFIG, hidden=(32,), epochs=6)
"""Settings of the training."""


def compare_texts_of(made: MadeDuplicates, encoder: Any) -> View | None:
    """Describe the pairs of a made table of one column of text.

    Parameters
    ----------
    made
        The table.
    encoder
        An encoder with record networks.

    Returns
    -------
    view
        None where the column is no text, or no two texts are compared.
    """
    found, things = compare_made(made, encoder)
    first, second = found.of_sample(*found.pairs)
    if not found.scorer.is_text or not len(first):
        return None
    compared, weights = found.learner.compare(first, second)
    assert weights.texts is not None
    plain = found.scorer.networks.within_log_odds(record_features(compared, weights))
    order = np.argsort(first, kind="stable")
    order = order[plain[order] > ALIKE]
    at = order[some_rows(first[order])]
    if not len(at):
        return None
    return View(
        source=made.domain,
        left_rows=first[at],
        is_match=things[first[at]] == things[second[at]],
        features=text_pair_features(plain[at], compared.take(at), weights.texts),
        is_calibrated=True,
        is_one_table=True,
        n_records=len(found.scorer.side),
    )


def train_same_texts(views: Iterable[View], config: ScorerConfig = TEXTS_CONFIG) -> dict[str, Any]:
    """Train the network.

    Parameters
    ----------
    views
        The pairs of made tables, not empty.
    config
        The settings.

    Returns
    -------
    network
        As plain numbers.
    """
    known = list(views)
    features = [view.features for view in known]
    return fit_network(known, features, config.hidden, config.epochs, config)[0]
