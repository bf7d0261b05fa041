"""Training of the networks that score records of several columns.

Match weights of tables at large are counted first. With them, and with what is learned of each pair
of tables by expectation-maximisation, the features of all pairs are computed as a join computes
them: once as a matcher is calibrated on all left records, and once as it knows the reference alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from pearljoin.scoring import (
    PAIR_FEATURES,
    RECORD_FEATURES,
    WIDER_KIND,
    Compared,
    Groups,
    LevelPrior,
    MatchWeights,
    describe_pairs,
    knot_counts,
    learn_match_weights,
    record_features,
    with_table,
)
from pearljoin_train.record_scorer.column_sorts import fit_sorts, smoothed
from pearljoin_train.record_scorer.evidence import RecordEvidence
from pearljoin_train.scorer.train_networks import ScorerConfig, fit_network, train_stage
from pearljoin_train.scorer.views import Predict

__all__ = [
    "RECORD_CONFIG",
    "View",
    "count_priors",
    "learn_weights",
    "make_views",
    "some_rows",
    "train_answer",
    "train_record_networks",
    "with_sorts",
]

RECORD_CONFIG = ScorerConfig(
    hidden=(64, 32), epochs=3, rows=100, members=3, weight_decay=0.1, learning_rate=2e-3
)
"""Settings of the training."""

SMALL = (32, 16)
"""Widths of the network that takes what is known of the tables: there are few tables."""

FEWEST_PAIRS = 50
"""Pairs that two tables could have, from which they are counted for the match weights."""

MOST_PAIRS = 8_000
"""Pairs of two tables from which it is learned which are the same thing, about at most."""

MOST_COUNTED = 50.0
"""Matches of two tables that count, in all, and as many pairs at random."""

SMOOTHING = 5e-3, 2e-4
"""Added to each share of m and of u, so that no level is impossible."""

N_QUANTILES = 400

Counts: TypeAlias = NDArray[np.float64]
"""How many pairs are at each knot: float64 of shape (n_knots,)."""


@dataclass(frozen=True)
class View:
    """Pairs as the networks are trained on them; see `fit_network`.

    Attributes
    ----------
    n_records
        Number of left records; some may have no pair.
    """

    source: str
    left_rows: NDArray[np.int64]
    is_match: NDArray[Any]
    features: NDArray[np.float32]
    is_calibrated: bool
    is_one_table: bool
    n_records: int

    def table(self, log_odds: NDArray[np.float32]) -> NDArray[np.float32] | None:
        """Describe the tables, from the log odds of the pairs by themselves."""
        if self.is_one_table or not self.is_calibrated:
            return None
        total = self.features[:, PAIR_FEATURES.index("total")]
        return describe_pairs(log_odds, total, self.left_rows, self.n_records)


def count_priors(evidence: Iterable[RecordEvidence]) -> dict[str, LevelPrior]:
    """Count m and u probabilities of the levels of each kind of column, and of its sorts."""
    counted: dict[tuple[str, int], list[tuple[Counts, Counts]]] = defaultdict(list)
    for tables in evidence:
        if tables.n_left * tables.n_right < FEWEST_PAIRS:
            continue
        for column, kind, among in zip(
            tables.pairs.columns, tables.kinds, tables.among_all, strict=True
        ):
            matches = knot_counts(column.position[tables.is_match], len(among))
            if matches.sum() and among.sum():
                for each in {kind, WIDER_KIND.get(kind, kind)}:
                    counted[each, len(among)].append((_at_most(matches), _at_most(among)))
    found = {key[0]: _prior_of(counted[key]) for key in sorted(counted)}
    # What is known of some columns beyond their kind is of one sort.
    return {kind: prior.of_all if kind in WIDER_KIND else prior for kind, prior in found.items()}


def with_sorts(
    priors: Mapping[str, dict[str, Any]],
    evidence: Iterable[RecordEvidence],
    anew: Collection[str] = (),
) -> dict[str, dict[str, Any]]:
    """Count the sorts of columns anew, and keep what is usual of all columns of a kind.

    Parameters
    ----------
    priors
        As of a scorer file.
    evidence
        Of made records.
    anew
        Kinds that are new, or whose scale is another one now: of these, all is counted.

    Returns
    -------
    priors
        The same with other sorts; kinds that are not in `evidence` are as they were. What more is
        known of some columns than their kind is counted anew.
    """
    found = count_priors(evidence)
    kept = {
        kind: {name: known[name] for name in ("m", "u")}
        for kind, known in priors.items()
        if kind not in {*WIDER_KIND, *anew}
    }
    counted = {kind: {**_numbers(prior), **kept.get(kind, {})} for kind, prior in found.items()}
    return {
        kind: known
        for kind, known in {**priors, **counted}.items()
        if kind in {*priors, *WIDER_KIND, *anew}
    }


def _prior_of(columns: Sequence[tuple[Counts, Counts]]) -> LevelPrior:
    """Return the prior of a kind, of the matches and pairs at random of each column, by knot."""
    matches, among = (np.array(counts) for counts in zip(*columns, strict=True))
    m, u = (
        smoothed((counts / counts.sum(axis=1, keepdims=True) ** 0.5).sum(axis=0), by)
        for counts, by in zip((matches, among), SMOOTHING, strict=True)
    )
    sorts_m, sorts_u, shares = fit_sorts(matches, among, SMOOTHING)
    return LevelPrior(m, u, sorts_m, sorts_u, shares) if len(shares) > 1 else LevelPrior(m, u)


def _at_most(counts: Counts) -> Counts:
    """Let a column with many pairs count for no more than others."""
    return np.asarray(counts * min(1.0, MOST_COUNTED / counts.sum()), dtype=np.float64)


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
    same, same_in_table = _train_same(views, config)
    same_within = _train_within([view for view in views if view.is_one_table], config)
    return {
        **_train_answer([view for view in views if not view.is_one_table], config),
        "features": list(RECORD_FEATURES),
        "text": text["text"],
        "text_features": text["text_features"],
        "knots": text["knots"],
        "priors": {kind: _numbers(prior) for kind, prior in priors.items()},
        "same": same,
        "same_in_table": same_in_table,
        "same_within": same_within,
    }


def train_answer(
    evidence: Iterable[RecordEvidence],
    priors: Mapping[str, LevelPrior],
    config: ScorerConfig = RECORD_CONFIG,
) -> dict[str, Any]:
    """Train the network that says which record is the answer.

    Parameters
    ----------
    evidence
        As of `train_record_networks`; those of one table do not count.
    priors
        m and u probabilities by kind of column.
    config
        The settings.

    Returns
    -------
    networks
        ``"answer"``, and ``"usual_scores"``, which are by it, as of `train_record_networks`.
    """
    linked = (tables for tables in evidence if not tables.is_one_table)
    views = [view for tables in linked for view in make_views(tables, priors)]
    return _train_answer(views, config)


def _train_answer(views: Sequence[View], config: ScorerConfig) -> dict[str, Any]:
    """Train the network of answers, and say what is usual of its scores."""
    linked = [_shared(view) for view in views]
    answer, predict = fit_network(
        linked, [view.features for view in linked], config.hidden, config.epochs, config
    )
    scores = [_best_scores(view, predict) for view in views if not view.is_calibrated]
    places = (np.arange(N_QUANTILES) + 0.5) / N_QUANTILES
    return {
        "answer": answer,
        "usual_scores": np.quantile(np.concatenate(scores), places).tolist(),
    }


def _numbers(prior: LevelPrior) -> dict[str, Any]:
    return {
        name: part.tolist() for name, part in vars(prior).items() if isinstance(part, np.ndarray)
    }


def _train_same(
    views: Sequence[View], config: ScorerConfig
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Train the networks that say whether two records are the same thing.

    The second is for two tables, and learns from log odds by a first that has not seen these.
    """
    config = replace(config, ranking=0.0)
    kept, part, few = _sampled(views)
    alone = [view.features[:, : len(PAIR_FEATURES)] for view in views]
    same, predict = train_stage(part, few, config.hidden, config.epochs, config)
    linked, inputs = [], []
    for number, view in enumerate(views):
        log_odds, at = predict[number](alone[number]), kept[number]
        table = view.table(log_odds)
        if table is not None:
            linked.append(part[number])
            inputs.append(with_table(few[number], log_odds[at], table))
    in_table, _ = fit_network(linked, inputs, SMALL, config.epochs, config)
    return same, in_table


