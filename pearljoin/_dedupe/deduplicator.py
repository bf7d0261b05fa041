"""Deduplicator: clusters of a table that grows, whose ids stay."""

from __future__ import annotations

import os
import threading
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Self

import numpy as np

from pearljoin._clusters.incremental import Standing, assign_rows, pairs_of_new
from pearljoin._clusters.limits import Limits
from pearljoin._clusters.table_pairs import TablePairs
from pearljoin._dedupe.find import find_in_table, read_tables
from pearljoin._dedupe.growing import Growing, read_ids
from pearljoin._dedupe.growing_merges import GrowingMerges
from pearljoin._dedupe.merges import Merge
from pearljoin._dedupe.options import ConstraintOptions
from pearljoin._dedupe.result import DedupeResult
from pearljoin._dedupe.store import load_deduplicator, save_deduplicator
from pearljoin._errors import InputError
from pearljoin._fitted.learned import Learned
from pearljoin._kinds.protocol import Kind
from pearljoin._options import EncoderLike, MatchOptions, ThresholdLike, pick
from pearljoin._progress import as_work
from pearljoin._scoring.frozen_state import FrozenState
from pearljoin._tables.argument_hints import OF_FINDING, with_hints
from pearljoin._tables.keys import KeyOptions
from pearljoin._tables.mapped_rows import as_rows
from pearljoin._tables.no_table import are_several
from pearljoin._tables.read_table import ONLY, Table
from pearljoin._typing import Columns, Device, IntVector, RowLike, TableLike

__all__ = ["Deduplicator"]


