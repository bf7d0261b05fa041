"""From the log odds of pairs of records to clusters of rows."""

from __future__ import annotations

import numpy as np
from scipy.special import logit

from pearljoin._cached import cached_property
from pearljoin._clusters.limits import Limits, Units, numbered, units_of
from pearljoin._clusters.linkage import Bounds, average_linkage
from pearljoin._clusters.repair import repair
from pearljoin._records.missing_keys import NULL
from pearljoin._records.records import Records
from pearljoin._typing import FloatVector, IntVector

__all__ = ["LARGEST", "Partition", "cut_log_odds", "least_log_odds"]

LARGEST = 12.0
"""Log odds are cut to plus or minus this, so that no single pair outweighs many."""

EQUAL = 24.0
"""Log odds of rows with equal keys: they are one thing at any threshold."""

NEAREST = 1e-6
"""Thresholds are cut to this distance from 0 and 1."""


def least_log_odds(threshold: float) -> float:
    """Return the log odds of a threshold in [0, 1], cut to `NEAREST` from both ends."""
    return float(logit(min(max(threshold, NEAREST), 1 - NEAREST)))


def cut_log_odds(log_odds: FloatVector) -> FloatVector:
    """Cut log odds to `LARGEST` either way: float32 of the same shape."""
    cut = np.clip(log_odds, -LARGEST, LARGEST)
    return np.where(np.isposinf(log_odds), EQUAL, cut).astype(np.float32)


class Partition:
    """Clusters the rows of a table, at one threshold after another.

    Parameters
    ----------
    records
        The records of the table.
    first, second
        int64 of shape (n_pairs,): the pairs of records that were compared, each once.
    log_odds
        float32 of shape (n_pairs,): that both are the same thing.
    limits
        Constraints on rows.
    keys
        int64 of shape (n_records,): a hash of the content of each record, which breaks ties.

    Raises
    ------
    InputError
        If the constraints contradict each other.
    """

    def __init__(
        self,
        records: Records,
        first: IntVector,
        second: IntVector,
        log_odds: FloatVector,
        limits: Limits,
        keys: IntVector,
    ) -> None:
        self._records = records
        self._limits = limits
        self.units: Units = units_of(records, limits)
        pair, one, other = self.units.pairs_of(first, second)
        equal = self.units.equal_pairs()
        apart = self.units.apart
        odds = cut_log_odds(log_odds[pair])
        self._first = np.concatenate([one, equal[0], apart[:, 0]])
        self._second = np.concatenate([other, equal[1], apart[:, 1]])
        self._log_odds = np.concatenate(
            [odds, np.full(len(equal[0]), EQUAL), np.zeros(len(apart))]
        ).astype(np.float32)
        self._apart = np.arange(len(self._first)) >= len(self._first) - len(apart)
        self._keys = self._unit_keys(keys)

    def at(self, threshold: float) -> IntVector:
        """Cluster the rows.

        Parameters
        ----------
        threshold
            Lowest mean probability, in [0, 1], at which two clusters merge: the mean is that of
            the log odds between their rows.

        Returns
        -------
        labels
            int64 of shape (n_rows,): the cluster of each row, numbered by first appearance.
        """
        lowest = least_log_odds(threshold)
        log_odds = np.asarray(self._log_odds - np.float32(lowest), dtype=np.float32)
        edges = self._first, self._second, log_odds, self._apart
        labels = average_linkage(self.units.n_units, *edges, self._bounds, self._keys)
        labels = repair(labels, *edges, self._bounds)
        return numbered(labels[self.units.of_row])

    @cached_property
    def _bounds(self) -> Bounds:
        units, limits = self.units, self._limits
        exclusive = None
        if limits.sources is not None:
            rows = np.flatnonzero(limits.sources != NULL)
            # A unit that has a source twice, by must_link, may have it.
            listed = np.stack([units.of_row[rows], limits.sources[rows]])
            node, source = np.unique(listed, axis=1)
            exclusive = node, source
        columns = [self._of_units(column.codes) for column in self._records.vetoes]
        uniform = np.stack(columns) if columns else None
        return Bounds(units.sizes, limits.max_size, exclusive, uniform)

    def _of_units(self, codes: IntVector) -> IntVector:
        """The code of each unit in a column of one value a unit: int64 of shape (n_units,)."""
        found = np.full(self.units.n_units, NULL, dtype=np.int64)
        np.maximum.at(found, self.units.of_row, codes)
        return found

    def _unit_keys(self, keys: IntVector) -> IntVector:
        """What decides ties between units: the least key of their records."""
        unit, record = self.units.members
        found = np.full(self.units.n_units, np.iinfo(np.int64).max, dtype=np.int64)
        np.minimum.at(found, unit, keys[record])
        return found