def _train_within(views: Sequence[View], config: ScorerConfig) -> dict[str, Any]:
    """Train the network that says whether two records of one table are the same thing."""
    _, part, few = _sampled(views)
    config = replace(config, ranking=0.0)
    return fit_network(part, few, config.hidden, config.epochs, config)[0]


def _sampled(
    views: Sequence[View],
) -> tuple[list[NDArray[np.int64]], list[View], list[NDArray[np.float32]]]:
    """Choose some left rows of each view: the places of their pairs, these, and what they say."""
    kept = [some_rows(view.left_rows) for view in views]
    part = [
        replace(view, left_rows=view.left_rows[at], is_match=view.is_match[at])
        for view, at in zip(views, kept, strict=True)
    ]
    few = [view.features[at, : len(PAIR_FEATURES)] for view, at in zip(views, kept, strict=True)]
    return kept, part, few


def some_rows(left_rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Choose left rows with about `MOST_PAIRS` pairs: the places of these pairs.

    `left_rows` is that of each pair.
    """
    n_pairs = len(left_rows)
    if n_pairs <= MOST_PAIRS:
        return np.arange(n_pairs)
    rows = np.unique(left_rows)
    n_rows = max(1, len(rows) * MOST_PAIRS // n_pairs)
    chosen = np.random.default_rng(0).choice(rows, n_rows, replace=False)
    return np.flatnonzero(np.isin(left_rows, chosen))


def _shared(view: View) -> View:
    """Share one unit of probability among the answers of a left row."""
    rows = Groups(view.left_rows).number
    n_answers = np.bincount(rows, weights=view.is_match, minlength=1)
    shares = view.is_match / np.maximum(n_answers, 1)[rows]
    return replace(view, is_match=shares.astype(np.float32))


def _best_scores(view: View, predict: Predict) -> NDArray[np.float32]:
    logit = predict(view.features)
    best = logit[Groups(view.left_rows).best(logit)]
    return np.asarray(expit(best), dtype=np.float32)


def make_views(tables: RecordEvidence, priors: Mapping[str, LevelPrior]) -> list[View]:
    """Compute the features of pairs, calibrated on all left records and on the reference alone."""
    pairs = tables.pairs
    weights = [(learn_weights(tables, priors), True)]
    if not tables.is_one_table:
        nothing, known = np.zeros(0, dtype=np.int64), _priors_of(tables, priors)
        alone = learn_match_weights((), nothing, 0, tables.n_right, tables.among_right, known)
        weights.append((alone, False))
    return [
        View(
            tables.domain,
            pairs.left,
            tables.is_match,
            record_features(pairs, found),
            is_calibrated,
            tables.is_one_table,
            tables.n_left,
        )
        for found, is_calibrated in weights
    ]


def learn_weights(tables: RecordEvidence, priors: Mapping[str, LevelPrior]) -> MatchWeights:
    """Learn match weights from all pairs."""
    records, columns = _by_record(tables)
    known = _priors_of(tables, priors)
    among = tables.among_all
    return learn_match_weights(columns, records, tables.n_left, tables.n_right, among, known)


def _priors_of(tables: RecordEvidence, priors: Mapping[str, LevelPrior]) -> list[LevelPrior]:
    """List what is usual of each column."""
    return [
        _prior(priors, kind, len(among))
        for kind, among in zip(tables.kinds, tables.among_all, strict=True)
    ]


def _by_record(tables: RecordEvidence) -> tuple[NDArray[np.int64], Sequence[Compared]]:
    """List the pairs of each record, and how they compare: those of one table count for both."""
    left, columns = tables.pairs.left, tables.pairs.columns
    if tables.second is None:
        return left, columns
    records = np.concatenate([left, tables.second])
    order = np.argsort(records, kind="stable")
    which = np.tile(np.arange(len(left)), 2)[order]
    return records[order], [column.take(which) for column in columns]


def _prior(priors: Mapping[str, LevelPrior], kind: str, n_knots: int) -> LevelPrior:
    """Return the prior of a kind; one of no knowledge where it was never seen."""
    # Networks learn with what is usual of the kind; what more is known is added to what they say.
    usual = priors.get(WIDER_KIND.get(kind, kind))
    if usual is None or len(usual.m) != n_knots:
        even = np.full(n_knots, 1 / n_knots)
        usual = LevelPrior(even, even)
    return replace(usual, is_text=kind == "name")
