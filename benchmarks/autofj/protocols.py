"""The three protocols: a method and a table in, rates out."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from benchmarks.autofj.methods import Method, Outcome
from benchmarks.autofj.metrics import (
    PairScores,
    average_precision,
    macro,
    pair_scores,
    top1_accuracy,
)
from benchmarks.autofj.open_world import open_world
from pearljoin_train.data.autofj import AutoFJTable

__all__ = ["Rates", "evaluate_table", "macro_average"]

Rates: TypeAlias = "dict[str, float | int | Rates | None]"
"""Rates in [0, 1], counts and seconds by name, nested; None where a method has no such value."""


def evaluate_table(method: Method, table: AutoFJTable, precision: float) -> Rates:
    """Run one method on one table, as published and in the open world.

    Parameters
    ----------
    method
        Any method.
    table
        A table as published.
    precision
        The precision target, in (0, 1].

    Returns
    -------
    rates
        ``top1``; ``join``, ``join_by_id`` and ``open`` with precision, recall, f1 and pairs, the
        number of pairs returned; ``open`` also with ``average_precision``; ``seconds``.
    """
    closed, closed_seconds = _timed(method, table, precision)
    rest = open_world(table)
    opened, open_seconds = _timed(method, rest, precision)
    return {
        "top1": _top1(closed, table),
        "join": _by_title(closed, table),
        "join_by_id": _by_id(closed, table),
        "open": {**_by_title(opened, rest), "average_precision": _ranking(opened, rest)},
        "seconds": closed_seconds + open_seconds,
        "seconds_join": closed_seconds,
    }


def macro_average(tables: Sequence[Rates], precision: float) -> Rates:
    """Average over tables, each weighing the same.

    Parameters
    ----------
    tables
        What `evaluate_table` returned.
    precision
        The target that `tables_at_target` counts tables by, for the join and the open world.

    Returns
    -------
    rates
        The mean of every rate over the tables that have it, and the counts.
    """
    averaged: Rates = {"top1": macro(_values(tables, "top1"))}
    for part in ("join", "join_by_id", "open"):
        means: Rates = {
            name: macro(_values(tables, part, name)) for name in ("precision", "recall", "f1")
        }
        reached = [value for value in _values(tables, part, "precision") if value is not None]
        means["tables_at_target"] = sum(value >= precision for value in reached)
        averaged[part] = means
    opened = averaged["open"]
    if isinstance(opened, dict):
        opened["average_precision"] = macro(_values(tables, "open", "average_precision"))
    return averaged


def _timed(method: Method, table: AutoFJTable, precision: float) -> tuple[Outcome, float]:
    start = time.perf_counter()
    outcome = method.run(table.queries, table.reference, precision)
    elapsed = time.perf_counter() - start
    return outcome, elapsed if outcome.seconds is None else outcome.seconds


def _top1(outcome: Outcome, table: AutoFJTable) -> float | None:
    if outcome.best is None:
        return None
    best = [table.reference[row] if row >= 0 else None for row in outcome.best.tolist()]
    return top1_accuracy(table.queries, best, table.answers)


def _by_title(outcome: Outcome, table: AutoFJTable) -> Rates:
    pairs = [(table.reference[row], table.queries[query]) for query, row in outcome.pairs]
    return _as_rates(pair_scores(pairs, table.gold_titles), len(pairs))


def _by_id(outcome: Outcome, table: AutoFJTable) -> Rates:
    pairs = [(table.reference_ids[row], table.query_ids[query]) for query, row in outcome.pairs]
    return _as_rates(pair_scores(pairs, table.gold), len(pairs))


def _ranking(outcome: Outcome, table: AutoFJTable) -> float | None:
    if outcome.best is None or outcome.score is None:
        return None
    ranked = [
        ((table.reference[row], table.queries[query]), score)
        for query, (row, score) in enumerate(
            zip(outcome.best.tolist(), outcome.score.tolist(), strict=True)
        )
        if row >= 0
    ]
    return average_precision(ranked, set(table.gold_titles))


def _as_rates(scores: PairScores, pairs: int) -> Rates:
    return {
        "precision": scores.precision,
        "recall": scores.recall,
        "f1": scores.f1,
        "pairs": pairs,
    }


def _values(tables: Sequence[Rates], *path: str) -> Iterator[float | None]:
    for table in tables:
        value: object = table
        for name in path:
            value = value.get(name) if isinstance(value, dict) else None
        yield float(value) if isinstance(value, int | float) else None
