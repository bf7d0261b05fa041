"""The report of a deduplication: what it says, from a result's parts."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from pearljoin._cached import cached_property
from pearljoin._clusters.limits import Limits
from pearljoin._clusters.pair_steps import PairSteps, pair_steps
from pearljoin._clusters.similar_pairs import SimilarPairs
from pearljoin._clusters.table_pairs import TablePairs
from pearljoin._decision.expected_quality import Probability
from pearljoin._decision.label_sampling import sample_for_labelling
from pearljoin._decision.thresholds import PrecisionTarget
from pearljoin._explain.step_names import described
from pearljoin._labelled_threshold import known_probability
from pearljoin._options import MatchOptions
from pearljoin._report.cluster_counts import (
    STEPS,
    clusters_by_threshold,
    count_pairs,
    figures_of,
    n_pairs_within,
)
from pearljoin._report.clusters import (
    ClusterLink,
    TableClusters,
    cluster_groups,
    doubtful_clusters,
)
from pearljoin._report.content import (
    CLUSTER_WORDS,
    ROWS_TEXT,
    ReportContent,
    cleaned,
    percent,
)
from pearljoin._report.differences import different_spans_of_cells
from pearljoin._report.facts import (
    histogram_text,
    how_to_read_steps,
    keys_heading,
    measured_text,
    quality_figures,
    rule_text,
    source_of_figures,
)
from pearljoin._report.pair_pool import MOST_PAIRS, REVIEWED, choose_pairs
from pearljoin._report.pair_rows import fitting, label_store, row_texts, table_sample
from pearljoin._tables.cell_texts import NO_VALUE, cell_texts
from pearljoin._tables.keys import Keys, field_names
from pearljoin._tables.read_table import Table
from pearljoin._typing import FloatVector, IntVector

__all__ = ["DedupeReport", "GoldenCells"]

MOST_BYTES = 3_000_000
"""Bytes of the pairs, so that a report stays below 5 MB beside its scripts and clusters."""

MOST_COLUMNS = 12
"""Columns of a golden record that are shown: the key columns first."""

COLUMNS = (
    *("left_row", "right_row", "n_left", "n_right", "left", "right", "score", "is_match"),
    *("together", "left_spans", "right_spans", "steps"),
)
"""What is told of each pair."""

GoldenCells = Callable[[IntVector], Mapping[Hashable, Mapping[int, tuple[Any, int]]]]
"""Function from all rows of some clusters to their golden records."""

Links = tuple[IntVector, IntVector, FloatVector]


@dataclass(frozen=True)
class DedupeReport:
    """The parts of a deduplication that its report is made from.

    Attributes
    ----------
    table
        The table as it was given.
    keys, keys_text
        The columns that were compared, and these with their kinds as text.
    comparison
        Scored pairs.
    options, limits
        How the threshold was chosen, and constraints on clusters.
    threshold
        In [0, 1].
    labels
        int64 of shape (n_rows,): the cluster of each row.
    weakest
        Aligned arrays (left_row, right_row, score): the weakest link of each cluster.
    golden
        Function from rows to golden records.
    """

    table: Table
    keys: Keys
    keys_text: str
    comparison: TablePairs | SimilarPairs
    options: MatchOptions
    limits: Limits
    threshold: float
    labels: IntVector
    weakest: Links
    golden: GoldenCells

    def content(self, title: str | None, labels_command: str) -> ReportContent:
        """Work out what the report says.

        Parameters
        ----------
        title
            The heading; None for the names of the key columns.
        labels_command
            The command that uses labels, as it is shown.
        """
        records = self.comparison.records
        in_force = figures_of(self.comparison, self.labels, self._probability)
        data = self._pair_data()
        data["grid"]["in_force"] = in_force
        n_pairs, n_shown = len(self._pairs[0]), len(data["pairs"])
        histogram, n_equal = self._histogram()
        sizes = np.bincount(self.labels)
        n_several = int((sizes > 1).sum())
        clusters = self._clusters()
        names = ", ".join(map(str, self.keys.left))
        return ReportContent(
            title=cleaned(str(title or f"Duplicates by {names}")),
            lead=f"{records.n_rows:,} rows name {len(sizes):,} things at a threshold of "
            f"{self.threshold:.3f}.",
            figures=self._figures(sizes, in_force),
            how=self._how(),
            threshold=self.threshold,
            threshold_step=1 / STEPS,
            least_threshold=data["grid"]["first"],
            words=CLUSTER_WORDS,
            unit_name="Pairs",
            left_heading=data["left_name"],
            right_heading=data["right_name"],
            has_expectation=self._probability is not None,
            histogram_caption="Scores of all compared pairs",
            histogram_text=histogram_text(
                f"{sum(histogram) + n_equal:,} pairs of rows that were compared",
                ("pairs with equal keys, which score 1", n_equal),
            ),
            pairs_text=f"{n_shown:,} of {n_pairs:,} compared pairs of distinct keys, the most "
            "doubtful first"
            + ("." if n_shown == n_pairs else ": those nearest to the threshold, and a sample.")
            + " What one text has and the other has not is marked."
            + ROWS_TEXT,
            labels_command=labels_command,
            data=data | {"histogram": {"counts": histogram, "unit": "pairs"}},
            measured=measured_text(
                self.options.threshold, self._scores_in_clusters, "the compared pairs in clusters"
            ),
            caveat=self._caveat(),
            steps=described(data["step_names"], self._columns),
            steps_text=how_to_read_steps(data["steps_unit"]),
            clusters=clusters,
            clusters_text=f"Clusters of several rows: {n_several:,}"
            + (f", of which {len(clusters):,} are listed" if len(clusters) < n_several else "")
            + ", the one with the most doubtful link first. The weakest link is the least probable "
            "pair without which the cluster would fall apart.",
        )

    @cached_property
    def _pairs(self) -> Links:
        """Compared pairs of records, with their scores."""
        return self.comparison.above(self.comparison.least)

    @cached_property
    def _probability(self) -> Probability | None:
        """As of `known_probability`."""
        return known_probability(self.options.threshold, calibrated=self.comparison.calibrated)

    def _histogram(self) -> tuple[list[int], int]:
        """Number of pairs of rows by score, those with equal keys apart."""
        counts, n_equal = count_pairs(self.comparison.records, self._pairs)
        return counts.tolist(), n_equal

    def _figures(self, sizes: IntVector, in_force: dict[str, Any]) -> list[tuple[str, str, str]]:
        several = sizes[sizes > 1]
        n_rows = len(self.labels)
        share = percent(int(several.sum()) / n_rows) if n_rows else "–"
        figures = [
            ("things", f"{len(sizes):,}", f"named by {n_rows:,} rows"),
            ("rows in a cluster with others", f"{int(several.sum()):,}", f"of {n_rows:,}: {share}"),
            ("clusters of several rows", f"{len(several):,}", f"largest: {sizes.max(initial=0):,}"),
            ("threshold", f"{self.threshold:.3f}", "to which clusters merge"),
        ]
        rule = self.options.threshold
        return figures + quality_figures(in_force, rule, self._scores_in_clusters, "of pairs, ")

    def _how(self) -> list[tuple[str, str]]:
        records, rule = self.comparison.records, self.options.threshold
        calibrated, limits = self.comparison.calibrated, self.limits
        chosen = rule_text(rule)
        if not calibrated and isinstance(rule, PrecisionTarget):
            chosen = "the default for similarities"
        given = [
            (len(limits.cannot_link), f"{len(limits.cannot_link):,} pairs apart"),
            (len(limits.must_link), f"{len(limits.must_link):,} pairs together"),
            (limits.sources is not None, "one row of each source"),
            (limits.max_size is not None, f"at most {limits.max_size} rows"),
        ]
        return [
            ("Table", f"{records.n_rows:,} rows, {records.n_records:,} distinct"),
            ("Keys and kinds", cleaned(self.keys_text)),
            ("Threshold", f"{self.threshold:.4f}, {chosen}"),
            ("Scores", "probabilities of the same thing" if calibrated else "similarities"),
            ("Compared", f"{len(self._pairs[0]):,} pairs of distinct keys"),
            ("Pairs in clusters", f"{n_pairs_within(self.labels):,} pairs of rows"),
            ("Constraints", ", ".join(text for holds, text in given if holds) or "none"),
        ]

    def _caveat(self) -> str:
        text = (
            "Clusters merge while their rows are one thing on average, so a pair may share a "
            "cluster below the threshold, or be parted above it."
        )
        if self.comparison.calibrated:
            source = source_of_figures(self.options.threshold)
            text += f" {source}; pairs that were not compared do not count."
        return text

    @property
    def _columns(self) -> list[str]:
        """Names of the key columns, as steps have them."""
        names = field_names(self.keys.left, self.comparison.records.fields)
        return [cleaned(str(name)) for name in names]

    @cached_property
    def _scores_in_clusters(self) -> FloatVector:
        """Scores of the compared pairs that share a cluster."""
        one, other, score = self._pairs
        first = self.comparison.records.first_row
        is_together = self.labels[first[one]] == self.labels[first[other]]
        return np.asarray(score[is_together], dtype=np.float32)

    def _clusters(self) -> list[Any]:
        left, right, score = (part.tolist() for part in self.weakest)
        of_link = self.labels[self.weakest[0]].tolist()
        links = map(ClusterLink, left, right, score)
        weakest = dict(zip(of_link, links, strict=True))
        listed = doubtful_clusters(self.labels, weakest)
        rows = np.flatnonzero(np.isin(self.labels, listed))
        golden = self.golden(rows) if len(rows) else {}
        keys = [name for name in self.keys.left if name in golden]
        names = [*keys, *(name for name in golden if name not in keys)][:MOST_COLUMNS]
        return cluster_groups(
            TableClusters(
                self.labels, self._texts, weakest, {str(name): golden[name] for name in names}
            )
        )

    def _texts(self, rows: IntVector) -> list[str]:
        """Key values of rows."""
        return row_texts(self.table, self.keys.left, rows)

    def _cells(self, rows: IntVector) -> list[tuple[str, ...]]:
        """Key values of rows, each by itself."""
        columns = [cell_texts(self.table, [name], rows, NO_VALUE) for name in self.keys.left]
        return list(zip(*columns, strict=True))

    def _pair_data(self) -> dict[str, Any]:
        """Choose pairs and tell of each what `COLUMNS` lists."""
        one, other, score = self._pairs
        unequal = np.flatnonzero(score < 1)
        asked = unequal[sample_for_labelling(score[unequal], self.threshold, REVIEWED)]
        chosen = choose_pairs(score, self.threshold, MOST_PAIRS)
        chosen = np.concatenate([asked, chosen[~np.isin(chosen, asked)]])[:MOST_PAIRS]
        pairs = one[chosen], other[chosen], score[chosen]
        records = self.comparison.records
        rows = records.first_row[pairs[0]], records.first_row[pairs[1]]
        grid, together = clusters_by_threshold(
            self.comparison, self.limits, self._probability, rows
        )
        steps = pair_steps(self.comparison, self._columns, *pairs)
        listed = fitting(self._pair_rows(pairs, rows, together, steps), MOST_BYTES)
        unit = "log odds" if self.comparison.calibrated else "score"
        return {
            "id": label_store([table_sample(self.comparison.records.n_rows, self._texts)]),
            "columns": COLUMNS,
            "pairs": listed,
            "review": list(range(min(len(asked), len(listed)))),
            "step_names": steps.names,
            "steps_unit": unit,
            "total_name": f"all: {unit}",
            "threshold": self.threshold,
            "left_name": keys_heading("One row", self.keys.left),
            "right_name": keys_heading("Other row", self.keys.left),
            "grid": grid,
            "words": {
                "match": CLUSTER_WORDS.match,
                "none": CLUSTER_WORDS.none,
                "beaten": CLUSTER_WORDS.none,
            },
        }

    def _pair_rows(
        self,
        pairs: Links,
        rows: tuple[IntVector, IntVector],
        together: IntVector,
        steps: PairSteps,
    ) -> list[list[Any]]:
        one, other, score = pairs
        sizes = self.comparison.records.sizes
        left, right = self._texts(rows[0]), self._texts(rows[1])
        spans = [
            different_spans_of_cells(*cells)
            for cells in zip(self._cells(rows[0]), self._cells(rows[1]), strict=True)
        ]
        columns = (
            rows[0].tolist(),
            rows[1].tolist(),
            sizes[one].tolist(),
            sizes[other].tolist(),
            left,
            right,
            [round(float(value), 6) for value in score],
            (self.labels[rows[0]] == self.labels[rows[1]]).tolist(),
            together.tolist(),
            [ours for ours, _ in spans],
            [theirs for _, theirs in spans],
            [
                [(place, round(effect, 3)) for place, effect in steps.of(at)] if is_told else []
                for at, is_told in enumerate(((score > 0) & (score < 1)).tolist())
            ],
        )
        return [list(row) for row in zip(*columns, strict=True)]
