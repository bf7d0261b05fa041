"""Explanations: evidence for and against two rows being one entity."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np

from pearljoin._clusters.limits import Limits
from pearljoin._clusters.pair_steps import pair_steps
from pearljoin._clusters.similar_pairs import SimilarPairs
from pearljoin._clusters.table_pairs import TablePairs
from pearljoin._comparison.groups import lacks_group
from pearljoin._dedupe.parted import why_parted
from pearljoin._errors import InputError
from pearljoin._explain.attribution import Reason
from pearljoin._explain.explanation import step_bars, step_lines
from pearljoin._explain.score_texts import score_texts
from pearljoin._notebook.card import card
from pearljoin._records.missing_keys import NULL
from pearljoin._tables.cell_texts import key_text
from pearljoin._tables.keys import Keys, field_names
from pearljoin._tables.read_table import Table
from pearljoin._typing import IntVector

__all__ = ["PairExplanation", "explain_pair"]

TOGETHER = "one thing"
EQUAL = "one thing, the keys are equal"
JOINED = "one thing, other rows of the cluster connect them"
BELOW = "two things, the score is below the threshold"
EQUAL_KEYS = "equal keys"
"""The step of the explanation that stands for equal keys, which always match."""

NULL_KEY = "two things, a key is null"
NULL_BY = "two things, a by value is null"
DIFFER = "two things, a by= or veto= column differs"


@dataclass(frozen=True, repr=False)
class PairExplanation:
    """Why two rows share a cluster, or do not; printed, it is a few lines of text.

    Attributes
    ----------
    left_row, right_row
        Row positions.
    left, right
        Their keys, as text.
    same_cluster
        Whether they share a cluster.
    outcome
        Whether they are one thing or two, and why.
    score, threshold
        Score of the pair, NaN where a key or a by value is null; and the score to which clusters
        merge.
    unit
        ``"log odds"``, or ``"score"`` where scores are similarities.
    reasons
        What each key column says, the largest effect first, and then what each later stage of the
        scoring adds; columns with a null say nothing.
    """

    left_row: int
    right_row: int
    left: str
    right: str
    same_cluster: bool
    outcome: str
    score: float
    threshold: float
    unit: Literal["log odds", "score"]
    reasons: tuple[Reason, ...]

    def waterfall(self) -> tuple[Reason, ...]:
        """List the steps that add up to the log odds of the score, or to the score.

        Returns
        -------
        steps
            What each key column says, the largest effect first; then what other evidence adds, in
            the order of the scoring, such as the whole record and the calibration to the table; and
            for equal keys their equality. Empty where a key or a by value is null.

        Examples
        --------
        >>> import math
        >>> import pearljoin as pj
        >>> found = pj.find_duplicates(["Acme Corporation", "Acme Corp."]).explain(0, 1)
        >>> log_odds = sum(step.effect for step in found.waterfall())
        >>> abs(1 / (1 + math.exp(-log_odds)) - found.score) < 1e-5
        True
        """
        if math.isnan(self.score):
            return ()
        if self.unit == "log odds" and self.score >= 1:
            return (*self.reasons, Reason(EQUAL_KEYS, math.inf))
        return self.reasons

    def __repr__(self) -> str:
        score, threshold = score_texts(self.score, self.threshold)
        told = f"{self.outcome} ({score}, threshold {threshold})"
        pair = f"{self.left!r} {self._sign} {self.right!r}"
        return "\n".join([f"{pair}: {told}", *step_lines(self.waterfall(), self.unit)])

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the pair, and a bar for each step."""
        score, threshold = score_texts(self.score, self.threshold, 3)
        facts = [("outcome", self.outcome), ("score", score), ("threshold", threshold)]
        pair = f"{self.left} {self._sign} {self.right}"
        return card(pair, facts, step_bars(self.waterfall(), self.unit))

    @property
    def _sign(self) -> str:
        return "=" if self.same_cluster else "≠"


