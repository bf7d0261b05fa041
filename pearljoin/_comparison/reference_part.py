"""What is known of a whole reference where a part of it is at hand."""

from __future__ import annotations

from typing import NamedTuple

from pearljoin._comparison.told_apart import NOTHING_TELLS, Telling
from pearljoin._records.encoded import EncodedRecords
from pearljoin._typing import Pairs

__all__ = ["Part"]


class Part(NamedTuple):
    """What is known of a whole reference, for a comparison that holds a part of its records.

    Attributes
    ----------
    n_known
        Records of the whole whose first key is not null.
    null_pairs
        Candidate pairs of sampled records among all: int64 of shape (n_pairs,) each, positions in
        the sample and record numbers in the part. Empty where the state is learned already.
    telling
        What tells texts of the whole apart.
    """

    n_known: int
    null_pairs: Pairs
    telling: Telling = NOTHING_TELLS

    def search(self, sample: EncodedRecords, others: EncodedRecords) -> Pairs:
        """Return the known pairs of the sample and the other records, as a search would."""
        return self.null_pairs
