"""Training of the networks that score records of several columns.

Match weights of tables at large are counted first. With them, and with what is learned of each pair
of tables by expectation-maximisation, the features of all pairs are computed as a join computes
them: once as a matcher is calibrated on all left records, and once as it knows the reference alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from pearljoin.scoring import (
    PAIR_FEATURES,
    RECORD_FEATURES,
    Groups,
    LevelPrior,
    MatchWeights,
    knot_counts,
    learn_match_weights,
    record_features,
)
from pearljoin_train.record_scorer.evidence import RecordEvidence
from pearljoin_train.scorer.train_networks import ScorerConfig, fit_network
from pearljoin_train.scorer.views import Predict

__all__ = ["RECORD_CONFIG", "count_priors", "make_views", "train_record_networks"]

RECORD_CONFIG = ScorerConfig(hidden=(64, 32), epochs=10, rows=100, members=2)
"""Settings of the training."""

FEWEST_PAIRS = 50
"""Pairs that two tables could have, from which they are counted for the match weights."""

MOST_COUNTED = 50.0
"""Matches of two tables that count, in all."""

SMOOTHING_M, SMOOTHING_U = 5e-3, 2e-4
"""Added to each share, so that no level is impossible."""

N_QUANTILES = 400


@dataclass(frozen=True)
class _View:
    """Pairs as the networks are trained on them; see `fit_network`."""

    source: str
    left_rows: NDArray[np.int64]
    is_match: NDArray[Any]
    features: NDArray[np.float32]
    is_calibrated: bool
    is_one_table: bool


def count_priors(evidence: Iterable[RecordEvidence]) -> dict[str, LevelPrior]:
    """Count m and u probabilities of the levels of each kind of column."""
    m: dict[tuple[str, int], NDArray[np.float64]] = defaultdict(lambda: np.zeros(0))
    u: dict[tuple[str, int], NDArray[np.float64]] = defaultdict(lambda: np.zeros(0))
    for tables in evidence:
        if tables.n_left * tables.n_right < FEWEST_PAIRS:
            continue
        for column, kind, among in zip(
            tables.pairs.columns, tables.kinds, tables.among_all, strict=True
        ):
            key = kind, len(among)
            matches = knot_counts(column.position[tables.is_match], len(among))
            if matches.sum():
                weight = min(matches.sum(), MOST_COUNTED) ** 0.5
                m[key] = _added(m[key], matches / matches.sum() * weight)
            if among.sum():
                weight = min(tables.n_right, MOST_COUNTED) ** 0.5
                u[key] = _added(u[key], among / among.sum() * weight)
    return {
        key[0]: LevelPrior(_smoothed(m[key], SMOOTHING_M), _smoothed(u[key], SMOOTHING_U))
        for key in sorted(m)
        if len(u[key])
    }


def train_record_networks(
    evidence: Sequence[RecordEvidence],
    text: Mapping[str, Any],
    config: ScorerConfig = RECORD_CONFIG,
) -> dict[str, Any]:
    """Train the networks over the evidence of several columns.

    Parameters
    ----------
    evidence
        Of made records, not empty.
    text
        The network of two texts, its features and knots, as of `blank_record_networks`.
    config
        The settings.

    Returns
    -------
    networks
        As pearljoin reads them from the part ``"records"`` of a scorer file.
    """
    priors = count_priors(evidence)
    views = [view for tables in evidence for view in make_views(tables, priors)]
    linked = [_shared(view) for view in views if not view.is_one_table]
    answer, predict = fit_network(
        linked, [view.features for view in linked], config.hidden, config.epochs, config
    )
    alone = [view.features[:, : len(PAIR_FEATURES)] for view in views]
    same, _ = fit_network(views, alone, config.hidden, config.epochs, config)
    scores = [_best_scores(view, predict) for view in linked if not view.is_calibrated]
    places = (np.arange(N_QUANTILES) + 0.5) / N_QUANTILES
    return {
        "features": list(RECORD_FEATURES),
        "text": text["text"],
        "text_features": text["text_features"],
        "knots": text["knots"],
        "priors": {
            kind: {"m": prior.m.tolist(), "u": prior.u.tolist()} for kind, prior in priors.items()
        },
        "answer": answer,
        "same": same,
        "usual_scores": np.quantile(np.concatenate(scores), places).tolist(),
    }


def _shared(view: _View) -> _View:
    """Share one unit of probability among the answers of a left row."""
    rows = Groups(view.left_rows).number
    n_answers = np.bincount(rows, weights=view.is_match, minlength=1)
    shares = view.is_match / np.maximum(n_answers, 1)[rows]
    return replace(view, is_match=shares.astype(np.float32))


def _best_scores(view: _View, predict: Predict) -> NDArray[np.float32]:
    logit = predict(view.features)
    best = logit[Groups(view.left_rows).best(logit)]
    return np.asarray(expit(best), dtype=np.float32)


def make_views(tables: RecordEvidence, priors: Mapping[str, LevelPrior]) -> list[_View]:
    """Compute the features of pairs, calibrated on all left records and on the reference alone."""
    known = [
        _prior(priors, kind, len(among))
        for kind, among in zip(tables.kinds, tables.among_all, strict=True)
    ]
    pairs, n_right = tables.pairs, tables.n_right
    weights: list[tuple[MatchWeights, bool]] = [
        (
            learn_match_weights(
                pairs.columns, pairs.left, tables.n_left, n_right, tables.among_all, known
            ),
            True,
        )
    ]
    if not tables.is_one_table:
        nothing = np.zeros(0, dtype=np.int64)
        alone = learn_match_weights((), nothing, 0, n_right, tables.among_right, known)
        weights.append((alone, False))
    return [
        _View(
            tables.domain,
            pairs.left,
            tables.is_match,
            record_features(pairs, found),
            is_calibrated,
            tables.is_one_table,
        )
        for found, is_calibrated in weights
    ]


def _prior(priors: Mapping[str, LevelPrior], kind: str, n_knots: int) -> LevelPrior:
    """Return the prior of a kind; one of no knowledge where it was never seen."""
    if kind in priors and len(priors[kind].m) == n_knots:
        return priors[kind]
    even = np.full(n_knots, 1 / n_knots)
    return LevelPrior(even, even)


def _added(total: NDArray[np.float64], more: NDArray[np.float64]) -> NDArray[np.float64]:
    return total + more if len(total) else more


def _smoothed(counts: NDArray[np.float64], by: float) -> NDArray[np.float64]:
    share = counts / counts.sum() + by
    return np.asarray(share / share.sum(), dtype=np.float64)
