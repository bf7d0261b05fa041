"""Views of a deduplication: report, plots, and notebook."""

from __future__ import annotations

from abc import abstractmethod
from functools import partial
from math import isfinite
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pearljoin._clusters.limits import Limits
from pearljoin._clusters.similar_pairs import SimilarPairs
from pearljoin._clusters.table_pairs import TablePairs
from pearljoin._dedupe.explain import PairExplanation
from pearljoin._dedupe.golden import Rules, golden_cells
from pearljoin._dedupe.log import columns_text
from pearljoin._dedupe.tables import PairTables
from pearljoin._labelled_threshold import probability_of
from pearljoin._notebook.card import card, table
from pearljoin._options import MatchOptions
from pearljoin._plots.results import plot_precision_recall, plot_scores, plot_waterfall
from pearljoin._progress import as_work, stage
from pearljoin._tables.keys import Keys
from pearljoin._tables.read_table import Table
from pearljoin._typing import IntVector

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["DedupeViews"]

SHOWN = 5
"""Clusters that a notebook shows."""

LABELS_COMMAND = "pearljoin dedupe TABLE ... --labels labels.csv --report report.html"


class DedupeViews:
    """Report, plots and notebook views of a `DedupeResult`."""

    # Reports are imported in the methods: few results are reported, and a fresh process waits for
    # what it imports.

    keys: Keys
    comparison: TablePairs | SimilarPairs
    _table: Table
    _options: MatchOptions
    _limits: Limits
    _tables: PairTables[Any]

    @property
    @abstractmethod
    def threshold(self) -> float:
        """Lowest mean score, in [0, 1], at which two clusters are merged."""

    @abstractmethod
    def clusters(self) -> IntVector:
        """Return the cluster of each row: int64 of shape (n_rows,), by first appearance."""

    @abstractmethod
    def explain(self, row: int, other: int | None = None) -> PairExplanation:
        """Explain the evidence for and against two rows being one entity."""

    @as_work
    def report(self, path: str | PathLike[str], *, title: str | None = None) -> Path:
        """Write a report: one HTML file to look at, and to label doubtful pairs in.

        It opens from disk, without a network, and shows the scores of all pairs, clusters at any
        threshold, up to 5,000 pairs (the most doubtful first) with the evidence for and against
        them, and the clusters with their weakest link and golden record. It contains data of the
        table. `LabelledThreshold.from_file` reads the labels that are set in it.

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
        >>> result = pj.find_duplicates(["Acme Corporation", "Acme Corp.", "Globex"])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = result.report(folder + "/report.html")
        ...     print(path.name, path.read_text(encoding="utf-8")[:15])
        report.html <!doctype html>
        """
        return self._write_report(path, title, LABELS_COMMAND)

    def _check_labels(self, path: str | PathLike[str]) -> None:
        """Refuse a file of labels of another table."""
        from pearljoin._report.label_rows import check_label_rows

        side = self._table, self.keys.left
        check_label_rows(path, side, side)

    def _write_report(
        self,
        path: str | PathLike[str],
        title: str | None,
        labels_command: str,
        rules: Rules | None = None,
    ) -> Path:
        from pearljoin._report.dedupe_report import DedupeReport
        from pearljoin._report.write import write_report

        labels = self.clusters()
        with stage("report"):
            parts = DedupeReport(
                table=self._table,
                keys=self.keys,
                keys_text=columns_text(self.keys, self.comparison),
                comparison=self.comparison,
                options=self._options,
                limits=self._limits,
                threshold=self.threshold,
                labels=labels,
                weakest=self._tables.weakest_links(labels),
                golden=partial(golden_cells, self._table, labels, rules),
            )
            return write_report(parts.content(title, labels_command), path)

    def plot_scores(self, ax: Axes | None = None) -> Axes:
        """Draw how many compared pairs of rows have which score, and the threshold.

        Pairs of equal keys are left out. The axes are returned: `ax`, or those of a new figure.
        Without matplotlib it raises `MissingExtraError`.
        """
        from pearljoin._report.cluster_counts import count_pairs

        pairs = self.comparison.above(self.comparison.least)
        counts, _ = count_pairs(self.comparison.records, pairs)
        return plot_scores(counts, self.threshold, "pairs of rows, without equal keys", ax)

    @as_work
    def plot_precision_recall(self, ax: Axes | None = None) -> Axes:
        """Draw the expected precision and recall of the clusters at 20 thresholds.

        The table is clustered at each of them; both are shares of pairs of rows. Axes are as in
        `plot_scores`.

        Raises
        ------
        InputError
            If scores are similarities and the threshold is no `LabelledThreshold`.
        """
        from pearljoin._report.cluster_counts import clusters_by_threshold

        rule, calibrated = self._options.threshold, self.comparison.calibrated
        probability = probability_of(rule, self.keys.left, calibrated=calibrated)
        none = np.zeros(0, dtype=np.int64)
        grid, _ = clusters_by_threshold(self.comparison, self._limits, probability, (none, none))
        thresholds = np.arange(len(grid["matches"])) * grid["step"]
        known = thresholds >= grid["first"] - 1e-9
        # None, where no two rows share a cluster, becomes NaN, which is not drawn.
        curves = [np.array(grid[name], dtype=np.float64) for name in ("precision", "recall")]
        precision, recall = (curve[known] for curve in curves)
        return plot_precision_recall((thresholds[known], precision, recall), self.threshold, ax)

    def plot_waterfall(self, row: int, other: int | None = None, *, ax: Axes | None = None) -> Axes:
        """Draw the evidence for and against two rows being one entity.

        Each bar is a step of `explain`; they add up to the last one. Rows are given as to
        `explain`, axes as to `plot_scores`.

        Raises
        ------
        InputError
            As of `explain`.
        """
        found = self.explain(row, other)
        steps = [(step.kind, step.effect) for step in found.waterfall() if isfinite(step.effect)]
        sign = "=" if found.same_cluster else "≠"
        # Dollar signs would start a formula.
        title = f"{found.left} {sign} {found.right}".replace("$", r"\$")
        return plot_waterfall(steps, found.unit, title, ax)

    def _repr_html_(self) -> str:
        """Return the notebook view: the number of clusters, and the weakest links."""
        from pearljoin._report.pair_rows import row_texts

        labels, names = self.clusters(), self.keys.left
        left, right, score = self._tables.weakest_links(labels)
        sizes = np.bincount(labels)
        shown = left[:SHOWN], right[:SHOWN]
        rows = list(
            zip(
                *(row_texts(self._table, names, part) for part in shown),
                [f"{sizes[labels[row]]:,}" for row in shown[0]],
                [f"{value:.3f}" for value in score[:SHOWN]],
                strict=True,
            )
        )
        facts = [
            ("rows", f"{len(labels):,}"),
            ("on", columns_text(self.keys, self.comparison)),
            ("clusters", f"{len(sizes):,}"),
            ("of several rows", f"{(sizes > 1).sum():,}"),
            ("threshold", f"{self.threshold:.4g}"),
        ]
        headings = ("left", "right", "rows", "score")
        listed = table("the weakest link of the most doubtful clusters", headings, rows)
        return card("DedupeResult", facts, *([listed] if rows else []))
