"""Corrections of a Deduplicator's clusters: merges that added rows suggest, and splits."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Any, Self

from pearljoin._dedupe.growing_views import GrowingViews
from pearljoin._dedupe.merges import Merge, read_merges
from pearljoin._dedupe.options import ConstraintOptions
from pearljoin._dedupe.result import DedupeResult
from pearljoin._typing import TableLike

__all__ = ["GrowingMerges"]


class GrowingMerges(GrowingViews):
    """Merges and splits of the clusters of a `Deduplicator`."""

    _changing: threading.RLock
    _constraints: ConstraintOptions
    _result: DedupeResult[Any] | None

    def merges(self) -> list[Merge]:
        """List merges that added rows suggest, in the order of discovery.

        Returns
        -------
        merges
            (cluster, other, id, log_odds): the row with this id joined `cluster`, and also matches
            the rows of `other`. Clusters that were merged or rejected since are not listed.
        """
        return list(self._fitted().merges)

    def apply_merges(self, merges: Iterable[Merge] | TableLike | None = None) -> Self:
        """Merge clusters that `merges` lists, as constraints allow; the lower id stays.

        Parameters
        ----------
        merges
            Those to apply: a list of entries of `merges`, or a table that has their ``cluster``,
            ``other`` and ``id``. Default: all.

        Returns
        -------
        deduplicator
            Itself. What is not applied, or what a constraint forbids, stays listed, by the ids
            that its clusters have now.

        Raises
        ------
        InputError
            If nothing is fitted, or one of the merges is not listed (any more); none is applied.

        Examples
        --------
        >>> import pearljoin as pj
        >>> deduplicator = pj.Deduplicator().fit(["Bell Labs", "AT&T Bell", "Harvard"])
        >>> added = deduplicator.add(["AT&T Bell Labs"])
        >>> sure = [merge for merge in deduplicator.merges() if merge.log_odds > 1]
        >>> deduplicator.apply_merges(sure).clusters()
        array([0, 0, 2, 0])
        """
        with self._changing:
            growing = self._fitted()
            chosen = growing.merges if merges is None else read_merges(merges, growing.merges)
            self._growing, self._result = growing.merged(self._constraints, chosen), None
        return self

    def reject_merges(self, merges: Iterable[Merge] | TableLike) -> Self:
        """Say of merges that `merges` lists that their clusters are not the same thing.

        The clusters never merge, and no merge of them is listed again, also after `save` and
        `load`. `refit` keeps the first rows of both apart.

        Parameters
        ----------
        merges
            A list of entries of `merges`, or a table, as of `apply_merges`.

        Returns
        -------
        deduplicator
            Itself. Rows and clusters stay.

        Raises
        ------
        InputError
            If nothing is fitted, or one of the merges is not listed (any more); none is rejected.

        Examples
        --------
        >>> import pearljoin as pj
        >>> deduplicator = pj.Deduplicator().fit(["Bell Labs", "AT&T Bell", "Harvard"])
        >>> added = deduplicator.add(["AT&T Bell Labs"])
        >>> deduplicator.reject_merges(deduplicator.merges()).merges()
        []
        >>> deduplicator.apply_merges().clusters()
        array([0, 1, 2, 1])
        """
        with self._changing:
            growing = self._fitted()
            self._growing = growing.rejecting(read_merges(merges, growing.merges))
        return self

    def split(self, ids: Iterable[Any]) -> Self:
        """Take rows out of their cluster into a new one, as not the same thing as the others.

        Each of them is kept apart from each other row of the cluster from then on, as by
        `cannot_link`: in merges, in `refit`, and after `save` and `load`.

        Parameters
        ----------
        ids
            Ids of some rows of one cluster, which share the new one.

        Returns
        -------
        deduplicator
            Itself. The other rows keep the cluster and its id.

        Raises
        ------
        InputError
            If nothing is fitted; an id repeats or is not there; the rows are of several clusters or
            all of one; or `must_link` holds some of them to others.

        Examples
        --------
        >>> import pearljoin as pj
        >>> deduplicator = pj.Deduplicator().fit(["Univ. of Oxford", "MIT", "Harvard"])
        >>> deduplicator.add(["University of Oxford", "Oxford University Press"])
        array([0, 0])
        >>> deduplicator.split([4]).clusters()
        array([0, 1, 2, 0, 3])
        """
        with self._changing:
            self._growing, self._result = self._fitted().split(ids), None
        return self
