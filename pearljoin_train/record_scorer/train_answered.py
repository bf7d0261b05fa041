"""Training of the network that says whether a left record has an answer.

It takes what the other networks say, so it learns from tables that they have not seen: on those
that they were trained on they are surer than elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pearljoin.scoring import PAIR_FEATURES, Groups, read_record_networks
from pearljoin_train.record_scorer.evidence import RecordEvidence
from pearljoin_train.record_scorer.train_networks import make_views
from pearljoin_train.scorer.train_networks import ScorerConfig, fit_network

__all__ = ["ANSWERED_CONFIG", "train_answered"]

ANSWERED_CONFIG = ScorerConfig(
    hidden=(24,), epochs=12, members=3, rows=500, weight_decay=0.1, ranking=0.0
)
"""Settings of the training."""


@dataclass(frozen=True)
class LeftRecords:
    """Left records of two tables; see `fit_network`, which takes each for a row of one pair."""

    source: str
    left_rows: NDArray[np.int64]
    is_match: NDArray[np.bool_]
    inputs: NDArray[np.float32]


def train_answered(
    evidence: Iterable[RecordEvidence],
    networks: dict[str, Any],
    middle: NDArray[np.float32],
    config: ScorerConfig = ANSWERED_CONFIG,
) -> dict[str, Any]:
    """Train the network that says whether a left record has an answer.

    Parameters
    ----------
    evidence
        Of tables that `networks` were not trained on; those of one table do not count.
    networks, middle
        As of a scorer file.
    config
        The settings.

    Returns
    -------
    network
        As pearljoin reads it.
    """
    tables = list(_left_records(evidence, networks, middle))
    inputs = [table.inputs for table in tables]
    return fit_network(tables, inputs, config.hidden, config.epochs, config)[0]


def _left_records(
    evidence: Iterable[RecordEvidence], networks: dict[str, Any], middle: NDArray[np.float32]
) -> Iterator[LeftRecords]:
    ready = read_record_networks(networks, middle)
    for tables in evidence:
        if tables.is_one_table:
            continue
        (view,) = [view for view in make_views(tables, ready.priors) if view.is_calibrated]
        known = view.table(ready.same.logit(view.features[:, : len(PAIR_FEATURES)]))
        assert known is not None
        rows = Groups(view.left_rows).number
        inputs = ready.answered_inputs(view.features, view.left_rows, known)
        answered = np.bincount(rows, weights=view.is_match) > 0
        yield LeftRecords(view.source, np.arange(len(inputs)), answered, inputs)
