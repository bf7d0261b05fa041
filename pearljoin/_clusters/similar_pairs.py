"""One table compared with itself by similarity, without scoring networks."""

from __future__ import annotations

import numpy as np

from pearljoin._cached import cached_property
from pearljoin._candidates.blocking import block_above
from pearljoin._candidates.exclusions import conflicts
from pearljoin._clusters.limits import Limits, numbered
from pearljoin._clusters.partition import Partition
from pearljoin._clusters.scored_pairs import each_once
from pearljoin._comparison.reference import Reference
from pearljoin._records.missing_keys import NULL
from pearljoin._records.sampling import content_hashes
from pearljoin._records.similarity import BELOW_EQUAL
from pearljoin._scoring.ranking import DECIMALS
from pearljoin._typing import FloatVector, IntVector

__all__ = ["SimilarPairs"]

STEEP = 24.0
"""Log odds for each unit of similarity above the threshold, where there are constraints."""


class SimilarPairs:
    """Pairs of distinct records of one table by the mean similarity of their key columns.

    Parameters
    ----------
    reference
        The table.
    """

    calibrated = False
    least = 0.3
    """Lowest similarity of the pairs that are listed where all are asked for."""

    def __init__(self, reference: Reference) -> None:
        self.reference = reference
        self.records = reference.records
        self.side = reference.encoded
        self._found: tuple[float, IntVector, IntVector, FloatVector] | None = None

    @cached_property
    def keys(self) -> IntVector:
        """A hash of the content of each record: int64 of shape (n_records,)."""
        return content_hashes(self.side)

    def above(self, threshold: float) -> tuple[IntVector, IntVector, FloatVector]:
        """List the pairs of records whose similarity reaches a threshold.

        Parameters
        ----------
        threshold
            In [0, 1].

        Returns
        -------
        first, second, score
            Aligned arrays of shape (n_pairs,): int64, int64 and float32, ``first < second``.

        Raises
        ------
        InputError
            If they are too many to hold.
        """
        if self._found is None or self._found[0] > threshold:
            first, second = each_once(
                *block_above(self.side, self.side, threshold, None), len(self.side)
            )
            kept = ~conflicts(self.records, self.records, first, second)
            first, second = first[kept], second[kept]
            self._found = threshold, first, second, self.score(first, second)
        _, first, second, score = self._found
        kept = score >= np.float32(threshold)
        return first[kept], second[kept], score[kept]

    def score(self, first: IntVector, second: IntVector) -> FloatVector:
        """Similarity of pairs of records: float32 of shape (n_pairs,), 1 for equal ones alone."""
        found = np.minimum(self.side.score(self.side, first, second), BELOW_EQUAL)
        equal = self.side.equal_normalised.equals(first, second)
        return np.where(equal, 1, np.round(found, DECIMALS)).astype(np.float32)

    def clusters(self, threshold: float, limits: Limits) -> IntVector:
        """Cluster the rows.

        The most frequent record becomes a centre, of equally frequent ones the first. Its cluster
        gets every record that is in none yet and reaches the threshold against it; then the next
        most frequent follows. With constraints, clusters merge by average linkage.

        Parameters
        ----------
        threshold
            In [0, 1].
        limits
            Constraints.

        Returns
        -------
        labels
            int64 of shape (n_rows,), numbered by first appearance.
        """
        # A record without a value of veto= may resemble two that have different ones.
        if not limits.is_empty or self.records.vetoes:
            first, second, score = self.above(max(0.0, threshold - 0.2))
            odds = (STEEP * (score - threshold + 1e-6)).astype(np.float32)
            return Partition(self.records, first, second, odds, limits, self.keys).at(0.5)
        centre = self._centres(*self.above(threshold)[:2])
        alone = self.records.n_records + np.arange(self.records.n_rows)
        of_row = self.records.of_row
        return numbered(np.where(of_row == NULL, alone, np.append(centre, NULL)[of_row]))

    def _centres(self, first: IntVector, second: IntVector) -> IntVector:
        """Centre of each record's cluster: int64 of shape (n_records,)."""
        n_records = self.records.n_records
        left, right = np.concatenate([first, second]), np.concatenate([second, first])
        order = np.argsort(left, kind="stable")
        left, right = left[order], right[order]
        bounds = np.searchsorted(left, np.arange(n_records + 1))
        centre = np.full(n_records, NULL, dtype=np.int64)
        # The sort is stable, so of equally frequent records the first to appear comes first.
        for record in np.argsort(-self.records.sizes, kind="stable").tolist():
            if centre[record] == NULL:
                alike = right[bounds[record] : bounds[record + 1]]
                centre[alike[centre[alike] == NULL]] = record
                centre[record] = record
        return centre
