"""Training of the network that says whether two records of one table are the same thing.

It takes several columns, and learns from made tables, many of which have related things, and from
written ones, in which nearly all things have: as they are, and with careless copies of their rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pearljoin.scoring import WITHIN_FEATURES, LevelPrior, features_within
from pearljoin_train.record_scorer.evidence import RecordEvidence
from pearljoin_train.record_scorer.train_networks import (
    RECORD_CONFIG,
    View,
    learn_weights,
    some_rows,
)
from pearljoin_train.scorer.train_networks import ScorerConfig, fit_network

__all__ = ["SAME_CONFIG", "train_same_records"]

SAME_CONFIG = replace(RECORD_CONFIG, hidden=(96, 48), epochs=4, ranking=0.0, members=3)
"""Settings of the training: what a network says of tables of a sort that it has seen few of differs
from one training to another, so several are averaged."""

WRITTEN_TIMES = 4
"""How many times a written table counts: tables that somebody wrote differ in more ways than those
that rules made."""

UNENCODED_SHARE = 0.15
"""Share of the tables that are there once more as if they had no text. Such tables are not encoded,
and few in training."""

UNENCODED = {"whole_cosine": 0.0, "whole_centred": 1.0}
"""What features of the vectors of whole records are in tables without text."""


def train_same_records(
    evidence: Iterable[RecordEvidence],
    priors: Mapping[str, dict[str, Any]],
    config: ScorerConfig = SAME_CONFIG,
    *,
    written: Iterable[RecordEvidence] = (),
) -> dict[str, Any]:
    """Train the network.

    Parameters
    ----------
    evidence
        Of made tables to deduplicate, and of written ones with copies; not empty.
    priors
        As of a scorer file.
    config
        The settings.
    written
        Of written tables, each of which counts `WRITTEN_TIMES`.

    Returns
    -------
    network
        As plain numbers.
    """
    known = {kind: LevelPrior(*_usual(each)) for kind, each in priors.items()}
    views = [_view(tables, known) for tables in evidence]
    views += [_view(tables, known) for tables in written] * WRITTEN_TIMES
    rng = np.random.default_rng(config.seed)
    views += [_unencoded(view) for view in views if rng.random() < UNENCODED_SHARE]
    features = [view.features for view in views]
    return fit_network(views, features, config.hidden, config.epochs, config)[0]


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


def _unencoded(view: View) -> View:
    """Return pairs as they would be if their table had no text."""
    features = view.features.copy()
    for name, value in UNENCODED.items():
        features[:, WITHIN_FEATURES.index(name)] = value
    return replace(view, features=features)
