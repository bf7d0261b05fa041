"""Key columns that say nothing of a match, and so leave another one to be compared alone.

Beside one column of names, a column without values on one side, or with one value throughout the
reference, says nothing of which record is meant. Compared all the same, it would move the names
from the match scorer, which knows them, to the networks over records, which know what columns say
together.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from pearljoin._tables.columns import Cells, present_cells
from pearljoin._tables.given_kinds import GivenKinds
from pearljoin._tables.keys import ColumnNames, Keys
from pearljoin._tables.kinds import ColumnKinds
from pearljoin._tables.read_table import Table
from pearljoin._typing import Weights

__all__ = ["drops_idle", "without_idle", "without_idle_beside"]

FEWEST_CELLS = 10
"""Known cells of a column of one value: fewer may be of one value by chance."""

DISTINCT = 0.95
"""Names, as a share of the records that they and a column without left values tell apart."""

NAMES = frozenset({"text", "parsed_address"})
"""Kinds of columns that the match scorer compares as names where they are compared alone."""

WHOLE_VALUES = frozenset({"text", "code", "parsed_category"})
"""Kinds of columns of which values that are not the same text are hardly ever one."""

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
    """Leave out the key columns that say nothing, by the reference alone.

    None is left out unless one column of names remains to be compared.

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


def without_idle_beside(
    left: Table, right: Table, keys: Keys, kinds: ColumnKinds, given: GivenKinds
) -> ColumnKinds:
    """Leave out the key columns that say nothing, by the whole of both tables.

    One value throughout the left table says which records of the reference are meant, unless none
    of them has it. Where names of the reference are alike but for a column, all are compared: which
    of these records is meant stays open, as it would not by their names alone.

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
        why or _reason_left(here, there, kind)
        for why, (here, there), kind in zip(by_right, columns, kinds.keys, strict=True)
    ]
    found = _without(reasons, kinds, given)
    of_left = [at for at, _ in found.idle if by_right[at] is None]
    (name,) = {at for group in found.fields for at in group} if found.idle else (0,)
    if of_left and not _tells_apart(columns[name][1], [columns[at][1] for at in of_left]):
        return _without(by_right, kinds, given)
    return found


def _without(reasons: Reasons, kinds: ColumnKinds, given: GivenKinds) -> ColumnKinds:
    """The kinds without the columns that say nothing, where they leave one of names."""
    idle = tuple(
        (at, reason)
        for at, reason in enumerate(reasons)
        if reason is not None and given.of(at) is None
    )
    left_over = set(range(len(reasons))) - {at for at, _ in idle}
    listed = [kinds.keys[at] for at in left_over]
    if kinds.groups or len(listed) != 1 or listed[0] not in NAMES or given.has_parts:
        return kinds._replace(idle=())
    keys = ("text" if at in left_over else kind for at, kind in enumerate(kinds.keys))
    return kinds._replace(keys=tuple(keys), idle=idle)


def _reasons_right(columns: Sequence[Cells]) -> Reasons:
    return [
        "no values on the right"
        if not _has_values(column)
        else "one value on the right"
        if _only_value(column) is not None
        else None
        for column in columns
    ]


def _reason_left(left: Cells, right: Cells, kind: str) -> str | None:
    if not _has_values(left):
        return "no values on the left"
    only = _only_value(left) if kind in WHOLE_VALUES else None
    if only is None or any(_folded(cell) == only for cell in present_cells(right)):
        return None
    return "one value on the left, which the right lacks"


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
