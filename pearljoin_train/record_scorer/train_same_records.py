"""Training of the network that says whether two records of one table are the same thing.

It takes several columns, and learns from made tables, many of which have related things.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pearljoin.scoring import LevelPrior, features_within
from pearljoin_train.record_scorer.evidence import RecordEvidence
from pearljoin_train.record_scorer.train_networks import (
    RECORD_CONFIG,
    View,
    learn_weights,
    some_rows,
)
from pearljoin_train.scorer.train_networks import ScorerConfig, fit_network

__all__ = ["SAME_CONFIG", "train_same_records"]

SAME_CONFIG = replace(RECORD_CONFIG, ranking=0.0, members=6)
"""Settings of the training: what a network says of tables of a sort that it has seen few of differs
from one training to another, so several are averaged."""


def train_same_records(
    evidence: Iterable[RecordEvidence],
    priors: Mapping[str, dict[str, Any]],
    config: ScorerConfig = SAME_CONFIG,
) -> dict[str, Any]:
    """Train the network.

    Parameters
    ----------
    evidence
        Of made tables to deduplicate, not empty.
    priors
        As of a scorer file.
    config
        The settings.

    Returns
    -------
    network
        As plain numbers.
    """
    known = {kind: LevelPrior(*_usual(each)) for kind, each in priors.items()}
    views = [_view(tables, known) for tables in evidence]
    features = [view.features for view in views]
    return fit_network(views, features, config.hidden, config.epochs, replace(config, ranking=0.0))[
        0
    ]


def _usual(prior: Mapping[str, Any]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the m and u probabilities of all sorts of a kind, as deduplication has them."""
    m, u = (np.asarray(prior[name], dtype=np.float64) for name in ("m", "u"))
    return m, u


def _view(tables: RecordEvidence, priors: Mapping[str, LevelPrior]) -> View:
    """Compute the features of the pairs of some records."""
    at = some_rows(tables.pairs.left)
    return View(
        source=tables.domain,
        left_rows=tables.pairs.left[at],
        is_match=tables.is_match[at],
        features=features_within(tables.pairs.take(at), learn_weights(tables, priors)),
        is_calibrated=True,
        is_one_table=True,
        n_records=tables.n_left,
    )
