"""What the search indexes of a large reference are made of, so that they are not built again."""

from __future__ import annotations

from typing import NamedTuple

from pearljoin._search.inverted_lists import InvertedLists
from pearljoin._search.search_plan import SearchPlan
from pearljoin._search.tfidf import Postings

__all__ = ["NO_INDEXES", "KnownIndexes"]


class KnownIndexes(NamedTuple):
    """What is known of the indexes of a reference's records.

    Attributes
    ----------
    plan
        Settings of the search of vectors; None where that is exact, or not known.
    lists
        The rows in the lists of that plan, all or the first ones; None where they are not known.
    postings
        What the index of their spelling keeps; None likewise.
    """

    plan: SearchPlan | None = None
    lists: InvertedLists | None = None
    postings: Postings | None = None


NO_INDEXES = KnownIndexes()
