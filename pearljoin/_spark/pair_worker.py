"""What runs in the workers when a table is compared with itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from pearljoin._candidates.exclusions import conflicts
from pearljoin._clusters.limits import Limits
from pearljoin._clusters.partition import Partition
from pearljoin._clusters.scored_pairs import ScoredPairs, in_order
from pearljoin._clusters.table_pairs import TablePairs
from pearljoin._records.missing_keys import NULL
from pearljoin._scoring.match_weights import MatchWeights
from pearljoin._spark.ship import Shipment, open_matcher

__all__ = ["BlockRecords", "ClusterPairs", "ScorePairs", "scored_pairs"]


def scored_pairs(table: pa.Table) -> ScoredPairs:
    """The columns of a table of pairs: ``first``, ``second`` and ``log_odds``."""
    first, second, log_odds = (
        table.column(name).to_numpy() for name in ("first", "second", "log_odds")
    )
    return first, second, log_odds.astype(np.float32)


def _pairs_of(shipment: Shipment, weights: MatchWeights | None = None) -> TablePairs:
    return TablePairs(open_matcher(shipment)._check_fitted().learned().reference, weights)


@dataclass(frozen=True)
class BlockRecords:
    """Called by ``mapInArrow``: yields candidate pairs of the records in the column ``id``.

    Attributes
    ----------
    shipment
        The table, encoded.
    """

    shipment: Shipment

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield pairs, the lower record first; a pair may come from both of its records."""
        for batch in batches:
            if batch.num_rows:
                records = np.sort(batch.column("id").to_numpy())
                first, second = _pairs_of(self.shipment)._pairs_from(records)
                yield pa.RecordBatch.from_pydict({"first": first, "second": second})


@dataclass(frozen=True)
class ScorePairs:
    """Called by ``mapInArrow``: adds the log odds that both records of a pair are the same thing.

    Attributes
    ----------
    shipment, weights
        The table, and the match weights that it taught.
    """

    shipment: Shipment
    weights: MatchWeights

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield the pairs, without those that a veto forbids."""
        for batch in batches:
            if not batch.num_rows:
                continue
            pairs = _pairs_of(self.shipment, self.weights)
            first, second = (batch.column(name).to_numpy() for name in ("first", "second"))
            kept = ~conflicts(pairs.records, pairs.records, first, second)
            first, second = first[kept], second[kept]
            log_odds = pairs.log_odds_of(first, second)
            columns: dict[str, Any] = {"first": first, "second": second, "log_odds": log_odds}
            yield pa.RecordBatch.from_pydict(columns)


@dataclass(frozen=True)
class ClusterPairs:
    """Called by ``mapInArrow`` with whole components: yields the cluster of each of their rows.

    Attributes
    ----------
    shipment, limits, threshold
        The table, constraints on its clusters, and the lowest probability of one.
    """

    shipment: Shipment
    limits: Limits
    threshold: float

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Cluster the rows of these components.

        Yields
        ------
        batch
            ``row``, and ``cluster``: the first row of its cluster.
        """
        parts = [batch for batch in batches if batch.num_rows]
        if not parts:
            return
        table = pa.Table.from_batches(parts)
        first, second, odds = in_order(*scored_pairs(table))
        pairs = _pairs_of(self.shipment)
        found = Partition(pairs.records, first, second, odds, self.limits, pairs.keys)
        labels = found.at(self.threshold)
        is_here = np.zeros(pairs.records.n_records + 1, dtype=bool)
        is_here[first] = is_here[second] = True
        rows = np.flatnonzero(is_here[pairs.records.of_row] & (pairs.records.of_row != NULL))
        # Clusters are numbered by first appearance, so the first row of each comes first.
        first_row = np.unique(labels, return_index=True)[1]
        columns: dict[str, Any] = {"row": rows, "cluster": first_row[labels[rows]]}
        yield pa.RecordBatch.from_pydict(columns)
