"""Constraints on clusters: pairs that must or must not share one, sources, sizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from pearljoin._errors import InputError
from pearljoin._ragged import items_of_rows
from pearljoin._records.missing_keys import NULL
from pearljoin._records.records import Records
from pearljoin._typing import BoolVector, IntVector

__all__ = ["Limits", "Units", "numbered", "parts_of_equal", "units_of"]

MOST_UNITS = 32
"""Most units of a record of which all pairs are listed; of more, each is paired with the first."""

NO_PAIRS = np.zeros((0, 2), dtype=np.int64)


@dataclass(frozen=True)
class Limits:
    """Constraints on clusters of rows, by precedence: an earlier one prevails over a later one.

    Attributes
    ----------
    cannot_link
        int64 of shape (n_pairs, 2): rows that are in different clusters.
    must_link
        int64 of shape (n_pairs, 2): rows that share a cluster.
    sources
        int64 of shape (n_rows,): a cluster has at most one row of each source; `NULL` for a row
        whose source is not known, which limits nothing. None without this constraint.
    max_size
        Most rows of a cluster; None for no limit.
    ids
        What errors call the rows. Default: their positions.
    """

    cannot_link: IntVector = field(default_factory=NO_PAIRS.copy)
    must_link: IntVector = field(default_factory=NO_PAIRS.copy)
    sources: IntVector | None = None
    max_size: int | None = None
    ids: Sequence[Any] | None = None

    @property
    def is_empty(self) -> bool:
        """Whether there is no constraint."""
        pairs = len(self.cannot_link) + len(self.must_link)
        return not pairs and self.sources is None and self.max_size is None

    def call(self, one: int, other: int) -> str:
        """Return what errors call two rows: "rows 0 and 2", or "ids 'c0' and 'c2'"."""
        if self.ids is None:
            return f"rows {one} and {other}"
        return f"ids {self.ids[one]!r} and {self.ids[other]!r}"


@dataclass(frozen=True)
class Units:
    """Rows that share a cluster whatever their scores, as numbered units.

    Attributes
    ----------
    of_row
        int64 of shape (n_rows,): the unit of each row.
    members
        Aligned int64 arrays (unit, record): the records that a unit has rows of, each once. A row
        without a key has none.
    apart
        int64 of shape (n_pairs, 2): units that must not share a cluster.
    """

    of_row: IntVector
    members: tuple[IntVector, IntVector]
    apart: IntVector

    @property
    def n_units(self) -> int:
        """Number of units."""
        return int(self.of_row.max(initial=-1)) + 1

    @property
    def sizes(self) -> IntVector:
        """Number of rows of each unit: int64 of shape (n_units,)."""
        return np.bincount(self.of_row, minlength=self.n_units)

    def pairs_of(self, first: IntVector, second: IntVector) -> tuple[IntVector, ...]:
        """List the pairs of units that contain pairs of records.

        Parameters
        ----------
        first, second
            int64 of shape (n_pairs,): pairs of records.

        Returns
        -------
        pair, first_unit, second_unit
            Aligned int64 arrays: which pair, and two different units that have these records.
        """
        unit, record = self.members
        n_records = int(record.max(initial=-1)) + 1
        order = np.argsort(record, kind="stable")
        counts = np.bincount(record, minlength=n_records)
        starts = np.cumsum(counts) - counts
        at, place = items_of_rows(starts[first], counts[first])
        first_unit = unit[order[place]]
        again, place = items_of_rows(starts[second[at]], counts[second[at]])
        found = at[again], first_unit[again], unit[order[place]]
        apart = found[1] != found[2]
        return tuple(part[apart] for part in found)

    def equal_pairs(self) -> tuple[IntVector, IntVector]:
        """List pairs of units that have rows of one record.

        All pairs, so that two units can merge even where constraints keep both apart from a third;
        of more than `MOST_UNITS` each unit with the first one.
        """
        unit, record = self.members
        order = np.argsort(record, kind="stable")
        record, unit = record[order], unit[order]
        start = np.searchsorted(record, record)
        count = np.arange(len(record)) - start
        is_many = (np.bincount(record, minlength=1) > MOST_UNITS)[record]
        later, place = items_of_rows(start, np.where(is_many, np.minimum(count, 1), count))
        return unit[place], unit[later]


def units_of(records: Records, limits: Limits) -> Units:
    """Put rows into units: those of one record together, unless a constraint parts them.

    Parameters
    ----------
    records
        The records of the table.
    limits
        The constraints.

    Returns
    -------
    units
        The units, numbered by first appearance.

    Raises
    ------
    InputError
        If rows that must share a cluster must not, or differ in a `by` or veto column.
    """
    named = np.unique(limits.must_link)
    alone = np.zeros(len(named), dtype=bool)
    unit = _joined_units(records, limits, named[alone])
    # Rows of must_link whose unit breaks a constraint are parted from the rows that equal them. The
    # units that they form then may break one, too.
    while (broken := ~alone & _are_broken(unit, limits)[unit[named]]).any():
        alone |= broken
        unit = _joined_units(records, limits, named[alone])
    _check(records, unit, limits)
    rows = np.flatnonzero(records.of_row != NULL)
    pairs = np.unique(np.stack([unit[rows], records.of_row[rows]], axis=1), axis=0)
    return Units(unit, (pairs[:, 0], pairs[:, 1]), unit[limits.cannot_link])


def _joined_units(records: Records, limits: Limits, alone: IntVector) -> IntVector:
    """Number units after must_link: equal rows stay together, but for the rows `alone`."""
    part = _parts_of_records(records, limits, alone)
    has_none = records.of_row == NULL
    key = np.where(has_none, records.n_records + np.arange(records.n_rows), records.of_row)
    _, unit = np.unique(np.stack([key, part], axis=1), axis=0, return_inverse=True)
    return _joined(unit.reshape(-1).astype(np.int64), limits.must_link)


def _are_broken(unit: IntVector, limits: Limits) -> BoolVector:
    """Mark units that break a constraint by their own rows: bool of shape (n_units,)."""
    sizes = np.bincount(unit)
    broken = np.zeros(len(sizes), dtype=bool)
    first, second = unit[limits.cannot_link].T
    broken[first[first == second]] = True
    if limits.max_size is not None:
        broken |= sizes > limits.max_size
    if limits.sources is not None:
        known = np.flatnonzero(limits.sources != NULL)
        listed = np.stack([unit[known], limits.sources[known]])
        (units, _), counts = np.unique(listed, axis=1, return_counts=True)
        broken[units[counts > 1]] = True
    return broken


def _parts_of_records(records: Records, limits: Limits, alone: IntVector) -> IntVector:
    """Number the parts into which constraints divide the rows of each record, from 0."""
    of_row = records.of_row.copy()
    of_row[alone] = NULL
    part = parts_of_equal(of_row, limits.sources, limits.max_size)
    # A row that must not be with a row of its own record stands by itself.
    first, second = limits.cannot_link.T
    equal = (records.of_row[first] == records.of_row[second]) & (records.of_row[first] != NULL)
    rows = np.unique(np.concatenate([first[equal], second[equal], alone]))
    part[rows] = 1 + int(part.max(initial=0)) + np.arange(len(rows))
    return part


def parts_of_equal(
    record: IntVector,
    sources: IntVector | None,
    max_size: int | None,
    taken: BoolVector | None = None,
    n_there: IntVector | None = None,
) -> IntVector:
    """Number the parts into which sources and sizes divide the rows of each record.

    Parameters
    ----------
    record
        int64 of shape (n_rows,): the record of each row, `NULL` for one without a key.
    sources
        int64 of shape (n_rows,), as of `Limits`.
    max_size
        As of `Limits`.
    taken, n_there
        bool and int64 of shape (n_rows,): whether the cluster that part 0 of a row's record is to
        join has the row's source, and how many rows it has. Default: there is none.

    Returns
    -------
    part
        int64 of shape (n_rows,), from 0: rows of one record that may share a cluster have the same.

    Examples
    --------
    >>> parts_of_equal(np.zeros(5, dtype=np.int64), np.array([0, 0, 1, -1, -1]), None)
    array([0, 1, 0, 0, 0])
    >>> parts_of_equal(np.zeros(5, dtype=np.int64), None, 3, n_there=np.full(5, 2))
    array([0, 1, 1, 1, 2])
    """
    part = np.zeros(len(record), dtype=np.int64)
    if sources is not None:
        known = np.flatnonzero((sources != NULL) & (record != NULL))
        part[known] = _ranks(np.stack([record[known], sources[known]], axis=1))
        if taken is not None:
            part[known] += taken[known]
    if max_size is not None:
        within = _ranks(np.stack([record, part], axis=1))
        if n_there is not None:
            within += np.where(part == 0, np.minimum(n_there, max_size), 0)
        part = part + (1 + int(part.max(initial=0))) * (within // max_size)
    return part


def _ranks(keys: IntVector) -> IntVector:
    """Rank of each row among those of equal keys, by position: int64 of shape (n_rows,)."""
    if not len(keys):
        return np.zeros(0, dtype=np.int64)
    _, key = np.unique(keys, axis=0, return_inverse=True)
    key = key.reshape(-1)
    order = np.argsort(key, kind="stable")
    starts = np.cumsum(np.bincount(key)) - np.bincount(key)
    ranks = np.empty(len(key), dtype=np.int64)
    ranks[order] = np.arange(len(key)) - starts[key[order]]
    return ranks


def _joined(unit: IntVector, must_link: IntVector) -> IntVector:
    """Join units that rows must share, and number them by first appearance."""
    n_units = int(unit.max(initial=-1)) + 1
    ends = unit[must_link[:, 0]], unit[must_link[:, 1]]
    graph = coo_matrix((np.ones(len(must_link)), ends), shape=(n_units, n_units))
    joined = connected_components(graph, directed=False)[1][unit] if n_units else unit
    return numbered(np.asarray(joined, dtype=np.int64))


def numbered(labels: IntVector) -> IntVector:
    """Number labels by first appearance: int64 of the same shape.

    Examples
    --------
    >>> numbered(np.array([7, 3, 7, 1]))
    array([0, 1, 0, 2])
    """
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first, kind="stable")] = np.arange(len(first))
    return rank[inverse.reshape(-1)]


def _check(records: Records, unit: IntVector, limits: Limits) -> None:
    """Refuse rows that must share a cluster and must not."""
    first, second = limits.cannot_link.T
    clash = np.flatnonzero(unit[first] == unit[second])
    if len(clash):
        rows = limits.cannot_link[clash[0]].tolist()
        raise InputError(
            f"Two rows must and must not share a cluster. Got {limits.call(*rows)} in "
            "cannot_link=, and must_link= joins them, itself or through other rows. "
            "Hint: take one of the pairs out."
        )
    fields = [*records.vetoes, *([] if records.groups is None else [records.groups])]
    rows = np.unique(limits.must_link)
    for column in fields:
        order = rows[np.argsort(unit[rows], kind="stable")]
        known = order[column.codes[order] != NULL]
        differs = np.flatnonzero((np.diff(unit[known]) == 0) & (np.diff(column.codes[known]) != 0))
        if len(differs):
            one, other = known[differs[0]], known[differs[0] + 1]
            raise InputError(
                "Rows that must share a cluster differ in a by= or veto= column. Got "
                f"{limits.call(one, other)} with {column.values[column.codes[one]]!r} and "
                f"{column.values[column.codes[other]]!r}. Hint: take the pair out of must_link=, "
                "or the column out."
            )
