"""One table compared with itself: candidate pairs and the log odds that both are one thing."""

from __future__ import annotations

from functools import cached_property, partial

import numpy as np

from pearljoin._candidates.blocking import Pairs
from pearljoin._candidates.exclusions import block_permitted, conflicts
from pearljoin._candidates.record_blocking import block_records
from pearljoin._progress import stage
from pearljoin._records.sampling import content_hashes, sample_records
from pearljoin._reference import Reference
from pearljoin._scoring.match_weights import MatchWeights
from pearljoin._scoring.record_evidence import compare_records
from pearljoin._scoring.record_features import PAIR_FEATURES, RecordPairs, record_features
from pearljoin._scoring.record_model import learn_within
from pearljoin._typing import FloatVector, IntVector

__all__ = ["TablePairs"]

SAMPLE = 2_000
"""Records whose candidate pairs match weights are learned from, at most."""

PAIRS_AT_ONCE = 200_000
"""Pairs whose features are held at a time."""


class TablePairs:
    """Candidate pairs of distinct records of one table, each pair once.

    A record is a distinct combination of key values, so rows with equal keys are one record. What
    is said of a pair depends on its two records and the match weights alone: neither on rivals nor
    on the order of rows.

    Parameters
    ----------
    reference
        The table, encoded with record networks (``one_table=True``).
    weights
        Match weights that were learned before. Default: those that the table teaches.
    """

    def __init__(self, reference: Reference, weights: MatchWeights | None = None) -> None:
        assert reference.networks is not None
        self.reference = reference
        self.records = reference.records
        self.side = reference.encoded
        self.networks = reference.networks
        self._weights = weights

    @cached_property
    def pairs(self) -> Pairs:
        """Candidate pairs, each once: ``first < second``.

        Aligned int64 arrays of shape (n_pairs,), ascending by the first and then the second.
        """
        search = partial(block_records, device=self.reference.device)
        if self.records.vetoes:
            forbidden = partial(conflicts, self.records, self.records)
            found = block_permitted(self.side, self.side, search, forbidden)
        else:
            found = search(self.side, self.side)
        return each_once(*found, len(self.side))

    @cached_property
    def weights(self) -> MatchWeights:
        """Match weights of the key columns, learned from the candidate pairs of a sample."""
        return self._learn_weights() if self._weights is None else self._weights

    @stage("calibrate")
    def _learn_weights(self) -> MatchWeights:
        sample = sample_records(self.side, SAMPLE)
        first, second = self.pairs
        if len(sample) < len(self.side):
            is_sampled = np.zeros(len(self.side), dtype=bool)
            is_sampled[sample] = True
            kept = is_sampled[first] | is_sampled[second]
            first, second = first[kept], second[kept]
        return learn_within(
            self.side, first, second, self.compare(first, second), sample, self.networks
        )

    @cached_property
    def log_odds(self) -> FloatVector:
        """Log odds that both records of each candidate pair are the same thing.

        float32 of shape (n_pairs,).
        """
        return self.score(*self.pairs)

    def compare(self, first: IntVector, second: IntVector) -> RecordPairs:
        """Compare pairs of records in every key column, and as whole records.

        Which of two records counts as the left one depends on their content.

        Parameters
        ----------
        first, second
            int64 of shape (n_pairs,): the records.
        """
        swapped = self._place[first] > self._place[second]
        left, right = np.where(swapped, second, first), np.where(swapped, first, second)
        order = np.argsort(left, kind="stable")
        found = compare_records(self.side, self.side, left[order], right[order], self.networks)
        back = np.argsort(order)
        return RecordPairs(
            left=left,
            columns=tuple(column.take(back) for column in found.columns),
            logits=found.logits[back],
            whole_logit=found.whole_logit[back],
            whole=found.whole[back],
        )

    @stage("scoring")
    def score(self, first: IntVector, second: IntVector) -> FloatVector:
        """Return the log odds that both records of each pair are the same thing.

        Parameters
        ----------
        first, second
            int64 of shape (n_pairs,): the records.

        Returns
        -------
        log_odds
            float32 of shape (n_pairs,).
        """
        found = np.zeros(len(first), dtype=np.float32)
        for start in range(0, len(first), PAIRS_AT_ONCE):
            part = slice(start, start + PAIRS_AT_ONCE)
            pairs = self.compare(first[part], second[part])
            features = record_features(pairs, self.weights)[:, : len(PAIR_FEATURES)]
            found[part] = self.networks.same.logit(features)
        return found

    @cached_property
    def _place(self) -> IntVector:
        """A number of each record that its content decides: int64 of shape (n_records,)."""
        return content_hashes(self.side)


def each_once(left: IntVector, right: IntVector, n_records: int) -> Pairs:
    """List pairs of one table's records once, the lower record first, none with itself.

    Parameters
    ----------
    left, right
        int64 of shape (n_pairs,).
    n_records
        Number of records.

    Returns
    -------
    first, second
        Aligned int64 arrays, ``first < second``, ascending by the first and then the second.

    Examples
    --------
    >>> import numpy as np
    >>> each_once(np.array([0, 1, 1, 2]), np.array([1, 0, 1, 0]), 3)
    (array([0, 0]), array([1, 2]))
    """
    apart = left != right
    first, second = np.minimum(left, right)[apart], np.maximum(left, right)[apart]
    listed = np.unique(first * max(1, n_records) + second)
    return listed // max(1, n_records), listed % max(1, n_records)
