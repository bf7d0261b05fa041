"""Made records: two tables to link, or one to deduplicate, and what is true of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pearljoin_train.records.domains import ColumnKind
from pearljoin_train.records.multiplicity import Relation
from pearljoin_train.records.side import Rates

__all__ = ["LinkedTables", "MadeDuplicates", "MadeTables", "Table", "column_of_names"]

Table: TypeAlias = dict[str, list[str | None]]
"""Values by header; all columns are as long."""


@dataclass(frozen=True)
class LinkedTables:
    """Two tables to link.

    Attributes
    ----------
    domain
        What their rows are about.
    left, right
        Values by header. Both sides have the same headers.
    left_things, right_things
        The number of the thing that each row is of; both sides count the same things.
    relation
        What was drawn: at most one row of a thing on a side, or several.
    """

    domain: str
    left: Table
    right: Table
    left_things: list[int]
    right_things: list[int]
    relation: Relation

    def pairs(self) -> NDArray[np.int64]:
        """Return all matching pairs.

        Returns
        -------
        pairs
            int64 of shape (n_pairs, 2): a left row and a right row, in ascending order.
        """
        rows: dict[int, list[int]] = defaultdict(list)
        for row, thing in enumerate(self.right_things):
            rows[thing].append(row)
        found = [
            (left, right)
            for left, thing in enumerate(self.left_things)
            for right in rows.get(thing, ())
        ]
        return np.array(found, dtype=np.int64).reshape(-1, 2)


@dataclass(frozen=True)
class MadeTables(LinkedTables):
    """Two tables of made things to link; `domain` is a key of `DOMAINS`.

    Attributes
    ----------
    kinds
        What each column holds, by header.
    unmatched
        The shares of left and right rows without a match that were drawn.
    rates
        What else was drawn, of the left side and the right, by header.
    """

    kinds: Mapping[str, ColumnKind]
    unmatched: tuple[float, float]
    rates: tuple[Rates, Rates]


@dataclass(frozen=True)
class MadeDuplicates:
    """One table that has several rows of some things.

    Attributes
    ----------
    domain
        A key of `DOMAINS`.
    table
        Values by header.
    clusters
        The number of the thing that each row is of.
    kinds
        What each column holds, by header.
    rates
        What was drawn, by header; where there are several sources, those of the first.
    """

    domain: str
    table: Table
    clusters: list[int]
    kinds: Mapping[str, ColumnKind]
    rates: Rates


def column_of_names(
    source: str, rows: Sequence[tuple[str, int]], kind: ColumnKind = "name"
) -> MadeDuplicates:
    """Return a table of one column.

    Parameters
    ----------
    source
        What the names are of.
    rows
        The name of each row, and the number of the thing that it is of.
    kind
        What the column holds.
    """
    table: Table = {"name": [text for text, _ in rows]}
    return MadeDuplicates(source, table, [of for _, of in rows], {"name": kind}, Rates({}, {}, ()))
