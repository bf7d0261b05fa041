"""Merges of clusters that added rows suggest, and those of them that a user chooses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from pearljoin._errors import InputError, PearljoinError
from pearljoin._tables.read_table import ONLY, as_table

__all__ = ["ClusterPair", "Merge", "ascending", "read_merges"]

ClusterPair = tuple[int, int]
"""The numbers of two clusters, the lower one first."""


class Merge(NamedTuple):
    """A merge of two clusters that an added row suggests.

    Attributes
    ----------
    cluster, other
        The cluster that the row joined, and another one that it matches.
    id
        The row.
    log_odds
        Mean log odds that the row matches the rows of the other cluster.
    """

    cluster: int
    other: int
    id: Any
    log_odds: float

    def between(self, now: Mapping[int, int] | None = None) -> ClusterPair:
        """Return both clusters, by the numbers that they have `now`, where these changed."""
        renamed = {} if now is None else now
        return ascending(*(renamed.get(end, end) for end in (self.cluster, self.other)))


def ascending(one: int, other: int) -> ClusterPair:
    """Return the numbers of two clusters, the lower one first."""
    return min(one, other), max(one, other)


COLUMNS = Merge._fields[:3]
"""What tells a merge from the others that are listed."""


def read_merges(chosen: Any, listed: Sequence[Merge]) -> list[Merge]:
    """Read merges that a user chose.

    Parameters
    ----------
    chosen
        A list of merges, or a table that has the columns ``cluster``, ``other`` and ``id``.
    listed
        The merges to choose from.

    Returns
    -------
    merges
        Those of `listed` that were chosen, in its order.

    Raises
    ------
    InputError
        If they cannot be read, or one of them is not listed.
    """
    keys = _keys_of(chosen)
    try:
        unknown = set(keys) - {merge[:3] for merge in listed}
    except (TypeError, ValueError) as error:  # an id that has no hash
        raise _unreadable(chosen) from error
    if unknown:
        first = next(key for key in keys if key in unknown)
        raise InputError(
            f"There is no such merge (cluster, other, id). Got {first!r}. Hint: clusters may have "
            "merged, or rows may have gone, since it was listed; see .merges() as it is now."
        )
    wanted = set(keys)
    return [merge for merge in listed if merge[:3] in wanted]


def _keys_of(chosen: Any) -> list[tuple[Any, ...]]:
    """Cluster, other and id of each merge."""
    if isinstance(chosen, Iterator):
        chosen = list(chosen)
    if hasattr(chosen, "__len__") and not isinstance(chosen, str) and not len(chosen):
        return []  # a table of no merges may have no columns either
    if not isinstance(chosen, list | tuple | set | frozenset):
        return _keys_of_table(chosen)
    keys = []
    for entry in chosen:
        if isinstance(entry, Mapping) and all(name in entry for name in COLUMNS):
            keys.append(tuple(entry[name] for name in COLUMNS))
        elif isinstance(entry, list | tuple) and len(entry) in (3, 4):
            keys.append(tuple(entry[:3]))
        else:
            raise _unreadable(chosen)
    return keys


def _keys_of_table(chosen: Any) -> list[tuple[Any, ...]]:
    try:
        columns = as_table(chosen, ONLY).columns
    except PearljoinError as error:
        raise _unreadable(chosen) from error
    if not all(name in columns for name in COLUMNS):
        raise _unreadable(chosen)
    return list(zip(*(columns[name].to_list() for name in COLUMNS), strict=True))


def _unreadable(chosen: Any) -> InputError:
    got = repr(chosen) if isinstance(chosen, str | int | tuple) else f"a {type(chosen).__name__}"
    return InputError(
        f"Merges are given as entries of .merges(). Got {got}. Hint: a list of some of these, or "
        f"a table that has the columns {list(COLUMNS)!r}."
    )
