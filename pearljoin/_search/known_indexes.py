"""What the search indexes of a large reference are made of, so that they are not built again."""

from __future__ import annotations

from typing import NamedTuple

from pearljoin._search.approximate import SearchPlan
from pearljoin._search.inverted_lists import ListedRows
from pearljoin._search.tfidf import TurnedRows

__all__ = ["NO_INDEXES", "KnownIndexes"]


class KnownIndexes(NamedTuple):
    """What is known of the indexes of a reference's records.

    Attributes
    ----------
    plan
        Settings of the search of vectors; None where that is exact, or not known.
    listed
        The rows in the lists of that plan; None where they are not known.
    turned
        What the index of their spelling keeps; None likewise.
    """

    plan: SearchPlan | None = None
    listed: ListedRows | None = None
    turned: TurnedRows | None = None

    @property
    def of_others(self) -> KnownIndexes:
        """What stays where rows are added or removed."""
        return KnownIndexes(self.plan)


NO_INDEXES = KnownIndexes()
