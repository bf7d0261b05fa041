"""The report of a join: what it says, from a match result's parts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pearljoin._cached import cached_property
from pearljoin._comparison.comparison import Comparison
from pearljoin._decision.expected_quality import ExpectedQuality, Probability
from pearljoin._decision.label_sampling import pairs_for_labelling
from pearljoin._decision.select import runners_up
from pearljoin._explain.step_names import described
from pearljoin._labelled_threshold import known_probability
from pearljoin._matches import Matches, find_pairs
from pearljoin._options import MatchOptions
from pearljoin._records.missing_keys import NULL
from pearljoin._report.content import ROWS_TEXT, ReportContent, cleaned, percent
from pearljoin._report.differences import different_spans
from pearljoin._report.facts import (
    caveat,
    histogram_text,
    how_matched,
    how_to_read_steps,
    keys_heading,
    measured_text,
    quality_figures,
)
from pearljoin._report.groups import rows_without_candidates, shared_right_rows
from pearljoin._report.pair_pool import (
    MOST_PAIRS,
    REVIEWED,
    PairPool,
    choose_pairs,
    pool_pairs,
)
from pearljoin._report.pair_rows import fitting, label_store, row_texts, table_sample
from pearljoin._report.pair_steps import PairSteps
from pearljoin._report.score_counts import count_scores, rounded
from pearljoin._tables.keys import Keys, field_names
from pearljoin._tables.read_table import Table

__all__ = ["MatchReport"]

MOST_BYTES = 3_600_000
"""Bytes of the pairs, so that a report stays below 5 MB beside its scripts."""

COLUMNS = (
    *("left_row", "right_row", "n_left", "left", "right", "score", "is_match"),
    *("runner_up", "runner_score", "left_spans", "right_spans", "steps"),
)
"""What is told of each pair."""


@dataclass(frozen=True)
class MatchReport:
    """The parts of a match result that its report is made from.

    Attributes
    ----------
    left, right
        The tables as they were given.
    keys
        The columns that were compared.
    comparison
        Scored candidates.
    options
        How matches were selected.
    threshold
        The lowest score of a match, in [0, 1].
    matches
        The matches.
    """

    left: Table
    right: Table
    keys: Keys
    comparison: Comparison
    options: MatchOptions
    threshold: float
    matches: Matches

    def content(self, title: str | None, labels_command: str) -> ReportContent:
        """Work out what the report says.

        Parameters
        ----------
        title
            The heading; None for the names of the key columns.
        labels_command
            The command that uses labels, as it is shown.
        """
        constraint, k = self.options.constraint, self.options.k
        counts = count_scores(self.comparison, constraint, k, self._probability)
        in_force = self._in_force()
        unit = "pairs of rows" if constraint == "many_to_many" else "left rows"
        pool = pool_pairs(self.comparison, self.matches, constraint)
        data = self._pair_data(pool) | {
            "threshold": self.threshold,
            "left_name": keys_heading("Left", self.keys.left),
            "right_name": keys_heading("Right", self.keys.right),
            "histogram": {"counts": counts.histogram.tolist(), "unit": unit},
            "grid": counts.grid() | {"in_force": in_force},
        }
        n_left, n_right = self.comparison.left.n_rows, self.comparison.right.n_rows
        n_matched = len(np.unique(self.matches.left))
        lonely = rows_without_candidates(self.comparison, self.left, self.keys.left)
        groups = shared_right_rows(self.matches, self.comparison, self._texts)
        n_shown = len(data["pairs"])
        return ReportContent(
            title=cleaned(str(title or _default_title(self.keys))),
            lead=f"{n_matched:,} of {n_left:,} left rows have a match among {n_right:,} right rows"
            f" at a threshold of {self.threshold:.3f}.",
            figures=self._figures(n_matched, in_force),
            how=how_matched(self.keys, self.comparison, self.options, self.threshold),
            threshold=self.threshold,
            unit_name=unit.capitalize(),
            left_heading=data["left_name"],
            right_heading=data["right_name"],
            has_expectation=self._probability is not None,
            histogram_caption=_histogram_caption(constraint),
            histogram_text=histogram_text(
                f"{n_left:,} left rows",
                (f"{unit} with equal keys, which score 1", counts.n_equal),
                ("left rows without a candidate", lonely.n_rows),
            ),
            pairs_text=_pairs_text(n_shown, len(pool)),
            labels_command=labels_command,
            data=data,
            measured=measured_text(self.options.threshold, self.matches.score, "the matches"),
            caveat=caveat(constraint, self.comparison.calibrated, self.options.threshold),
            steps=described(data["step_names"], self._columns if len(self._columns) > 1 else ()),
            steps_text=how_to_read_steps(data["steps_unit"]),
            groups=groups.shown,
            groups_text=groups.text,
            lonely=lonely.shown,
            lonely_text=lonely.text,
        )

    @property
    def _columns(self) -> tuple[str, ...]:
        """Names of the key columns, as steps have them."""
        return field_names(self.keys.left, self.comparison.right.fields)

    @cached_property
    def _probability(self) -> Probability | None:
        """As of `known_probability`."""
        return known_probability(self.options.threshold, calibrated=self.comparison.calibrated)

    def _in_force(self) -> dict[str, Any]:
        """Number of matches, expected precision and recall at the threshold in force."""
        found: dict[str, Any] = {"matches": len(self.matches), "precision": None, "recall": None}
        if self._probability is None:
            return found
        n_right = float(self._probability(self.matches.score).sum())
        constraint, k = self.options.constraint, self.options.k
        quality = ExpectedQuality(self.comparison, constraint, k, self._probability)
        precision = n_right / len(self.matches) if len(self.matches) else np.nan
        numbers = np.array([precision, quality.recall_of(n_right)], dtype=np.float64)
        return found | dict(zip(("precision", "recall"), rounded(numbers), strict=True))

    def _figures(self, n_matched: int, in_force: dict[str, Any]) -> list[tuple[str, str, str]]:
        n_left, n_right = self.comparison.left.n_rows, self.comparison.right.n_rows
        n_used = len(np.unique(self.matches.right))
        share = percent(n_matched / n_left) if n_left else "–"
        figures = [
            ("left rows matched", f"{n_matched:,}", f"of {n_left:,}: {share}"),
            ("left rows without match", f"{n_left - n_matched:,}", ""),
            ("right rows matched", f"{n_used:,}", f"of {n_right:,}"),
            ("threshold", f"{self.threshold:.3f}", "lowest score of a match"),
        ]
        rule = self.options.threshold
        return figures + quality_figures(in_force, rule, self.matches.score)

    def _texts(self, side: str, rows: NDArray[np.int64]) -> list[str]:
        """Key values of rows of one table; empty where the row is `NULL`."""
        table, names = (
            (self.left, self.keys.left) if side == "left" else (self.right, self.keys.right)
        )
        there = np.flatnonzero(rows != NULL)
        texts = [""] * len(rows)
        for at, text in zip(there.tolist(), row_texts(table, names, rows[there]), strict=True):
            texts[at] = text
        return texts

    def _pair_data(self, pool: PairPool) -> dict[str, Any]:
        """Choose pairs and tell of each what `COLUMNS` lists."""
        asked = self._review_positions(pool)
        chosen = choose_pairs(pool.score, self.threshold, MOST_PAIRS)
        chosen = np.concatenate([asked, chosen[~np.isin(chosen, asked)]])[:MOST_PAIRS]
        shown = pool.take(chosen)
        constraint = self.options.constraint
        steps = PairSteps(self.comparison, shown, self._columns, constraint)
        rows = self._pair_rows(shown, steps)
        rows = fitting(rows, MOST_BYTES)
        samples = [
            table_sample(table.n_rows, partial(self._texts, side))
            for side, table in (("left", self.left), ("right", self.right))
        ]
        return {
            "id": label_store(samples),
            "columns": COLUMNS,
            "pairs": rows,
            "review": list(range(min(len(asked), len(rows)))),
            "step_names": [cleaned(name) for name in steps.names],
            "steps_unit": steps.unit,
            "total_name": f"all: {steps.unit}",
        }

    def _pair_rows(self, shown: PairPool, steps: PairSteps) -> list[list[Any]]:
        pairs = Matches(shown.left_row, shown.right_row, shown.score)
        runner_rows, runner_scores = runners_up(self.comparison, pairs, self.options.constraint)
        left, right = self._texts("left", shown.left_row), self._texts("right", shown.right_row)
        spans = [different_spans(*texts) for texts in zip(left, right, strict=True)]
        columns = (
            shown.left_row.tolist(),
            shown.right_row.tolist(),
            shown.n_left.tolist(),
            left,
            right,
            [round(float(score), 6) for score in shown.score],
            shown.is_match.tolist(),
            [text or None for text in self._texts("right", runner_rows)],
            [round(float(score), 4) for score in runner_scores],
            [ours for ours, _ in spans],
            [theirs for _, theirs in spans],
            steps.listed,
        )
        return [list(row) for row in zip(*columns, strict=True)]

    def _review_positions(self, pool: PairPool) -> NDArray[np.int64]:
        """Positions in the pool of the pairs that should be labelled, in that order."""
        left_rows, right_rows, _ = pairs_for_labelling(
            self.comparison, self.threshold, self.options.constraint, REVIEWED
        )
        left, right = self.comparison.left, self.comparison.right
        asked = left.of_row[left_rows], right.of_row[right_rows]
        return find_pairs(pool.left, pool.right, *asked)


def _default_title(keys: Keys) -> str:
    left, right = (", ".join(map(str, names)) for names in (keys.left, keys.right))
    return f"Fuzzy join on {left}" + (f" = {right}" if left != right else "")


def _histogram_caption(constraint: str) -> str:
    if constraint == "many_to_many":
        return "Scores of all candidate pairs"
    if constraint == "one_to_one":
        return "Score of each left row's partner in the best assignment"
    return "Score of each left row's best candidate"


def _pairs_text(n_shown: int, n_pairs: int) -> str:
    text = f"{n_shown:,} of {n_pairs:,} distinct pairs"
    if n_shown == n_pairs:
        text += ", the most doubtful first: every match, and the best candidate of every row"
        text += " without one."
    else:
        text += ": those nearest to the threshold, and a sample over the whole range of scores,"
        text += " the most doubtful first."
    return f"{text} What one text has and the other has not is marked.{ROWS_TEXT}"
