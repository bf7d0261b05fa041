"""The state of a Deduplicator: rows, clusters and what was learned. A change makes a new one."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pearljoin._clusters.limits import Limits
from pearljoin._clusters.scored_pairs import ScoredPairs, joined, probabilities
from pearljoin._clusters.table_pairs import TablePairs
from pearljoin._decision.thresholds import FixedThreshold
from pearljoin._dedupe.merges import ClusterPair, Merge, ascending
from pearljoin._dedupe.options import ConstraintOptions
from pearljoin._dedupe.row_pairs import row_pairs
from pearljoin._errors import InputError
from pearljoin._fitted.changed_rows import with_rows
from pearljoin._fitted.fitted_table import FittedTable
from pearljoin._records.missing_keys import NULL, known_values
from pearljoin._records.records import Records
from pearljoin._scoring.match_weights import MatchWeights
from pearljoin._tables.cells import is_hashable, is_null
from pearljoin._tables.keys import Keys
from pearljoin._tables.output import take_rows
from pearljoin._tables.pair_table import pair_table
from pearljoin._tables.read_table import ONLY, Table, as_table
from pearljoin._typing import BoolVector, FloatVector, IntVector

__all__ = ["Growing", "read_ids"]


@dataclass(frozen=True)
class Growing:
    """Rows and clusters.

    Attributes
    ----------
    base, fitted
        The table that was fitted, and the same with the rows that were added.
    weights, threshold
        What fit learned.
    ids
        The id of each row, removed ones included.
    cluster
        int64 of shape (n_rows,): the cluster of each row, `NULL` for one not assigned yet.
    is_live
        bool of shape (n_rows,): rows that were not removed.
    next_cluster
        Id of the next new cluster.
    pairs
        Pairs of records that were compared, each once; also with records whose rows are removed,
        since these may be added again.
    cannot_link, must_link
        int64 of shape (n_pairs, 2): pairs of rows that are apart, and that share a cluster.
    merges
        Suggested merges that are neither applied nor rejected yet.
    rejected
        Clusters that are not the same thing, ascending.
    """

    base: FittedTable
    fitted: FittedTable
    weights: MatchWeights
    threshold: float
    ids: list[Any]
    cluster: IntVector
    is_live: BoolVector
    next_cluster: int
    pairs: ScoredPairs
    cannot_link: IntVector
    must_link: IntVector
    merges: tuple[Merge, ...] = ()
    rejected: tuple[ClusterPair, ...] = ()

    def table_pairs(self) -> TablePairs:
        """Pairs of the records of all rows, scored by what fit learned."""
        base = self.base.learned().reference
        return TablePairs(self.fitted.learned().reference, self.weights, base=base)

    def with_rows(self, more: Table, ids: list[Any]) -> Growing:
        """Append rows, whose clusters are not known yet."""
        longer = with_rows(self.fitted, more)
        if longer.frozen_kinds.keys != self.fitted.frozen_kinds.keys:
            raise InputError(
                "A key column had no value when the table was fitted. Got values for it now. "
                "Hint: fit again with them."
            )
        n_new = len(ids)
        return replace(
            self,
            fitted=longer,
            ids=[*self.ids, *ids],
            cluster=np.append(self.cluster, np.full(n_new, NULL)),
            is_live=np.append(self.is_live, np.ones(n_new, dtype=bool)),
        )

    def live_pairs(
        self, first: IntVector, second: IntVector, log_odds: FloatVector, records: Records
    ) -> ScoredPairs:
        """Leave out pairs with a record whose rows are all removed."""
        known = records.of_row[self.is_live & (records.of_row != NULL)]
        is_live = np.zeros(records.n_records, dtype=bool)
        is_live[known] = True
        kept = is_live[first] & is_live[second]
        return first[kept], second[kept], log_odds[kept]

    def pairs_with(self, scored: ScoredPairs, records: Records, n_before: int) -> ScoredPairs:
        """List the pairs of the records of new rows: those just scored, and earlier ones."""
        is_new = np.zeros(records.n_records, dtype=bool)
        new = records.of_row[n_before:]
        is_new[new[new != NULL]] = True
        first, second, log_odds = self.live_pairs(*joined(self.pairs, scored), records)
        kept = is_new[first] | is_new[second]
        return first[kept], second[kept], log_odds[kept]

    def assigned(
        self, clusters: IntVector, scored: ScoredPairs, merges: Sequence[Merge]
    ) -> Growing:
        """Return the state with the new rows in their clusters."""
        cluster = self.cluster.copy()
        cluster[cluster == NULL] = clusters
        return replace(
            self,
            cluster=cluster,
            next_cluster=max(self.next_cluster, int(clusters.max(initial=-1)) + 1),
            pairs=joined(self.pairs, scored),
            merges=(*self.merges, *(one for one in merges if one.between() not in self.rejected)),
        )

    def without(self, ids: Any) -> Growing:
        """Remove rows by their ids."""
        rows = self._rows_of(ids, "removed", "remove")
        is_live, gone = self.is_live.copy(), {self.ids[row] for row in rows.tolist()}
        is_live[rows] = False
        kept = tuple(merge for merge in self.merges if merge.id not in gone)
        return replace(self, is_live=is_live, merges=kept)

    def _rows_of(self, ids: Any, done: str, call: str) -> IntVector:
        """Positions of rows by their ids; what is `done` to them by a `call` is for errors."""
        position = {one: row for row, one in enumerate(self.ids) if self.is_live[row]}
        try:
            ids = _listed(ids)
            unknown = [one for one in ids if one not in position]
        except (TypeError, ValueError) as error:
            raise InputError(
                f"Rows are {done} by a list of ids. Got {ids!r}. Hint: {call}([0, 3])."
            ) from error
        if unknown or len(set(ids)) < len(ids):
            got = f"{unknown[0]!r}, which is not there" if unknown else "an id twice"
            raise InputError(f"Rows are {done} by their ids. Got {got}. Hint: see .ids.")
        return np.array([position[one] for one in ids], dtype=np.int64)

    def split(self, ids: Any) -> Growing:
        """Take rows of one cluster into a new one, by their ids, apart from the others of it."""
        rows = self._rows_of(ids, "split off", "split")
        of_rows = np.unique(self.cluster[rows])
        of_one = np.flatnonzero(self.is_live & np.isin(self.cluster, of_rows))
        rest = np.setdiff1d(of_one, rows)
        if len(of_rows) != 1 or not len(rest):
            some = "all" if len(of_rows) == 1 else "some"
            got = f"{some} rows of {of_rows.tolist()!r}" if len(rows) else "no rows"
            raise InputError(
                f"Some of the rows of one cluster are split off. Got {got}. "
                "Hint: .table() shows the cluster of each row."
            )
        self._check_may_part(rows, rest)
        cluster = self.cluster.copy()
        old, new = int(of_rows[0]), self.next_cluster
        cluster[rows] = new
        apart = np.stack(np.meshgrid(rows, rest, indexing="ij"), axis=-1).reshape(-1, 2)
        moved = {self.ids[row] for row in rows.tolist()}
        merges = [
            merge._replace(cluster=new) if merge.cluster == old and merge.id in moved else merge
            for merge in self.merges
        ]
        # Merges of either with a third cluster stay, and may bring the two together no more.
        return replace(
            self,
            cluster=cluster,
            next_cluster=new + 1,
            cannot_link=np.concatenate([self.cannot_link, apart]),
            merges=tuple(merges),
            rejected=tuple(sorted({*self.rejected, ascending(old, new)})),
        )

    def _check_may_part(self, rows: IntVector, rest: IntVector) -> None:
        """Refuse to part rows that a pair of `must_link` holds together."""
        one, other = self.must_link.T
        crosses = (np.isin(one, rows) & np.isin(other, rest)) | (
            np.isin(other, rows) & np.isin(one, rest)
        )
        if crosses.any():
            pair = tuple(self.ids[row] for row in self.must_link[np.argmax(crosses)].tolist())
            raise InputError(
                f"A pair of must_link= holds rows together. Got {pair!r} on both sides of a split. "
                "Hint: split both off, or fit without the pair."
            )

    def live_rows(self) -> Table:
        """Return the rows that were not removed."""
        return as_table(take_rows(self.fitted.right, np.flatnonzero(self.is_live)), ONLY)

    def live_limits(self, constraints: ConstraintOptions, table: Table) -> Limits:
        """Return the constraints on `live_rows`, with the pairs of these."""
        position = np.where(self.is_live, np.cumsum(self.is_live) - 1, NULL)
        apart, together = position[self.cannot_link], position[self.must_link]
        apart = apart[(apart != NULL).all(axis=1)]
        return replace(
            constraints.without_pairs().read(table),
            cannot_link=np.unique(np.concatenate([apart, self.rejected_rows()]), axis=0),
            must_link=together[(together != NULL).all(axis=1)],
        )

    def rejected_rows(self) -> IntVector:
        """List the first rows of clusters that are not the same, as positions in `live_rows`."""
        numbers, first = np.unique(self.cluster[self.is_live], return_index=True)
        row = dict(zip(numbers.tolist(), first.tolist(), strict=True))
        # A cluster whose rows are all removed is gone.
        found = [[row[one], row[two]] for one, two in self.rejected if one in row and two in row]
        return np.array(found, dtype=np.int64).reshape(-1, 2)

    def row_pairs(self, lowest: float) -> tuple[IntVector, IntVector, FloatVector]:
        """List compared pairs of rows, by their positions in `live_rows`; equal rows score 1."""
        lowest = FixedThreshold(lowest).value
        records = self.fitted.learned().reference.records
        first, second, log_odds = self.live_pairs(*self.pairs, records)
        score = probabilities(log_odds)
        near = score >= np.float32(lowest)
        of_row = records.of_row[self.is_live]
        return row_pairs(of_row, records.n_records, first[near], second[near], score[near])

    def listed_pairs(self, lowest: float, ids: Hashable | None) -> Any:
        """List the same in a table, where `ids` is the column of ids, if there is one."""
        left, right, score = self.row_pairs(lowest)
        table, names = self.live_rows(), self.fitted.names.keys
        cluster = self.cluster[self.is_live]
        columns = {
            "left_row": left,
            "right_row": right,
            "left_id": self._ids_of("left", left, ids, table),
            "right_id": self._ids_of("right", right, ids, table),
            "left": ("left", left),
            "right": ("right", right),
            "score": score,
            "same_cluster": (cluster[left] == cluster[right]).astype(np.int64),
        }
        return pair_table(table, table, Keys(names, names), columns)

    def _ids_of(self, side: str, rows: IntVector, ids: Hashable | None, table: Table) -> Any:
        """Ids of rows, for a table: as the column that they stand in."""
        if ids is not None and ids in table.columns:
            return side, rows, ids
        listed = [one for one, is_live in zip(self.ids, self.is_live, strict=True) if is_live]
        if ids is None:
            return np.array(listed, dtype=np.int64)[rows]
        # A saved folder leaves out columns that Arrow cannot hold.
        return [str(listed[row]) for row in rows.tolist()]

    def merged(self, constraints: ConstraintOptions, chosen: Sequence[Merge]) -> Growing:
        """Apply those of the chosen merges that constraints allow; the others stay listed."""
        limits = constraints.without_pairs().read(self.fitted.right)
        cluster, rejected, wanted = self.cluster.copy(), set(self.rejected), set(chosen)
        now = {int(one): int(one) for one in np.unique(cluster)}
        for merge in self.merges:
            into, gone = merge.between(now)
            if merge not in wanted or into == gone or (into, gone) in rejected:
                continue
            rows = np.flatnonzero(self.is_live & np.isin(cluster, [into, gone]))
            if self._are_apart(rows, limits):
                continue
            cluster[cluster == gone] = into
            now = {one: into if of == gone else of for one, of in now.items()}
            rejected = {ascending(now.get(one, one), now.get(two, two)) for one, two in rejected}
        renamed = (
            merge._replace(cluster=now[merge.cluster], other=now[merge.other])
            for merge in self.merges
        )
        left = [one for one in renamed if one.cluster != one.other]
        return replace(
            self,
            cluster=cluster,
            merges=tuple(one for one in left if one.between() not in rejected),
            rejected=tuple(sorted(rejected)),
        )

    def _are_apart(self, rows: IntVector, limits: Limits) -> bool:
        """Whether constraints keep rows from sharing a cluster."""
        vetoes = self.fitted.learned().reference.records.vetoes
        columns = [column.codes[rows] for column in vetoes]
        sources = np.zeros(0, dtype=np.int64) if limits.sources is None else limits.sources[rows]
        sources = sources[sources != NULL]
        return bool(
            (limits.max_size is not None and len(rows) > limits.max_size)
            or np.isin(self.cannot_link, rows).all(axis=1).any()
            or len(np.unique(sources)) < len(sources)
            or any(len(known_values(codes)) > 1 for codes in columns)
        )

    def rejecting_rows(self, rows: IntVector) -> Growing:
        """Reject merges of the clusters of pairs of rows, which `rejected_rows` listed before."""
        pairs = {ascending(one, two) for one, two in self.cluster[rows].tolist()}
        return replace(self, rejected=tuple(sorted(pairs)))

    def rejecting(self, chosen: Sequence[Merge]) -> Growing:
        """List no more merges of the clusters of the chosen ones."""
        rejected = {*self.rejected, *(merge.between() for merge in chosen)}
        kept = tuple(merge for merge in self.merges if merge.between() not in rejected)
        return replace(self, merges=kept, rejected=tuple(sorted(rejected)))


def _listed(ids: Any) -> list[Any]:
    """List ids; raises TypeError for text and for what is no collection."""
    if isinstance(ids, str | bytes):
        raise TypeError("text is one id")
    return list(ids)


def read_ids(
    table: Table, name: Hashable | None, known: Sequence[Any], start: int = 0
) -> list[Any]:
    """Read the ids of rows.

    Parameters
    ----------
    table
        The rows.
    name
        The column of ids; None numbers the rows.
    known
        Ids that are taken.
    start
        The first number.

    Raises
    ------
    InputError
        If an id is null, is not hashable, repeats or is taken.
    """
    if name is None:
        return list(range(start, start + table.n_rows))
    ids = table.column(name, "ids").to_list()
    if not all(map(is_hashable, ids)):
        raise InputError(
            f"The ids of rows must be hashable. Got others in {name!r}. "
            "Hint: name a column of text or whole numbers."
        )
    taken = set(known)
    for one in ids:
        if is_null(one) or one in taken:
            what = "a null" if is_null(one) else f"{one!r} twice"
            raise InputError(
                f"The ids of rows must be there and differ. Got {what} in {name!r}. "
                "Hint: remove the row that has the id first."
            )
        taken.add(one)
    return ids
