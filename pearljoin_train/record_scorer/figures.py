"""Figures of the networks that score records: top-1, precision and recall, calibration."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pearljoin.scoring import (
    PAIR_FEATURES,
    Groups,
    RecordNetworks,
    lowest_for_mean,
    read_record_networks,
)
from pearljoin_train.record_scorer.evidence import RecordEvidence
from pearljoin_train.record_scorer.train_networks import View, learn_weights, make_views
from pearljoin_train.scorer.evaluate import calibration_error

__all__ = ["evaluate_records"]

TARGETS = (0.8, 0.9, 0.95)


def evaluate_records(
    evidence: Sequence[RecordEvidence], networks: dict[str, Any], middle: Sequence[float]
) -> dict[str, Any]:
    """Evaluate networks on made records.

    Parameters
    ----------
    evidence
        Of records that they were not trained on.
    networks, middle
        As of a scorer file.

    Returns
    -------
    figures
        By how much a matcher knows (``calibrated`` on all left records, or the reference
        ``alone``): ``top1``, of the answerable records, also of the best single column and of the
        whole records as one text; precision and recall by target; ``calibration_error`` over best
        candidates. And of one table: F1 of pairs at probability one half.
    """
    ready = read_record_networks(networks, np.asarray(middle, dtype=np.float32))
    rates: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    best: dict[str, list[tuple[NDArray[np.float32], NDArray[np.bool_]]]] = defaultdict(list)
    for tables in evidence:
        for view in make_views(tables, ready.priors):
            if view.is_one_table:
                found = _log_odds_within(tables, view, ready) >= 0
                hits = float((found & view.is_match).sum())
                f1 = 2 * hits / max(1.0, float(found.sum() + tables.n_answerable))
                rates["one_table"]["f1"].append(f1)
                continue
            alone = ready.same.logit(view.features[:, : len(PAIR_FEATURES)])
            answer, _ = ready.probabilities(view.features, view.left_rows, view.table(alone))
            knows = "calibrated" if view.is_calibrated else "alone"
            rows, total = Groups(view.left_rows), max(1, tables.n_answerable)
            first = rows.best(answer)
            score, is_match = answer[first], view.is_match[first]
            best[knows].append((score, is_match))
            of = rates[knows]
            of["top1"].append(float(is_match.sum()) / total)
            listed = [np.nan_to_num(each.position, nan=-1.0) for each in tables.pairs.columns]
            ranks = [float(view.is_match[rows.best(each)].sum()) / total for each in listed]
            of["top1_best_column"].append(max(ranks))
            whole = view.is_match[rows.best(tables.pairs.whole_logit)]
            of["top1_whole"].append(float(whole.sum()) / total)
            for target in TARGETS:
                kept = is_match[score >= lowest_for_mean(score, target)]
                of[f"precision_{target}"].append(float(kept.mean()) if len(kept) else 1.0)
                of[f"recall_{target}"].append(float(kept.sum()) / total)
    figures: dict[str, Any] = {
        knows: {name: float(np.mean(values)) for name, values in some.items()}
        for knows, some in rates.items()
    }
    for knows, parts in best.items():
        scores, right = map(np.concatenate, zip(*parts, strict=True))
        figures[knows]["calibration_error"] = calibration_error(scores, right)
        figures[knows]["n_records"] = len(right)
    return figures


def _log_odds_within(
    tables: RecordEvidence, view: View, networks: RecordNetworks
) -> NDArray[np.float32]:
    """Log odds that the records of each pair of one table are the same thing."""
    if len(tables.kinds) == 1:
        return networks.within_log_odds(view.features)
    usual = {kind: prior.of_all for kind, prior in networks.priors.items()}
    return networks.records_log_odds(tables.pairs, learn_weights(tables, usual))
