"""Doubles among the candidates: reference records scored as one entity."""

from __future__ import annotations

import numpy as np

from pearljoin._comparison.comparison import Candidates, Comparison
from pearljoin._typing import IntVector

__all__ = ["doubles_of", "group_doubles"]


def doubles_of(candidates: Candidates, left: int, right: int) -> IntVector:
    """List the candidates of the same entity as one, best first.

    Parameters
    ----------
    candidates
        The scored candidates.
    left, right
        Record numbers.

    Returns
    -------
    records
        int64 of shape (n_doubles,): right records, without `right` itself.
    """
    if candidates.things is None:
        return np.zeros(0, dtype=np.int64)
    part = slice(*np.searchsorted(candidates.left, [left, left + 1]).tolist())
    records, things = candidates.right[part], candidates.things[part]
    thing = things[records == right]
    return np.asarray(records[np.isin(things, thing) & (records != right)], dtype=np.int64)


def group_doubles(comparison: Comparison) -> tuple[tuple[int, ...], ...]:
    """Group the reference rows that some left record's scores take as one.

    Parameters
    ----------
    comparison
        Scored candidates.

    Returns
    -------
    groups
        Row positions of the first rows of records, ascending; at least two in a group. A row may be
        in several groups, where left records differ.
    """
    groups: set[tuple[int, ...]] = set()
    for part in comparison.candidate_parts("many_to_one"):
        groups.update(_groups_in(_with_doubles(part), comparison.right.first_row))
    return tuple(sorted(groups))


def _groups_in(candidates: Candidates, first_row: IntVector) -> set[tuple[int, ...]]:
    """Group the first rows of records that are one thing to some left record."""
    if candidates.things is None or not len(candidates):
        return set()
    thing = candidates.left * len(first_row) + candidates.things
    order = np.argsort(thing, kind="stable")
    as_before = np.diff(thing[order], prepend=-1) == 0
    # Nearly all things are of one row.
    several = as_before | np.append(as_before[1:], False)
    starts = np.flatnonzero(~as_before[several])
    rows = first_row[candidates.right[order[several]]]
    groups = np.split(rows, starts[1:])
    return {tuple(sorted(some.tolist())) for some in groups if len(some)}


def _with_doubles(candidates: Candidates) -> Candidates:
    """Return the pairs of left records that have doubles, few of all, so that few are ordered."""
    if candidates.things is None or not len(candidates):
        return candidates
    has_doubles = np.zeros(int(candidates.left[-1]) + 1, dtype=bool)
    has_doubles[candidates.left[candidates.things != candidates.right]] = True
    return candidates.take(has_doubles[candidates.left])
