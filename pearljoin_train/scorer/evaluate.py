"""Evaluation of a match scorer: calibration error, top-1, precision and recall."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import compress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pearljoin.scoring import (
    Calibration,
    CandidateFeatures,
    NullPairs,
    Scorer,
    lowest_with_usual,
)
from pearljoin_train.scorer.candidates import JoinCandidates

__all__ = ["best_pairs", "calibrate", "calibration_error", "evaluate_scorer", "plot_reliability"]


def best_pairs(
    join: JoinCandidates, probability: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Return each left row's most probable pair: its probability, and whether it is a match."""
    order = np.lexsort((-probability, join.left_rows))
    first = order[np.flatnonzero(np.diff(join.left_rows[order], prepend=-1))]
    return probability[first], join.is_match[first]


def calibration_error(
    probability: NDArray[np.float32], right: NDArray[np.bool_], n_bins: int = 10
) -> float:
    """Return the expected calibration error over bins of equal count (Nguyen, O'Connor 2015).

    Returns
    -------
    error
        In [0, 1]: the mean of ``|mean probability - share of matches|`` over bins, weighted by
        their size.
    """
    if not len(probability):
        return 0.0
    order = np.lexsort((right, probability))
    error = sum(
        abs(float(probability[inside].mean()) - float(right[inside].mean())) * len(inside)
        for inside in np.array_split(order, min(n_bins, len(order)))
    )
    return error / len(order)


def evaluate_scorer(
    joins: Sequence[JoinCandidates],
    scorer: Scorer,
    targets: Sequence[float],
    known: Sequence[int | None] = (0, 3, 40, None),
) -> dict[str, Any]:
    """Evaluate a scorer on joins: calibration, top-1, precision and recall.

    Parameters
    ----------
    joins
        The joins.
    scorer
        The scorer.
    targets
        Precision targets, in [0, 1].
    known
        Numbers of left rows that a matcher was calibrated on; None for all.

    Returns
    -------
    figures
        Of a matcher calibrated on all rows; and those by number of known rows, under ``known``.
        ``calibration_error`` over the best pairs of all rows; ``top1``, the share of answerable
        rows whose best pair is a match; and for each precision target the macro-averaged
        ``precision`` and ``recall`` of what the join returns, over all joins, and over those in
        which at most half of the rows have a match. Rates in [0, 1].
    """
    by_known = {
        "all" if n_rows is None else str(n_rows): _figures(joins, scorer, targets, n_rows)
        for n_rows in known
    }
    return _figures(joins, scorer, targets, None) | {"known": by_known}


def _figures(
    joins: Sequence[JoinCandidates], scorer: Scorer, targets: Sequence[float], n_known: int | None
) -> dict[str, Any]:
    """Evaluate as calibrated on so many rows of each join."""
    some = [_known_rows(join, n_known) for join in joins]
    best = [
        best_pairs(join, _probability(scorer, join, np.isin(join.left_rows, rows)))
        for join, rows in zip(joins, some, strict=True)
    ]
    predicted, right = (np.concatenate(part) for part in zip(*best, strict=True))
    n_rows = [len(right) for _, right in best]
    figures: dict[str, Any] = {
        "n_joins": len(joins),
        "n_rows": sum(n_rows),
        "calibration_error": calibration_error(predicted, right),
        "mean_probability_less_share": float(predicted.mean() - right.mean()),
        "top1": _mean(
            right.sum() / max(1, join.n_answerable)
            for join, (_, right) in zip(joins, best, strict=True)
        ),
    }
    is_open = [2 * join.n_answerable <= n for join, n in zip(joins, n_rows, strict=True)]
    figures["n_joins_open"] = sum(is_open)
    for target in targets:
        rates = []
        for join, rows, (chance, is_right) in zip(joins, some, best, strict=True):
            sampled = chance[np.isin(np.unique(join.left_rows), rows)]
            found = is_right[chance >= lowest_with_usual(sampled, scorer.usual_scores, target)]
            precision = float(found.mean()) if len(found) else 1.0
            rates.append((precision, float(found.sum()) / max(1, join.n_answerable)))
        figures[f"target_{target}"] = _macro(rates)
        figures[f"target_{target}_open"] = _macro(list(compress(rates, is_open)))
    return figures


def _known_rows(join: JoinCandidates, n_known: int | None) -> NDArray[np.int64]:
    """Draw the left rows that a join is calibrated on; all where `n_known` is None."""
    listed = np.unique(join.left_rows)
    if n_known is None:
        return listed
    order = np.random.default_rng([n_known, len(join.left_rows)]).permutation(listed)
    return np.asarray(order[:n_known], dtype=np.int64)


def calibrate(
    scorer: Scorer, join: JoinCandidates, known: NDArray[np.bool_] | None = None
) -> Calibration:
    """Calibrate a scorer on left rows of a join.

    Parameters
    ----------
    scorer
        The scorer.
    join
        The join.
    known
        bool of shape (n_pairs,): pairs of the rows to calibrate on. Default: all.
    """
    at = np.arange(len(join.left_rows)) if known is None else np.flatnonzero(known)
    rows = join.left_rows[at]
    numbers = np.arange(len(at))
    pairs = CandidateFeatures(join.features[at], rows, numbers, join.tokens.take(at), numbers)
    null = NullPairs(scorer.pair.logit(join.null_features), join.null_rows, join.null_tokens)
    return scorer.calibrate(pairs, null, join.n_right)


def _probability(
    scorer: Scorer, join: JoinCandidates, known: NDArray[np.bool_] | None = None
) -> NDArray[np.float32]:
    calibration = calibrate(scorer, join, known)
    return scorer.steps(join.features, join.left_rows, join.tokens, calibration).probability


def _macro(rates: Sequence[tuple[float, float]]) -> dict[str, float]:
    return {
        "precision": _mean(precision for precision, _ in rates),
        "recall": _mean(recall for _, recall in rates),
    }


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return float(np.mean(found)) if found else float("nan")


def plot_reliability(joins: Sequence[JoinCandidates], scorer: Scorer, path: Path) -> None:
    """Draw the share of matches against the predicted probability."""
    from matplotlib import pyplot

    best = [best_pairs(join, _probability(scorer, join)) for join in joins]
    chance, right = map(np.concatenate, zip(*best, strict=True))
    bins = np.minimum((chance * 10).astype(int), 9)
    predicted = [chance[bins == number].mean() for number in np.unique(bins)]
    found = [right[bins == number].mean() for number in np.unique(bins)]
    figure, axes = pyplot.subplots(figsize=(4.5, 4.5), layout="constrained")
    axes.plot([0, 1], [0, 1], color="0.7", linewidth=1)
    axes.plot(predicted, found, marker="o")
    axes.set(xlabel="predicted probability", ylabel="share of matches", xlim=(0, 1), ylim=(0, 1))
    axes.set_title(f"{len(chance):,} best pairs of held-out sources", fontsize=10)
    figure.savefig(path)
    pyplot.close(figure)
