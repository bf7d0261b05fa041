"""Key columns that say nothing of a match, and so leave another one to be compared alone.

A column without values on one side, or with one and the same value throughout both, says nothing of
which record is meant, nor whether any is. Compared all the same, it would move one column of names
from the match scorer, which knows them, to the networks over records, which know what columns say
together.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TypeAlias

from pearljoin._tables.columns import Cells, present_cells
from pearljoin._tables.given_kinds import GivenKinds
from pearljoin._tables.keys import ColumnNames, Keys
from pearljoin._tables.kinds import ColumnKinds, IdleColumns
from pearljoin._tables.read_table import Table
from pearljoin._typing import Weights

__all__ = [
    "drops_idle",
    "idle_still",
    "without_idle",
    "without_idle_beside",
    "without_silent",
]

FEWEST_CELLS = 10
"""Known cells of a column of one value: fewer may be of one value by chance."""

DISTINCT = 0.95
"""Names, as a share of the records that they and a column without left values tell apart."""

NAMES = frozenset({"text", "parsed_address"})
"""Kinds of columns that the match scorer compares as names where they are compared alone."""

NO_LEFT, NO_RIGHT = "no values on the left", "no values on the right"
ONE_VALUE = "one value on both sides"
SILENT = "no more alike in matches than in any two rows"

Reasons: TypeAlias = Sequence[str | None]
"""By key column, why it says nothing; None for one that may say something."""


def drops_idle(weights: Weights | None, nulls_equal: bool, one_table: bool) -> bool:
    """Whether key columns that say nothing are left out, by what the user gave.

    Parameters
    ----------
    weights
        What the key columns count for, where that was given.
    nulls_equal
        Whether nulls are equal, so that they say something.
    one_table
        Whether rows of one table are compared, for which the networks over records serve always.
    """
    return weights is None and not nulls_equal and not one_table


def without_idle(
    right: Table, names: ColumnNames, kinds: ColumnKinds, given: GivenKinds
) -> ColumnKinds:
    """Leave out the key columns without values in the reference, where one of names remains.

    Parameters
    ----------
    right, names
        The reference, and its columns.
    kinds
        How they compare.
    given
        What the user says of the key columns; one whose kind is given is compared.
    """
    if len(names.keys) < 2:
        return kinds
    reasons = _reasons_right([right.columns[name] for name in names.keys])
    return _without(reasons, kinds, given)


def idle_still(right: Table, names: ColumnNames, kinds: ColumnKinds) -> bool:
    """Whether columns that were left out for their one value have no other one now."""
    of_one = [at for at, why in kinds.idle if why == ONE_VALUE]
    return all(_only_value(right.columns[names.keys[at]]) is not None for at in of_one)


def without_idle_beside(
    left: Table, right: Table, keys: Keys, kinds: ColumnKinds, given: GivenKinds
) -> ColumnKinds:
    """Leave out the key columns that say nothing, by the whole of both tables.

    Where names of the reference are alike but for a column without left values, it is compared:
    which of these records is meant stays open, as it would not by their names alone.

    Parameters
    ----------
    left, right
        The tables.
    keys, kinds
        What is compared, and how.
    given
        As of `without_idle`.
    """
    if len(keys.right) < 2:
        return kinds
    columns = [
        (left.columns[name], right.columns[other])
        for name, other in zip(keys.left, keys.right, strict=True)
    ]
    by_right = _reasons_right([there for _, there in columns])
    reasons = [
        why or _reason_left(here, there)
        for why, (here, there) in zip(by_right, columns, strict=True)
    ]
    found = _without(reasons, kinds, given)
    of_left = [at for at, why in found.idle if why == NO_LEFT]
    if of_left:
        (name,) = {at for group in found.fields for at in group}
        if not _tells_apart(columns[name][1], [columns[at][1] for at in of_left]):
            return _without([None if why == NO_LEFT else why for why in reasons], kinds, given)
    return found


def without_silent(kinds: ColumnKinds, silent: Collection[int]) -> ColumnKinds:
    """Leave out the key columns that a calibration found to say nothing.

    Parameters
    ----------
    kinds
        How the columns compare.
    silent
        Places of fields of one column each, as of `GivenKinds.free_fields`.
    """
    idle = (*kinds.idle, *((kinds.fields[at][0], SILENT) for at in sorted(silent)))
    return _alone(kinds, idle) or kinds._replace(idle=idle)


def _alone(kinds: ColumnKinds, idle: IdleColumns) -> ColumnKinds | None:
    """The kinds where one column of names remains, to be compared as it is by itself; else None."""
    left_over = set(range(len(kinds.keys))) - dict(idle).keys()
    if not idle or len(left_over) != 1 or kinds.keys[min(left_over)] not in NAMES:
        return None
    keys = ("text" if at in left_over else kind for at, kind in enumerate(kinds.keys))
    return kinds._replace(keys=tuple(keys), idle=idle)


def _without(reasons: Reasons, kinds: ColumnKinds, given: GivenKinds) -> ColumnKinds:
    """The kinds without the columns that say nothing.

    A missing value is evidence to the networks over records, so columns without values are left out
    only where one column of names remains.
    """
    idle = tuple(
        (at, reason)
        for at, reason in enumerate(reasons)
        if reason is not None and given.of(at) is None
    )
    if kinds.groups or given.has_parts:
        return kinds._replace(idle=())
    of_one_value = tuple((at, why) for at, why in idle if why == ONE_VALUE)
    alone = _alone(kinds, idle) or _alone(kinds, of_one_value)
    # Where nothing would be left, all are compared.
    return alone or kinds._replace(idle=of_one_value if len(of_one_value) < len(reasons) else ())


def _reasons_right(columns: Sequence[Cells]) -> Reasons:
    return [None if _has_values(column) else NO_RIGHT for column in columns]


def _reason_left(left: Cells, right: Cells) -> str | None:
    if not _has_values(left):
        return NO_LEFT
    only = _only_value(right)
    return ONE_VALUE if only is not None and only == _only_value(left) else None


def _tells_apart(names: Cells, others: Sequence[Cells]) -> bool:
    """Tell whether names are as good as alone as with other columns of the same records."""
    named = [cell if cell is None else str(cell) for cell in names.to_list()]
    rows = set(
        zip(named, *([str(cell) for cell in other.to_list()] for other in others), strict=True)
    )
    return len(set(named)) >= DISTINCT * len(rows)


def _has_values(column: Cells) -> bool:
    return next(present_cells(column), None) is not None


def _only_value(column: Cells) -> str | None:
    """The value of all known cells of a column; None where there are others, or few cells."""
    n_cells, only = 0, None
    for cell in present_cells(column):
        folded = _folded(cell)
        if only is not None and folded != only:
            return None
        only, n_cells = folded, n_cells + 1
    return only if n_cells >= FEWEST_CELLS else None


def _folded(cell: object) -> str:
    return str(cell).strip().casefold()
