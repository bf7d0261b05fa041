"""Views of the rows and clusters of a Deduplicator as they are now."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np

from pearljoin._dedupe.golden import Rules, golden_table
from pearljoin._dedupe.growing import Growing
from pearljoin._errors import InputError
from pearljoin._tables.output import with_columns
from pearljoin._typing import IntVector

__all__ = ["GrowingViews"]


class GrowingViews:
    """Rows, clusters, pairs and golden records of a `Deduplicator`."""

    _growing: Growing | None
    _ids: Hashable | None

    @property
    def ids(self) -> list[Any]:
        """Ids of the rows, in the order in which they came."""
        growing = self._fitted()
        return [one for one, is_live in zip(growing.ids, growing.is_live, strict=True) if is_live]

    def clusters(self) -> IntVector:
        """Return the cluster of each row: int64 of shape (n_rows,), in the order of `ids`."""
        growing = self._fitted()
        return growing.cluster[growing.is_live]

    def table(self, cluster: str = "cluster") -> Any:
        """Return the rows with the cluster of each as a last column.

        Parameters
        ----------
        cluster
            Name of the column.

        Raises
        ------
        InputError
            If nothing is fitted, or the table has such a column.
        """
        growing = self._fitted()
        return with_columns(growing.live_rows(), {cluster: growing.cluster[growing.is_live]})

    def golden(self, rules: Rules | None = None, *, provenance: bool = False) -> Any:
        """Return one row for each cluster, made of its rows by a rule for each column.

        Parameters
        ----------
        rules, provenance
            As of `DedupeResult.golden`; rows are numbered as in `table`.

        Returns
        -------
        table
            Of the table's kind, in the order of the clusters, with ``cluster`` and ``n_rows`` as
            first columns.

        Raises
        ------
        InputError
            If nothing is fitted, a rule is not understood, or is for a column that is not there.

        Examples
        --------
        >>> import pandas as pd
        >>> import pearljoin as pj
        >>> deduplicator = pj.Deduplicator(on="name").fit(pd.DataFrame({"name": ["MIT", "Oxford"]}))
        >>> deduplicator.remove([0]).golden().to_dict("list")
        {'cluster': [1], 'n_rows': [1], 'name': ['Oxford']}
        """
        growing = self._fitted()
        ids, labels = np.unique(growing.cluster[growing.is_live], return_inverse=True)
        return golden_table(growing.live_rows(), labels, rules, provenance=provenance, ids=ids)

    def pairs(self, lowest: float = 0.5) -> Any:
        """List compared pairs of rows with the probability of a match: see `DedupeResult.pairs`.

        They do not depend on the batches or the order in which rows were added, but for rounding:
        a probability may differ by 1e-6. It is shown with five decimals.

        Parameters
        ----------
        lowest
            Lowest probability, in [0, 1].

        Returns
        -------
        table
            Of the table's kind, by row: ``left_row`` and ``right_row`` (positions in `table`, the
            lower one first), ``left_id`` and ``right_id``, ``left`` and ``right`` (key values,
            joined by " | "), ``score`` (the probability), and ``same_cluster`` (1 or 0). Equal rows
            score 1.

        Raises
        ------
        InputError
            If nothing is fitted, `lowest` is no number in [0, 1], or the pairs are too many.
        """
        return self._fitted().listed_pairs(lowest, self._ids)

    def _fitted(self) -> Growing:
        if self._growing is None:
            raise InputError("The deduplicator is not fitted. Hint: call .fit(table) first.")
        return self._growing
