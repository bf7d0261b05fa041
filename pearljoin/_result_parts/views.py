"""Ways of looking at a match result: the report, plots, and what a notebook shows."""

from __future__ import annotations

from abc import abstractmethod
from math import isfinite
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from pearljoin._explain.explanation import Explanation, without_slight
from pearljoin._match_log import keys_text
from pearljoin._notebook.card import card, table
from pearljoin._plots.results import plot_precision_recall, plot_scores, plot_waterfall
from pearljoin._progress import as_work, stage
from pearljoin._result_parts.quality import ResultQuality
from pearljoin._tables.read_table import Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["ResultViews"]

SHOWN = 5
"""Matches that a notebook shows."""

LABELS_COMMAND = "pearljoin join LEFT RIGHT ... --labels labels.csv --report report.html"


class ResultViews(ResultQuality):
    """What `MatchResult` shows of itself."""

    # Reports are imported in the methods: few joins are reported, and a fresh process waits for
    # what it imports.

    _left: Table
    _right: Table

    @property
    @abstractmethod
    def threshold(self) -> float:
        """Lowest score of a match, in [0, 1], as chosen by the threshold rule."""

    @abstractmethod
    def explain(self, row: int, right_row: int | None = None) -> Explanation:
        """Explain a left row's match, or why its best candidate is no match."""

    @as_work
    def report(self, path: str | PathLike[str], *, title: str | None = None) -> Path:
        """Write a report: one HTML file to look at, and to label doubtful pairs in.

        It opens from disk, without a network, and shows how the tables were joined, the scores of
        all rows, expected precision and recall at any threshold, up to 5,000 pairs (the most
        doubtful first) with what spoke for and against them, and right rows that many left rows
        share. It contains data of the tables. `LabelledThreshold.from_file` reads the labels that
        are set in it.

        Parameters
        ----------
        path
            The HTML file; one of that name is replaced.
        title
            The heading. Default: the names of the key columns.

        Returns
        -------
        path
            The file that was written.

        Raises
        ------
        InputError
            If the file cannot be written.

        Examples
        --------
        >>> import tempfile
        >>> import pearljoin as pj
        >>> result = pj.match(["NY Times", "Tea room"], ["The New York Times", "Le Monde"])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = result.report(folder + "/report.html")
        ...     print(path.name, path.read_text(encoding="utf-8")[:15])
        report.html <!doctype html>
        """
        return self._write_report(path, title, LABELS_COMMAND)

    def _check_labels(self, path: str | PathLike[str]) -> None:
        """Refuse a file of labels of other tables."""
        from pearljoin._report.label_rows import check_label_rows

        keys = self.keys
        check_label_rows(path, (self._left, keys.left), (self._right, keys.right))

    def _write_report(
        self, path: str | PathLike[str], title: str | None, labels_command: str
    ) -> Path:
        from pearljoin._report.match_report import MatchReport
        from pearljoin._report.write import write_report

        matches = self.matches()
        with stage("report"):
            tables = self._left, self._right
            parts = MatchReport(
                *tables, self.keys, self.comparison, self._options, self.threshold, matches
            )
            return write_report(parts.content(title, labels_command), path)

    def plot_scores(self, ax: Axes | None = None) -> Axes:
        """Draw how many possible matches have which score, and the threshold.

        Counted are each left row's best candidates (``one_to_one``: the assignment without a
        threshold; ``many_to_many``: all candidates), without equal keys. The axes are returned:
        `ax`, or those of a new figure. Without matplotlib it raises `MissingExtraError`.
        """
        from pearljoin._report.score_counts import count_scores

        constraint, k = self._options.constraint, self._options.k
        counts = count_scores(self.comparison, constraint, k, None)
        unit = "pairs of rows" if constraint == "many_to_many" else "left rows"
        return plot_scores(counts.histogram, self.threshold, f"{unit}, without equal keys", ax)

    def plot_precision_recall(self, ax: Axes | None = None) -> Axes:
        """Draw the expected precision and recall of the matches at each threshold.

        They are what `expected_precision` and `expected_recall` return. Axes are as in
        `plot_scores`.

        Raises
        ------
        InputError
            If scores are no probabilities and the threshold is no `LabelledThreshold`.
        """
        return plot_precision_recall(self.curve(), self.threshold, ax)

    def plot_waterfall(
        self, row: int, right_row: int | None = None, *, ax: Axes | None = None
    ) -> Axes:
        """Draw what spoke for and against a left row's match, or its best candidate.

        Each bar is a step of `explain`; they add up to the last one, in the unit of the scores
        (log odds where these are probabilities). Rows are given as to `explain`, axes as to
        `plot_scores`.

        Raises
        ------
        InputError
            If there is no such row, or the two were not compared.
        """
        found = self.explain(row, right_row)
        steps = [
            (step.kind, step.effect)
            for step in without_slight(found.waterfall())
            if isfinite(step.effect)
        ]
        sign = "=" if found.matched else "≠"
        # Dollar signs would start a formula.
        title = f"{found.left} {sign} {found.right}".replace("$", r"\$")
        return plot_waterfall(steps, found.unit, title, ax)

    def _repr_html_(self) -> str:
        """Return what a notebook shows: how many rows match, and the most doubtful matches."""
        from pearljoin._report.pair_rows import row_texts

        matches, left = self.matches(), self.comparison.left
        doubt = np.abs(matches.score - self.threshold)
        shown = matches.take(np.argsort(doubt, kind="stable")[:SHOWN])
        keys = self.keys
        texts = (
            row_texts(self._left, keys.left, shown.left),
            row_texts(self._right, keys.right, shown.right),
            [f"{score:.3f}" for score in shown.score],
        )
        facts = [
            ("left rows", f"{left.n_rows:,}"),
            ("right rows", f"{self.comparison.right.n_rows:,}"),
            ("on", keys_text(keys, self.comparison)),
            ("matches", f"{len(matches):,}"),
            ("threshold", f"{self.threshold:.4g}"),
            ("constraint", self._options.constraint),
        ]
        rows = list(zip(*texts, strict=True))
        listed = table("the most doubtful matches", ("left", "right", "score"), rows)
        return card("MatchResult", facts, *([listed] if rows else []))
