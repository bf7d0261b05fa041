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
    candidates = comparison.candidates
    if candidates.things is None:
        return ()
    # Few left records have doubles, and only these are ordered.
    has_doubles = np.zeros(comparison.left.n_records, dtype=bool)
    has_doubles[candidates.left[candidates.things != candidates.right]] = True
    candidates = candidates.take(has_doubles[candidates.left])
    assert candidates.things is not None
    thing = candidates.left * max(1, len(comparison.reference.encoded)) + candidates.things
    order = np.argsort(thing, kind="stable")
    as_before = np.diff(thing[order], prepend=-1) == 0
    # Nearly all things are of one row.
    several = as_before | np.append(as_before[1:], False)
    starts = np.flatnonzero(~as_before[several])
    rows = comparison.right.first_row[candidates.right[order[several]]]
    groups = np.split(rows, starts[1:])
    return tuple(sorted({tuple(sorted(some.tolist())) for some in groups if len(some)}))
