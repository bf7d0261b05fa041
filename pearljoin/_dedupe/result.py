"""DedupeResult: the scored pairs of one table, and the clusters that they make."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Generic

from pearljoin._cached import cached_property
from pearljoin._clusters.expected import expected_quality
from pearljoin._clusters.limits import Limits
from pearljoin._clusters.similar_pairs import SimilarPairs
from pearljoin._clusters.table_pairs import TablePairs
from pearljoin._decision.thresholds import FixedThreshold, PrecisionTarget, Threshold, as_threshold
from pearljoin._dedupe.cluster_columns import check_names, with_clusters
from pearljoin._dedupe.differing_columns import warn_of_differing
from pearljoin._dedupe.explain import PairExplanation, explain_pair
from pearljoin._dedupe.golden import Rules, golden_table
from pearljoin._dedupe.log import log_clusters, result_text
from pearljoin._dedupe.tables import PairTables
from pearljoin._dedupe.thresholds import AUTO, choose_threshold
from pearljoin._dedupe.views import DedupeViews
from pearljoin._errors import InputError
from pearljoin._labelled_threshold import probability_of
from pearljoin._options import MatchOptions
from pearljoin._progress import as_work, stage
from pearljoin._tables.keys import Keys
from pearljoin._tables.read_table import Table
from pearljoin._typing import IntVector, LeftTable

__all__ = ["DedupeResult"]


class DedupeResult(DedupeViews, Generic[LeftTable]):
    """Compared pairs of rows of one table, and clusters of its rows.

    Made by `find_duplicates`. Every method uses the same pairs: nothing is encoded or searched
    again for another threshold.

    Attributes
    ----------
    keys
        The columns that were compared.
    comparison
        Scored pairs of records.

    Examples
    --------
    >>> import pearljoin as pj
    >>> names = ["Le Monde", "Die Zeit", "le monde", "Mircosoft", "Microsoft"]
    >>> result = pj.find_duplicates(names)
    >>> result.clusters()
    array([0, 1, 0, 2, 2])
    """

    def __init__(
        self,
        table: Table,
        keys: Keys,
        comparison: TablePairs | SimilarPairs,
        options: MatchOptions,
        limits: Limits,
        *,
        is_auto: bool = False,
        labels: IntVector | None = None,
    ) -> None:
        self._table = table
        self.keys = keys
        self.comparison = comparison
        self._options = options
        self._limits = limits
        self._is_auto = is_auto
        self._warns = True
        if labels is not None:
            # Clustered elsewhere.
            self._labels = labels
        self._tables: PairTables[LeftTable] = PairTables(table, keys, comparison)

    def __repr__(self) -> str:
        # What is not computed yet may take minutes, so it is not computed for this.
        known = vars(self)
        return result_text(self.keys, self.comparison, known.get("threshold"), known.get("_labels"))

    @property
    def calibrated(self) -> bool:
        """Whether a score is the probability that two rows are one entity."""
        return self.comparison.calibrated

    @cached_property
    def threshold(self) -> float:
        """Lowest mean score, in [0, 1], at which two clusters are merged."""
        return self._choose(self._options.threshold)

    @as_work
    def _choose(self, rule: Threshold) -> float:
        if not self.calibrated and isinstance(rule, PrecisionTarget):
            if self._is_auto:
                return 1.0 if self.comparison.reference.equal_only else AUTO
            raise InputError(
                "A precision cannot be estimated from similarities. Got a PrecisionTarget, and no "
                f"match scorer for the key {list(self.keys.left)!r}. Hint: give a number, or "
                f"'auto' for {AUTO}, or a LabelledThreshold."
            )
        return choose_threshold(rule, self.comparison)

    def at(
        self, threshold: float | str | Threshold | None = None, *, precision: float | None = None
    ) -> DedupeResult[LeftTable]:
        """Return the same pairs clustered at another threshold; nothing is compared again.

        Parameters
        ----------
        threshold
            A score in [0, 1], "auto", or a threshold object.
        precision
            The share of pairs of rows in a cluster that should be right, for ``"auto"``.

        Raises
        ------
        InputError
            If neither or both are given, or one is not understood.

        Examples
        --------
        >>> import pearljoin as pj
        >>> result = pj.find_duplicates(["Acme Corporation", "Acme Corp.", "Globex"])
        >>> result.at(0.999).clusters()
        array([0, 1, 2])
        """
        if (threshold is None) == (precision is None):
            raise InputError(
                "at() wants a threshold or a precision. "
                f"Got threshold={threshold!r}, precision={precision!r}. Hint: at(0.7), or "
                "at(precision=0.95)."
            )
        rule = as_threshold(
            "auto" if threshold is None else threshold, 0.9 if precision is None else precision
        )
        other = DedupeResult[LeftTable](
            self._table,
            self.keys,
            self.comparison,
            replace(self._options, threshold=rule),
            self._limits,
            is_auto=isinstance(threshold, str),
        )
        other._warns = False  # many thresholds may be tried
        # What cannot be chosen is told here, not where the clusters are asked for.
        _ = other.threshold
        return other

    def clusters(self) -> IntVector:
        """Return the cluster of each row: int64 of shape (n_rows,), by first appearance."""
        return self._labels.copy()

    @cached_property
    def _labels(self) -> IntVector:
        return self._cluster()

    @as_work
    def _cluster(self) -> IntVector:
        threshold = self.threshold
        with stage("decision"):
            labels = self.comparison.clusters(threshold, self._limits)
        log_clusters(self.keys, self.comparison, threshold, labels)
        if self._warns:
            warn_of_differing(self.keys, self.comparison, labels, threshold)
        return labels

    def table(self, cluster: str = "cluster", canonical: str | None = None) -> LeftTable:
        """Return the table with the cluster of each row.

        Parameters
        ----------
        cluster
            Name of the column.
        canonical
            Name of a further column, for the most frequent key of each cluster; with several key
            columns these are columns ``<canonical>_<key>``. Default: none.

        Raises
        ------
        InputError
            If the table has such a column.
        """
        check_names(cluster, *([] if canonical is None else [canonical]))
        records = self.comparison.records
        found: LeftTable = with_clusters(
            self._table, self.keys, records, self._labels, cluster, canonical
        )
        return found

    def pairs(self, lowest: float | None = None) -> LeftTable:
        """List compared pairs of rows with their scores.

        Parameters
        ----------
        lowest
            List all pairs with at least this score. Default: the pairs that share a cluster.

        Returns
        -------
        table
            Of the table's kind, by row: ``left_row`` and ``right_row`` (row positions, the lower
            one first), ``left`` and ``right`` (key values, joined by " | "), ``score``, and
            ``same_cluster`` (1 or 0). Equal rows score 1. Pairs that were not compared are not
            listed.

        Raises
        ------
        InputError
            If `lowest` is no number in [0, 1], or the pairs are too many to hold.
        """
        lowest = None if lowest is None else FixedThreshold(lowest).value
        return self._tables.pairs(self._labels, lowest)

    def doubtful(self) -> LeftTable:
        """List the weakest link of each cluster, the most doubtful cluster first.

        The links of a cluster are the pairs that hold it together at best: those of a maximum
        spanning tree. The least of their scores is that of the cluster's weakest link.

        Returns
        -------
        table
            Of the table's kind, one row for each cluster of two distinct records or more:
            ``cluster``, ``n_rows``, ``left_row``, ``right_row``, ``left``, ``right`` and ``score``.
        """
        return self._tables.doubtful(self._labels)

    def golden(self, rules: Rules | None = None, *, provenance: bool = False) -> LeftTable:
        """Return one row for each cluster, made of its rows by a rule for each column.

        Parameters
        ----------
        rules
            By column: ``"most_frequent"`` (the default), ``"most_complete"`` (from the row with the
            fewest nulls), ``"longest"``, ``"first"``, ``"min"``, ``"max"`` (of text the last in the
            alphabet), ``"mean"``, ``"median"``, ``"sum"``, ``{"newest": date_column}`` (dates, or
            text that is read as such), ``{"source": (column, [preferred, ...])}``, or a function
            of the column's values that are not null, in row order, which returns one value. One
            rule alone holds for all columns.
        provenance
            Whether to add a column ``<column>_row`` for each column: the row that gave the value,
            -1 where none did.

        Returns
        -------
        table
            Of the table's kind, in the order of the clusters, with ``cluster`` and ``n_rows`` as
            first columns.

        Raises
        ------
        InputError
            If a rule is not understood, or is for a column that is not there.

        Examples
        --------
        >>> import pandas as pd
        >>> import pearljoin as pj
        >>> names = ["Le Monde", "le monde", "Le Monde"]
        >>> table = pd.DataFrame({"name": names, "n": [1, 5, 3]})
        >>> golden = pj.find_duplicates(table, on="name").golden({"n": "median"})
        >>> golden.to_dict("list")
        {'cluster': [0], 'n_rows': [3], 'name': ['Le Monde'], 'n': [3.0]}
        """
        found: LeftTable = golden_table(self._table, self._labels, rules, provenance=provenance)
        return found

    def expected_precision(self, threshold: float | str | Threshold | None = None) -> float:
        """Estimate the share of right pairs of rows among those that share a cluster.

        Parameters
        ----------
        threshold
            As in `at`. Default: the result's own.

        Returns
        -------
        precision
            In [0, 1]; NaN where no two rows share a cluster.

        Raises
        ------
        InputError
            If scores are similarities and there is no `LabelledThreshold`.
        """
        return self._expected_at(threshold)[0]

    def expected_recall(self, threshold: float | str | Threshold | None = None) -> float:
        """Estimate the share of compared matching pairs that share a cluster.

        Pairs that were never compared do not count. Below even odds, matches are taken to grow no
        more frequent towards lower scores, however many pairs there are. The parameter and errors
        are those of `expected_precision`.

        Returns
        -------
        recall
            In [0, 1]; NaN where no two rows share a cluster and less than half a pair is expected
            to match, as in a table without duplicates.
        """
        return self._expected_at(threshold)[1]

    @as_work
    def _expected_at(self, threshold: float | str | Threshold | None) -> tuple[float, float]:
        at = self if threshold is None else self.at(threshold)
        rule = at._options.threshold
        probability = probability_of(rule, self.keys.left, calibrated=self.calibrated)
        return expected_quality(self.comparison, at._labels, probability)

    def suggest_labels(self, n: int = 30, *, exclude: Any = ()) -> LeftTable:
        """List the pairs of rows whose labels would be most informative.

        Parameters
        ----------
        n
            How many pairs, at least 1; fewer where there are not as many.
        exclude
            Pairs of row positions that are labelled already.

        Returns
        -------
        table
            Of the table's kind, the most informative pair first: ``left_row``, ``right_row``,
            ``left``, ``right`` and ``score``. `LabelledThreshold.fit` takes it and its labels.

        Raises
        ------
        InputError
            If `n` is not a whole number above 0, or `exclude` is not understood.
        """
        return self._tables.to_label(self.threshold, n, exclude)

    @as_work
    def explain(self, row: int, other: int | None = None) -> PairExplanation:
        """Explain the evidence for and against two rows being one entity.

        Parameters
        ----------
        row, other
            Row positions, from 0. Default of `other`: the row that scores most with `row`.

        Returns
        -------
        explanation
            What each key column says, the score, and whether the two share a cluster; printed, it
            is a few lines of text.

        Raises
        ------
        InputError
            If there is no such row, the two are the same one, or no other was compared with `row`.
        """
        parts = self._table, self.keys, self.comparison, self._labels, self.threshold, self._limits
        return explain_pair(*parts, row, other)