class Deduplicator(GrowingMerges):
    """Clusters the rows of a table that gains and loses rows.

    What `fit` learns is frozen: match weights, how often values occur, the threshold. A row that is
    added gets the id of the cluster that it belongs to, or a new one; the rows before it keep their
    clusters. Parameters are those of `find_duplicates`, and `ids`.

    Parameters
    ----------
    ids
        Column whose values identify rows: unique, hashable and not null. Default: rows are numbered
        from 0 as they come. Pairs of `cannot_link` and `must_link` name rows by these ids; a table
        of pairs may have them as ``left_id`` and ``right_id``.

    Examples
    --------
    >>> import pearljoin as pj
    >>> names = ["Univ. of Oxford", "MIT", "University of Oxford", "Harvard"]
    >>> deduplicator = pj.Deduplicator().fit(names)
    >>> deduplicator.clusters()
    array([0, 1, 0, 2])
    >>> deduplicator.add(["Oxford University", "ETH Zurich"])
    array([0, 3])

    Pairs name rows by their ids, where a column of ids is given:

    >>> import pandas as pd
    >>> table = pd.DataFrame({"id": ["c7", "c8", "c9"], "name": names[:3]})
    >>> pj.Deduplicator(on="name", ids="id", cannot_link=[("c7", "c9")]).fit(table).clusters()
    array([0, 1, 2])
    """

    @with_hints(OF_FINDING, 0, "name columns: Deduplicator(on='a').fit(table).")
    def __init__(
        self,
        *,
        on: Columns | None = None,
        by: Columns | None = None,
        veto: Columns | None = None,
        kinds: Mapping[Any, Kind] | None = None,
        geo: tuple[Any, Any] | None = None,
        phone_region: str | None = None,
        ids: Hashable | None = None,
        threshold: ThresholdLike = "auto",
        precision: float = 0.9,
        cannot_link: Any = (),
        must_link: Any = (),
        one_per: Hashable | None = None,
        max_size: int | None = None,
        encoder: EncoderLike = "auto",
        nulls_equal: bool = False,
        device: Device = "auto",
        batch_size: int | None = None,
        verbose: bool | None = None,
    ) -> None:
        arguments = locals()
        self._keys = pick(KeyOptions, arguments)
        self._options = pick(MatchOptions, arguments)
        self._constraints = pick(ConstraintOptions, arguments)
        self._is_auto = isinstance(threshold, str) and threshold == "auto"
        self._ids = ids
        self._growing = None
        self._result: DedupeResult[Any] | None = None
        self._changing = threading.RLock()  # held while rows or clusters change

    def __getstate__(self) -> dict[str, Any]:
        # A lock is neither pickled nor copied; each copy changes by itself.
        return {name: value for name, value in vars(self).items() if name != "_changing"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._changing = threading.RLock()

    def __repr__(self) -> str:
        if self._growing is None:
            return "<Deduplicator: not fitted>"
        live = self._growing.is_live
        n_clusters = len(np.unique(self._growing.cluster[live]))
        return f"<Deduplicator: {int(live.sum()):,} rows in {n_clusters:,} clusters>"

    @as_work
    def fit(
        self, table: TableLike | Sequence[TableLike], *, sources: Sequence[str] | None = None
    ) -> Self:
        """Cluster a table, and freeze what is learned of it.

        Parameters
        ----------
        table
            A table, a single column, a sequence of strings; or a list of tables, whose rows are put
            below each other with a first column ``"source"``. For ``one_per="source"``, rows that
            are added have this column, too.
        sources
            Names of the tables in a list, for the column ``"source"``. Default: "0", "1", ...

        Returns
        -------
        deduplicator
            Itself.

        Raises
        ------
        InputError
            As in `find_duplicates`; if ids repeat or are null; or if the encoder has no match
            scorer.
        TableTypeError
            If `table` is of a kind that is not read.

        Examples
        --------
        >>> import pandas as pd
        >>> import pearljoin as pj
        >>> crm = pd.DataFrame({"name": ["Univ. of Oxford", "MIT"]})
        >>> shop = pd.DataFrame({"name": ["University of Oxford", "Harvard"]})
        >>> deduplicator = pj.Deduplicator(on="name", one_per="source")
        >>> deduplicator.fit([crm, shop], sources=["crm", "shop"]).clusters()
        array([0, 1, 0, 2])
        """
        read = read_tables(table, sources)
        with self._changing:
            ids = read_ids(read, self._ids, ())
            named = None if self._ids is None else ids
            return self._fit(read, ids, self._constraints.read(read, named))

    def _fit(self, table: Table, ids: list[Any], limits: Limits) -> Self:
        result, fitted = find_in_table(
            table, self._keys, self._options, limits, is_auto=self._is_auto
        )
        comparison = result.comparison
        if not isinstance(comparison, TablePairs):
            raise InputError(
                "A Deduplicator needs an encoder with a match scorer. Got one without. "
                "Hint: encoder='default', or find_duplicates() for clusters by similarity."
            )
        self._result = result
        labels = result.clusters()
        state = FrozenState(match_weights=comparison.weights)
        frozen = fitted.with_learned(fitted.frozen_kinds, Learned(comparison.reference, state))
        self._growing = Growing(
            base=frozen,
            fitted=frozen,
            weights=comparison.weights,
            threshold=result.threshold,
            ids=ids,
            cluster=labels,
            is_live=np.ones(len(labels), dtype=bool),
            next_cluster=int(labels.max(initial=-1)) + 1,
            pairs=comparison.completed,
            cannot_link=limits.cannot_link,
            must_link=limits.must_link,
        )
        return self

    @property
    def result(self) -> DedupeResult[Any]:
        """Result of the last fit: pairs, explanations, expected precision.

        Raises
        ------
        InputError
            If there was no fit, as for a deduplicator that was loaded, or rows or clusters changed
            since.
        """
        if self._result is None:
            raise InputError(
                "There is no result of a fit, or rows or clusters changed since. Hint: .refit() "
                "makes one; .table(), .pairs() and .golden() are of the rows as they are now."
            )
        return self._result

    @property
    def threshold(self) -> float:
        """The threshold that fit chose, in [0, 1]."""
        return self._fitted().threshold

    @as_work
    def add(self, rows: TableLike | RowLike) -> IntVector:
        """Add rows, each to the cluster that it belongs to or to a new one.

        Parameters
        ----------
        rows
            A table that has the key columns and that of ids, or a single column of keys. One row
            may be a mapping of columns to values, and several a list of these.

        Returns
        -------
        clusters
            int64 of shape (n_new,): the cluster of each row.

        Raises
        ------
        InputError
            If nothing is fitted, a column is missing, the types do not go with the table's, an id
            is null or there already, or more rows are alike than can be compared.
        """
        if are_several(rows):
            raise InputError(
                "Rows are added as one table. Got a list of tables. Hint: add each by itself, "
                "with a column of sources where there is one."
            )
        # Rows that another thread adds meanwhile must not be lost.
        with self._changing:
            fitted = self._fitted().fitted
            return self._add(as_rows(rows, ONLY, fitted.names.keys, fitted.right))

    def _add(self, more: Table) -> IntVector:
        growing = self._fitted()
        n_before = len(growing.ids)
        start = 0 if self._ids is not None else 1 + max(growing.ids, default=-1)
        ids = read_ids(more, self._ids, self.ids, start)
        if not len(ids):
            return np.zeros(0, dtype=np.int64)
        longer = growing.with_rows(more, ids)
        table = longer.fitted.right
        pairs = longer.table_pairs()
        found = pairs_of_new(pairs, growing.fitted.learned().reference.records.n_records)
        scored = (*found, pairs.log_odds_of(*found))
        near = longer.pairs_with(scored, pairs.records, n_before)
        limits = self._constraints.without_pairs().read(table)
        standing = Standing(
            longer.cluster, longer.is_live, limits.sources, limits.max_size, longer.next_cluster
        )
        additions = assign_rows(pairs, near, standing, longer.threshold)
        merges = [
            Merge(found.cluster, found.other, ids[found.row - n_before], found.log_odds)
            for found in additions.bridges
        ]
        self._growing, self._result = longer.assigned(additions.clusters, scored, merges), None
        return additions.clusters.copy()

    def remove(self, ids: Any) -> Self:
        """Remove rows; what was learned of them stays until `refit`.

        Parameters
        ----------
        ids
            A list of ids.

        Returns
        -------
        deduplicator
            Itself. The clusters of the other rows stay.

        Raises
        ------
        InputError
            If nothing is fitted, or an id repeats or is not there.
        """
        with self._changing:
            self._growing, self._result = self._fitted().without(ids), None
        return self

    @as_work
    def refit(self) -> Self:
        """Fit again on the present rows; clusters get new ids.

        Pairs of `cannot_link` and `must_link` go with their rows; those with a row that was removed
        are dropped.

        Returns
        -------
        deduplicator
            Itself.
        """
        with self._changing:
            growing, ids = self._fitted(), self.ids
            table = growing.live_rows()
            self._fit(table, ids, growing.live_limits(self._constraints, table))
            self._growing = self._fitted().rejecting_rows(growing.rejected_rows())
        return self

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Write rows, clusters and what was learned to a folder of plain files.

        Parameters
        ----------
        folder
            A new or empty folder, or one that `save` wrote before.

        Raises
        ------
        InputError
            If nothing is fitted, the folder cannot be written, or an id, a column or a threshold is
            of a type that cannot be saved.
        MissingExtraError
            If pyarrow is needed and not installed.
        """
        given = self._keys, self._options, self._constraints, self._ids
        save_deduplicator(folder, self._fitted(), *given, is_auto=self._is_auto)

    @classmethod
    def load(cls, folder: str | os.PathLike[str], *, encoder: EncoderLike | None = None) -> Self:
        """Read a deduplicator that `save` wrote.

        Parameters
        ----------
        folder
            Where it was saved.
        encoder
            The encoder it was made with, where that was an object rather than a name.

        Raises
        ------
        ModelError
            If the folder is missing, damaged or of another kind, or the encoder is not the one that
            it was made with.
        InputError
            If the encoder was an object and is not given.
        """
        loaded = cls.__new__(cls)
        loaded.__setstate__({"_result": None})
        saved = load_deduplicator(folder, encoder)
        loaded._growing, loaded._keys, loaded._options = saved[:3]
        loaded._constraints, loaded._ids, loaded._is_auto = saved[3:]
        return loaded
