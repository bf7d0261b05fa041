"""Kinds of key columns that the whole of a left table decides: a calibration, not a few rows."""

from __future__ import annotations

from collections import Counter

import numpy as np

from pearljoin._kinds.category import CategoryComparer
from pearljoin._kinds.protocol import Kind
from pearljoin._tables.booleans import are_booleans_written_otherwise
from pearljoin._tables.cells import ColumnKind
from pearljoin._tables.columns import Cells, column_kind, present_cells
from pearljoin._tables.given_kinds import GivenKinds
from pearljoin._tables.idle_columns import without_idle_beside
from pearljoin._tables.keys import Keys
from pearljoin._tables.kinds import ColumnKinds
from pearljoin._tables.read_table import Table
from pearljoin._tables.scripts import differ_in_script

__all__ = ["kinds_of_whole"]

FEWEST_CELLS = 10
"""Left cells from which it is told how a category is written there."""

HARDLY, NEARLY = 0.1, 0.9
"""Shares of a category's left cells: of those that are equal to a right value where it is written
otherwise, and of those that are short for one, or the other way round, where that is how."""


def kinds_of_whole(
    left: Table,
    right: Table,
    keys: Keys,
    kinds: ColumnKinds,
    given: GivenKinds,
    *,
    drops: bool,
    romanises: bool,
) -> ColumnKinds:
    """How the columns of two tables compare, by the values of both.

    Parameters
    ----------
    left, right
        The tables.
    keys
        What is compared.
    kinds
        As of `pearljoin._tables.kinds.joint_kinds`.
    given
        What the user says of the key columns.
    drops
        Whether columns that say nothing are left out.
    romanises
        Whether a column is romanised where the other one is of Latin letters.
    """
    pairs = zip(keys.left, keys.right, strict=True)
    columns = [(left.columns[name], right.columns[other]) for name, other in pairs]
    found = tuple(
        _kind_of_category(*both, given.of(at)) if kind == "parsed_category" else kind
        for at, (kind, both) in enumerate(zip(kinds.keys, columns, strict=True))
    )
    kinds = kinds._replace(keys=found)
    if romanises:
        differ = (at for at, both in enumerate(columns) if differ_in_script(*both))
        kinds = kinds._replace(romanised=tuple(sorted({*kinds.romanised, *differ})))
    return without_idle_beside(left, right, keys, kinds, given) if drops else kinds


def _kind_of_category(left: Cells, right: Cells, given: Kind | None) -> ColumnKind:
    """How two columns compare of which the right one is a category by itself."""
    if are_booleans_written_otherwise(left, right):
        return "parsed_boolean"
    return "text" if given is None and _are_written_otherwise(left, right) else "parsed_category"


def _are_written_otherwise(left: Cells, right: Cells) -> bool:
    """Tell whether hardly a text of a left category is a right one, or short for one: "IL"."""
    if column_kind(left) != "text" or column_kind(right) != "text":
        return False
    cells = Counter(map(str, present_cells(left)))
    n_cells = cells.total()
    if len(cells) < 2 or n_cells < FEWEST_CELLS:
        return False
    comparer = CategoryComparer()
    listed, known = list(cells), comparer.read(sorted(set(map(str, present_cells(right)))))
    counts, read = np.array(list(cells.values())), comparer.read(listed)
    values = [value for value in known.canonical.tolist() if value is not None]
    best = [_best_level(value, values) for value in read.canonical.tolist()]
    equal, short = (counts[np.array(best) >= level].sum() / n_cells for level in (2, 1))
    return bool(equal < HARDLY and short < NEARLY)


def _best_level(value: str | None, others: list[str]) -> int:
    """The level at which a category agrees with the nearest of others: see `CategoryComparer`."""
    if value in others:
        return 2
    begins = [other.startswith(value) or value.startswith(other) for other in others if value]
    return int(any(begins))