def explain_pair(
    table: Table,
    keys: Keys,
    comparison: TablePairs | SimilarPairs,
    labels: IntVector,
    threshold: float,
    limits: Limits,
    row: int,
    other: int | None,
) -> PairExplanation:
    """Explain a pair of rows; the parameters are those of `DedupeResult`.

    Raises
    ------
    InputError
        If there is no such row, the two are the same one, or no other was compared with the row.
    """
    _check_row(row, table)
    if other is None:
        other = _best_partner(comparison, labels, row)
    _check_row(other, table)
    if row == other:
        raise InputError(f"An explanation is of two rows. Got row {row} twice.")
    records = comparison.records.of_row[[row, other]]
    together = bool(labels[row] == labels[other])
    lacking = any(lacks_group(comparison.records, each) for each in (row, other))
    score, outcome = float("nan"), NULL_BY if lacking else NULL_KEY
    reasons: tuple[Reason, ...] = ()
    if NULL not in records:
        score, reasons = _evidence(keys, comparison, *records.tolist())
        outcome = _outcome(comparison, records, together, score, threshold)
        if not outcome:
            one, another = (np.flatnonzero(labels == labels[each]) for each in (row, other))
            text_of = partial(key_text, table, keys.left)
            why = why_parted(comparison, limits, threshold, one, another, text_of)
            outcome = f"two things, {why}"
    elif together:
        outcome = JOINED
    return PairExplanation(
        left_row=int(row),
        right_row=int(other),
        left=key_text(table, keys.left, row),
        right=key_text(table, keys.left, other),
        same_cluster=together,
        outcome=outcome,
        score=score,
        threshold=threshold,
        unit="log odds" if comparison.calibrated else "score",
        reasons=reasons,
    )


def _check_row(row: Any, table: Table) -> None:
    is_whole = isinstance(row, int | np.integer) and not isinstance(row, bool)
    if not is_whole or not 0 <= row < table.n_rows:
        raise InputError(
            f"There is no such row. Got {row!r}, of {table.n_rows} rows counted from 0. "
            "Hint: positions count, not labels of a pandas index."
        )


def _best_partner(comparison: TablePairs | SimilarPairs, labels: IntVector, row: int) -> int:
    """Find the row that scores most with another, of its cluster where several do."""
    of_row = comparison.records.of_row
    record = of_row[row]
    rows = np.flatnonzero((of_row == record) & (record != NULL))
    rows = rows[rows != row]
    if not len(rows):
        first, second, score = comparison.above(comparison.least)
        is_its = (first == record) | (second == record)
        others = np.where(first == record, second, first)[is_its]
        best = score[is_its] == score[is_its].max(initial=0)
        rows = np.flatnonzero(np.isin(of_row, others[best]))
    if not len(rows):
        raise InputError(
            f"No other row was compared with this one. Got row {row}. Hint: explain({row}, other) "
            "takes any two rows."
        )
    return int(rows[np.argmax(labels[rows] == labels[row])])


def _evidence(
    keys: Keys, comparison: TablePairs | SimilarPairs, first: int, second: int
) -> tuple[float, tuple[Reason, ...]]:
    """Score of a pair of records, and evidence of its key columns."""
    pair = np.array([first]), np.array([second])
    score = 1.0 if first == second else float(comparison.score(*pair)[0])
    names = field_names(keys.left, comparison.records.fields)
    steps = pair_steps(comparison, [str(name) for name in names], *pair, np.array([score]))
    return score, tuple(Reason(steps.names[at], effect) for at, effect in steps.of(0))


def _outcome(
    comparison: TablePairs | SimilarPairs,
    pair: IntVector,
    together: bool,
    score: float,
    threshold: float,
) -> str:
    """Why two rows are one thing or two, by their pair alone; empty where more decides."""
    if together:
        if pair[0] == pair[1]:
            return EQUAL
        return TOGETHER if np.float32(score) >= np.float32(threshold) else JOINED
    records = comparison.records
    first, second = records.first_row[pair]
    if records.groups is not None and records.groups.codes[first] != records.groups.codes[second]:
        return DIFFER
    for column in records.vetoes:
        codes = column.codes[[first, second]]
        if NULL not in codes and codes[0] != codes[1]:
            return DIFFER
    return BELOW if np.float32(score) < np.float32(threshold) else ""
