"""Tables made from a deduplication: pairs, doubtful clusters, pairs to label."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import minimum_spanning_tree

from pearljoin._clusters.similar_pairs import SimilarPairs
from pearljoin._clusters.table_pairs import TablePairs
from pearljoin._decision.label_sampling import sample_for_labelling
from pearljoin._dedupe.row_pairs import row_pairs
from pearljoin._errors import InputError
from pearljoin._records.missing_keys import NULL
from pearljoin._tables.keys import Keys
from pearljoin._tables.pair_table import pair_table
from pearljoin._tables.read_table import Table
from pearljoin._tables.row_pairs import read_row_pairs
from pearljoin._typing import FloatVector, IntVector, LeftTable

__all__ = ["PairTables"]


@dataclass(frozen=True, slots=True)
class PairTables(Generic[LeftTable]):
    """A table, its columns that are compared, and its scored pairs."""

    table: Table
    keys: Keys
    comparison: TablePairs | SimilarPairs

    def pairs(self, labels: IntVector, lowest: float | None) -> LeftTable:
        """List pairs of rows: those that share a cluster, or with a score of at least `lowest`."""
        first, second, score = self._row_pairs(labels, lowest)
        together = labels[first] == labels[second]
        if lowest is None:
            first, second, score = first[together], second[together], score[together]
            together = together[together]
        columns = self._columns(first, second, score)
        return self._table(columns | {"same_cluster": together.astype(np.int64)})

    def _row_pairs(
        self, labels: IntVector, lowest: float | None
    ) -> tuple[IntVector, IntVector, FloatVector]:
        """Pairs of rows with their scores; with equal rows, which score 1."""
        records = self.comparison.records
        one, other, score = self.comparison.above(
            self.comparison.least if lowest is None else lowest
        )
        if lowest is None:
            # A record whose rows are parted may have some in the other's cluster.
            kept = _may_share(records.of_row, labels, one, other)
            one, other, score = one[kept], other[kept], score[kept]
        return row_pairs(records.of_row, records.n_records, one, other, score)

    def doubtful(self, labels: IntVector) -> LeftTable:
        """List the weakest link of each cluster of several records, the weakest first."""
        left, right, score = self.weakest_links(labels)
        cluster = labels[left]
        columns = {"cluster": cluster, "n_rows": np.bincount(labels)[cluster].astype(np.int64)}
        return self._table(columns | self._columns(left, right, score))

    def weakest_links(self, labels: IntVector) -> tuple[IntVector, IntVector, FloatVector]:
        """Find the weakest link of each cluster of several records, the weakest first.

        Returns
        -------
        left_row, right_row, score
            Aligned arrays, ``left_row < right_row``: int64, int64 and float32.
        """
        records = self.comparison.records
        one, other, score = self.comparison.above(self.comparison.least)
        of_record = labels[records.first_row]
        kept = of_record[one] == of_record[other]
        one, other, score = one[kept], other[kept], score[kept]
        shape = records.n_records, records.n_records
        # A weight of 0 would be no edge.
        tree = minimum_spanning_tree(csr_matrix((2.0 - score, (one, other)), shape=shape)).tocoo()
        link = 2.0 - tree.data
        order = np.lexsort((tree.row, link))
        _, first = np.unique(of_record[tree.row[order]], return_index=True)
        chosen = order[np.sort(first)]
        left, right = records.first_row[tree.row[chosen]], records.first_row[tree.col[chosen]]
        rows = np.minimum(left, right), np.maximum(left, right)
        return *rows, link[chosen].astype(np.float32)

    def to_label(self, threshold: float, n: int, exclude: Any) -> LeftTable:
        """List pairs to label, near the threshold and spread over the scores; no equal keys."""
        if isinstance(n, bool) or not isinstance(n, int | np.integer) or n < 1:
            raise InputError(f"n must be a whole number above 0. Got {n!r}.")
        records = self.comparison.records
        one, other, score = self.comparison.above(self.comparison.least)
        one, other, score = one[score < 1], other[score < 1], score[score < 1]
        known = exclude is None or (hasattr(exclude, "__len__") and not len(exclude))
        if not known:
            rows = read_row_pairs(exclude)
            if len(rows[0]) and max(part.max() for part in rows) >= records.n_rows:
                raise InputError(
                    "exclude= names a row that is not there. Got row "
                    f"{max(int(part.max()) for part in rows)} of {records.n_rows}."
                )
            ends = [records.of_row[part] for part in rows]
            low, high = np.minimum(*ends), np.maximum(*ends)
            n_records = max(1, records.n_records)
            kept = ~np.isin(one * n_records + other, low * n_records + high)
            one, other, score = one[kept], other[kept], score[kept]
        chosen = sample_for_labelling(score, threshold, int(n))
        rows = records.first_row[one[chosen]], records.first_row[other[chosen]]
        return self._table(self._columns(*rows, score[chosen]))

    def _columns(self, first: IntVector, second: IntVector, score: FloatVector) -> dict[str, Any]:
        return {
            "left_row": first,
            "right_row": second,
            "left": ("left", first),
            "right": ("right", second),
            "score": score,
        }

    def _table(self, columns: Mapping[str, Any]) -> LeftTable:
        found: LeftTable = pair_table(self.table, self.table, self.keys, columns)
        return found


def _may_share(
    of_row: IntVector, labels: IntVector, one: IntVector, other: IntVector
) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Mark pairs of records whose rows may share a cluster: shape (n_pairs,)."""
    rows = np.flatnonzero(of_row != NULL)
    n_records = int(of_row.max(initial=-1)) + 1
    low = np.full(n_records, np.iinfo(np.int64).max)
    high = np.full(n_records, -1)
    np.minimum.at(low, of_row[rows], labels[rows])
    np.maximum.at(high, of_row[rows], labels[rows])
    return np.asarray((low[one] <= high[other]) & (low[other] <= high[one]), dtype=bool)
