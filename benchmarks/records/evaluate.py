"""One method on one set: run it, compare its answer with the truth."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeAlias

from benchmarks.records.hindsight import (
    Scored,
    best_cut,
    best_threshold,
    clusters_at,
    greedy_one_to_one,
    nearest_of_each,
)
from benchmarks.records.methods import Method, requests
from benchmarks.records.metrics import (
    Rates,
    b_cubed,
    calibration_error,
    cluster_pair_rates,
    exact_clusters,
    link_rates,
    variation_of_information,
)
from benchmarks.records.process import ANSWERS, Response, run_kept
from benchmarks.records.sets import RecordSet

__all__ = ["Outcome", "evaluate_set"]

Outcome: TypeAlias = dict[str, Any]
"""What is kept of one row of the table for one set.

``status`` is ``measured``, ``timeout`` (with ``limit_s``), ``failed`` (with ``error``) or ``not
offered`` (with ``why``). Measured: ``precision``, ``recall``, ``f1`` of pairs; ``returned``, the
pairs of a linkage or the clusters of two rows and more; of clusters ``b_cubed``,
``exact_clusters``, ``variation_of_information``; ``calibration_error`` over ``best_candidates``
where scores are probabilities; ``chosen``, what the labels chose; ``seconds``, ``peak_mib``.
"""


def evaluate_set(
    method: Method,
    records: RecordSet,
    *,
    limit: float,
    made_at: str,
    fresh: bool = False,
    answers: Path = ANSWERS,
) -> tuple[dict[str, Outcome], dict[str, str]]:
    """Run a method on a set and measure what it answers.

    Parameters
    ----------
    method, records
        What to run on what.
    limit
        Seconds that each process of it may take.
    made_at
        The commit.
    fresh
        Whether to run although an answer is kept.
    answers
        Folder of the kept answers.

    Returns
    -------
    outcomes
        By row of the table.
    versions
        Of the packages that answered; empty where none did.
    """
    responses = {
        label: run_kept(
            method.command,
            request,
            answers / method.name / records.name,
            limit=limit,
            made_at=made_at,
            fresh=fresh,
        )
        for label, request in requests(method, records).items()
    }
    outcomes = {
        row: _best({label: _outcome(each, variant, records) for label, each in responses.items()})
        for variant, row in method.rows.items()
    }
    versions: dict[str, str] = {}
    for response in responses.values():
        versions |= response.versions or {}
    return outcomes, versions


def _best(outcomes: Mapping[str, Outcome]) -> Outcome:
    """Return the only outcome; or of several the one of highest F1, with the seconds of all."""
    if list(outcomes) == [""]:
        return outcomes[""]
    measured = {key: each for key, each in outcomes.items() if each["status"] == "measured"}
    if not measured:
        return next(iter(outcomes.values()))
    chosen = max(measured, key=lambda key: float(measured[key]["f1"]))
    failed = {key: each["status"] for key, each in outcomes.items() if key not in measured}
    return {
        **measured[chosen],
        "chosen": {"column": chosen, **({"without": failed} if failed else {})},
        "seconds": sum(each["seconds"] for each in measured.values()),
        "peak_mib": max(each["peak_mib"] for each in measured.values()),
    }


def _outcome(response: Response, variant: str, records: RecordSet) -> Outcome:
    made = {"commit": response.commit}
    if response.timeout is not None:
        return {"status": "timeout", "limit_s": response.timeout, **made}
    if response.answers is None:
        return {"status": "failed", "error": _message(response.error or "unknown"), **made}
    answer = response.answers[variant]
    if "not_offered" in answer:
        return {"status": "not offered", "why": answer["not_offered"], **made}
    measured = _linkage(answer, records) if records.links else _deduplication(answer, records)
    measured |= _calibration(answer, records)
    if "note" in answer:
        measured["note"] = answer["note"]
    rounded = {"seconds": round(response.seconds, 2), "peak_mib": round(response.peak_mib)}
    return {"status": "measured", **measured, **rounded, **made}


def _linkage(answer: Mapping[str, Any], records: RecordSet) -> Outcome:
    if "ranking" in answer:
        scored = [(int(left), int(right), float(score)) for left, right, score in answer["ranking"]]
        return _ranking(scored, records)
    pairs = {(int(left), int(right)) for left, right in answer["pairs"]}
    return {**asdict(link_rates(pairs, records.pairs)), "returned": len(pairs)}


def _ranking(scored: list[Scored], records: RecordSet) -> Outcome:
    """Let the labels choose a threshold, and which pairs it decides on."""
    if records.constraint == "one_to_one":
        rules = {"one to one": greedy_one_to_one(scored)}
    else:
        rules = {
            "all pairs": scored,
            "nearest of each left row": nearest_of_each(scored, 0),
            "nearest of each right row": nearest_of_each(scored, 1),
        }
    cuts = {rule: best_threshold(pairs, records.pairs) for rule, pairs in rules.items()}
    rule = max(cuts, key=lambda name: cuts[name].rates.f1)
    best = cuts[rule]
    returned = sum(score >= best.threshold for _, _, score in rules[rule])
    chosen = {"pairs": rule, "threshold": _rounded(best.threshold)}
    return {**asdict(best.rates), "returned": returned, "chosen": chosen}


def _deduplication(answer: Mapping[str, Any], records: RecordSet) -> Outcome:
    if "dendrograms" not in answer:
        return _of_clusters(answer["clusters"], records)
    cuts = {
        rule: best_cut(merges, records.clusters) for rule, merges in answer["dendrograms"].items()
    }
    rule = max(cuts, key=lambda name: cuts[name].rates.f1)
    merges, threshold = answer["dendrograms"][rule], cuts[rule].threshold
    found = clusters_at(merges, len(records.clusters), threshold)
    chosen = {"linkage": rule, "threshold": _rounded(1 - threshold)}
    return {**_of_clusters(found, records), "chosen": chosen}


def _of_clusters(found: Sequence[Any], records: RecordSet) -> Outcome:
    pairs: Rates = cluster_pair_rates(found, records.clusters)
    sizes: dict[Any, int] = {}
    for label in found:
        sizes[label] = sizes.get(label, 0) + 1
    return {
        **asdict(pairs),
        "returned": sum(size > 1 for size in sizes.values()),
        "b_cubed": asdict(b_cubed(found, records.clusters)),
        "exact_clusters": exact_clusters(found, records.clusters),
        "variation_of_information": variation_of_information(found, records.clusters),
    }


def _calibration(answer: Mapping[str, Any], records: RecordSet) -> Outcome:
    best = answer.get("best")
    if not best:
        return {}
    right = [
        (row, other) in records.pairs
        if records.links
        else records.clusters[row] == records.clusters[other]
        for row, other, _ in best
    ]
    error = calibration_error([probability for _, _, probability in best], right)
    return {"calibration_error": error, "best_candidates": len(best)}


def _message(error: str) -> str:
    """Return the last line of an error that names one, else its last line."""
    lines = error.strip().splitlines()
    named = [line for line in lines if re.match(r"[\w.]*(Error|Exception)\b", line)]
    return (named or lines)[-1][:300]


def _rounded(threshold: float) -> float | None:
    return None if math.isnan(threshold) else round(threshold, 4)
